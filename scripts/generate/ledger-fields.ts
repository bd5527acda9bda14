import { parse } from 'yaml';

import type { LedgerRow } from '../../conformance/ledger.js';
import type { Document } from './document.js';
import { operationsOf, resolve } from './document.js';
import { docs, operationAnchor } from './ledger.js';
import { holdGap } from './ledger-rules.js';
import type { Report, Law } from './ledger-rules.js';
import { describePlace, propertiesAt, replyNode } from './places.js';

export const fieldsFile = 'conformance/requirements/fields.yaml';

interface Content {
  /** Schemas that show an object of another schema in part. */
  views?: Record<string, string>;
  /** Sections of the interface, where it is not section 2. */
  sections?: Record<string, string>;
  fields?: Record<string, string | { monitor: string; gap?: string }>;
}

/**
 * Rows of fields: type, presence and values are the contract's, and the statement says them.
 * @throws Error with every offence, each naming file, row and remedy.
 */
export function fieldRows(text: string, law: Law): LedgerRow[] {
  const offences: string[] = [];
  const report: Report = (id, offence) => offences.push(`${fieldsFile}: ${id}: ${offence}`);
  const content = parse(text) as Content;
  unknownKeys('file', content, ['views', 'sections', 'fields'], report);
  const rows = Object.entries(content.fields ?? {}).flatMap(([id, value]) => {
    const entry = typeof value === 'string' ? { monitor: value } : value;
    unknownKeys(id, entry, ['monitor', 'gap'], report);
    if (!/^[A-Z]+-FIELD-/.test(id)) report(id, 'is no id of a field; write one such as LEAGUE-FIELD-id');
    holdGap(id, entry.gap, law, report);
    try {
      return [fieldRow(id, entry, content, law.contract)];
    } catch (error) {
      report(id, `${entry.monitor}: ${(error as Error).message}; name a place that exists`);
      return [];
    }
  });
  if (offences.length > 0) throw new Error(offences.join('\n'));
  return rows;
}

function fieldRow(
  id: string,
  { monitor: place, gap }: { monitor: string; gap?: string },
  { views = {}, sections = {} }: Content,
  contract: Document,
): LedgerRow {
  const [head = ''] = place.split('.');
  const own = propertiesAt(contract, place);
  const seen = Object.entries(views)
    .filter(([, schema]) => schema === head)
    .flatMap(([view]) => optional(() => propertiesAt(contract, view + place.slice(head.length))));
  const properties = [...own, ...seen].map(({ pointer }) => pointer);
  const [pointer] = properties;
  return {
    id,
    level: 'MUST',
    section: sections[head] ?? '2',
    statement: `${place} is ${describePlace(contract, own)}.`,
    ...(gap !== undefined && { gap }),
    needs: [],
    link: `${docs}#${operationAnchor(contract, operationOf(contract, head))}`,
    ...(pointer !== undefined && { pointer }),
    group: id.replace(/-FIELD-.*$/, '-FIELD'),
    how: 'monitor',
    place,
    properties,
  };
}

/** Blames every key that is not known. */
function unknownKeys(id: string, entry: object, known: readonly string[], report: Report): void {
  for (const key of Object.keys(entry)) {
    if (!known.includes(key)) report(id, `key ${key} is unknown; keys are ${known.join(', ')}`);
  }
}

function optional<T>(make: () => T[]): T[] {
  try {
    return make();
  } catch {
    return [];
  }
}

/** The first operation whose reply shows the schema; the head of a place may be an operation itself. */
function operationOf(document: Document, head: string): string {
  for (const { operation } of operationsOf(document)) {
    const reply = replyNode(document, operation.operationId);
    if (operation.operationId === head || (reply && reaches(document, reply.schema, head, new Set())))
      return operation.operationId;
  }
  return '';
}

function reaches(document: Document, node: unknown, schema: string, seen: Set<string>): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('$ref' in node && typeof node.$ref === 'string') {
    if (node.$ref === `#/components/schemas/${schema}`) return true;
    if (seen.has(node.$ref)) return false;
    seen.add(node.$ref);
    return reaches(document, resolve(document, { $ref: node.$ref }), schema, seen);
  }
  return Object.values(node).some((child) => reaches(document, child, schema, seen));
}

/** conformance/fields.gen.ts: what the monitors need of the rows of fields. */
export function fieldsModule(rows: readonly LedgerRow[]): string {
  const places = rows.flatMap((row) => (row.how === 'monitor' ? [{ id: row.id, place: row.place }] : []));
  return [
    "import type { RowId } from './ledger.gen.js';",
    '/** The rows about one field, with its place in the contract. */',
    `export const fieldPlaces: readonly { readonly id: RowId; readonly place: string }[] = ${JSON.stringify(places)};`,
  ].join('\n');
}
