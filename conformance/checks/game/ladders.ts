import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName, gWindow } from '../../generators/data.js';
import {
  classes,
  depth,
  differing,
  eventLadder,
  figure,
  ladder,
  longLadder,
  ordered,
  pvpLadder,
  sizeOf,
  top,
} from '../../model/ladder.js';
import type { Paged } from '../../model/pages.js';
import {
  hasTotal,
  keepsLimits,
  keepsMaximum,
  limitOf,
  partitions,
  slices,
  steady,
  stretch,
} from '../../model/pages.js';
import { areAll } from '../../model/schema.js';
import { member } from '../../wire/answer.js';
import { eventLadderChecks } from './event-ladders.js';
import { allLeagues } from './leagues.js';

const { max, preset } = limitOf('getLeagueLadder');
const sorts = ['xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'] as const;
const experience = ['character', 'experience'];

/** The longest ladder of the target. */
const long = async (run: Run, args: Readonly<Record<string, string>> = {}): Promise<Paged> =>
  ladder(run, await longLadder(run), args);

/** First pages and last ones of a ladder, of which the entries are known to be there. */
function offsetsOf(size: number, limit: number): number[] {
  return [0, limit, ...(size >= 4 * limit ? [Math.floor(size / 2), size - limit] : [])].filter(
    (offset) => offset < size,
  );
}

/** Ladders whose order has ties of more than one kind, with as many of their entries as are compared. */
async function stretches(run: Run, length: number) {
  const { time_league: timed, score_league: scored } = run.target.known;
  const lists = [
    await long(run),
    await long(run, { sort: 'depth' }),
    ...(timed === undefined ? [] : [ladder(run, timed, { sort: 'time' })]),
    ...(scored === undefined ? [] : [ladder(run, scored, { sort: 'score' })]),
  ];
  return run.once(`stretches of ladders, ${length}`, () => Promise.all(lists.map((list) => stretch(list, 0, length))));
}

/** The top of each class ladder of a league, shared by the run. */
const byClass = (run: Run, league: string, limit: number) =>
  run.once(`class ladders of ${league}, ${limit}`, async () => {
    const pages = [];
    for (const name of classes) {
      const list = ladder(run, league, { sort: 'class', class: name });
      pages.push({ name, list, page: await list.read({ limit }) });
    }
    return pages;
  });

/** A league whose whole ladder is one page, the fuller the better. */
async function smallLadder(run: Run): Promise<string | undefined> {
  return run.once('a league with a small ladder', async () => {
    const { main_leagues = [], score_league, time_league } = run.target.known;
    const listed = (await allLeagues(run)).map((entry) => String(entry['id']));
    const candidates = [...new Set([...main_leagues, score_league, time_league, ...listed])].slice(0, 10);
    const sizes: (readonly [string, number])[] = [];
    for (const league of candidates.filter((one) => one !== undefined)) {
      const { entries, total } = await ladder(run, league).read({ limit: 1 });
      if (entries.length > 0 && typeof total === 'number' && total <= max) sizes.push([league, total]);
    }
    return sizes.toSorted(([, a], [, b]) => b - a)[0]?.[0];
  });
}

