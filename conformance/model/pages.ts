import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { count } from '../text.js';
import { parameterTable } from '../../src/contract/index.js';
import type { GameOperation } from '../../src/contract/index.js';
import type { Window } from '../generators/data.js';
import { gOverLimit, gPartition, gWindow } from '../generators/data.js';
import type { Run } from '../engine/run.js';
import { isKeptApart, ladderPage, stampOf } from '../engine/ladder-page.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { asDeclared, thatDeclared, warnOfObserved } from './declared.js';

export type PageEntry = JsonObject;

/** Parameters of a query. */
export type QueryArgs = Readonly<Record<string, string>>;

/** One page of a list. */
export interface Page {
  readonly answer: Answer;
  readonly entries: readonly PageEntry[];
  /** The list's `total` and `cached_since`, where it has them. */
  readonly total?: unknown;
  readonly stamp?: unknown;
}

/** A list that is read in windows, and how. */
export interface Paged {
  readonly name: string;
  /** A page; its form is an expectation. */
  read(window?: Partial<Window>): Promise<Page>;
  /** The answer as it is, for windows that may be refused. */
  ask(window: { readonly limit?: number | string; readonly offset?: number | string }): Promise<Answer>;
  /** The entries of an answer, undefined where it has none. */
  entriesOf(answer: Answer): readonly PageEntry[] | undefined;
  /** The largest page that there is: whether that is of the maximum is a matter of the row that owns it. */
  largest(): Promise<Page>;
  /** What tells an entry from the others. */
  idOf(entry: PageEntry): unknown;
  /** The largest and the default `limit` (interface 8). */
  readonly max: number;
  readonly preset: number;
}

/** The parameter `limit` of an operation, as the contract has it. */
export function limitOf(operation: GameOperation): { readonly max: number; readonly preset: number } {
  const { maximum, default: preset } = parameterTable[operation]['limit']!;
  return { max: maximum!, preset: preset as number };
}

/** A list of an operation, directly in a member of the body (`leagues`), or in `entries` of a wrapper. */
export function paged(
  run: Run,
  operation: GameOperation,
  args: Readonly<Record<string, string>>,
  form: {
    readonly wrapper: string;
    readonly entries: boolean;
    readonly idOf: (entry: PageEntry) => unknown;
    readonly bare?: true;
  },
): Paged {
  const { wrapper, entries, idOf, bare } = form;
  // Live services have the page of a ladder in another envelope, which is right unless the target says otherwise.
  const isObserved = entries && run.facts.flag('F-OBS-LADDER') !== 'off';
  const inner = (answer: Answer): unknown =>
    isObserved ? ladderPage(answer.json, wrapper) : member(answer.json, wrapper);
  const ask: Paged['ask'] = (window) => run.http.data(operation, { args: { ...args, ...window }, bare });
  const limit = limitOf(operation);
  const list: Paged = {
    name: `${operation} ${Object.values(args).join(' ')}`,
    ask,
    idOf,
    ...limit,
    largest: async () => {
      const answer = await ask({ limit: limit.max });
      const found = answer.status === 200 ? list.entriesOf(answer) : undefined;
      return found ? { answer, entries: found } : list.read();
    },
    entriesOf: (answer) => {
      const found = entries ? member(inner(answer), 'entries') : inner(answer);
      return Array.isArray(found) ? (found as readonly PageEntry[]) : undefined;
    },
    read: async (window = {}) => {
      const answer = await ask(window);
      if (!entries) return { answer, entries: run.expect.list(answer, wrapper) };
      run.expect.status(answer, '2xx');
      return pageIn(run, answer, inner(answer) ?? run.expect.has(answer, wrapper), wrapper);
    },
  };
  return list;
}

/** What a wrapper with `entries` holds. */
function pageIn(run: Run, answer: Answer, page: unknown, wrapper: string): Page {
  const found = member(page, 'entries');
  run.expect.that(
    Array.isArray(found) && found.every((entry) => typeof entry === 'object' && entry !== null),
    `${wrapper}.entries: an array of objects`,
    found ?? page,
    answer,
  );
  return {
    answer,
    entries: found as readonly PageEntry[],
    total: member(page, 'total'),
    stamp: member(page, 'cached_since'),
  };
}

