import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

import type { LedgerRow } from '../../conformance/ledger.js';
import type { Document } from './document.js';
import { operationsOf, resolve, root } from './document.js';
import type { Report, ReportRow, Entry, Law } from './ledger-rules.js';
import { commonOf, needsOf, proofOf, unknownKeys } from './ledger-rules.js';
import { describePlace, operationPointer, propertiesAt, replyNode } from './places.js';

/** A file of the ledger: its name without the ending, and its text. */
export interface Area {
  name: string;
  text: string;
}

/** The order of the ledger, and with it of reports. */
const order = (
  'general errors authorization codes tokens refresh lifetimes revocation introspection bearer scopes realms profile ' +
  'filters leagues ladders pvp characters stashes guild league-accounts public-stashes exchange tree editions fields'
).split(' ');
const folder = 'conformance/requirements';
const docs = 'dist/docs/index.html';

/** Reads the files of the ledger. */
export async function readAreas(): Promise<Area[]> {
  const files = (await readdir(join(root, folder))).filter((file) => file.endsWith('.yaml'));
  const stray = files.find((file) => !order.includes(file.replace('.yaml', '')));
  if (stray)
    throw new Error(`${folder}/${stray}: the order of scripts/generate/ledger.ts does not name it; add it there`);
  return Promise.all(
    order.map(async (name) => ({ name, text: await readFile(join(root, folder, `${name}.yaml`), 'utf8') })),
  );
}

/**
 * The rows of the ledger, each held against the rules and the contract.
 * @throws Error with every offence, each naming file, row and remedy.
 */
export function ledgerRows(areas: readonly Area[], law: Law): LedgerRow[] {
  const offences: string[] = [];
  const rows = areas.flatMap(({ name, text }) => {
    const file = `${folder}/${name}.yaml`;
    let content: Entry;
    try {
      content = parse(text) as Entry;
    } catch (error) {
      offences.push(`${file}: ${String(error)}`);
      return [];
    }
    const report: Report = (id) => (offence) => {
      offences.push(`${file}: ${id}: ${offence}`);
      return undefined;
    };
    if ('fields' in content) return fieldRows(content, law, report);
    return areaRows(content, law, report);
  });
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id)) offences.push(`${folder}: ${id} stands twice; give the later one an id that was never used`);
    seen.add(id);
  }
  if (offences.length > 0) throw new Error(offences.join('\n'));
  return rows;
}

const rowKeys = [
  'id',
  'level',
  'section',
  'statement',
  'entailed',
  'plausible',
  'gap',
  'needs',
  'check',
  'monitor',
  'excluded',
];

function areaRows(content: Entry, law: Law, report: Report): LedgerRow[] {
  unknownKeys(content, ['groups', 'rows'], report('file'));
  const chapters = chaptersOf(law.contract.info.description);
  const groups = (content['groups'] ?? {}) as Record<string, { operation?: string; read?: string }>;
  for (const [group, entry] of Object.entries(groups)) {
    unknownKeys(entry, ['operation', 'read'], report(group));
    if (!entry.operation && !entry.read && group !== 'SCOPE-OP')
      report(group)('has neither operation nor read; say where its sentences can be read');
    if (entry.read && !chapters.has(entry.read))
      report(group)(`read ${entry.read} is no chapter of openapi/info.md; name one by its headings`);
    if (entry.operation && !operationPointer(law.contract, entry.operation))
      report(group)(`operation ${entry.operation} is not in the contract; name one by its operationId`);
  }
  return ((content['rows'] ?? []) as Entry[]).flatMap((row) => areaRow(row, groups, law, report(String(row['id']))));
}

function areaRow(
  row: Entry,
  groups: Record<string, { operation?: string; read?: string }>,
  law: Law,
  report: ReportRow,
): LedgerRow[] {
  const id = String(row['id']);
  const group = groupOf(id);
  const entry = groups[group];
  unknownKeys(row, rowKeys, report);
  if (!entry) return report(`its group ${group} is not under groups; add it there`) ?? [];
  const operation = id.startsWith('SCOPE-OP-') ? id.slice('SCOPE-OP-'.length) : entry.operation;
  const pointer = operation === undefined ? undefined : operationPointer(law.contract, operation);
  if (operation !== undefined && pointer === undefined) report(`${operation} is no operation of the contract`);
  const common = commonOf(row, law, report);
  const proof = proofOf(row, report);
  if (!common || !proof) return [];
  const anchor = entry.read ?? (operation === undefined ? undefined : operationAnchor(law.contract, operation));
  const needs = needsOf(row['needs'] ?? [], law, report);
  if (proof.how === 'excluded' && needs.length > 0) report('is excluded and has needs; take one of them away');
  return [{ id, ...common, needs, link: `${docs}#${anchor ?? ''}`, ...(pointer && { pointer }), group, ...proof }];
}