export default group('game/ladders', [
  check('LADDER-001', async (run) => {
    const list = await long(run);
    const page = await list.read();
    hasTotal(run, page);
    const { answer, entries } = page;
    areAll(run, 'LadderEntry', entries, answer);
  }),

  check('LADDER-LIMIT-001', async (run) => {
    const league = await longLadder(run);
    const size = await sizeOf(run, league, ladder(run, league));
    const { answer, entries } = await ladder(run, league).read();
    const expected = Math.min(preset, size);
    run.that(entries.length === expected, `${expected} entries without limit`, entries.length, answer);
    if (size <= preset) run.notExercised(`the ladder of ${league} has ${size} entries, not more than ${preset}`);
  }),

  check(
    'LADDER-LIMIT-002',
    async (run) => {
      const league = await longLadder(run);
      const { answer, entries } = await keepsMaximum(run, ladder(run, league), 0.06);
      if (league === run.target.known.ladder_league) {
        run.that(entries.length === max, `${max} entries for limit=${max}`, entries.length, answer);
      }
      if (entries.length < max) run.notExercised(`the ladder of ${league} has fewer than ${max} entries`);
    },
    { requests: 10 },
  ),

  check(
    'LADDER-LIMIT-003',
    async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      await keepsLimits(run, ladder(run, league), size, { share: 0.15, usual: 60 });
    },
    { requests: 18 },
  ),

  check(
    'LADDER-OFFSET-001',
    async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      const known = [...(await stretches(run, 250))];
      known.push(await stretch(ladder(run, league, { sort: 'class', class: 'witch' }), 0, 100));
      if (size > 2 * max) known.push(await stretch(ladder(run, league), size - 200, 200));
      if (known.every(({ ids }) => ids.length < 2)) run.notExercised(`no ladder has two entries`);
      await slices(run, known, { share: 0.07, usual: 30 });
    },
    { requests: 58 },
  ),

  check(
    'LADDER-OFFSET-002',
    async (run) => {
      const known = await stretches(run, 250);
      if (known.every(({ ids }) => ids.length < 2)) run.notExercised(`no ladder has two entries`);
      for (const { ids, list } of known) {
        run.that(
          new Set(ids).size === ids.length,
          `no character twice on ${list.name}`,
          ids.length - new Set(ids).size,
        );
      }
      await partitions(run, known, 0.04);
      // Over the borders of the largest pages.
      const far = await stretch(await long(run), max - 100, 200);
      if (far.ids.length > 1) await partitions(run, [far], 0.03);
    },
    { requests: 130 },
  ),

  check(
    'LADDER-DEPTH-001',
    async (run) => {
      run.known('ladder_league');
      const lists = await Promise.all([long(run), long(run, { sort: 'depth' }), long(run, { sort: 'xp' })]);
      await run.property(
        `offset beyond ${depth}`,
        fc.record({
          offset: fc.oneof(
            fc.integer({ min: depth + 1, max: depth + 400 }),
            fc.integer({ min: depth + 1, max: 10 ** 7 }),
          ),
          list: fc.constantFrom(...lists.keys()),
        }),
        async ({ offset, list }) => {
          const { answer, entries } = await lists[list]!.read({ offset });
          run.that(entries.length === 0, `no entries from offset ${offset} on`, entries.length, answer);
        },
        {
          share: 0.12,
          examples: [
            { offset: depth + 1, list: 0 },
            { offset: 10 ** 7, list: 0 },
          ],
        },
      );
      const { answer, entries } = await lists[0]!.read({ offset: depth, limit: 1 });
      if (entries.length > 0) run.warn(`offset=${depth} gives entry ${depth + 1} of the ladder`, answer);
    },
    { requests: 16 },
  ),

  check('LADDER-DEPTH-002', async (run) => {
    run.known('ladder_league');
    for (const sort of [undefined, 'xp', 'depth']) {
      const list = await long(run, sort === undefined ? {} : { sort });
      const { answer, entries, total } = await list.read({ offset: depth - 10, limit: 50 });
      run.that(entries.length <= 10, 'at most 10 entries, cut at the depth', entries.length, answer);
      // Not every order has to list everybody: a character without a depth may be in none by depth.
      const reaches = sort !== 'depth' || (typeof total === 'number' && total > depth - 10);
      if (reaches) run.that(entries.length > 0, 'the entries before the depth', entries.length, answer);
    }
  }),

  check(
    'LADDER-TOTAL-001',
    async (run) => {
      const league = await longLadder(run);
      const list = ladder(run, league);
      const size = await sizeOf(run, league, list);
      const seen = new Set((await top(run, list)).entries.map((entry) => list.idOf(entry)));
      const total = async () => ({ ids: [(await list.read({ limit: 1 })).total] });
      await run.property(
        'window',
        gWindow(20, Math.max(0, size - 1)),
        async (window) => {
          await steady(run, total, async ({ ids: [expected] }) => {
            const page = await list.read(window);
            for (const entry of page.entries) seen.add(list.idOf(entry));
            if (page.total === expected) return undefined;
            return { expected: `total ${String(expected)} for every window`, got: page.total, answer: page.answer };
          });
        },
        { share: 0.08 },
      );
      const last = await list.read({ limit: 1 });
      run.that(
        typeof last.total === 'number' && last.total >= seen.size,
        `total to be at least the ${seen.size} entries seen`,
        last.total,
        last.answer,
      );
    },
    { requests: 22 },
  ),

  check('LADDER-SORT-001', async (run) => {
    const league = await longLadder(run);
    await run.each(
      sorts,
      (sort) => `sort=${sort}`,
      async (sort) => {
        const { answer } = await ladder(run, league, { sort }).read({ limit: 1 });
        run.status(answer, 200);
      },
    );
  }),

  check('LADDER-SORT-002', async (run) => {
    const league = await longLadder(run);
    const size = await sizeOf(run, league, ladder(run, league));
    const different = await ordered(run, ladder(run, league, { sort: 'xp' }), {
      offsets: offsetsOf(size, 150),
      limit: 150,
      path: experience,
      direction: 'falling',
    });
    differing(run, different, 'experience');
  }),

  ...(
    [
      ['LADDER-SORT-003', 'depth', ['character', 'depth', 'default']],
      ['LADDER-SORT-004', 'depthsolo', ['character', 'depth', 'solo']],
    ] as const
  ).map(([row, sort, path]) =>
    check(row, async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      const offsets = offsetsOf(size, 100);
      const list = ladder(run, league, { sort });
      differing(run, await ordered(run, list, { offsets, limit: 100, path, direction: 'falling' }), path.join('.'));
    }),
  ),

  ...(
    [
      ['LADDER-SORT-005', 'time', 'time_league', 'rising'],
      ['LADDER-SORT-006', 'score', 'score_league', 'falling'],
    ] as const
  ).map(([row, sort, key, direction]) =>
    check(row, async (run) => {
      const list = ladder(run, run.target.known[key] ?? (await longLadder(run)), { sort });
      const path = ['character', sort];
      differing(run, await ordered(run, list, { offsets: [0, 100, 200], limit: 100, path, direction }), sort);
    }),
  ),

  check(
    'LADDER-SORT-007',
    async (run) => {
      const league = await longLadder(run);
      let entries = 0;
      await run.each(
        await byClass(run, league, 60),
        ({ name }) => `class=${name}`,
        async ({ name, list, page }) => {
          const more = await list.read({ offset: 60, limit: 10 });
          for (const { entries: some, answer } of [page, more]) {
            for (const entry of some) {
              const shown = String(member(entry['character'], 'class')).toLowerCase();
              const other = shown !== name && classes.some((one) => one === shown);
              run.that(!other, `only characters of class ${name}`, shown, answer);
              entries += 1;
            }
          }
          await orderedPages(run, [page.entries, more.entries]);
        },
      );
      if (entries === 0) run.notExercised(`no class ladder of ${league} has an entry`);
      const witches = ladder(run, league, { sort: 'class', class: 'witch' });
      await ordered(run, witches, { offsets: [0, 40, 80], limit: 40, path: experience, direction: 'falling' });
    },
    { requests: 20 },
  ),

  check('LADDER-SORT-008', async (run) => {
    const league = await longLadder(run);
    const all = await top(run, ladder(run, league, { sort: 'xp' }));
    const present = new Set(all.entries.map((entry) => String(member(entry['character'], 'class')).toLowerCase()));
    let some = 0;
    await run.each(
      classes,
      (name) => `class=${name}`,
      async (name) => {
        const { answer, entries } = await ladder(run, league, { sort: 'class', class: name }).read({ limit: 1 });
        run.status(answer, 200);
        some += entries.length;
        if (present.has(name)) {
          run.that(
            entries.length > 0,
            'entries, since the whole ladder shows characters of that class',
            entries,
            answer,
          );
        }
      },
    );
    run.that(some > 0 || all.entries.length === 0, 'entries for some class, since the whole ladder has some', some);
  }),

  check(
    'LADDER-SORT-009',
    async (run) => {
      const league = (await smallLadder(run)) ?? (await longLadder(run));
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const list = ladder(run, league, { sort: 'xp' });
        const before = await list.read({ limit: max });
        const owner = new Map<unknown, string>();
        let twice: string | undefined;
        for (const name of classes) {
          const { entries } = await ladder(run, league, { sort: 'class', class: name }).read({ limit: max });
          for (const id of entries.map((entry) => list.idOf(entry))) {
            twice ??= owner.has(id) ? `${String(id)} on those of ${owner.get(id)} and ${name}` : undefined;
            owner.set(id, name);
          }
        }
        if (before.entries.length === 0) run.notExercised(`the ladder of ${league} is empty`);
        run.that(twice === undefined, 'no character on the ladders of two classes', twice, before.answer);
        const whole = before.entries.length < max;
        const missing = before.entries.map((entry) => list.idOf(entry)).filter((id) => !owner.has(id));
        if (!whole || missing.length === 0) return;
        const after = await list.read({ limit: max });
        const moved = JSON.stringify(after.entries.map(list.idOf)) !== JSON.stringify(before.entries.map(list.idOf));
        if (!moved || attempt === 2) {
          run.that(
            false,
            `every character of ${league} on the ladder of a class`,
            `${missing.length} on none`,
            after.answer,
          );
        }
      }
    },
    { requests: 16 },
  ),

  check('LADDER-SORT-010', async (run) => {
    const { time_league } = run.target.known;
    const leagues = [...new Set([await longLadder(run), time_league].filter((one) => one !== undefined))];
    await run.each(
      leagues,
      (league) => `ladder of ${league}`,
      async (league) => {
        const ids = async (args: Readonly<Record<string, string>>) => {
          const { entries, answer, stamp } = await ladder(run, league, args).read({ limit: 50 });
          return { ids: entries.map((entry) => member(entry['character'], 'id')), answer, stamp };
        };
        let empty = false;
        await steady(
          run,
          async () => {
            const { ids: list, stamp } = await ids({});
            return { ids: list, stamp };
          },
          async (expected) => {
            empty = expected.ids.length === 0;
            for (const sort of ['xp', 'time']) {
              const page = await ids({ sort });
              if (JSON.stringify(page.ids) === JSON.stringify(expected.ids)) {
                if (sort === 'xp' && league === time_league) {
                  const byTime = await ids({ sort: 'time' });
                  if (JSON.stringify(byTime.ids) !== JSON.stringify(expected.ids)) {
                    run.warn(`the ladder of ${league} is by xp, though the target calls it one by time`);
                  }
                }
                return undefined;
              }
            }
            const { answer } = await ids({});
            return {
              expected: 'without sort the order of sort=xp or of sort=time',
              got: expected.ids.slice(0, 5),
              answer,
            };
          },
        );
        if (empty && leagues.length === 1) run.notExercised(`the ladder of ${league} is empty`);
      },
    );
  }),

  check('LADDER-SORT-011', async (run) => {
    const league = await longLadder(run);
    const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['an unknown sort', { sort: 'cx-no-such-sort' }],
      ['sort=class without class', { sort: 'class' }],
      ['an unknown class', { sort: 'class', class: 'cx-no-such-class' }],
      ['class without sort=class', { class: 'witch' }],
      ['sort=ancestor', { sort: 'ancestor' }],
    ];
    for (const [what, args] of cases) {
      const list = ladder(run, league, args);
      const answer = await list.ask({ limit: 2 });
      run.note(`${what}: status ${answer.status}, ${list.entriesOf(answer)?.length ?? 'no'} entries`);
    }
  }),

  check(
    'LADDER-RANK-001',
    async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      const { time_league, score_league } = run.target.known;
      const lists = [
        ladder(run, league),
        ladder(run, league, { sort: 'depth' }),
        ladder(run, league, { sort: 'class', class: 'ranger' }),
        ...(time_league === undefined ? [] : [ladder(run, time_league, { sort: 'time' })]),
        ...(score_league === undefined ? [] : [ladder(run, score_league, { sort: 'score' })]),
      ];
      let most = 0;
      for (const [index, list] of lists.entries()) {
        const offsets = index === 0 ? offsetsOf(size, 60) : [0, 40];
        const limit = index === 0 ? 60 : 40;
        most = Math.max(most, await ordered(run, list, { offsets, limit, path: ['rank'], direction: 'rising' }));
      }
      differing(run, most, 'rank');
    },
    { requests: 14 },
  ),

  check('LADDER-RANK-002', async (run) => {
    const league = await longLadder(run);
    const { time_league, score_league } = run.target.known;
    const lists = [
      ladder(run, league),
      ladder(run, league, { sort: 'xp' }),
      ...(time_league === undefined ? [] : [ladder(run, time_league, { sort: 'time' })]),
      ...(score_league === undefined ? [] : [ladder(run, score_league, { sort: 'score' })]),
    ];
    for (const list of lists) {
      const { answer, entries } = await list.read({ limit: 1 });
      const [first] = entries;
      if (first) run.that(figure(first, ['rank']) === 1, `rank 1 at the top of ${list.name}`, first['rank'], answer);
    }
  }),

  check(
    'LADDER-GONE-001',
    async (run) => {
      const { main_leagues = [], event_leagues = [], odd_names = [] } = run.target.known;
      const listed = (await allLeagues(run)).map((entry) => String(entry['id']));
      await run.property(
        'unknown league',
        gUnknownName([...listed, ...main_leagues, ...event_leagues, ...odd_names, await longLadder(run)]),
        async (league) => {
          for (const list of [ladder(run, league), eventLadder(run, league)]) await isEmpty(run, list);
        },
        { share: 0.1 },
      );
      // Nor has a match that does not exist (K-023).
      if (!run.obtainable().has('service:pvp_matches:ladder')) return;
      for (const realm of ['pc', 'sony']) await isEmpty(run, pvpLadder(run, { id: 'cx no such match', realm }));
    },
    { requests: 24 },
  ),

  ...eventLadderChecks,
]);

/** The ladder of what does not exist has no entries, in whatever form that is said. */
async function isEmpty(run: Run, list: Paged): Promise<void> {
  const answer = await list.ask({});
  run.status(answer, '2xx', '4xx');
  const entries = list.entriesOf(answer) ?? [];
  run.that(entries.length === 0, `no entries of ${list.name}, which does not exist`, entries.length, answer);
}

/** Experience falls along pages of a class ladder that were read one after the other. */
async function orderedPages(run: Run, pages: readonly (readonly Readonly<Record<string, unknown>>[])[]): Promise<void> {
  for (const entries of pages) {
    const values = entries.map((entry) => figure(entry, experience)).filter((value) => value !== undefined);
    const at = values.findIndex((value, index) => index > 0 && value > values[index - 1]!);
    run.that(at === -1, 'experience non-increasing along the class ladder', `${values[at]} after ${values[at - 1]}`);
  }
}