/** The first page says how many entries there are in all: no fewer than it has itself, and none if it has none. */
export function hasTotal(run: Run, { total, entries, answer }: Page): void {
  if (isObject(member(answer.json, 'ladder')))
    warnOfObserved(run, 'F-OBS-LADDER', 'the page of the ladder is in a member ladder, beside what it is of');
  const uint = typeof total === 'number' && Number.isInteger(total) && total >= 0;
  run.expect.that(uint, 'total: a uint', total, answer);
  const { length } = entries;
  run.expect.that(Number(total) >= length, `total to be at least the ${length} entries of the page`, total, answer);
  // Whether it counts what is beyond the depth too is open (K-029); the first entries are within it.
  run.expect.that(length > 0 || total === 0, `an entry on the first page, as total is ${String(total)}`, [], answer);
}

/** What was wrong with an answer, if something was. */
export interface Unexpected {
  readonly expected: string;
  readonly got: unknown;
  readonly answer: Answer;
}

/** A list at one moment: its order, and the time that the server gives for it, where it gives one. */
export interface Snapshot {
  readonly ids: readonly unknown[];
  /** The ids with the ranks that the entries have: of one moment, an entry has one rank in whatever window it is. */
  readonly ranked?: readonly unknown[];
  readonly stamp?: unknown;
}

const ranked = (list: Paged, entries: readonly PageEntry[]): readonly unknown[] =>
  entries.map((entry) => ('rank' in entry ? { id: list.idOf(entry), rank: entry['rank'] } : list.idOf(entry)));

const rounds = 5;
const text = (value: unknown): string => JSON.stringify(value) ?? '';
const sorted = ({ ids }: Snapshot): string => text(ids.map(text).toSorted());

/**
 * Judges answers against a reference that may move meanwhile (K-031, K-032). Where they disagree, both are asked for
 * again, and the disagreement is a failure only if the reference is the same before and after, or if it keeps its
 * entries and its time and yet comes in another order whenever it is asked for.
 * @returns whether a judgement was reached
 */
export async function steady(
  run: Run,
  reference: () => Promise<Snapshot>,
  judge: (reference: Snapshot) => Promise<Unexpected | undefined>,
  known?: Snapshot,
): Promise<boolean> {
  let before = known ?? (await reference());
  let shuffled = true;
  for (let round = 0; round < rounds; round += 1) {
    const fault = await judge(before);
    if (!fault) {
      run.expect.that(true, 'the reference', undefined);
      return true;
    }
    const after = await reference();
    const same = text(before.ids) === text(after.ids);
    // Where pages are kept by their address, this one may be of another moment than the reference.
    if (isKeptApart(before.stamp, after.stamp, stampOf(fault.answer.json))) shuffled = false;
    else if (round > 0 && same) run.expect.that(false, fault.expected, fault.got, fault.answer);
    shuffled &&= round === 0 || same || (sorted(before) === sorted(after) && text(before.stamp) === text(after.stamp));
    if (round === rounds - 1 && shuffled) run.expect.that(false, fault.expected, fault.got, fault.answer);
    before = after;
  }
  return false;
}

/**
 * The maximum is accepted as a limit, and reached where there is enough; a limit above it is refused, or answered with at
 * most the maximum (K-015).
 * @returns the page of the maximum
 */
export async function keepsMaximum(run: Run, list: Paged, share: number): Promise<Page> {
  const { max } = list;
  const whole = await staysWithinMaximum(run, list, share);
  const { length } = whole.entries;
  if (length < max && (await list.read({ limit: 1, offset: length })).entries.length > 0) {
    // The list may have grown in between.
    const again = await list.read({ limit: max });
    run.expect.that(
      again.entries.length > length,
      `more than ${length} entries for limit=${max}, as offset=${length}&limit=1 gives one more`,
      again.entries.length,
      again.answer,
    );
  }
  return whole;
}

/** No page has more entries than the maximum, whatever limit is asked for; how many it has is no matter here. */
export async function staysWithinMaximum(run: Run, list: Paged, share: number): Promise<Page> {
  const { max } = list;
  const whole = await list.read({ limit: max });
  const { length } = whole.entries;
  run.expect.that(length <= max, `at most ${count(max, 'entry', 'entries')}`, length, whole.answer);
  await run.expect.property(
    `limit above ${max}`,
    gOverLimit(max),
    {
      share,
      examples: [max + 1, 2 * max],
    },
    (limit) => overMaximum(run, list, { limit }),
  );
  await run.expect.each('limit=$limit', [{ limit: 0 }, { limit: -1 }], async (window) => {
    const answer = await list.ask(window);
    const given = list.entriesOf(answer)?.length ?? 0;
    run.expect.that(given <= max, `at most ${count(max, 'entry', 'entries')}`, given, answer);
  });
  return whole;
}

