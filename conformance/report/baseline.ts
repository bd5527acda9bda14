import { isMap, isScalar, isSeq } from 'yaml';
import type { Node, YAMLMap } from 'yaml';

import { SetupError } from '../target/setup-error.js';
import { textFile } from '../target/text-file.js';
import { readYaml } from '../target/yaml.js';
import type { Waiver } from '../target/target.js';
import type { RowResult, RunReport } from '../result.js';
import { standing } from '../standing.js';
import { evidence, standingAt } from './rows.js';
import { line } from '../text.js';

/** A waiver, and where it stands: `known.yaml:12`. */
export interface PlacedWaiver extends Waiver {
  readonly at?: string;
}

/** Reads a baseline: a YAML list of `{ id, reason, issue?, expires? }`. Throws a `SetupError` where it is none. */
export const readBaseline = (file: string): PlacedWaiver[] =>
  parseBaseline(textFile(file, 'a YAML list of { id, reason, issue?, expires? }, as --write-baseline writes it'), file);

const members = ['id', 'reason', 'issue', 'expires'] as const;

/** The waivers of a baseline's text. A missing reason is not the file's fault but the waiver's: `applyWaivers` tells it. */
export function parseBaseline(text: string, file: string): PlacedWaiver[] {
  const { document, lineAt } = readYaml(text, file);
  const at = (offset: number | undefined): string => `${file}:${lineAt(offset ?? 0)}`;
  const fail = (offset: number | undefined, message: string): never => {
    throw new SetupError(`${at(offset)}: ${message}`);
  };
  const list = (document?.contents ?? null) as Node | null;
  if (list === null || (isScalar(list) && list.value === null)) return [];
  if (!isSeq(list)) return fail(list.range?.[0], 'a baseline is a list of { id, reason, issue?, expires? }.');
  return list.items.map((item) => {
    const place = (item as Node).range?.[0];
    if (!isMap(item)) return fail(place, 'an entry is { id, reason, issue?, expires? }.');
    const waiver = { reason: '', ...strings(item, fail), at: at(place) };
    if (waiver.id === undefined) return fail(place, 'an entry needs an id, such as TOK-RESP-004.');
    if (waiver.expires !== undefined && !isDate(waiver.expires)) {
      return fail(place, `expires is a date such as 2027-01-31, not "${line(waiver.expires, 40)}".`);
    }
    return { ...waiver, id: waiver.id };
  });
}

/** The members of an entry, all of them texts. */
function strings(
  map: YAMLMap,
  fail: (offset: number | undefined, message: string) => never,
): Partial<Record<(typeof members)[number], string>> {
  return Object.fromEntries(
    map.items.map(({ key, value }) => {
      const place = (key as Node).range?.[0];
      const name = isScalar(key) ? String(key.value) : '';
      if (!(members as readonly string[]).includes(name)) {
        return fail(place, `"${line(name, 40)}" is no member of an entry; there are ${members.join(', ')}.`);
      }
      const text = isScalar(value) ? value.value : value;
      if (text === null && name === 'reason') return [name, ''];
      if (typeof text !== 'string') return fail(place, `${name} is a text; put it in quotes.`);
      return [name, text];
    }),
  );
}

/** A day of the calendar as yyyy-mm-dd. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Marks the failures that waivers cover. Strict: an unknown id, a second waiver of one row, a missing reason, one that
 * has expired before `today` (yyyy-mm-dd) and one whose row passes are problems, and none of them but the last covers
 * anything. `known` are the ids of the ledger where `rows` are only a part of it.
 */
export function applyWaivers(
  rows: readonly RowResult[],
  waivers: readonly PlacedWaiver[],
  today: string,
  known: ReadonlySet<string> = new Set(rows.map(({ id }) => id)),
): { rows: RowResult[]; problems: string[] } {
  const results = new Map(rows.map((row) => [row.id, row]));
  const good = new Map<string, PlacedWaiver>();
  const problems = waivers.flatMap((waiver, index) => {
    const first = waivers.findIndex(({ id }) => id === waiver.id);
    const problem = first < index ? second(waivers[first]) : fault(waiver, results.get(waiver.id), today, known);
    if (!problem) good.set(waiver.id, waiver);
    return problem ? [`${waiver.at ? `${waiver.at}: ` : ''}the waiver of ${line(waiver.id, 80)} ${problem}`] : [];
  });
  return {
    rows: rows.map((row) => {
      const waiver = good.get(row.id);
      if (!waiver || row.verdict !== 'fail' || row.how === 'excluded') return row;
      const { reason, issue, expires } = waiver;
      return {
        ...row,
        waived: { reason, ...(issue !== undefined && { issue }), ...(expires !== undefined && { expires }) },
      };
    }),
    problems,
  };
}

const second = (first: PlacedWaiver | undefined): string =>
  `stands twice${first?.at ? `, first at ${first.at}` : ''}; remove one.`;

/** What is wrong with a waiver, or undefined. A row that was not decided says nothing about it. */
function fault(
  { id, reason, expires }: PlacedWaiver,
  row: RowResult | undefined,
  today: string,
  known: ReadonlySet<string>,
): string | undefined {
  if (!known.has(id))
    return 'names no requirement of the ledger; ids are never renamed, so look for a slip of the pen.';
  if (reason.trim() === '') return 'has no reason; say why the deviation is accepted.';
  if (expires !== undefined && expires < today) return `expired on ${expires}; mend the server or extend it.`;
  if (row?.how === 'excluded') return 'is of no use: the requirement is never checked; remove it.';
  if (row && (row.verdict === 'pass' || row.verdict === 'warn')) return 'is stale: the requirement passes; remove it.';
  return undefined;
}

/** Entries to paste for the failures of a run that no waiver covers. Their reasons are empty, and so refused as they are. */
export function printBaseline(report: RunReport): string {
  const failed = standingAt(report.rows, 'fail');
  const kept = report.rows.filter((row) => standing(row) === 'waived').length;
  const head = failed.length
    ? `# Failures of ${report.started.slice(0, 10)}: ${failed.length}${kept ? `, beside ${kept} known` : ''}. Give each a reason; without one it is refused.`
    : '# No failures that are not known.';
  return [
    line(head),
    ...failed.flatMap((row) => {
      const { expected, got } = evidence(row);
      return [
        '',
        `# ${line(row.statement, 200)}`,
        `# expected ${line(expected, 200)}; got ${line(got, 200)}`,
        `- id: ${/^[\w.-]+$/.test(row.id) ? row.id : JSON.stringify(line(row.id))}`,
        "  reason: ''",
      ];
    }),
    '',
  ].join('\n');
}
