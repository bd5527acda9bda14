import fc from 'fast-check';

import { Words } from '../engine/format.js';
import type { Run } from '../engine/run.js';
import { count } from '../text.js';
import { depth } from './ladder.js';
import type { Paged } from './pages.js';
import { overMaximum, steady, stretch } from './pages.js';

/**
 * Limits hold in whatever form a list is asked for (interface 8): for each of the lists, which are one operation with
 * other parameters each, more than the maximum is refused or answered with at most the maximum (K-015).
 */
export async function keepMaximum(run: Run, lists: readonly Paged[]): Promise<void> {
  await run.expect.each(
    ({ list, window }) => `${list.name} ${JSON.stringify(window)}`,
    lists.flatMap((list) => [
      { list, window: { limit: list.max + 1 } },
      { list, window: { limit: 2 * list.max, offset: 1 } },
    ]),
    ({ list, window }) => overMaximum(run, list, window),
  );
}

/** Without a limit, none of the lists has more entries than the default says. */
export async function keepDefault(run: Run, lists: readonly Paged[]): Promise<void> {
  await run.expect.each('$name', lists, async (list) => {
    const { answer, entries } = await list.read();
    const { length } = entries;
    run.expect.that(length <= list.preset, `at most ${list.preset} entries without limit`, length, answer);
  });
}

/** None of the lists has more entries than a limit says, nor fewer while more are left. */
export async function keepLimits(run: Run, lists: readonly Paged[]): Promise<void> {
  await run.expect.each('$name', lists, async (list) => {
    const { answer, entries } = await list.read({ limit: 2 });
    run.expect.that(entries.length <= 2, 'at most 2 entries for limit=2', entries.length, answer);
    await endsWhereShort(run, list, 2);
    await endsWhereShort(run, list, list.max);
  });
}

/** A page with fewer entries than its limit is the last. A list may move between two pages (K-031), so it is read again. */
async function endsWhereShort(run: Run, list: Paged, limit: number): Promise<void> {
  for (const isLast of [false, true]) {
    const { entries, answer } = await list.read({ limit });
    if (entries.length >= limit) return;
    const beyond = await list.read({ offset: entries.length, limit: 1 });
    if (beyond.entries.length === 0) return;
    // One of them again: the offset is ignored, which other rows say, and nothing tells whether more are left.
    const known = new Set(entries.map((entry) => JSON.stringify(list.idOf(entry))));
    if (beyond.entries.some((entry) => known.has(JSON.stringify(list.idOf(entry))))) return;
    if (!isLast) continue;
    run.expect.that(
      false,
      `${limit} entries for limit=${limit}, or none for offset=${entries.length}&limit=1`,
      new Words(`${count(entries.length, 'entry', 'entries')}, and offset=${entries.length}&limit=1 gives another one`),
      answer,
    );
  }
}

/** So many entries are both at the end of one page and at the start of the next. */
const overlap = 10;

/** The last page of a list is a window like the others: what is left, however few that are, and nothing else. */
export async function lastPages(run: Run, lists: readonly Paged[]): Promise<void> {
  await run.expect.each('$name', lists, async (list) => {
    let start = 0;
    let page = await stretch(list, start, list.max);
    // A longer list than this has an end that is too far off.
    while (page.ids.length === list.max && start < 3 * list.max) {
      const before = { start, page };
      start += list.max - overlap;
      await steady(
        run,
        () => stretch(list, before.start, list.max),
        async ({ ids }) => {
          const { answer, entries } = await list.read({ offset: start, limit: list.max });
          const got = entries.slice(0, overlap).map((entry) => list.idOf(entry));
          const expected = ids.slice(-overlap);
          if (ids.length < list.max || JSON.stringify(got) === JSON.stringify(expected)) return undefined;
          return { expected: `the entries from offset ${start} on: ${JSON.stringify(expected)}`, got, answer };
        },
        page,
      );
      page = await stretch(list, start, list.max);
    }
    const { length } = page.ids;
    if (length < 2 || length === list.max) return;
    // What is left out of a page that is not the last is judged with the limits.
    if ((await list.read({ offset: start + length, limit: 1 })).entries.length > 0) return;
    const left = Math.min(3, length - 1);
    await steady(
      run,
      () => stretch(list, start, list.max),
      async ({ ids }) => {
        const { answer, entries } = await list.read({ offset: start + length - left, limit: left + 7 });
        const got = entries.map((entry) => list.idOf(entry));
        const expected = ids.slice(length - left);
        if (JSON.stringify(got) === JSON.stringify(expected)) return undefined;
        return { expected: `the ${left} last entries of ${list.name}: ${JSON.stringify(expected)}`, got, answer };
      },
    );
  });
}

