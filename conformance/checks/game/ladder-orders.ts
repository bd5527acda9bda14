import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Findable, Run } from '../../engine/run.js';
import {
  classes,
  differing,
  figure,
  inRealms,
  isOrderedBy,
  ladder,
  ladderBy,
  ladderLeagues,
  leaguesInRealms,
  longLadder,
  ordered,
  sizeOf,
  top,
} from '../../model/ladder.js';
import { limitOf, steady } from '../../model/pages.js';
import type { JsonObject } from '../../json.js';
import type { Requirement } from '../../requirement.js';
import { attempt, MissingCapability, NotOffered } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { allLeagues } from '../../model/leagues.js';

const { max } = limitOf('getLeagueLadder');
const sorts = ['xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'] as const;
const experience = ['character', 'experience'];

/** First pages and last ones of a ladder, of which the entries are known to be there. */
function offsetsOf(size: number, limit: number): number[] {
  return [0, limit, ...(size >= 4 * limit ? [Math.floor(size / 2), size - limit] : [])].filter(
    (offset) => offset < size,
  );
}

/** The top of each class ladder of a league, shared by the run. */
const byClass = (run: Run, league: string, limit: number) =>
  run.facts.once(`class ladders of ${league}, ${limit}`, async () => {
    const pages = [];
    for (const name of classes) {
      const list = ladder(run, league, { sort: 'class', class: name });
      pages.push({ name, list, page: await list.read({ limit }) });
    }
    return pages;
  });

/** That a page of a class ladder has no character of another of the seven classes; how many it has. */
function ofClass(
  run: Run,
  name: string,
  { entries, answer }: { readonly entries: readonly JsonObject[]; readonly answer: Answer },
): number {
  for (const entry of entries) {
    const shown = String(member(entry['character'], 'class')).toLowerCase();
    const other = shown !== name && classes.some((one) => one === shown);
    run.expect.that(!other, `only characters of class ${name}`, shown, answer);
  }
  return entries.length;
}

/** A league whose whole ladder is one page, the fuller the better. */
export async function smallLadder(run: Run): Promise<string | undefined> {
  return run.facts.once('a league with a small ladder', async () => {
    const { main_leagues = [], score_league, time_league } = run.facts.target.known;
    // Who may ask for ladders may not ask for leagues, perhaps.
    const { value: all = [] } = await attempt(() => allLeagues(run), [MissingCapability, NotOffered]);
    const listed = all.map((entry) => String(entry['id']));
    const candidates = [...new Set([...main_leagues, score_league, time_league, ...listed])].slice(0, 10);
    const sizes: (readonly [string, number])[] = [];
    for (const league of candidates.filter((one) => one !== undefined)) {
      const { entries, total } = await ladder(run, league).read({ limit: 1 });
      if (entries.length > 0 && typeof total === 'number' && total <= max) sizes.push([league, total]);
    }
    return sizes.toSorted(([, a], [, b]) => b - a)[0]?.[0];
  });
}

/**
 * A figure orders the ladder of each league, up to the first with two entries that differ in it: a long ladder need not
 * have the figure that a short one has.
 */
async function sorted(
  run: Run,
  sort: (typeof sorts)[number],
  {
    preferred,
    limit,
    path,
    direction,
  }: {
    readonly preferred?: string | undefined;
    readonly limit: number;
    readonly path: readonly string[];
    readonly direction: 'rising' | 'falling';
  },
): Promise<void> {
  let different = 0;
  for await (const league of ladderLeagues(run, preferred)) {
    if (!(await isOrderedBy(run, league, { sort }))) continue;
    const size = await sizeOf(run, league, ladder(run, league));
    const offsets = offsetsOf(size, limit);
    different = await ordered(run, ladder(run, league, { sort }), { offsets, limit, path, direction });
    if (different > 1) break;
  }
  // Which of them has the figure is not known.
  for (const { realm, league } of await leaguesInRealms(run))
    if (await isOrderedBy(run, league, { realm, sort }))
      await ordered(run, ladder(run, league, { realm, sort }), { offsets: [0, 40], limit: 40, path, direction });
  differing(run, different, path.join('.'));
}