/**
 * A limit above the maximum is refused, or answered with at most the maximum (K-015). Where the target declares which of
 * the two, it is that one; lowered, it gives as many entries as the maximum itself.
 */
export async function overMaximum(
  run: Run,
  list: Paged,
  window: { readonly limit: number; readonly offset?: number },
): Promise<void> {
  const { max } = list;
  const { over_max: declared } = run.facts.target.readings;
  const lengthOf = (answer: Answer): number => list.entriesOf(answer)?.length ?? 0;
  const answer = await list.ask(window);
  run.expect.status(answer, '2xx', '4xx');
  const length = lengthOf(answer);
  run.expect.that(length <= max, `4xx, or at most ${max} entries for limit=${window.limit}`, length, answer);
  if (declared === 'any') return;
  const refused = answer.status >= 400;
  const wanted = `limit=${window.limit} to be ${declared === 'reject' ? 'refused' : `lowered to ${max}`}`;
  const got = `status ${answer.status}${refused ? '' : ` with ${length} entries`}`;
  thatDeclared(run, 'over_max', refused === (declared === 'reject'), wanted, got, answer);
  if (refused || length === max) return;
  const whole = async (): Promise<Snapshot> => ({ ids: [lengthOf(await list.ask({ ...window, limit: max }))] });
  await steady(run, whole, async ({ ids: [expected] }) => {
    const lowered = await list.ask(window);
    if (lengthOf(lowered) === expected) return undefined;
    const entries = `the ${String(expected)} entries of limit=${max} for limit=${window.limit}`;
    return { expected: `${entries}, ${asDeclared(run, 'over_max')}`, got: lengthOf(lowered), answer: lowered };
  });
}

/**
 * At most `limit` entries, and exactly that many where `size` entries are known to be there. `again` counts them anew, for a
 * list that tells no total.
 */
export async function keepsLimits(
  run: Run,
  list: Paged,
  size: number,
  { share, usual, again }: { readonly share: number; readonly usual: number; readonly again?: () => Promise<number> },
): Promise<void> {
  const { max } = list;
  const examples = [
    { limit: max, offset: 0 },
    { limit: 1, offset: Math.max(0, size - 1) },
    { limit: 3, offset: 1 },
  ];
  await run.expect.property(
    'window',
    // What an offset past the last entry gives is another question.
    gWindow(Math.min(max, usual), Math.max(0, size - 1)),
    { share, examples },
    async ({ limit, offset }) => {
      const { answer, entries, total } = await list.read({ limit, offset });
      run.expect.that(entries.length <= limit, `at most ${limit} entries`, entries.length, answer);
      // A ladder moves (K-031): it may have become shorter, and then the answer says so itself.
      let there = typeof total === 'number' ? Math.min(size, total) : size;
      const isShort = offset + limit <= there && entries.length < limit;
      if (isShort && again) there = Math.min(there, await again());
      if (offset + limit <= there) {
        run.expect.that(
          entries.length === limit,
          `as many as the limit, ${limit}, of the ${there} entries there`,
          entries.length,
          answer,
        );
      }
    },
  );
}

/** The ids of some windows, one after the other. */
async function idsOf(
  list: Paged,
  windows: readonly Partial<Window>[],
): Promise<{ ids: unknown[]; answer: Answer | undefined }> {
  const ids: unknown[] = [];
  let last: Answer | undefined;
  for (const window of windows) {
    const { answer, entries } = await list.read(window);
    ids.push(...ranked(list, entries));
    last = answer;
  }
  return { ids, answer: last };
}

/** A stretch of a list as one large page shows it. */
export interface Stretch extends Snapshot {
  readonly list: Paged;
  /** Where the page begins, and its `limit`. */
  readonly offset: number;
  readonly length: number;
}

