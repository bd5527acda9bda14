import fc from 'fast-check';

import { check, group, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName, nearNames } from '../../generators/data.js';
import { caseNames, partNames, plainNames } from '../../generators/spellings.js';
import { expectNull } from '../../model/expect-null.js';
import { allLeagues } from '../../model/leagues.js';
import type { PageEntry, QueryArgs } from '../../model/pages.js';
import { allMatches, matches, realms, selections, someMatches } from '../../model/pvp.js';
import type { ListedMatch } from '../../model/pvp.js';
import { contradiction } from '../../model/difference.js';
import { areAll, isA } from '../../model/schema.js';
import type { Answer } from '../../wire/answer.js';
import { member } from '../../wire/answer.js';
import { pvpLadders } from './pvp-ladders.js';

const idsOf = (entries: readonly PageEntry[]): unknown[] => entries.map((entry) => entry['id']);

const fields = ['id', 'realm', 'startAt', 'endAt', 'registerAt', 'url', 'description', 'glickoRatings', 'pvp', 'style'];

/** Matches of a season or league, which the parameter of that name gives. */
interface Selection {
  readonly type: 'season' | 'league';
  readonly value: string;
}

/** The ids of a selection's list that are known. */
async function sharedBy(
  run: Run,
  { type }: Selection,
  args: QueryArgs,
  isKnown: (id: unknown) => boolean,
): Promise<{ readonly answer: Answer; readonly shared: unknown[] }> {
  const answer = await run.http.data('listPvpMatches', { args: { type, ...args } });
  run.expect.status(answer, '2xx', '4xx');
  const list = member(answer.json, 'matches');
  return { answer, shared: Array.isArray(list) ? idsOf(list as PageEntry[]).filter(isKnown) : [] };
}

/** The leagues that are listed, or that the target names. */
async function leagueNames(run: Run): Promise<readonly string[]> {
  const { main_leagues = [], event_leagues = [], odd_names = [] } = run.facts.target.known;
  const lists = run.oauth.obtainable().has('service:leagues') ? ['main', 'event'] : [];
  const listed = await Promise.all(lists.map((type) => allLeagues(run, { type })));
  return [...new Set([...main_leagues, ...event_leagues, ...odd_names, ...idsOf(listed.flat()).map(String)])];
}

/** A selection lists its matches, and another value of its parameter lists none of them. */
async function listsOnly(run: Run, selection: Selection): Promise<void> {
  const { type, value } = selection;
  const parameter = type;
  const known = await matches(run, { type, [parameter]: value });
  areAll(run, 'PvPMatch', known.entries, known.answer);
  run.expect.that(known.entries.length > 0, `matches of ${parameter} ${value}`, known.entries, known.answer);
  const ids = new Set(idsOf(known.entries));
  const none = async (args: QueryArgs, isKnown = (id: unknown): boolean => ids.has(id)): Promise<void> => {
    const { answer, shared } = await sharedBy(run, selection, args, isKnown);
    const where = args['realm'] === undefined ? '' : ` in ${args['realm']}`;
    run.expect.that(shared.length === 0, `none of the matches of ${parameter} ${value}${where}`, shared, answer);
  };
  await run.expect.property(
    `${parameter} that does not exist`,
    gUnknownName([value]).map((name) => `cx-${name}`),
    { share: 0.04 },
    (name) => none({ [parameter]: name }),
  );
  const leagues = await leagueNames(run);
  await run.expect.each(`${parameter} %s`, partNames(value, leagues), (name) => none({ [parameter]: name }));
  if (type === 'league') await dependsOnLeague(run, selection, leagues);
  await none({ [parameter]: 'cx-none', realm: 'pc' });
  for (const realm of realms.filter((one) => one !== 'pc')) {
    const there = await sharedBy(run, selection, { [parameter]: value, realm }, () => true);
    await none({ [parameter]: 'cx-none', realm }, (id) => there.shared.includes(id));
  }
  // Whether names that differ in case alone are the same is not said.
  for (const name of caseNames([value])) {
    const { shared } = await sharedBy(run, selection, { [parameter]: name }, (id) => ids.has(id));
    if (shared.length > 0) run.expect.warn(`${parameter} ${name} gives the matches of ${value}`);
  }
}

/** Matches of a season or league that say that they are upcoming. */
const markedUpcoming = async (run: Run): Promise<readonly ListedMatch[]> =>
  (await allMatches(run)).filter(({ entry }) => entry['upcoming'] === true).slice(0, 24);

