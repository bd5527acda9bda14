import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName } from '../../generators/data.js';
import { depth, differing, ordered, pvpLadder as ladder } from '../../model/ladder.js';
import { caseNames, partNames, plainNames } from '../../generators/spellings.js';
import { nothing } from '../../model/nothing.js';
import { keepDefault, keepMaximum, keepsTotal, keepSmallLimit, nothingFarOff } from '../../model/page-forms.js';
import type { Entry, Page, Paged } from '../../model/pages.js';
import { hasTotal, keepsLimits, keepsMaximum, limitOf, partitions, slices, stretch } from '../../model/pages.js';
import { areAll, contradiction, given, isA } from '../../model/schema.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';

const realms = ['pc', 'xbox', 'sony'] as const;
const { max, preset } = limitOf('getPvpMatchLadder');
type Args = Readonly<Record<string, string>>;

const matches = async (run: Run, args: Args) => {
  const answer = await run.data('listPvpMatches', { args });
  return { answer, entries: run.list(answer, 'matches') };
};

const idsOf = (entries: readonly Entry[]): unknown[] => entries.map((entry) => entry['id']);

/** The lists that the target has facts for. */
const selections = (run: Run): readonly Args[] => {
  const { pvp_season: season, pvp_league: league } = run.target.known;
  return [
    { type: 'upcoming' },
    ...(season === undefined ? [] : [{ type: 'season', season }]),
    ...(league === undefined ? [] : [{ type: 'league', league }]),
  ];
};

interface Listed {
  readonly realm: string;
  readonly id: string;
  readonly entry: Entry;
}

/** The matches of all lists and realms, each once, shared by the run. */
const allMatches = (run: Run): Promise<readonly Listed[]> =>
  run.once('PvP matches', async () => {
    const found = new Map<string, Listed>();
    for (const realm of realms) {
      for (const args of selections(run)) {
        for (const entry of (await matches(run, { ...args, realm })).entries) {
          const { id } = entry;
          if (typeof id === 'string' && id !== '') found.set(`${realm} ${id}`, { realm, id, entry });
        }
      }
    }
    return [...found.values()];
  });

/** The listed matches, a bounded number; *not exercised* where there are none. */
async function someMatches(run: Run): Promise<readonly Listed[]> {
  const all = await allMatches(run);
  if (all.length === 0) run.notExercised('no PvP match is listed');
  return all.slice(0, 24);
}

interface Ladder {
  readonly match: Listed;
  readonly list: Paged;
  readonly page: Page;
}

/** The ladders of the listed matches with their first pages, the longest first; shared by the run. */
const ladders = (run: Run): Promise<readonly Ladder[]> =>
  run.once('PvP ladders', async () => {
    const found: Ladder[] = [];
    for (const match of (await allMatches(run)).slice(0, 24)) {
      const list = ladder(run, match);
      const answer = await list.ask({ limit: 1 });
      const entries = list.entriesOf(answer) ?? [];
      // Only ladders with entries are worth a large page.
      found.push({ match, list, page: entries.length > 0 ? await list.largest() : { answer, entries } });
    }
    return found.toSorted((a, b) => b.page.entries.length - a.page.entries.length);
  });

/** The longest ladder; *not exercised* where none has `least` entries. */
async function longest(run: Run, least = 1): Promise<Ladder> {
  const [first] = await ladders(run);
  if (!first || first.page.entries.length < least) {
    run.notExercised(`no PvP ladder has ${least === 1 ? 'an entry' : `${least} entries`}`);
  }
  return first;
}

/** The longest ladder of realm pc as it is asked for without a realm. */
async function bare(run: Run): Promise<readonly Paged[]> {
  const found = (await ladders(run)).find(({ match, page }) => match.realm === 'pc' && page.entries.length > 0);
  return found ? [ladder(run, { id: found.match.id })] : [];
}

const fields = ['id', 'realm', 'startAt', 'endAt', 'registerAt', 'url', 'description', 'glickoRatings', 'pvp', 'style'];