/** Offsets at which numbers of 16, 31, 32 and 48 bits wrap. */
const wrapping = ['65536', '2147483648', '4294967296', '4294967297', '281474976710656'];
/** Those that a server may take for no number, and pass over (K-016). */
const beyondNumbers = ['9007199254740992', '18446744073709551616'];

/** Nothing is there beyond the depth of ladders (interface 8). */
export async function endsAtDepth(run: Run, list: Paged): Promise<void> {
  await emptyBeyondDepth(run, [list], 0.06);
  await nothingFarOff(run, list);
}

/** None of the lists has an entry beyond the depth; each is asked at its first offset, and one far off. */
export async function emptyBeyondDepth(run: Run, lists: readonly Paged[], share: number): Promise<void> {
  const offset = fc.oneof(
    fc.integer({ min: depth + 1, max: depth + 400 }),
    fc.integer({ min: depth + 1, max: 10 ** 7 }),
  );
  await run.expect.property(
    `offset beyond ${depth}`,
    fc.record({ offset, list: fc.constantFrom(...lists.keys()) }),
    {
      share,
      examples: [{ offset: 10 ** 7, list: 0 }, ...[...lists.keys()].map((list) => ({ offset: depth + 1, list }))],
    },
    async ({ offset: from, list }) => {
      const { answer, entries } = await lists[list]!.read({ offset: from });
      run.expect.that(entries.length === 0, `no entries from offset ${from} on`, entries.length, answer);
    },
  );
}

/** Without a limit a list has as many entries as the default says, or all of fewer; with an offset too. */
export async function givesDefault(
  run: Run,
  list: Paged,
  size: number,
  count: () => Promise<number> = async () => (await list.largest()).entries.length,
): Promise<void> {
  const expected = (there: number): number => Math.min(list.preset, there);
  let { answer, entries } = await list.read();
  let wanted = expected(size);
  if (entries.length !== wanted) {
    // The list may have become longer or shorter since.
    wanted = expected(await count());
    ({ answer, entries } = await list.read());
  }
  run.expect.that(entries.length === wanted, `${wanted} entries without limit`, entries.length, answer);
  if (size <= list.preset + margin) return;
  const later = await list.read({ offset: 1 });
  const { length } = later.entries;
  const what = `${list.preset} entries without limit, from offset 1 on`;
  run.expect.that(length === list.preset, what, length, later.answer);
}

/** So many entries may leave a list while it is read. */
const margin = 5;

/** Nothing is there from an offset on that is beyond any list: a page of entries is wrong, a refusal is not. */
export async function nothingFarOff(run: Run, list: Paged): Promise<void> {
  await run.expect.each(
    (offset) => `${list.name}, offset ${offset}`,
    wrapping,
    async (offset) => {
      const answer = await list.ask({ offset, limit: 2 });
      run.expect.status(answer, '2xx', '4xx');
      const entries = list.entriesOf(answer) ?? [];
      run.expect.that(entries.length === 0, `no entries from offset ${offset} on`, entries.length, answer);
    },
  );
  for (const offset of beyondNumbers) {
    const answer = await list.ask({ offset, limit: 2 });
    const { length } = list.entriesOf(answer) ?? [];
    if (length > 0) run.expect.warn(`offset=${offset} of ${list.name} gives ${length} entries`, answer);
  }
}

/** `total` is of the list, not of the page: the same whatever window is asked for, and no less than what was seen. */
export async function keepsTotal(run: Run, list: Paged): Promise<void> {
  const seen = new Set<string>();
  const total = async () => {
    const page = await list.read({ limit: 1 });
    return { ids: [page.total] };
  };
  for (const window of [{ limit: 3 }, { limit: 2, offset: 3 }, { offset: 1 }, { limit: list.max }]) {
    await steady(run, total, async ({ ids: [expected] }) => {
      const page = await list.read(window);
      for (const entry of page.entries) seen.add(JSON.stringify(list.idOf(entry)));
      if (page.total === expected) return undefined;
      return {
        expected: `${list.name}: total ${String(expected)} for every window, for ${JSON.stringify(window)} too`,
        got: page.total,
        answer: page.answer,
      };
    });
  }
  await totalCovers(run, list, seen.size);
}

/** `total` is at least the number of entries that were seen. */
export async function totalCovers(run: Run, list: Paged, seen: number): Promise<void> {
  const { total, answer } = await list.read({ limit: 1 });
  const isEnough = typeof total === 'number' && total >= seen;
  run.expect.that(isEnough, `${list.name}: total to be at least the ${seen} entries seen`, total, answer);
}