/** `TOK-REFRESH` of `TOK-REFRESH-006`. */
const groupOf = (id: string): string => (id.startsWith('SCOPE-OP-') ? 'SCOPE-OP' : id.replace(/-[^-]*$/, ''));

/** Rows of fields: type, presence and values are the contract's, and the statement says them. */
function fieldRows(content: Entry, law: Law, report: Report): LedgerRow[] {
  unknownKeys(content, ['views', 'sections', 'fields'], report('file'));
  const views = Object.entries((content['views'] ?? {}) as Record<string, string>);
  const bySchema = (content['sections'] ?? {}) as Record<string, string>;
  return Object.entries((content['fields'] ?? {}) as Record<string, unknown>).flatMap(([id, value]) => {
    const entry = (typeof value === 'string' ? { monitor: value } : value) as Entry;
    unknownKeys(entry, ['monitor', 'gap'], report(id));
    const place = String(entry['monitor']);
    const [head = ''] = place.split('.');
    const row = { level: 'MUST', section: bySchema[head] ?? '2', statement: '-.', gap: entry['gap'] };
    const common = commonOf(row, law, report(id));
    if (!/^[A-Z]+-FIELD-/.test(id)) report(id)('is no id of a field; write one such as LEAGUE-FIELD-id');
    try {
      const own = propertiesAt(law.contract, place);
      const seen = views
        .filter(([, schema]) => schema === head)
        .flatMap(([view]) => optional(() => propertiesAt(law.contract, view + place.slice(head.length))));
      const properties = [...own, ...seen].map(({ pointer }) => pointer);
      const statement = `${place} is ${describePlace(law.contract, own)}.`;
      const anchor = operationAnchor(law.contract, operationOf(law.contract, head));
      const group = id.replace(/-FIELD-.*$/, '-FIELD');
      const proof = { how: 'monitor' as const, place, properties };
      const [pointer] = properties;
      return common
        ? [{ id, ...common, statement, needs: [], link: `${docs}#${anchor}`, pointer, group, ...proof }]
        : [];
    } catch (error) {
      return report(id)(`${place}: ${(error as Error).message}; name a place that exists`) ?? [];
    }
  });
}

function optional<T>(make: () => T[]): T[] {
  try {
    return make();
  } catch {
    return [];
  }
}

/** Where the documentation shows the chapters of a text: `/section/tokens-and-lifetimes/refreshing`. */
export function chaptersOf(text: string): Set<string> {
  const chapters = new Set<string>();
  let chapter = '';
  for (const [, level = '', heading = ''] of text.matchAll(/^(##?) (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[,.?!'`]/g, '')
      .replaceAll(' ', '-');
    if (level === '#') chapter = slug;
    chapters.add(level === '#' ? `/section/${slug}` : `/section/${chapter}/${slug}`);
  }
  return chapters;
}

/** Where the documentation shows an operation. */
function operationAnchor(document: Document, id: string): string {
  for (const { operation } of operationsOf(document)) {
    if (operation.operationId !== id) continue;
    const tag = (operation.tags?.[0] ?? '').toLowerCase().replaceAll(' ', '-');
    return `/${tag}/${id.toLowerCase()}`;
  }
  return '/';
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

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** conformance/ledger.gen.ts. */
export function ledgerModule(rows: readonly LedgerRow[], contract: Document): string {
  return [
    "import type { LedgerRow } from './ledger.js';",
    `export type RowId =\n${rows.map(({ id }) => `  | ${JSON.stringify(id)}`).join('\n')};`,
    `export const ledger: readonly LedgerRow<RowId>[] = [\n${rows.map((row) => `  ${JSON.stringify(row)},`).join('\n')}\n];`,
    '/** SHA-256 of the rows, in hexadecimal. */',
    `export const ledgerHash = '${sha256(JSON.stringify(rows))}';`,
    '/** SHA-256 of dist/openapi/openapi.json. */',
    `export const contractHash = '${sha256(JSON.stringify(contract))}';`,
    `export const contractVersion = ${JSON.stringify(contract.info.version)};`,
  ].join('\n');
}