export default group('game/pvp', [
  check('PVP-LIST-001', async (run) => {
    for (const realm of realms) {
      for (const args of selections(run)) {
        const { answer, entries } = await matches(run, { ...args, realm });
        areAll(run, 'PvPMatch', entries, answer);
      }
    }
  }),

  check('PVP-LIST-002', async (run) => {
    await run.each(
      realms,
      (realm) => `realm ${realm}`,
      async (realm) => {
        for (let attempt = 0; ; attempt += 1) {
          const upcoming = idsOf((await matches(run, { realm, type: 'upcoming' })).entries);
          const { answer, entries } = await matches(run, { realm });
          const same = JSON.stringify(idsOf(entries).toSorted()) === JSON.stringify(upcoming.toSorted());
          // A match may have begun in between.
          if (!same && attempt < 2) continue;
          run.that(same, `without type the matches of type=upcoming: ${upcoming.join(', ')}`, idsOf(entries), answer);
          return;
        }
      },
    );
  }),

  check(
    'PVP-LIST-003',
    async (run) => {
      const { pvp_season: season, pvp_league: league } = run.target.known;
      const cases = [
        ...(season === undefined ? [] : [{ type: 'season', parameter: 'season', value: season }]),
        ...(league === undefined ? [] : [{ type: 'league', parameter: 'league', value: league }]),
      ];
      if (cases.length === 0) run.missing('pvp_season or pvp_league among the known facts of the target');
      for (const { type, parameter, value } of cases) {
        const known = await matches(run, { type, [parameter]: value });
        areAll(run, 'PvPMatch', known.entries, known.answer);
        run.that(known.entries.length > 0, `matches of ${parameter} ${value}`, known.entries, known.answer);
        const ids = new Set(idsOf(known.entries));
        const sharedBy = async (args: Args): Promise<{ readonly answer: Answer; readonly shared: unknown[] }> => {
          const answer = await run.data('listPvpMatches', { args: { type, ...args } });
          run.status(answer, '2xx', '4xx');
          const list = member(answer.json, 'matches');
          return { answer, shared: Array.isArray(list) ? idsOf(list as Entry[]).filter((id) => ids.has(id)) : [] };
        };
        const none = async (args: Args): Promise<void> => {
          const { answer, shared } = await sharedBy(args);
          run.that(shared.length === 0, `none of the matches of ${parameter} ${value}`, shared, answer);
        };
        await run.property(
          `${parameter} that does not exist`,
          gUnknownName([value]).map((name) => `cx-${name}`),
          (name) => none({ [parameter]: name }),
          { share: 0.04 },
        );
        const { main_leagues = [], event_leagues = [], odd_names = [] } = run.target.known;
        await run.each(
          partNames(value, [...main_leagues, ...event_leagues, ...odd_names]),
          (name) => `${parameter} ${name}`,
          (name) => none({ [parameter]: name }),
        );
        await none({ [parameter]: 'cx-none', realm: 'pc' });
        // Whether names that differ in case alone are the same is not said.
        for (const name of caseNames([value])) {
          const { shared } = await sharedBy({ [parameter]: name });
          if (shared.length > 0) run.warn(`${parameter} ${name} gives the matches of ${value}`);
        }
      }
    },
    { requests: 36 },
  ),

  check('PVP-LIST-004', async (run) => {
    let some = 0;
    for (const realm of realms) {
      const { answer, entries } = await matches(run, { realm, type: 'upcoming' });
      some += entries.length;
      await run.each(
        entries,
        ({ id }) => String(id),
        async ({ upcoming, complete, inProgress }) => {
          const right = upcoming === true && complete !== true && inProgress !== true;
          run.that(
            right,
            'upcoming: true, and neither complete nor inProgress',
            { upcoming, complete, inProgress },
            answer,
          );
        },
      );
    }
    if (some === 0) run.notExercised('no upcoming match is listed');
  }),

  check('PVP-LIST-005', async (run) => {
    for (const [what, args] of [
      ['type=season without season', { type: 'season' }],
      ['type=league without league', { type: 'league' }],
      ['an unknown type', { type: 'cx-no-such-type' }],
    ] as const) {
      const answer = await run.data('listPvpMatches', { args });
      const list = member(answer.json, 'matches');
      run.note(`${what}: status ${answer.status}, ${Array.isArray(list) ? list.length : 'no'} matches`);
    }
  }),

  check(
    'PVP-GET-001',
    async (run) => {
      await run.each(
        await someMatches(run),
        ({ id, realm }) => `${id} in realm ${realm}`,
        async ({ id, realm }) => {
          const answer = await run.data('getPvpMatch', { args: { match: id, realm } });
          const match = run.has(answer, 'match');
          isA(run, 'PvPMatch', match, answer);
          run.that(member(match, 'id') === id, `the match ${id}`, member(match, 'id'), answer);
        },
      );
    },
    { requests: 24 },
  ),

  check(
    'PVP-GET-002',
    async (run) => {
      const known = (await allMatches(run)).map(({ id }) => id);
      await run.property(
        'unknown match',
        fc.record({ match: gUnknownName(known), realm: fc.constantFrom('pc', 'pc', ...realms) }),
        async (args) => nothing(run, await run.data('getPvpMatch', { args }), 'match'),
        { share: 0.2 },
      );
      const close = [
        ...plainNames(known).slice(0, 4),
        ...known.slice(0, 1).flatMap((match) => [`${match} qx`, `${match}qx`, `qx${match}`]),
      ].filter((match) => !known.includes(match));
      await run.each(
        close,
        (match) => match,
        async (match) => nothing(run, await run.data('getPvpMatch', { args: { match } }), 'match'),
      );
    },
    { requests: 27 },
  ),

  check(
    'PVP-GET-003',
    async (run) => {
      await run.each(
        await someMatches(run),
        ({ id, realm }) => `${id} in realm ${realm}`,
        async ({ id, realm, entry }) => {
          const answer = await run.data('getPvpMatch', { args: { match: id, realm } });
          const match = run.has(answer, 'match');
          run.that(match !== null, 'the match that is listed', match, answer);
          const name = contradiction(entry, match as Entry, fields);
          run.that(name === undefined, `the ${name} of the list: ${entry[name!]}`, member(match, name!), answer);
        },
      );
    },
    { requests: 24 },
  ),

  check('PVPLADDER-001', async (run) => {
    let some = 0;
    for (const match of (await someMatches(run)).slice(0, 8)) {
      const page = await ladder(run, match).read();
      hasTotal(run, page);
      areAll(run, 'PvPLadderTeamEntry', page.entries, page.answer);
      some += page.entries.length;
    }
    if (some === 0) run.notExercised('no PvP ladder has an entry');
    // What is told of all entries is told with whatever part of them is asked for.
    await keepsTotal(run, (await longest(run)).list);
  }),

  check('PVPLADDER-LIMIT-001', async (run) => {
    const { list, page } = await longest(run, 2);
    const { answer, entries } = await list.read();
    await keepDefault(run, await bare(run));
    const expected = Math.min(preset, page.entries.length);
    run.that(entries.length === expected, `${expected} entries without limit`, entries.length, answer);
    if (page.entries.length <= preset) run.notExercised(`no PvP ladder has more than ${preset} entries`);
  }),

  check(
    'PVPLADDER-LIMIT-002',
    async (run) => {
      const { list } = await longest(run);
      await keepsMaximum(run, list, 0.08);
      await keepMaximum(run, await bare(run));
      // Between the maximum of this ladder and that of the others.
      for (const limit of [max + 50, 500]) {
        const answer = await list.ask({ limit });
        run.status(answer, '2xx', '4xx');
        const entries = list.entriesOf(answer) ?? [];
        run.that(entries.length <= max, `4xx, or at most ${max} entries for limit=${limit}`, entries.length, answer);
      }
      if ((await list.read({ offset: max, limit: 1 })).entries.length === 0) {
        run.notExercised(`no PvP ladder has more than ${max} entries`);
      }
    },
    { requests: 18 },
  ),

  check(
    'PVPLADDER-LIMIT-003',
    async (run) => {
      const { list, page } = await longest(run);
      await keepsLimits(run, list, page.entries.length, { share: 0.15, usual: 60 });
      await keepSmallLimit(run, await bare(run));
    },
    { requests: 19 },
  ),

  check(
    'PVPLADDER-OFFSET-001',
    async (run) => {
      const { list } = await longest(run, 2);
      const first = await stretch(list, 0, max);
      await slices(run, [first], { share: 0.1, usual: 40 });
      for (const other of await bare(run)) await slices(run, [await stretch(other, 0, 40)], { share: 0.01, usual: 20 });
      await partitions(run, [first], 0.04);
      const border = await stretch(list, max - 50, 100);
      if (border.ids.length > 1) await partitions(run, [border], 0.03);
    },
    { requests: 62 },
  ),

  check('PVPLADDER-DEPTH-001', async (run) => {
    const { list } = await longest(run);
    await run.property(
      `offset beyond ${depth}`,
      fc.oneof(fc.integer({ min: depth + 1, max: depth + 400 }), fc.integer({ min: depth + 1, max: 10 ** 7 })),
      async (offset) => {
        const { answer, entries } = await list.read({ offset });
        run.that(entries.length === 0, `no entries from offset ${offset} on`, entries.length, answer);
      },
      { share: 0.06, examples: [depth + 1] },
    );
    await nothingFarOff(run, list);
  }),

  check(
    'PVPLADDER-RATING-001',
    async (run) => {
      const unrated = (await ladders(run)).filter(
        ({ match, page }) => match.entry['glickoRatings'] === false && page.entries.length > 0,
      );
      if (unrated.length === 0) run.notExercised('no ladder with entries is of a match without Glicko ratings');
      await run.each(
        unrated,
        ({ match }) => `match ${match.id}, glickoRatings false`,
        async ({ list, page }) => {
          const pages = [page];
          for (let last = page; last.entries.length === max && pages.length < 3; pages.push(last)) {
            last = await list.read({ offset: pages.length * max, limit: max });
          }
          for (const { entries, answer } of pages) {
            const rated = entries.find(({ rating }) => given(rating));
            run.that(rated === undefined, 'no entry with a rating', rated?.['rating'], answer);
          }
        },
      );
    },
    { requests: 8 },
  ),

  check('PVPLADDER-RANK-001', async (run) => {
    const { list, page } = await longest(run, 2);
    const offsets = [0, 60, 120, max].filter((offset) => offset === 0 || offset < page.entries.length + 1);
    differing(run, await ordered(run, list, { offsets, limit: 60, path: ['rank'], direction: 'rising' }), 'rank');
  }),
]);
