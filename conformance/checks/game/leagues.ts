import { dateTimeOf } from '../../date-time.js';
import { check, group, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gUnknownName } from '../../generators/data.js';
import { caseNames, partNames } from '../../generators/spellings.js';
import { allLeagues, idsOf, leagues, look, realms, someLeagues, told, walk, wordsOf } from '../../model/leagues.js';
import type { PageEntry } from '../../model/pages.js';
import { steady } from '../../model/pages.js';
import { contradiction } from '../../model/difference.js';
import { areAll } from '../../model/schema.js';
import { member } from '../../wire/answer.js';
import { leagueLookups } from './league-lookups.js';
import { leaguePages } from './league-pages.js';

/** The entries of a realm's lists by their ids. */
const listedBy = async (run: Run, realm: string): Promise<ReadonlyMap<unknown, PageEntry>> =>
  new Map(
    [...(await allLeagues(run, { realm, type: 'main' })), ...(await allLeagues(run, { realm, type: 'event' }))].map(
      (entry) => [entry['id'], entry],
    ),
  );

const day = 86_400;

/** A list of current leagues has none that is over. Who keeps them as they once were is told, and no more than that. */
async function warnOfPast(run: Run, type: string, entries: readonly PageEntry[]): Promise<void> {
  const now = await run.facts.now();
  // A day is more than any zone that a date may lack.
  const over = entries.filter(
    ({ endAt }) => typeof endAt === 'string' && (dateTimeOf(endAt)?.ms ?? Infinity) / 1000 < now - day,
  );
  if (over.length > 0)
    run.expect.warn(`type=${type} lists leagues that are over: ${idsOf(over).slice(0, 5).join(', ')}`);
}

