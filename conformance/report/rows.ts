import { pathToFileURL } from 'node:url';

import { packageFile } from '../../src/input/package.js';
import type { Missing, RowResult, RunReport } from '../result.js';
import { standing } from '../standing.js';
import type { Standing } from '../standing.js';
import { count, webAddress } from '../text.js';

/** What a run looked at: `812 requests, seed 5`, or `40 of 52 recorded exchanges judged`. */
export const extent = ({ recording, requests, seed }: Pick<RunReport, 'recording' | 'requests' | 'seed'>): string =>
  recording
    ? `${recording.judged.toLocaleString('en-US')} of ${count(recording.exchanges, 'recorded exchange')} judged`
    : `${count(requests.sent, 'request')}, seed ${seed}`;

export const standingAt = (rows: readonly RowResult[], ...at: readonly Standing[]): RowResult[] =>
  rows.filter((row) => at.includes(standing(row)));

/** Expected and got of a failure; of a row that failed without evidence, its statement and its reason. */
export const evidence = ({ failure, statement, reason }: RowResult): { expected: string; got: string } =>
  failure ?? { expected: statement, got: reason ?? 'no evidence recorded' };

/** The page of requirements in this package, wherever it is installed. */
const requirements = pathToFileURL(packageFile('dist', 'docs', 'requirements.html')).href;

/** Where a requirement can be read: an address, or its place on a page of this package. */
export const pageOf = ({ id, link }: Pick<RowResult, 'id' | 'link'>): string =>
  URL.canParse(link) ? link : `${requirements}#${/^requirements\.html#(.+)$/.exec(link)?.[1] ?? id}`;

/** That address, where it is safe to follow: on the web, or the page of this package. */
export function addressOf(row: Pick<RowResult, 'id' | 'link'>): string | undefined {
  const page = pageOf(row);
  return webAddress(page) ?? (page.startsWith(requirements) ? page : undefined);
}

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

/** Characters of a piece of advice: room for the names of all operations, and a sentence about them. */
export const mostAdvice = 1500;

/** Failures grouped by message: equal expectations and equal results. The largest group first. */
export const alike = (rows: readonly RowResult[]): RowResult[][] =>
  [...by(rows, likeness).values()].sort((a, b) => b.length - a.length);

/** Expectation and result, without the parts that differ between requests. */
function likeness(row: RowResult): string {
  const { expected, got } = evidence(row);
  return [expected, got].map((text) => withoutPassing(text.slice(0, 400))).join('\n');
}

/** A text without what differs between requests: tokens, ids and hashes, which are long words with a digit; dates and times. */
export const withoutPassing = (text: string): string =>
  text.replaceAll(passing, (word) => (/\d/.test(word) ? '…' : word));

const passing = /\b\d{4}-\d\d-\d\dT[\d:.]+Z?|(?<![\w-])[\w-]{16,}/g;

/** A missing capability or another reason, and the rows that could not run for it. */
export interface Lack {
  readonly what: string;
  readonly remedy?: string;
  readonly rows: readonly RowResult[];
}

/** Why rows could not run, the most rows first. A row that misses two capabilities is listed under both. */
export function lacks(rows: readonly RowResult[]): Lack[] {
  const groups = new Map<string, Lack & { rows: RowResult[] }>();
  for (const row of standingAt(rows, 'could not run')) {
    const missing: readonly Missing[] = row.missing ?? [{ need: row.reason ?? 'no reason given' }];
    for (const { need, remedy } of missing) {
      const group = groups.get(need) ?? { what: need, remedy, rows: [] };
      group.rows.push(row);
      groups.set(need, group);
    }
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length);
}

/** Rows by the reason that they give, the most frequent first. */
export const reasons = (rows: readonly RowResult[]): [reason: string, rows: RowResult[]][] =>
  [...by(rows, ({ reason }) => reason ?? 'no reason given')].sort(([, a], [, b]) => b.length - a.length);

/** Behind the number of requirements that could not run: why the numbers of the reasons do not add up to it. */
export const severalReasons = (total: number, reasonsGiven: readonly Pick<Lack, 'rows'>[]): string =>
  reasonsGiven.reduce((sum, { rows }) => sum + rows.length, 0) > total
    ? ' (a requirement can have several reasons)'
    : '';

/** `[TOK-001 MUST] A title` without the bracket. */
export const bareTitle = ({ title, id, level }: RowResult): string =>
  title.startsWith(`[${id} ${level}] `) ? title.slice(id.length + level.length + 4) : title;

/** What a report is, before the name of what was judged. */
export const headline = ({ subject }: Pick<RunReport, 'subject'>): string =>
  subject === 'client' ? 'Game Data audit' : 'Game Data conformance';

/** Whether a verdict is good without a but: advice that a client does not follow is one. */
export const isPlain = ({ outcome, subject, counts }: Pick<RunReport, 'outcome' | 'subject' | 'counts'>): boolean =>
  outcome === 'conformant' && !(subject === 'client' && counts.warn > 0);
