import { isMap, isScalar, isSeq } from 'yaml';
import type { Node, YAMLMap } from 'yaml';

import { meant } from '../src/input/nearest.js';
import { SetupError } from '../src/input/setup-error.js';
import { textFile } from '../src/input/file.js';
import { readYaml } from '../src/input/yaml.js';
import type { Waiver } from './target/target.js';
import type { RowResult } from './result.js';
import { line } from './text.js';

/** A waiver and its place: `known.yaml:12`. */
export interface PlacedWaiver extends Waiver {
  readonly at?: string;
}

/**
 * Reads a baseline: a YAML list of `{ id, reason, issue?, expires? }`. `known` are the ids that there are.
 *
 * @throws SetupError for anything else, and for entries that hold whatever the run finds: without a reason, of an
 *   unknown id, a second one of an id
 */
export function readBaseline(file: string, known: ReadonlySet<string>): PlacedWaiver[] {
  const form = 'a YAML list of { id, reason, issue?, expires? }, as --write-baseline writes it';
  const waivers = parseBaseline(textFile(file, form), file);
  const problems = waivers.flatMap((waiver, index) => placed(waiver, flaw(waiver, waivers.slice(0, index), known)));
  if (problems.length > 0) throw new SetupError(...problems);
  return waivers;
}

const members = ['id', 'reason', 'issue', 'expires'] as const;

const described: Readonly<Record<(typeof members)[number], object>> = {
  id: { type: 'string', description: 'The requirement, such as TOK-RESP-004.' },
  reason: { type: ['string', 'null'], description: 'Why the deviation is accepted. An entry without one is rejected.' },
  issue: { type: 'string', description: 'Where the deviation is tracked.' },
  expires: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'The last day on which it is accepted.' },
};

/** The published JSON Schema of a baseline. */
export const baselineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Baseline of gamedata verify and gamedata audit',
  type: ['array', 'null'],
  items: { type: 'object', properties: described, required: ['id'], additionalProperties: false },
};

/** The waivers of a baseline's text. `applyWaivers` reports a missing reason. */
export function parseBaseline(text: string, file: string): PlacedWaiver[] {
  const { document, lineAt } = readYaml(text, file);
  const at = (offset: number | undefined): string => `${file}:${lineAt(offset ?? 0)}`;
  const fail = (offset: number | undefined, message: string): never => {
    throw new SetupError(`${at(offset)}: ${message}`);
  };
  const list = (document?.contents ?? null) as Node | null;
  if (list === null || (isScalar(list) && list.value === null)) return [];
  if (!isSeq(list)) return fail(list.range?.[0], 'a baseline must be a list of { id, reason, issue?, expires? }.');
  return list.items.map((item) => {
    const place = (item as Node).range?.[0];
    if (!isMap(item)) return fail(place, 'an entry must be { id, reason, issue?, expires? }.');
    const waiver = { reason: '', ...strings(item, fail), at: at(place) };
    if (waiver.id === undefined) return fail(place, 'an entry needs an id, such as TOK-RESP-004.');
    if (waiver.expires !== undefined && !isDate(waiver.expires)) {
      return fail(place, `expires must be a date such as 2027-01-31, not "${line(waiver.expires, 40)}".`);
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
        return fail(place, `"${line(name, 40)}" is not a key of an entry; the keys are ${members.join(', ')}.`);
      }
      const text = isScalar(value) ? value.value : value;
      if (text === null && name === 'reason') return [name, ''];
      if (typeof text !== 'string') return fail(place, `${name} must be a string; put it in quotes.`);
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
 * Marks the failures that waivers cover. Strict: an unknown id, a duplicate, a missing reason, expiry before `today`
 * (yyyy-mm-dd) and a row that passes are problems. A waiver with a problem covers no failure. `known` are the ids of the
 * whole ledger where `rows` are a part of it.
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
    const problem = flaw(waiver, waivers.slice(0, index), known) ?? problemOf(waiver, results.get(waiver.id), today);
    if (!problem) good.set(waiver.id, waiver);
    return placed(waiver, problem);
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

const placed = ({ id, at }: PlacedWaiver, problem: string | undefined): string[] =>
  problem === undefined ? [] : [`${at ? `${at}: ` : ''}the waiver of ${line(id, 80)} ${problem}`];

/** What is wrong with a waiver whatever a run finds, or undefined. */
function flaw(
  { id, reason }: PlacedWaiver,
  before: readonly PlacedWaiver[],
  known: ReadonlySet<string>,
): string | undefined {
  const first = before.find((one) => one.id === id);
  if (first) return `is a duplicate${first.at ? `, first at ${first.at}` : ''}; remove one.`;
  if (!known.has(id))
    return `names an unknown requirement${meant(id, [...known])}; correct it (ids are never renamed).`;
  return reason.trim() === '' ? 'has no reason; say why the deviation is accepted.' : undefined;
}

/** What is wrong with a waiver after a run, or undefined. An undecided row does not count against it. */
function problemOf({ expires }: PlacedWaiver, row: RowResult | undefined, today: string): string | undefined {
  if (expires !== undefined && expires < today) return `expired on ${expires}; fix the server or set a later date.`;
  if (row?.how === 'excluded') return 'has no effect, because the requirement is never checked; remove it.';
  if (row?.verdict === 'pass') return 'is stale: the requirement passes; remove it.';
  if (row?.verdict === 'warn') return 'is stale: the requirement only warns, and a warning needs no waiver; remove it.';
  return undefined;
}