/** Reads a stretch of at most the largest page. */
export async function stretch(list: Paged, offset: number, length: number): Promise<Stretch> {
  const limit = Math.min(list.max, length);
  const { entries, stamp } = await list.read({ offset, limit });
  const ids = entries.map((entry) => list.idOf(entry));
  return { list, offset, length: limit, ids, ranked: ranked(list, entries), stamp };
}

/** Windows within stretches hold the same entries as the stretch does there, those without limit as well. */
export async function slices(
  run: Run,
  stretches: readonly Stretch[],
  { share, usual }: { readonly share: number; readonly usual: number },
): Promise<void> {
  for (const known of stretches.filter(({ ids }) => ids.length > 1)) {
    const { list, offset: base } = known;
    const size = known.ids.length;
    // The pages that a client turns: whole ones, of the usual size and of the largest.
    const examples = [list.preset, list.max]
      .flatMap((limit) => [1, 2].map((page) => ({ limit, offset: page * limit })))
      .filter(({ offset }) => offset < size);
    await run.expect.property(
      `window of ${list.name} from ${base} on`,
      gWindow(Math.min(usual, size), size - 1),
      { share, examples },
      async ({ limit, offset }) => {
        await steady(
          run,
          () => stretch(list, base, known.length),
          async ({ ids, ranked: all = ids }) => {
            const window = { limit: Math.min(limit, ids.length - offset), offset: base + offset };
            if (window.limit < 1) return undefined;
            const { ids: got, answer } = await idsOf(list, [window]);
            return disagreement(got, all.slice(offset, offset + window.limit), window, answer!);
          },
          known,
        );
      },
    );
    await steady(
      run,
      () => stretch(list, base, known.length),
      async ({ ids, ranked: all = ids }) => {
        const offset = Math.min(3, ids.length - 1);
        if (offset < 1) return undefined;
        const window = { offset: base + offset };
        const { ids: got, answer } = await idsOf(list, [window]);
        // What follows the stretch is not known.
        const expected = all.slice(offset, offset + list.preset);
        return disagreement(got.slice(0, ids.length - offset), expected, window, answer!);
      },
      known,
    );
  }
}

/** However a stretch is cut into pages, they give the same sequence: no entry twice, and none left out. */
export async function partitions(run: Run, stretches: readonly Stretch[], share: number): Promise<void> {
  for (const known of stretches.filter(({ ids }) => ids.length > 1)) {
    const { list, offset: base } = known;
    const size = known.ids.length;
    await run.expect.property(
      `pages of ${list.name} from ${base} on`,
      gPartition(size, list.max, 6),
      { share },
      async (pieces) => {
        const windows = pieces.map(({ limit, offset }) => ({ limit, offset: base + offset }));
        await steady(
          run,
          () => stretch(list, base, known.length),
          async ({ ids, ranked: all = ids }) => {
            const { ids: got, answer } = await idsOf(list, windows);
            // What has come behind the pages since is in none of them.
            return disagreement(got, all.slice(0, size), windows[0]!, answer!);
          },
          known,
        );
      },
    );
  }
}

function disagreement(
  got: readonly unknown[],
  expected: readonly unknown[],
  window: Pick<Window, 'offset'>,
  answer: Answer,
): Unexpected | undefined {
  if (JSON.stringify(got) === JSON.stringify(expected)) return undefined;
  const at = expected.findIndex((id, index) => JSON.stringify(id) !== JSON.stringify(got[index]));
  const place = at === -1 ? expected.length : at;
  const shown = (list: readonly unknown[]): string =>
    `${count(list.length, 'entry', 'entries')}, ${place in list ? `${JSON.stringify(list[place])} at place ${place + 1}` : `none at place ${place + 1}`}`;
  return {
    expected: `from offset ${window.offset} on what one large page has: ${shown(expected)}`,
    got: shown(got),
    answer,
  };
}

/** The values are in order; the first place where they are not, as a fault. Entries without a value are passed over. */
export function outOfOrder(
  values: readonly (readonly [value: number, answer: Answer])[],
  direction: 'rising' | 'falling',
  what: string,
): Unexpected | undefined {
  for (const [index, [value, answer]] of values.entries()) {
    const before = values[index - 1]?.[0];
    if (before === undefined || (direction === 'rising' ? before <= value : before >= value)) continue;
    return {
      expected: `${what} ${direction === 'rising' ? 'non-decreasing' : 'non-increasing'}`,
      got: `${value} after ${before}`,
      answer,
    };
  }
  return undefined;
}
