import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import type { StashStep } from '../../generators/stream.js';
import { gStashSchedule } from '../../generators/stream.js';
import { described } from '../../model/described.js';
import { bare } from '../../model/difference.js';
import type { StashChange, StashStates, StashStage } from '../../model/stream.js';
import { delay, endOfStream, latest, readFrom, readPage, shownAfter, stage, streamRealms } from '../../model/stream.js';

/** The reading says of the stash, last of all, whether it is listed. */
function shows(run: Run, reading: StashStates, id: string, listed: boolean, what: string): void {
  const state = latest(reading, id);
  run.expect.that(state !== undefined, `${what}: an entry with the id ${id}`, 'none up to the end of the stream');
  run.expect.that(state?.['public'] === listed, `${what}: public ${listed}`, state?.['public']);
}

/** What a stash holds, as text to tell its states apart. */
const contents = (state: StashChange): string => bare(described([state['stash'], state['items']]));

/** The values come in this order; any of it may be left out, and any repeated. */
function follows(values: readonly unknown[], order: readonly unknown[]): boolean {
  let place = 0;
  return values.every((value) => {
    place = order.indexOf(value, place);
    return place !== -1;
  });
}

/** What a stash held each time that it was listed, from listing to unlisting; what comes twice in a row is there once. */
function listings(states: readonly StashChange[]): string[][] {
  const found: string[][] = [[]];
  for (const state of states) {
    const block = found.at(-1)!;
    if (state['public'] !== true) found.push([]);
    else if (block.at(-1) !== contents(state)) block.push(contents(state));
  }
  return found.filter((block) => block.length > 0);
}

/** Where a client stopped, how many steps had happened, and which stashes it holds to be listed. */
interface Poll {
  readonly id: string;
  readonly before: number;
  readonly held: ReadonlySet<string>;
}

/** Whatever happens to a stash is a result, and held back as long; where the stream ended then. */
async function holdsBackOf(run: Run, at: StashStage, id: string, from: string): Promise<string> {
  let end = from;
  for (const [op, listed] of [
    ['update', true],
    ['unlist', false],
  ] as const) {
    const { at: then } = await at.happen(op, id);
    const rest = Math.floor(then + delay - 10 - (await at.now()));
    if (rest > 0) await run.facts.advance(rest);
    const held = await readFrom(run, end, [id]);
    const passed = (await at.now()) - then;
    if (passed < delay - 1) {
      const what = `no entry ${Math.round(passed)} seconds after ${op}`;
      run.expect.that(latest(held, id) === undefined, what, 'an entry');
    }
    await at.settle();
    const reading = await readFrom(run, end, [id]);
    shows(run, reading, id, listed, `${shownAfter} seconds after ${op}`);
    ({ end } = reading);
  }
  return end;
}

/** A change is held back for its own delay: it does not show with an earlier one of the same stash. */
async function holdsBackApart(run: Run, at: StashStage, end: string): Promise<void> {
  const { id, at: first } = await at.happen('list');
  await run.facts.advance(delay / 2);
  const { at: second } = await at.happen('unlist', id);
  const rest = Math.ceil(first + delay + 10 - (await at.now()));
  if (rest > 0) await run.facts.advance(rest);
  const reading = await readFrom(run, end, [id]);
  const age = (await at.now()) - second;
  if (age >= delay - 1) return;
  // A server may hold back the first change as long as the second.
  const shown = latest(reading, id)?.['public'];
  run.expect.that(
    shown !== false,
    `no unlisting ${Math.round(age)} seconds after it, with the listing before it`,
    'public false',
  );
}