/** A match that says that it is upcoming stands in the list of those, unless it has begun meanwhile. */
async function isListed(run: Run, { id, realm }: ListedMatch): Promise<void> {
  const { answer, entries } = await matches(run, { realm, type: 'upcoming' });
  if (idsOf(entries).includes(id)) return;
  const now = await run.http.data('getPvpMatch', { args: { match: id, realm } });
  const isStill = member(member(now.json, 'match'), 'upcoming') === true;
  run.expect.that(!isStill, `${id}, which is marked as upcoming`, idsOf(entries), answer);
}

/** Upcoming matches of one realm, each with a realm whose list of those lacks it. */
async function upcomingElsewhere(run: Run): Promise<readonly ListedMatch[]> {
  const upcoming = (await markedUpcoming(run)).slice(0, 6);
  const known = new Set((await allMatches(run)).map(({ id, realm }) => `${realm} ${id}`));
  return upcoming.flatMap((match) =>
    realms.filter((realm) => !known.has(`${realm} ${match.id}`)).map((realm) => ({ ...match, realm })),
  );
}

/** A match that a realm does not list as upcoming is not looked up there as upcoming, unless it was listed meanwhile. */
async function isNotUpcoming(run: Run, { id, realm }: ListedMatch): Promise<void> {
  const answer = await run.http.data('getPvpMatch', { args: { match: id, realm } });
  const match = member(answer.json, 'match');
  if (member(match, 'upcoming') !== true) return;
  const { entries } = await matches(run, { realm, type: 'upcoming' });
  run.expect.that(
    idsOf(entries).includes(id),
    `no upcoming match ${id}, as the list of the realm has none`,
    match,
    answer,
  );
}

/** Leagues may share a match. That each shares all of them is possible too: no match says to which leagues it is open. */
async function dependsOnLeague(run: Run, { value }: Selection, leagues: readonly string[]): Promise<void> {
  const others = leagues.filter((name) => name !== value).slice(0, 6);
  if (others.length < 2) return;
  const listOf = async (league: string) => {
    const { entries } = await matches(run, { type: 'league', league });
    return JSON.stringify(idsOf(entries).toSorted());
  };
  const own = await listOf(value);
  const lists = await Promise.all(others.map(listOf));
  if (lists.every((list) => list === own))
    run.expect.warn(`the leagues ${[value, ...others].join(', ')} all list the same matches: ${own}`);
}

