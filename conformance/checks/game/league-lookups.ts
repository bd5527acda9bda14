import fc from 'fast-check';

import { check } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName, gWord, nearNames } from '../../generators/data.js';
import { caseNames, plainNames } from '../../generators/spellings.js';
import { allLeagues, idsOf, leaguesOfSeason, look, realms, someLeagues } from '../../model/leagues.js';
import { expectNull } from '../../model/expect-null.js';
import type { PageEntry } from '../../model/pages.js';
import { given, isA } from '../../model/schema.js';
import { member } from '../../wire/answer.js';

/** The names of leagues of pc, as lists and target know them. */
export async function knownNames(run: Run): Promise<readonly string[]> {
  const { main_leagues = [], event_leagues = [], odd_names = [], private_league = '' } = run.facts.target.known;
  const lists = [await allLeagues(run), await allLeagues(run, { realm: 'pc', type: 'event' })];
  const listed = [...lists.flat(), ...(await leaguesOfSeason(run, 'pc'))];
  const ids = idsOf(listed).filter((id) => typeof id === 'string');
  return [...new Set([...odd_names, ...ids, ...main_leagues, ...event_leagues, private_league])];
}

/** Names that no list has, and that the target does not name. */
const strangers = async (run: Run) => gUnknownName(await knownNames(run));

/** Some of the leagues that one realm lists and the other does not, under whatever type. */
async function onlyIn(run: Run, here: string, elsewhere: string): Promise<readonly PageEntry[]> {
  const types = ['main', 'event'];
  const there = await Promise.all(types.map((type) => allLeagues(run, { realm: elsewhere, type })));
  const seasonal = await leaguesOfSeason(run, elsewhere);
  const taken = new Set(idsOf([...there.flat(), ...seasonal]));
  const own = await Promise.all(types.map((type) => allLeagues(run, { realm: here, type })));
  return own
    .flat()
    .filter((entry) => !taken.has(entry['id']))
    .slice(0, 4);
}

/** One league by its name. */
export const leagueLookups = [
  check({
    id: 'LEAGUE-GET-001',
    level: 'MUST',
    sentence: 'GET /league/<league> returns `league`, the League of that name.',
    source: '4.2',
    gap: 'K-035',
    needs: ['client:service'],
    judge: async (run) => {
      const some = await someLeagues(run, 'pc', 10);
      if (some.length === 0) run.expect.notExercised('no league is listed or named by the target');
      await run.expect.each('%s', some, async (league) => {
        const answer = await look(run, league, 'pc');
        const found = run.expect.has(answer, 'league');
        isA(run, 'League', found, answer);
        // Where the id is no name of its own, a league may be addressed by its name (K-035).
        const [id, name] = [member(found, 'id'), member(found, 'name')];
        run.expect.that(id === league || name === league, `the league ${league}`, id, answer);
      });
    },
  }),

  check({
    id: 'LEAGUE-GET-002',
    level: 'MUST',
    sentence: 'For an unknown league `league` is there and null.',
    source: '4.2,7',
    gap: 'K-115',
    needs: ['client:service'],
    judge: async (run) => {
      await run.expect.property('unknown league', await strangers(run), { share: 0.2 }, async (league) =>
        expectNull(run, await look(run, league, 'pc'), 'league'),
      );
      await run.expect.property(
        'unknown league in another realm',
        fc.record({ league: gWord().map((word) => `cx-${word}`), realm: fc.constantFrom(...realms) }),
        { share: 0.06 },
        async ({ league, realm }) => expectNull(run, await look(run, league, realm), 'league'),
      );
      await run.expect.each('cx-no-such-league in realm %s', realms, async (realm) =>
        expectNull(run, await look(run, 'cx-no-such-league', realm), 'league'),
      );
      const known = await knownNames(run);
      const close = [...nearNames(known), ...plainNames(known).slice(0, 6)];
      await run.expect.each('%s', close, async (league) => expectNull(run, await look(run, league, 'pc'), 'league'));
      // Whether names that differ in case alone are the same is not said.
      for (const league of caseNames(known).slice(0, 4)) {
        const answer = await look(run, league, 'pc');
        const found = member(answer.json, 'league');
        if (given(found))
          run.expect.warn(`${league} is looked up, and ${String(member(found, 'id'))} is found`, answer);
      }
    },
  }),

  check({
    id: 'LEAGUE-GET-003',
    level: 'INFER',
    sentence: 'A league that only another realm has is null.',
    source: '4.2',
    entailed: '4.2, 7: the realm selects the leagues, and one that is not among them is null',
    gap: 'K-036',
    needs: ['client:service'],
    judge: async (run) => {
      const pairs = [
        ...(['xbox', 'sony', 'game2'] as const).map((here) => [here, 'pc'] as const),
        ['pc', 'xbox'] as const,
        ['pc', 'game2'] as const,
      ];
      let tried = 0;
      await run.expect.each('leagues of $0, asked for in realm $1', pairs, async ([here, elsewhere]) => {
        const candidates = await onlyIn(run, here, elsewhere);
        if (candidates.length === 0) return;
        tried += 1;
        let found = 0;
        for (const { id } of candidates) {
          // It has just been seen where it is, in case a server keeps its answers.
          await look(run, String(id), here);
          const answer = await look(run, String(id), elsewhere);
          const league = member(answer.json, 'league');
          if (given(league)) {
            // A past league that the lists leave out may bear the same name there.
            const realm = member(league, 'realm') ?? elsewhere;
            run.expect.that(
              realm === elsewhere,
              `league ${String(id)}: null, or one of realm ${elsewhere}`,
              league,
              answer,
            );
            // One that says that it is of that realm is another league.
            if (!given(member(league, 'realm'))) found += 1;
          } else expectNull(run, answer, 'league');
        }
        run.expect.that(found < candidates.length, `null for leagues of ${here} alone`, `${found} leagues found`);
      });
      if (tried === 0) run.expect.notExercised('every realm lists the same leagues');
    },
  }),

  check({
    id: 'LEAGUE-GET-006',
    level: 'INFER',
    sentence: 'A lookup that finds nothing has status 200.',
    source: '7',
    plausible: 'the wrapper is null; the status is not stated',
    gap: 'K-024',
    needs: ['client:service'],
    judge: async (run) => {
      const answer = await look(run, 'cx-no-such-league', 'pc');
      // Whether `league` is there, and null, with the status that the target declares, is LEAGUE-GET-002.
      const { null_lookup_status: declared } = run.facts.target.readings;
      if (declared === 404)
        run.expect.notApplicable('the target declares status 404 for null lookups (null_lookup_status)');
      if (declared === 'any' && answer.status === 404)
        run.expect.warn('A lookup that finds nothing has status 404; null_lookup_status: 404 says so in the target.');
      else run.expect.status(answer, 200);
    },
  }),
];