/** Makes a schedule happen; `polled` has the ids at the end of the stream, each with the number of steps before it. */
async function perform(run: Run, steps: readonly StashStep[]) {
  const at = stage(run);
  const ids: (string | undefined)[] = [];
  const listed: boolean[] = [];
  const lastStep = new Map<string, number>();
  // What a client that follows the stream holds to be listed.
  const held = new Set<string>();
  const polled: Poll[] = [{ id: await endOfStream(run), before: 0, held: new Set() }];
  for (const [index, { stash, act, wait, poll }] of steps.entries()) {
    const before = ids[stash];
    // Only what is listed can be changed.
    const op = !listed[stash] ? 'list' : act === 'update' ? 'update' : 'unlist';
    const { id } = await at.happen(op, before);
    ids[stash] = before ?? id;
    listed[stash] = op !== 'unlist';
    lastStep.set(ids[stash], index);
    if (wait > 0) await run.facts.advance(wait);
    if (!poll) continue;
    const known = [...lastStep.keys()];
    const reading = await readFrom(run, polled.at(-1)!.id, known);
    for (const one of known) {
      const state = latest(reading, one)?.['public'];
      if (state === true) held.add(one);
      if (state === false) held.delete(one);
    }
    polled.push({ id: reading.end, before: index + 1, held: new Set(held) });
  }
  await at.settle();
  const states = ids.flatMap((id, stash) => (id === undefined ? [] : [{ id, listed: listed[stash]! }]));
  return { states, polled, lastStep };
}

/** The realms in which stashes can be made to change: pc, and those that the target's hook does not refuse. */
async function realmsOf(at: StashStage): Promise<readonly string[]> {
  const found: string[] = [];
  for (const realm of streamRealms) {
    try {
      if (realm !== 'pc') await at.happen('list', undefined, realm);
      found.push(realm);
    } catch (error) {
      if (!(error instanceof PrerequisiteFailed)) throw error;
    }
  }
  return found;
}

/** A stash that is listed again before its being unlisted can be seen. */
const relisted: readonly StashStep[] = [
  { stash: 0, act: 'turn', wait: delay + 10, poll: true },
  { stash: 0, act: 'turn', wait: 1, poll: false },
  { stash: 0, act: 'turn', wait: delay + 10, poll: true },
];

