import type { RowResult, RunReport } from '../result.js';
import { standing } from '../standing.js';
import type { Standing } from '../standing.js';

export const standingAt = (rows: readonly RowResult[], ...at: readonly Standing[]): RowResult[] =>
  rows.filter((row) => at.includes(standing(row)));

/** Expected and got of a failure; of a row that failed without evidence, its statement and its reason. */
export const evidence = ({ failure, statement, reason }: RowResult): { expected: string; got: string } =>
  failure ?? { expected: statement, got: reason ?? 'no evidence was kept' };

/** Rows by a key, in the order in which the keys came. */
export function by<Key>(rows: readonly RowResult[], key: (row: RowResult) => Key): Map<Key, RowResult[]> {
  const groups = new Map<Key, RowResult[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/** Failures with one cause as far as a reader can tell: the same was expected and the same came. The largest first. */
export const alike = (rows: readonly RowResult[]): RowResult[][] =>
  [...by(rows, likeness).values()].sort((a, b) => b.length - a.length);

/** What was expected and what came, without the parts that differ from one request to the next. */
function likeness(row: RowResult): string {
  const { expected, got } = evidence(row);
  return [expected, got].map((text) => text.slice(0, 400).replaceAll(passing, '…')).join('\n');
}

/** Tokens, ids, hashes: long words with a digit in them. Dates and times. */
const passing = /(?<![\w-])(?=[\w-]*\d)[\w-]{16,}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z?/g;

/** Something that the run lacked, and the rows that it kept from running. */
export interface Lack {
  readonly what: string;
  readonly remedy?: string;
  readonly rows: readonly RowResult[];
}

/**
 * What kept rows from running: missing capabilities with their remedies, and all other reasons; the most rows first.
 * A row that lacks two capabilities stands with both.
 */
export function lacks({ rows, capabilities }: Pick<RunReport, 'rows' | 'capabilities'>): Lack[] {
  const groups = new Map<string, Lack & { rows: RowResult[] }>();
  for (const row of standingAt(rows, 'could not run')) {
    const lacking = capabilities.filter((each) => !each.offered && needs(row, each.name));
    const named = lacking.length > 0 ? lacking : [{ name: row.missing ?? row.reason ?? 'no reason was given' }];
    for (const { name, remedy } of named as readonly { name: string; remedy?: string }[]) {
      const group = groups.get(name) ?? { what: name, remedy, rows: [] };
      group.rows.push(row);
      groups.set(name, group);
    }
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length);
}

/** Whether a row names a capability as missing: in so many words, or as the engine words it, `needs clock: …`. */
const needs = ({ missing, reason = '' }: RowResult, capability: string): boolean =>
  missing === capability || `; ${reason}`.includes(`; needs ${capability}: `);

/** Rows by the reason that they give, the most frequent first. */
export const reasons = (rows: readonly RowResult[]): [reason: string, rows: RowResult[]][] =>
  [...by(rows, ({ reason }) => reason ?? 'no reason was given')].sort(([, a], [, b]) => b.length - a.length);

/** `[TOK-001 MUST] A title` without the bracket, which stands elsewhere. */
export const bareTitle = ({ title, id, level }: RowResult): string =>
  title.startsWith(`[${id} ${level}] `) ? title.slice(id.length + level.length + 4) : title;