export default group('game/pvp', [
  check({
    id: 'PVP-LIST-001',
    level: 'MUST',
    sentence: 'GET /pvp-match returns `matches`, an array of PvPMatch.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      for (const realm of realms) {
        for (const args of await selections(run)) {
          const { answer, entries } = await matches(run, { ...args, realm });
          areAll(run, 'PvPMatch', entries, answer);
        }
      }
    },
  }),

  check({
    id: 'PVP-LIST-002',
    level: 'MUST',
    sentence: 'type defaults to upcoming: without it the list equals that for type=upcoming.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      await run.expect.each('realm %s', realms, async (realm) => {
        for (let attempt = 0; ; attempt += 1) {
          const upcoming = idsOf((await matches(run, { realm, type: 'upcoming' })).entries);
          const { answer, entries } = await matches(run, { realm });
          const same = JSON.stringify(idsOf(entries).toSorted()) === JSON.stringify(upcoming.toSorted());
          // A match may have begun in between.
          if (!same && attempt < 2) continue;
          run.expect.that(
            same,
            `without type the matches of type=upcoming: ${upcoming.join(', ')}`,
            idsOf(entries),
            answer,
          );
          return;
        }
      });
    },
  }),

  check({
    id: 'PVP-LIST-003',
    level: 'MUST',
    sentence: 'type=season with a season and type=league with a league list the matches of that season or league.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const { pvp_season: season } = run.facts.target.known;
      const league = await run.facts.found('pvp_league');
      const cases: readonly Selection[] = [
        ...(season === undefined ? [] : [{ type: 'season' as const, value: season }]),
        ...(league === undefined ? [] : [{ type: 'league' as const, value: league }]),
      ];
      if (cases.length === 0) run.expect.missing('pvp_season or pvp_league among the known facts of the target');
      for (const one of cases) await run.case(`type=${one.type}`, () => listsOnly(run, one));
    },
  }),

  check({
    id: 'PVP-LIST-004',
    level: 'INFER',
    sentence:
      'Matches listed as upcoming are marked as upcoming and neither as complete nor as in progress; those marked are listed.',
    source: '4.2',
    entailed: '2, 3, 4.2: the list and the flags are two ways to say which matches are upcoming',
    gap: 'K-038',
    needs: ['client:service'],
    judge: async (run) => {
      let some = 0;
      let unmarked = 0;
      for (const realm of realms) {
        const { answer, entries } = await matches(run, { realm, type: 'upcoming' });
        some += entries.length;
        await run.expect.each('$id', entries, async ({ upcoming, complete, inProgress }) => {
          const right = complete !== true && inProgress !== true;
          run.expect.that(right, 'neither complete nor inProgress', { upcoming, complete, inProgress }, answer);
        });
        unmarked += entries.filter(({ upcoming }) => upcoming !== true).length;
      }
      // The flag may be absent like any that is marked with `?` (interface 2, Notation).
      await run.expect.each('$id in realm $realm', await markedUpcoming(run), async (marked) => isListed(run, marked));
      if (unmarked > 0)
        run.expect.warn(`${unmarked} of ${some} matches that are listed as upcoming have no upcoming: true`);
      if (some === 0) run.expect.notExercised('no upcoming match is listed');
    },
  }),

  observation({
    id: 'PVP-LIST-005',
    sentence: 'What type=season without a season, type=league without a league and an unknown type give is not stated.',
    source: '4.2',
    gap: 'K-033',
    needs: ['client:service'],
    observe: async (run, note) => {
      for (const [what, args] of [
        ['type=season without season', { type: 'season' }],
        ['type=league without league', { type: 'league' }],
        ['an unknown type', { type: 'cx-no-such-type' }],
      ] as const) {
        const answer = await run.http.data('listPvpMatches', { args });
        const list = member(answer.json, 'matches');
        note(`${what}: status ${answer.status}, ${Array.isArray(list) ? list.length : 'no'} matches`);
      }
    },
  }),

  check({
    id: 'PVP-GET-001',
    level: 'MUST',
    sentence: 'GET /pvp-match/<match> returns `match`, the PvPMatch of that name.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      await run.expect.each('$id in realm $realm', await someMatches(run), async ({ id, realm }) => {
        const answer = await run.http.data('getPvpMatch', { args: { match: id, realm } });
        const match = run.expect.has(answer, 'match');
        isA(run, 'PvPMatch', match, answer);
        run.expect.that(member(match, 'id') === id, `the match ${id}`, member(match, 'id'), answer);
      });
    },
  }),

  check({
    id: 'PVP-GET-002',
    level: 'MUST',
    sentence: 'For an unknown match `match` is there and null.',
    source: '4.2,7',
    gap: 'K-115',
    needs: ['client:service'],
    judge: async (run) => {
      const known = (await allMatches(run)).map(({ id }) => id);
      await run.expect.property(
        'unknown match',
        fc.record({ match: gUnknownName(known), realm: fc.constantFrom('pc', 'pc', ...realms) }),
        { share: 0.2 },
        async (args) => expectNull(run, await run.http.data('getPvpMatch', { args }), 'match'),
      );
      const close = [
        ...plainNames(known).slice(0, 4),
        ...nearNames(known),
        ...known.slice(0, 1).flatMap((match) => [`${match} qx`, `${match}qx`, `qx${match}`]),
      ].filter((match) => !known.includes(match));
      await run.expect.each('%s', close, async (match) =>
        expectNull(run, await run.http.data('getPvpMatch', { args: { match } }), 'match'),
      );
    },
  }),

  check({
    id: 'PVP-GET-003',
    level: 'INFER',
    sentence: 'Listed matches can be looked up by id in their realm, and both agree.',
    source: '4.2',
    entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
    needs: ['client:service'],
    judge: async (run) => {
      await run.expect.each('$id in realm $realm', await someMatches(run), async ({ id, realm, entry }) => {
        const answer = await run.http.data('getPvpMatch', { args: { match: id, realm } });
        const match = run.expect.has(answer, 'match');
        run.expect.that(match !== null, 'the match that is listed', match, answer);
        const name = contradiction(entry, match as PageEntry, fields);
        run.expect.that(name === undefined, `the ${name} of the list: ${entry[name!]}`, member(match, name!), answer);
      });
      const elsewhere = await upcomingElsewhere(run);
      await run.case('another realm', () =>
        run.expect.each('$id in realm $realm', elsewhere, (one) => isNotUpcoming(run, one)),
      );
    },
  }),

  ...pvpLadders,
]);