const byDepth = (requirement: Requirement, sort: 'depth' | 'depthsolo', path: readonly string[]): DefinedCheck =>
  check({
    ...requirement,
    judge: (run) => sorted(run, sort, { limit: 100, path, direction: 'falling' }),
  });

const byFigure = (
  requirement: Requirement,
  sort: 'time' | 'score',
  key: Findable,
  direction: 'rising' | 'falling',
): DefinedCheck =>
  check({
    ...requirement,
    judge: async (run) => {
      const path = ['character', sort];
      await sorted(run, sort, { limit: 100, path, direction, preferred: await run.facts.found(key) });
    },
  });

/** The rows about the order of a ladder, its classes and its ranks. */
export const ladderOrders: readonly DefinedCheck[] = [
  check({
    id: 'LADDER-SORT-001',
    level: 'MUST',
    sentence:
      'Each of the sorts xp, depth, depthsolo, ancestor, time and score is accepted for the ladder of some league.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      await run.expect.each('sort=%s', sorts, async (sort) => {
        const preferred = sort === 'time' || sort === 'score' ? await run.facts.found(`${sort}_league`) : undefined;
        let refused: Answer | undefined;
        for await (const league of ladderLeagues(run, preferred)) {
          const answer = await ladder(run, league, { sort }).ask({ limit: 1 });
          if (answer.status === 200) return run.expect.status(answer, 200);
          refused ??= answer;
        }
        if (refused) run.expect.status(refused, 200);
      });
    },
  }),

  check({
    id: 'LADDER-SORT-002',
    level: 'INFER',
    sentence: 'With sort=xp experience never increases along the ladder.',
    source: '4.2',
    entailed: '4.2, 8: sort orders the entries by that figure, and a ladder has its top first',
    gap: 'K-026',
    needs: ['client:service'],
    judge: async (run) => {
      await sorted(run, 'xp', { limit: 150, path: experience, direction: 'falling' });
    },
  }),

  byDepth(
    {
      id: 'LADDER-SORT-003',
      level: 'INFER',
      sentence: 'With sort=depth depth.default never increases along the ladder.',
      source: '4.2',
      entailed: '4.2, 8: sort orders the entries by that figure, and a ladder has its top first',
      gap: 'K-026',
      needs: ['client:service'],
    },
    'depth',
    ['character', 'depth', 'default'],
  ),

  byDepth(
    {
      id: 'LADDER-SORT-004',
      level: 'INFER',
      sentence: 'With sort=depthsolo depth.solo never increases along the ladder.',
      source: '4.2',
      entailed: '4.2, 8: sort orders the entries by that figure, and a ladder has its top first',
      gap: 'K-026',
      needs: ['client:service'],
    },
    'depthsolo',
    ['character', 'depth', 'solo'],
  ),

  byFigure(
    {
      id: 'LADDER-SORT-005',
      level: 'INFER',
      sentence: 'With sort=time time never decreases along the ladder.',
      source: '4.2',
      entailed: '2, 4.2, 8: sort orders the entries by the seconds taken, and a ladder has its top first',
      gap: 'K-026',
      needs: ['client:service'],
    },
    'time',
    'time_league',
    'rising',
  ),

  byFigure(
    {
      id: 'LADDER-SORT-006',
      level: 'INFER',
      sentence: 'With sort=score score never increases along the ladder.',
      source: '4.2',
      entailed: '2, 4.2, 8: sort orders the entries by that count, and a ladder has its top first',
      gap: 'K-026',
      needs: ['client:service'],
    },
    'score',
    'score_league',
    'falling',
  ),

  check({
    id: 'LADDER-SORT-007',
    level: 'MUST',
    sentence: 'With sort=class a ladder has characters of the chosen class only, by experience.',
    source: '4.2',
    gap: 'K-027',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      let entries = 0;
      for (const name of ['witch', 'duelist'])
        for (const list of await inRealms(run, { sort: 'class', class: name })) {
          const { answer, entries: some } = await list.read({ limit: 60 });
          const shown = some.map((entry) => String(member(entry['character'], 'class')).toLowerCase());
          const other = shown.find((one) => one !== name && classes.some((known) => known === one));
          run.expect.that(other === undefined, `only characters of class ${name}: ${list.name}`, other, answer);
          await ordered(run, list, { offsets: [0, 30], limit: 30, path: experience, direction: 'falling' });
        }
      await run.expect.each('class=$name', await byClass(run, league, 60), async ({ name, list, page }) => {
        const more = await list.read({ offset: 60, limit: 10 });
        for (const one of [page, more]) entries += ofClass(run, name, one);
        await orderedPages(run, [page.entries, more.entries]);
      });
      if (entries === 0) run.expect.notExercised(`no class ladder of ${league} has an entry`);
      const small = await smallLadder(run);
      if (small !== undefined && (await isOrderedBy(run, small, { sort: 'class', class: 'witch' })))
        await run.case('whole ladders', async () => {
          for (const { name, page } of await byClass(run, small, max)) ofClass(run, name, page);
        });
      const witches = ladder(run, league, { sort: 'class', class: 'witch' });
      await ordered(run, witches, { offsets: [0, 40, 80], limit: 40, path: experience, direction: 'falling' });
    },
  }),

  check({
    id: 'LADDER-SORT-008',
    level: 'MUST',
    sentence: 'All seven classes are accepted: scion, marauder, ranger, witch, duelist, templar, shadow.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const all = await top(run, ladder(run, league, { sort: 'xp' }));
      const present = new Set(all.entries.map((entry) => String(member(entry['character'], 'class')).toLowerCase()));
      let some = 0;
      await run.expect.each('class=%s', classes, async (name) => {
        const { answer, entries } = await ladder(run, league, { sort: 'class', class: name }).read({ limit: 1 });
        run.expect.status(answer, 200);
        some += entries.length;
        if (present.has(name)) {
          run.expect.that(
            entries.length > 0,
            'entries, since the whole ladder shows characters of that class',
            entries,
            answer,
          );
        }
      });
      run.expect.that(
        some > 0 || all.entries.length === 0,
        'entries for some class, since the whole ladder has some',
        some,
      );
    },
  }),

  check({
    id: 'LADDER-SORT-009',
    level: 'INFER',
    sentence:
      'The ladders of different classes share no character, and together they cover a small ladder by experience.',
    source: '4.2',
    plausible: 'classes beyond the seven are not shown, so a ladder may have entries of none of these',
    needs: ['client:service'],
    judge: async (run) => {
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
        if (before.entries.length === 0) run.expect.notExercised(`the ladder of ${league} is empty`);
        run.expect.that(twice === undefined, 'no character on the ladders of two classes', twice, before.answer);
        const whole = before.entries.length < max;
        const missing = before.entries.map((entry) => list.idOf(entry)).filter((id) => !owner.has(id));
        if (!whole || missing.length === 0) return;
        const after = await list.read({ limit: max });
        const moved = JSON.stringify(after.entries.map(list.idOf)) !== JSON.stringify(before.entries.map(list.idOf));
        if (!moved || attempt === 2) {
          run.expect.that(
            false,
            `every character of ${league} on the ladder of a class`,
            `${missing.length} on none`,
            after.answer,
          );
        }
      }
    },
  }),

  check({
    id: 'LADDER-SORT-010',
    level: 'MUST',
    sentence: 'Without sort the order is that of xp or that of time.',
    source: '4.2',
    gap: 'K-026',
    needs: ['client:service'],
    judge: async (run) => {
      const { time_league, score_league } = run.facts.target.known;
      const named = [await longLadder(run), time_league, score_league];
      const leagues = [...new Set(named.filter((one) => one !== undefined))];
      const lists = [
        ...leagues.map((league) => ({ league, args: {} })),
        ...(await leaguesInRealms(run)).map(({ league, realm }) => ({ league, args: { realm } })),
      ];
      const name = ({ league, args }: (typeof lists)[number]): string =>
        `ladder of ${[league, ...Object.values(args)].join(', ')}`;
      await run.expect.each(name, lists, async ({ league, args: place }) => {
        const ids = async (args: Readonly<Record<string, string>>) => {
          const { entries, answer, stamp } = await ladder(run, league, { ...place, ...args }).read({ limit: 50 });
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
            let answer: Answer | undefined;
            for (const sort of ['xp', 'time']) {
              if (!(await isOrderedBy(run, league, { ...place, sort }))) continue;
              const page = await ids({ sort });
              answer = page.answer;
              if (JSON.stringify(page.ids) === JSON.stringify(expected.ids)) {
                if (sort === 'xp' && league === time_league && !('realm' in place)) {
                  const byTime = await ids({ sort: 'time' });
                  if (JSON.stringify(byTime.ids) !== JSON.stringify(expected.ids)) {
                    run.expect.warn(`the ladder of ${league} is by xp, though the target calls it one by time`);
                  }
                }
                return undefined;
              }
            }
            if (answer === undefined) return undefined;
            return {
              expected: 'without sort the order of sort=xp or of sort=time',
              got: expected.ids.slice(0, 5),
              answer,
            };
          },
        );
        if (empty && lists.length === 1) run.expect.notExercised(`the ladder of ${league} is empty`);
      });
    },
  }),

  observation({
    id: 'LADDER-SORT-011',
    sentence:
      'What an unknown sort, sort=class without a class, an unknown class and a class without sort=class do is not stated.',
    source: '4.2',
    gap: 'K-026',
    needs: ['client:service'],
    observe: async (run, note) => {
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
        note(`${what}: status ${answer.status}, ${list.entriesOf(answer)?.length ?? 'no'} entries`);
      }
    },
  }),

  check({
    id: 'LADDER-RANK-001',
    level: 'INFER',
    sentence: 'rank never decreases along the entries of a league ladder, across pages too.',
    source: '2',
    entailed: '2, 4.2: rank is the place on the ladder, and a page is a window of that order',
    gap: 'K-028',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const size = await sizeOf(run, league, ladder(run, league));
      const { time_league, score_league } = run.facts.target.known;
      const lists = [
        ladder(run, league),
        ...(await inRealms(run)),
        await ladderBy(run, { sort: 'depth' }),
        await ladderBy(run, { sort: 'depthsolo' }),
        await ladderBy(run, { sort: 'class', class: 'ranger' }),
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
  }),

  check({
    id: 'LADDER-RANK-002',
    level: 'INFER',
    sentence: 'The first entry of a whole ladder has rank 1.',
    source: '2',
    plausible: 'whether ranks begin at 1 is not stated',
    gap: 'K-028',
    needs: ['client:service'],
    judge: async (run) => {
      const league = await longLadder(run);
      const { time_league, score_league } = run.facts.target.known;
      const lists = [
        ladder(run, league),
        ladder(run, league, { sort: 'xp' }),
        ...(time_league === undefined ? [] : [ladder(run, time_league, { sort: 'time' })]),
        ...(score_league === undefined ? [] : [ladder(run, score_league, { sort: 'score' })]),
      ];
      for (const list of lists) {
        const { answer, entries } = await list.read({ limit: 1 });
        const [first] = entries;
        if (first)
          run.expect.that(figure(first, ['rank']) === 1, `rank 1 at the top of ${list.name}`, first['rank'], answer);
      }
    },
  }),
];

/** Experience falls along pages of a class ladder that were read one after the other. */
async function orderedPages(run: Run, pages: readonly (readonly Readonly<Record<string, unknown>>[])[]): Promise<void> {
  for (const entries of pages) {
    const values = entries.map((entry) => figure(entry, experience)).filter((value) => value !== undefined);
    const at = values.findIndex((value, index) => index > 0 && value > values[index - 1]!);
    run.expect.that(
      at === -1,
      'experience non-increasing along the class ladder',
      `${values[at]} after ${values[at - 1]}`,
    );
  }
}
