import { createHash } from 'node:crypto';

import type { LedgerRow } from '../../conformance/ledger.js';
import type { Requirement } from '../../conformance/requirement.js';
import { places } from '../../conformance/requirements/groups.js';
import type { Place } from '../../conformance/requirements/groups.js';
import type { Document } from './document.js';
import { operationsOf } from './document.js';
import { commonOf, holdRequirement } from './ledger-rules.js';
import type { Report, Law } from './ledger-rules.js';
import { operationPointer } from './places.js';

/** A requirement, and what judges it. */
export interface Declared {
  readonly requirement: Requirement;
  readonly proof:
    | { readonly how: 'check'; readonly check: string }
    | { readonly how: 'monitor' }
    | { readonly how: 'excluded'; readonly reason: string };
}

export const docs = 'dist/docs/index.html';
const home = 'conformance/requirements/groups.ts';

/** The requirements that stand beside checks and rules, and those that nothing judges. They need the generated contract. */
export async function declaredRows(): Promise<Declared[]> {
  const [{ groups }, { watched }, { excluded }] = await Promise.all([
    import('../../conformance/checks/index.js'),
    import('../../conformance/monitors/rules.js'),
    import('../../conformance/requirements/excluded.js'),
  ]);
  return [
    ...groups.flatMap(({ name, checks }) =>
      checks.map(({ requirement }): Declared => ({ requirement, proof: { how: 'check', check: name } })),
    ),
    ...watched.map(({ rule: _, ...requirement }): Declared => ({ requirement, proof: { how: 'monitor' } })),
    ...excluded.map(({ reason, ...requirement }): Declared => ({ requirement, proof: { how: 'excluded', reason } })),
  ];
}

/**
 * The rows of the ledger, in its order, each held against the rules and the contract. Rows of fields come last.
 * @throws Error with every offence, each naming row and remedy.
 */
export function ledgerRows(
  declared: readonly Declared[],
  fields: readonly LedgerRow[],
  law: Law,
  table = places,
): LedgerRow[] {
  const offences: string[] = [];
  const report: Report = (id, offence) => offences.push(`${id}: ${offence}`);
  for (const [place, ...groups] of table) holdPlace(place, groups, law, report);
  const byGroup = new Map(table.flatMap(([place, ...groups]) => groups.map((group) => [group, place] as const)));
  const rows = declared.flatMap((one) => rowOf(one, byGroup, law, report));
  const rank = new Map([...byGroup.keys()].map((group, index) => [group, index]));
  const sorted = rows.toSorted(
    (one, other) => rank.get(one.group)! - rank.get(other.group)! || numberOf(one) - numberOf(other) || 0,
  );
  const seen = new Set<string>();
  for (const { id } of sorted) {
    if (seen.has(id)) report(id, 'stands twice; give the later one an id that was never used');
    seen.add(id);
  }
  for (const group of byGroup.keys())
    if (!rows.some((row) => row.group === group)) report(group, `has no requirement; take it out of ${home}`);
  if (offences.length > 0) throw new Error(offences.join('\n'));
  return [...sorted, ...fields];
}

/** The number of an id; rows of a group without numbers stay in the order in which they were declared. */
const numberOf = ({ id }: LedgerRow): number => Number(/\d+$/.exec(id)?.[0]);

function holdPlace({ operation, read }: Place, groups: readonly string[], law: Law, report: Report): void {
  const name = groups.join(', ');
  if (operation === undefined && read === undefined)
    report(name, 'has neither operation nor read; say where its sentences can be read');
  if (read !== undefined && !chaptersOf(law.contract.info.description).has(read))
    report(name, `read ${read} is no chapter of openapi/info.md; name one by its headings`);
}

function rowOf(
  { requirement, proof }: Declared,
  groups: ReadonlyMap<string, Place>,
  law: Law,
  report: Report,
): LedgerRow[] {
  const { id, needs = [] } = requirement;
  holdRequirement(requirement, law, report);
  const group = groupOf(id);
  const place = groups.get(group);
  if (!place) {
    report(id, `its group ${group} is not in ${home}; add it there`);
    return [];
  }
  if (proof.how === 'excluded' && proof.reason.length < 40)
    report(id, 'is excluded without a reason; say in a sentence why no request could judge it');
  const operation = id.startsWith('SCOPE-OP-') ? id.slice('SCOPE-OP-'.length) : place.operation;
  const pointer = operation === undefined ? undefined : operationPointer(law.contract, operation);
  if (operation !== undefined && pointer === undefined) report(id, `${operation} is no operation of the contract`);
  const anchor = place.read ?? operationAnchor(law.contract, operation ?? '');
  return [
    {
      id,
      ...commonOf(requirement),
      needs: needs.map((need) => [need].flat()),
      link: `${docs}#${anchor}`,
      ...(pointer !== undefined && { pointer }),
      group,
      ...proof,
    },
  ];
}

/** `TOK-REFRESH` of `TOK-REFRESH-006`. */
const groupOf = (id: string): string => (id.startsWith('SCOPE-OP-') ? 'SCOPE-OP' : id.replace(/-[^-]*$/, ''));

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
export function operationAnchor(document: Document, id: string): string {
  for (const { operation } of operationsOf(document)) {
    if (operation.operationId !== id) continue;
    const tag = (operation.tags?.[0] ?? '').toLowerCase().replaceAll(' ', '-');
    return `/${tag}/${id.toLowerCase()}`;
  }
  return '/';
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** So many rows are one expression: TypeScript refuses one of a thousand. */
const rowsTogether = 200;

/** conformance/ledger.gen.ts. */
export function ledgerModule(rows: readonly LedgerRow[], contract: Document): string {
  const parts = Array.from({ length: Math.ceil(rows.length / rowsTogether) }, (_, index) =>
    rows.slice(index * rowsTogether, (index + 1) * rowsTogether),
  );
  return [
    "import type { LedgerRow } from './ledger.js';",
    `export type RowId =\n${rows.map(({ id }) => `  | ${JSON.stringify(id)}`).join('\n')};`,
    ...parts.map(
      (part, index) =>
        `const part${index}: readonly LedgerRow<RowId>[] = [\n${part.map((row) => `  ${JSON.stringify(row)},`).join('\n')}\n];`,
    ),
    `export const ledger: readonly LedgerRow<RowId>[] = [${parts.map((_, index) => `...part${index}`).join(', ')}];`,
    '/** SHA-256 of the rows, in hexadecimal. */',
    `export const ledgerHash = '${sha256(JSON.stringify(rows))}';`,
    '/** SHA-256 of dist/openapi/openapi.json. */',
    `export const contractHash = '${sha256(JSON.stringify(contract))}';`,
    `export const contractVersion = ${JSON.stringify(contract.info.version)};`,
  ].join('\n');
}