/** What the stream shows of stashes that are listed, changed and unlisted. Each looks for the end of the stream first. */
export default group('game/public-stash-changes', { inOrder: true }, [
  check({
    id: 'PSTASH-004',
    level: 'MUST',
    sentence: 'At the end, the same next_change_id gives new results when there are any.',
    source: '4.2',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      const at = stage(run);
      const streams = await run.http.atOnce(await realmsOf(at), async (realm) => {
        const end = await endOfStream(run, realm);
        // Several at once: none of them may be passed over for the others.
        const ids = [];
        for (let count = 0; count < 3; count += 1) ids.push((await at.happen('list', undefined, realm)).id);
        // A client polls on while the changes are held back; it may keep the id that it has, or take the next.
        const first = await readFrom(run, end, ids, realm);
        const waiting = await readFrom(run, first.end, ids, realm);
        return { realm, end, ids, waiting, early: first.states.size + waiting.states.size > 0 };
      });
      await at.settle();
      await run.http.atOnce(streams, async ({ realm, end, ids, waiting, early }) => {
        const again = await readFrom(run, end, ids, realm);
        for (const id of ids) shows(run, again, id, true, `realm ${realm}, the id of the end, polled again`);
        // A change that showed too early is for the row of the delay.
        if (early) return;
        const later = await readFrom(run, waiting.end, ids, realm);
        for (const id of ids) shows(run, later, id, true, `realm ${realm}, the id that a later empty page gave`);
      });
    },
  }),

  check({
    id: 'PSTASH-006',
    level: 'MUST',
    sentence:
      'A stash that appears again keeps the id of its PublicStashChange, over updates, unlisting and listing again.',
    source: '4.2',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      const at = stage(run);
      let streams = await run.http.atOnce(await realmsOf(at), async (realm) => {
        const from = await endOfStream(run, realm);
        return { realm, from, id: (await at.happen('list', undefined, realm)).id };
      });
      for (const [op, what, expected] of [
        ['list', 'a new stash', true],
        ['update', 'an updated stash', true],
        ['unlist', 'an unlisted stash', false],
        ['list', 'a stash that is listed again', true],
      ] as const) {
        if (what !== 'a new stash') await run.http.atOnce(streams, ({ realm, id }) => at.happen(op, id, realm));
        await at.settle();
        streams = await run.http.atOnce(streams, async ({ realm, from, id }) => {
          const reading = await readFrom(run, from, [id], realm);
          shows(run, reading, id, expected, `realm ${realm}, ${what}`);
          return { realm, from: reading.end, id };
        });
      }
    },
  }),

  check({
    id: 'PSTASH-007',
    level: 'MUST',
    sentence: 'Results are delayed by 5 minutes: a change is not visible before and is visible after.',
    source: '4.2,8',
    gap: 'K-050',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      const at = stage(run);
      const others = (await realmsOf(at)).filter((realm) => realm !== 'pc');
      const streams = await run.http.atOnce(others, async (realm) => {
        const from = await endOfStream(run, realm);
        return { realm, from, ...(await at.happen('list', undefined, realm)) };
      });
      const end = await endOfStream(run);
      const { id, at: happened } = await at.happen('list');
      const early = Math.floor(happened + delay - 10 - (await at.now()));
      if (early > 0) await run.facts.advance(early);
      await run.http.atOnce(streams, async ({ realm, from, id: other, at: then }) => {
        const held = await readFrom(run, from, [other], realm);
        const passed = (await at.now()) - then;
        if (passed >= delay - 1) return;
        const what = `realm ${realm}: no entry ${Math.round(passed)} seconds after the change`;
        run.expect.that(latest(held, other) === undefined, what, 'an entry');
      });
      const before = await readFrom(run, end, [id]);
      const age = (await at.now()) - happened;
      if (age < delay - 1) {
        run.expect.that(
          latest(before, id) === undefined,
          `no entry ${Math.round(age)} seconds after the change`,
          'an entry',
        );
      } else run.expect.notExercised(`the stream took until ${Math.round(age)} seconds after the change to be read`);
      await at.settle();
      const reading = await readFrom(run, end, [id]);
      shows(run, reading, id, true, `${shownAfter} seconds after the change`);
      await holdsBackApart(run, at, await holdsBackOf(run, at, id, reading.end));
    },
  }),

  check({
    id: 'PSTASH-008',
    level: 'MUST',
    sentence: 'Who follows the stream from a saved id sees the latest state of every stash that changed.',
    source: '4.2',
    gap: 'K-052',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      const at = stage(run);
      const { stashes } = await readPage(run, 'pc');
      // Over the borders of a few pages.
      const count = Math.min(100, 2 * Math.max(12, stashes.length) + 5);
      const saved = await endOfStream(run);
      const states = new Map<string, boolean>();
      await run.http.atOnce(Array.from({ length: count }), async () => states.set((await at.happen('list')).id, true));
      // Neither the first of the changes nor the last: what happens to these shows that they came.
      const [first, second, third] = [...states.keys()].slice(5);
      let waiting = await readFrom(run, saved, states.keys());
      for (let poll = 0; poll < 2; poll += 1) {
        const { end, states: shown } = await readFrom(run, waiting.end, states.keys());
        waiting = { end, states: new Map([...waiting.states, ...shown]) };
      }
      await at.happen('update', first);
      await at.happen('unlist', second);
      states.set(second!, false);
      await at.happen('unlist', third);
      await at.happen('list', third);
      await at.settle();
      for (const [from, what] of [
        [saved, 'from an id before the changes'],
        [waiting.end, 'from the end as it was while the changes were held back'],
      ] as const) {
        // Changes that showed too early are for the row of the delay.
        if (from !== saved && waiting.states.size > 0) break;
        const reading = await readFrom(run, from, states.keys());
        // What was unlisted before anybody could see it need not be told of.
        const lost = [...states].filter(([id, listed]) => listed && !latest(reading, id)).map(([id]) => id);
        run.expect.that(
          lost.length === 0,
          `all ${count} stashes ${what}`,
          `${lost.length} without an entry, as ${lost[0]}`,
        );
        for (const [id, listed] of states) if (listed || latest(reading, id)) shows(run, reading, id, listed, what);
      }
    },
  }),

  check({
    id: 'PSTASH-009',
    level: 'INFER',
    sentence:
      'Whatever the order of listings, updates, unlistings and polls, keeping the latest change of each id gives the public stashes as they are.',
    source: '4.2',
    entailed: '4.2: a stash that re-appears is tracked by its id, so the latest change is what it is',
    gap: 'K-052',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      stage(run);
      await run.expect.property(
        'schedule of stash events',
        gStashSchedule(delay),
        { share: 0.04, examples: [relisted] },
        async (steps) => {
          const { states, polled, lastStep } = await perform(run, steps);
          const ids = states.map(({ id }) => id);
          // From wherever a client stopped, what has happened since is found, and ends as it is.
          await run.http.atOnce([polled[0]!, ...polled.slice(1).slice(-3)], async ({ id: from, before, held }) => {
            const reading = await readFrom(run, from, ids);
            for (const { id, listed } of states) {
              // What was unlisted before the client could see it need not be told of.
              const since = lastStep.get(id)! >= before && (listed || held.has(id));
              const place = `read from where ${before} of ${steps.length} steps had happened`;
              if (since || latest(reading, id)) shows(run, reading, id, listed, place);
            }
          });
        },
      );
    },
  }),

  check({
    id: 'PSTASH-012',
    level: 'INFER',
    sentence: 'Reading forward, an earlier state of a stash never follows a later one.',
    source: '4.2',
    entailed: '4.2: next_change_id pages forward through the changes',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      const at = stage(run);
      const saved = await endOfStream(run);
      const { id } = await at.happen('list');
      // The states as a client sees them that follows the stream, and then as one does that comes later.
      const followed: StashChange[] = [];
      let from = saved;
      for (const op of [undefined, 'update', 'unlist', 'list', 'update', 'unlist'] as const) {
        if (op) await at.happen(op, id);
        await at.settle();
        const reading = await readFrom(run, from, [id]);
        from = reading.end;
        shows(run, reading, id, op !== 'unlist', `after ${op ?? 'list'}`);
        followed.push(...(reading.states.get(id.toLowerCase()) ?? []));
      }
      const again = (await readFrom(run, saved, [id])).states.get(id.toLowerCase()) ?? [];
      for (const [what, states] of [
        ['followed', followed],
        ['read in one go', again],
      ] as const) {
        const flags = states.map((state) => state['public']);
        run.expect.that(flags.at(-1) === false, `the state that is the latest at the end, ${what}`, flags);
        run.expect.that(
          follows(flags, [true, false, true, false]),
          `listed, unlisted, listed, unlisted, ${what}`,
          flags,
        );
        // Between listing and unlisting there was one update, so that a third block of contents is an old one.
        const blocks = listings(states);
        run.expect.that(
          blocks.length !== 2 || blocks.every((block) => block.length <= 2),
          `no contents of the stash after later ones, ${what}`,
          blocks.map((block) => block.map((text) => `state ${block.indexOf(text)}`)),
        );
      }
      // Older pages may show what the stash holds by now, but never what it held before.
      const held = listings(followed).flat();
      const shown = listings(again).flat();
      run.expect.that(
        follows(
          shown.filter((text) => held.includes(text)),
          held,
        ),
        'no contents of the stash after later ones',
        shown.map((text) => `state ${held.indexOf(text)}`),
      );
    },
  }),

  check({
    id: 'PSTASH-UNLIST-004',
    level: 'MUST',
    sentence: 'Unlisting a stash gives a change with its id and public false.',
    source: '2,4.2',
    needs: ['client:service', 'clock', 'stash-events'],
    phase: 'clock',
    judge: async (run) => {
      const at = stage(run);
      const listed = await run.http.atOnce(await realmsOf(at), async (realm) => {
        return { realm, id: (await at.happen('list', undefined, realm)).id };
      });
      await at.settle();
      const unlisted = await run.http.atOnce(listed, async ({ realm, id }) => {
        const end = await endOfStream(run, realm);
        await at.happen('unlist', id, realm);
        return { realm, id, end };
      });
      await at.settle();
      await run.http.atOnce(unlisted, async ({ realm, id, end }) => {
        shows(run, await readFrom(run, end, [id], realm), id, false, `realm ${realm}, after unlisting`);
      });
    },
  }),
]);