export default group('game/leagues', [
  check({
    id: 'LEAGUE-LIST-001',
    level: 'MUST',
    sentence: 'GET /league returns `leagues`, an array of League.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      for (const realm of realms) {
        for (const type of ['main', 'event']) {
          const { answer, entries } = await leagues(run, { realm, type }).read();
          areAll(run, 'League', entries, answer);
        }
      }
    },
  }),

  check({
    id: 'LEAGUE-LIST-002',
    level: 'MUST',
    sentence: 'type defaults to main: without it the list equals that for type=main.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      await run.expect.each('realm %s', realms, async (realm) => {
        await steady(
          run,
          async () => ({ ids: idsOf(await walk(run, { realm, type: 'main' })) }),
          async ({ ids }) => {
            const got = new Set(idsOf(await walk(run, { realm })));
            if (got.size === new Set(ids).size && ids.every((id) => got.has(id))) return undefined;
            const { answer } = await leagues(run, { realm }).read();
            return { expected: `without type the leagues of type=main: ${ids.join(', ')}`, got: [...got], answer };
          },
          { ids: idsOf(await allLeagues(run, { realm, type: 'main' })) },
        );
      });
    },
  }),

  check({
    id: 'LEAGUE-LIST-003',
    level: 'MUST',
    sentence: 'type=main lists permanent and current challenge leagues.',
    source: '4.2',
    gap: 'K-118',
    needs: ['client:service'],
    judge: async (run) => {
      const entries = await allLeagues(run, { realm: 'pc', type: 'main' });
      await warnOfPast(run, 'main', entries);
      const [ids, listed] = [idsOf(entries), wordsOf(entries)];
      // Permanent leagues are no events, so the events are never all that type=main lists.
      const events = new Set(idsOf(await allLeagues(run, { realm: 'pc', type: 'event' })));
      const permanent = ids.some((league) => !events.has(league));
      run.expect.that(
        new Set(ids).size < 2 || permanent,
        'a league of type=main that type=event does not list',
        `both list ${ids.slice(0, 20).join(', ')}`,
      );
      const main = run.facts.known('main_leagues');
      await run.expect.each('%s', main, async (league) =>
        run.expect.that(listed.has(league), 'type=main to list it', [...listed]),
      );
      await run.expect.each('%s', run.facts.target.known.event_leagues ?? [], async (league) =>
        run.expect.that(!listed.has(league), 'type=main not to list an event league', [...listed]),
      );
      for (const realm of realms.filter((one) => one !== 'pc')) {
        const own = wordsOf(await allLeagues(run, { realm }));
        const strange = (run.facts.target.known.event_leagues ?? []).find((league) => own.has(league));
        run.expect.that(strange === undefined, `no event league in the list of realm ${realm}`, strange);
      }
    },
  }),

  check({
    id: 'LEAGUE-LIST-004',
    level: 'MUST',
    sentence: 'type=event lists current event leagues.',
    source: '4.2',
    gap: 'K-034',
    needs: ['client:service', 'known:event_leagues'],
    judge: async (run) => {
      const events = run.facts.known('event_leagues');
      const entries = await allLeagues(run, { realm: 'pc', type: 'event' });
      await warnOfPast(run, 'event', entries);
      const listed = wordsOf(entries);
      await run.expect.each('%s', events, async (league) =>
        run.expect.that(listed.has(league), 'type=event to list it', [...listed]),
      );
      // Those that are declared as both are a matter of the target.
      const main = (run.facts.target.known.main_leagues ?? []).filter((league) => !events.includes(league));
      await run.expect.each('%s', main, async (league) =>
        run.expect.that(!listed.has(league), 'type=event not to list a league of type=main', [...listed]),
      );
      for (const realm of ['xbox', 'sony'] as const) {
        const own = wordsOf(await allLeagues(run, { realm, type: 'event' }));
        const strange = main.find((league) => own.has(league));
        run.expect.that(strange === undefined, `type=event not to list a league of type=main in ${realm}`, strange);
      }
    },
  }),

  check({
    id: 'LEAGUE-LIST-005',
    level: 'MUST',
    sentence: 'type=season with a season lists the leagues of that season.',
    source: '4.2',
    needs: ['client:service', 'known:season'],
    judge: async (run) => {
      const season = run.facts.known('season');
      const { answer, entries } = await leagues(run, { type: 'season', season }).read();
      areAll(run, 'League', entries, answer);
      run.expect.that(entries.length > 0, `leagues of season ${season}`, entries.length, answer);
      // Permanent leagues are of no season, and nothing says that there are any: a season may be all that type=main lists.
      const main = await allLeagues(run, { realm: 'pc', type: 'main' });
      const listed = new Set(idsOf(await allLeagues(run, { realm: 'pc', type: 'season', season })));
      const permanent = main.some((entry) => !listed.has(entry['id']));
      if (main.length > 1 && !permanent)
        run.expect.warn(`all leagues of type=main are listed for season ${season}`, answer);
      // What another season gives is free (K-033), but not the leagues of this one.
      const others = gUnknownName([season]).map((name) => `cx-${name}`);
      const shares = async (args: Readonly<Record<string, string>>): Promise<void> => {
        const other = await run.http.data('listLeagues', { args: { type: 'season', ...args } });
        run.expect.status(other, '2xx', '4xx');
        const shared = idsOf(leagues(run).entriesOf(other) ?? []).filter((id) => listed.has(id));
        run.expect.that(shared.length === 0, `none of the leagues of season ${season}`, shared, other);
      };
      await run.expect.property('season that does not exist', others, { share: 0.03 }, (other) =>
        shares({ season: other }),
      );
      await run.expect.each('season %s', partNames(season), (other) => shares({ season: other }));
      await run.expect.each('an unknown season in realm %s', ['pc', 'xbox', 'sony'], (realm) =>
        shares({ realm, season: 'cx-no-such-season' }),
      );
      for (const other of caseNames([season])) {
        const { json } = await run.http.data('listLeagues', { args: { type: 'season', season: other } });
        const found = member(json, 'leagues');
        if (Array.isArray(found) && found.length > 0) run.expect.warn(`season ${other} gives the leagues of ${season}`);
      }
    },
  }),

  observation({
    id: 'LEAGUE-LIST-006',
    sentence:
      'What type=season without a season, an unknown season, a season with realm game2 and an unknown type give is not stated.',
    source: '4.2',
    gap: 'K-033',
    needs: ['client:service'],
    observe: async (run, note) => {
      const { season = 'none' } = run.facts.target.known;
      const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
        ['type=season without season', { type: 'season' }],
        ['an unknown season', { type: 'season', season: 'cx-no-such-season' }],
        ['type=season in realm game2', { type: 'season', season, realm: 'game2' }],
        ['an unknown type', { type: 'cx-no-such-type' }],
      ];
      for (const [what, args] of cases) {
        const answer = await run.http.data('listLeagues', { args });
        note(`${what}: status ${answer.status}, ${leagues(run).entriesOf(answer)?.length ?? 'no'} leagues`);
      }
    },
  }),

  check({
    id: 'LEAGUE-LIST-007',
    level: 'INFER',
    sentence: 'A listed league can be looked up in its realm, under the same id.',
    source: '4.2',
    entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
    gap: 'K-035',
    needs: ['client:service'],
    judge: async (run) => {
      for (const realm of realms) {
        await run.expect.each(`%s in realm ${realm}`, await someLeagues(run, realm, 8), async (league) => {
          const answer = await look(run, league, realm);
          const found = run.expect.has(answer, 'league');
          const entries = await listedBy(run, realm);
          // A target may name a league by its name, where that is not its id (K-035).
          const word = entries.has(league) ? 'id' : 'name';
          const isIt = member(found, 'id') === league || member(found, word) === league;
          run.expect.that(isIt, 'the league that is listed', found, answer);
          const inList = async (): Promise<PageEntry | undefined> =>
            [...(await walk(run, { realm, type: 'main' })), ...(await walk(run, { realm, type: 'event' }))].find(
              ({ id }) => id === league,
            );
          const entry = entries.get(league);
          if (!entry || contradiction(entry, found as PageEntry, told) === undefined) return;
          // Somebody may have changed it: look at both again.
          const again = await inList();
          const now = run.expect.has(await look(run, league, realm), 'league') as PageEntry;
          const name = again && contradiction(again, now, told);
          if (name !== undefined) run.expect.equal(now[name], again?.[name], `the ${name} of the list`, answer);
        });
      }
    },
  }),

  check({
    id: 'LEAGUE-LIST-008',
    level: 'INFER',
    sentence: 'Private leagues are not in the public list.',
    source: '4.2',
    plausible: 'that accounts list their private leagues is stated, not that others do not',
    gap: 'K-123',
    needs: ['client:service', 'known:private_league'],
    judge: async (run) => {
      const hidden = [run.facts.known('private_league'), run.facts.target.known.private_league_of_bob];
      for (const type of ['main', 'event']) {
        const listed = wordsOf(await allLeagues(run, { realm: 'pc', type }));
        for (const league of hidden.filter((id) => id !== undefined)) {
          run.expect.that(!listed.has(league), `type=${type} not to list the private league ${league}`, [...listed]);
        }
      }
    },
  }),

  ...leaguePages,
  ...leagueLookups,
]);
