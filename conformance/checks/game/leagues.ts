import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { gBadLimit, gPartition, gUnknownName, gWord, nearNames } from '../../generators/data.js';
import { caseNames, partNames, plainNames } from '../../generators/spellings.js';
import { nothing } from '../../model/nothing.js';
import { keepMaximum, keepSmallLimit, nothingFarOff } from '../../model/page-forms.js';
import type { Entry, Paged } from '../../model/pages.js';
import { keepsLimits, keepsMaximum, limitOf, paged, partitions, slices, steady, stretch } from '../../model/pages.js';
import { areAll, contradiction, given, isA } from '../../model/schema.js';
import { member } from '../../wire/answer.js';

const realms = ['pc', 'xbox', 'sony', 'game2'] as const;
const { max, preset } = limitOf('listLeagues');

const leagues = (run: Run, args: Readonly<Record<string, string>> = {}): Paged =>
  paged(run, 'listLeagues', args, { wrapper: 'leagues', entries: false, idOf: (entry) => entry['id'] });

/** Every league of a list, page by page; far more pages than a server has leagues for. */
async function walk(run: Run, args: Readonly<Record<string, string>>): Promise<readonly Entry[]> {
  const list = leagues(run, args);
  const all: Entry[] = [];
  for (let page = 0; page < 20; page += 1) {
    const { entries } = await list.read({ limit: max, offset: all.length });
    all.push(...entries);
    if (entries.length < max) break;
  }
  return all;
}

/** The same, shared by the run. */
export const allLeagues = (run: Run, args: Readonly<Record<string, string>> = {}): Promise<readonly Entry[]> =>
  run.once(`leagues ${JSON.stringify(args)}`, () => walk(run, args));

/** Lists beside the plain one: of another type, and of other realms. */
const beside: readonly Readonly<Record<string, string>>[] = [{ type: 'event' }, { realm: 'xbox' }, { realm: 'game2' }];

/** The list in every form that it can be asked for: each type, each realm, and some of both. */
const everyForm = (run: Run): readonly Paged[] => {
  const { season } = run.target.known;
  const forms: readonly Readonly<Record<string, string>>[] = [
    { type: 'main' },
    { type: 'event' },
    ...realms.map((realm) => ({ realm })),
    { realm: 'pc', type: 'main' },
    { realm: 'xbox', type: 'event' },
    ...(season === undefined
      ? []
      : [
          { type: 'season', season },
          { realm: 'pc', type: 'season', season },
        ]),
  ];
  return forms.map((args) => leagues(run, args));
};

const idsOf = (entries: readonly Entry[]): unknown[] => entries.map((entry) => entry['id']);

/** The leagues of the season that the target names; the second game has no seasons. */
const leaguesOfSeason = async (run: Run, realm: string): Promise<readonly Entry[]> => {
  const { season } = run.target.known;
  return season === undefined || realm === 'game2' ? [] : allLeagues(run, { realm, type: 'season', season });
};

/** Leagues to look up: those that the target names, else the first that a realm lists. */
async function someLeagues(run: Run, realm: string, most: number): Promise<string[]> {
  const { main_leagues: main = [], odd_names: odd = [] } = run.target.known;
  const named = realm === 'pc' ? [...odd, ...main] : [];
  const events = idsOf(await allLeagues(run, { realm, type: 'event' }));
  // A season has permanent leagues and such that are over.
  const seasonal = idsOf(await leaguesOfSeason(run, realm));
  const listed = [
    ...events.slice(0, 2),
    ...seasonal.slice(0, 2),
    ...seasonal.slice(-1),
    ...named,
    ...idsOf(await allLeagues(run, { realm, type: 'main' })),
    ...events.slice(2),
  ];
  const ids = [...new Set(listed.filter((id) => typeof id === 'string'))];
  return ids.filter((id) => id !== '').slice(0, most);
}

/** What a list and a lookup say of a league alike, as long as nobody changes it. */
const told = ['name', 'realm', 'category', 'rules', 'registerAt', 'startAt', 'endAt', 'event', 'url'];

/** The entries of a realm's lists by their ids. */
const listedBy = async (run: Run, realm: string): Promise<ReadonlyMap<unknown, Entry>> =>
  new Map(
    [...(await allLeagues(run, { realm, type: 'main' })), ...(await allLeagues(run, { realm, type: 'event' }))].map(
      (entry) => [entry['id'], entry],
    ),
  );

const look = (run: Run, league: string, realm: string) => run.data('getLeague', { args: { league, realm } });

/** The names of leagues of pc, as lists and target know them. */
async function knownNames(run: Run): Promise<readonly string[]> {
  const { main_leagues = [], event_leagues = [], odd_names = [], private_league = '' } = run.target.known;
  const lists = [await allLeagues(run), await allLeagues(run, { realm: 'pc', type: 'event' })];
  const listed = [...lists.flat(), ...(await leaguesOfSeason(run, 'pc'))];
  const ids = idsOf(listed).filter((id) => typeof id === 'string');
  return [...new Set([...odd_names, ...ids, ...main_leagues, ...event_leagues, private_league])];
}

/** Names that no list has, and that the target does not name. */
const strangers = async (run: Run) => gUnknownName(await knownNames(run));

/** Some of the leagues that one realm lists and the other does not, under whatever type. */
async function onlyIn(run: Run, here: string, elsewhere: string): Promise<readonly Entry[]> {
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

export default group('game/leagues', [
  check('LEAGUE-LIST-001', async (run) => {
    for (const realm of realms) {
      for (const type of ['main', 'event']) {
        const { answer, entries } = await leagues(run, { realm, type }).read();
        areAll(run, 'League', entries, answer);
      }
    }
  }),

  check(
    'LEAGUE-LIST-002',
    async (run) => {
      await run.each(
        realms,
        (realm) => `realm ${realm}`,
        async (realm) => {
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
        },
      );
    },
    { requests: 24 },
  ),

  check('LEAGUE-LIST-003', async (run) => {
    const main = run.known('main_leagues');
    const listed = new Set(idsOf(await allLeagues(run, { realm: 'pc', type: 'main' })));
    await run.each(
      main,
      (league) => league,
      async (league) => run.that(listed.has(league), 'type=main to list it', [...listed]),
    );
    await run.each(
      run.target.known.event_leagues ?? [],
      (league) => league,
      async (league) => run.that(!listed.has(league), 'type=main not to list an event league', [...listed]),
    );
  }),

  check('LEAGUE-LIST-004', async (run) => {
    const events = run.known('event_leagues');
    const listed = new Set(idsOf(await allLeagues(run, { realm: 'pc', type: 'event' })));
    await run.each(
      events,
      (league) => league,
      async (league) => run.that(listed.has(league), 'type=event to list it', [...listed]),
    );
  }),

  check(
    'LEAGUE-LIST-005',
    async (run) => {
      const season = run.known('season');
      const { answer, entries } = await leagues(run, { type: 'season', season }).read();
      areAll(run, 'League', entries, answer);
      run.that(entries.length > 0, `leagues of season ${season}`, entries.length, answer);
      // Permanent leagues are of no season, so a season is never all that type=main lists.
      const main = await allLeagues(run, { realm: 'pc', type: 'main' });
      const listed = new Set(idsOf(await allLeagues(run, { realm: 'pc', type: 'season', season })));
      const permanent = main.some((entry) => !listed.has(entry['id']));
      run.that(
        main.length < 2 || permanent,
        `leagues of season ${season}, not all of type=main`,
        [...listed].slice(0, 20),
        answer,
      );
      // What another season gives is free (K-033), but not the leagues of this one.
      const others = gUnknownName([season]).map((name) => `cx-${name}`);
      const shares = async (args: Readonly<Record<string, string>>): Promise<void> => {
        const other = await run.data('listLeagues', { args: { type: 'season', ...args } });
        run.status(other, '2xx', '4xx');
        const shared = idsOf(leagues(run).entriesOf(other) ?? []).filter((id) => listed.has(id));
        run.that(shared.length === 0, `none of the leagues of season ${season}`, shared, other);
      };
      await run.property('season that does not exist', others, (other) => shares({ season: other }), { share: 0.03 });
      await run.each(
        partNames(season),
        (other) => `season ${other}`,
        (other) => shares({ season: other }),
      );
      await run.each(
        ['pc', 'xbox', 'sony'],
        (realm) => `an unknown season in realm ${realm}`,
        (realm) => shares({ realm, season: 'cx-no-such-season' }),
      );
      for (const other of caseNames([season])) {
        const { json } = await run.data('listLeagues', { args: { type: 'season', season: other } });
        const found = member(json, 'leagues');
        if (Array.isArray(found) && found.length > 0) run.warn(`season ${other} gives the leagues of ${season}`);
      }
    },
    { requests: 30 },
  ),

  check('LEAGUE-LIST-006', async (run) => {
    const { season = 'none' } = run.target.known;
    const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['type=season without season', { type: 'season' }],
      ['an unknown season', { type: 'season', season: 'cx-no-such-season' }],
      ['type=season in realm game2', { type: 'season', season, realm: 'game2' }],
      ['an unknown type', { type: 'cx-no-such-type' }],
    ];
    for (const [what, args] of cases) {
      const answer = await run.data('listLeagues', { args });
      run.note(`${what}: status ${answer.status}, ${leagues(run).entriesOf(answer)?.length ?? 'no'} leagues`);
    }
  }),

  check(
    'LEAGUE-LIST-007',
    async (run) => {
      for (const realm of realms) {
        await run.each(
          await someLeagues(run, realm, 8),
          (league) => `${league} in realm ${realm}`,
          async (league) => {
            const answer = await look(run, league, realm);
            const found = run.has(answer, 'league');
            run.that(member(found, 'id') === league, 'the league that is listed', found, answer);
            const inList = async (): Promise<Entry | undefined> =>
              [...(await walk(run, { realm, type: 'main' })), ...(await walk(run, { realm, type: 'event' }))].find(
                ({ id }) => id === league,
              );
            const entry = (await listedBy(run, realm)).get(league);
            if (!entry || contradiction(entry, found as Entry, told) === undefined) return;
            // Somebody may have changed it: look at both again.
            const again = await inList();
            const name =
              again && contradiction(again, run.has(await look(run, league, realm), 'league') as Entry, told);
            run.that(name === undefined, `the ${name} of the list`, { listed: again, got: found }, answer);
          },
        );
      }
    },
    { requests: 46 },
  ),

  check('LEAGUE-LIST-008', async (run) => {
    const hidden = [run.known('private_league'), run.target.known.private_league_of_bob];
    for (const type of ['main', 'event']) {
      const listed = new Set(idsOf(await allLeagues(run, { realm: 'pc', type })));
      for (const league of hidden.filter((id) => id !== undefined)) {
        run.that(!listed.has(league), `type=${type} not to list the private league ${league}`, [...listed]);
      }
    }
  }),

  check('LEAGUE-LIMIT-001', async (run) => {
    const all = await allLeagues(run, { realm: 'pc', type: 'main' });
    await steady(
      run,
      async () => ({ ids: idsOf((await leagues(run).read({ limit: preset })).entries) }),
      async ({ ids }) => {
        const { answer, entries } = await leagues(run).read();
        const got = idsOf(entries);
        if (entries.length <= preset && JSON.stringify(got) === JSON.stringify(ids)) return undefined;
        return { expected: `without limit the ${ids.length} leagues of limit=${preset}`, got, answer };
      },
    );
    if (all.length <= preset)
      run.notExercised(`realm pc has ${all.length} leagues of type main, not more than ${preset}`);
  }),

  check(
    'LEAGUE-LIMIT-002',
    async (run) => {
      await keepsMaximum(run, leagues(run), 0.2);
      await keepMaximum(run, everyForm(run));
    },
    { requests: 42 },
  ),

  check(
    'LEAGUE-LIMIT-003',
    async (run) => {
      const { length } = await allLeagues(run);
      if (length === 0) run.notExercised('realm pc has no leagues of type main');
      await keepsLimits(run, leagues(run), length, { share: 0.3, usual: max });
      for (const args of beside) {
        const { length: size } = await allLeagues(run, args);
        if (size > 1) await keepsLimits(run, leagues(run, args), size, { share: 0.01, usual: max });
      }
      await keepSmallLimit(run, everyForm(run));
    },
    { requests: 60 },
  ),

  check(
    'LEAGUE-OFFSET-001',
    async (run) => {
      const known = await stretch(leagues(run), 0, max);
      if (known.ids.length < 2) run.notExercised('realm pc has fewer than two leagues of type main');
      await slices(run, [known], { share: 0.3, usual: max });
      const others = [];
      for (const args of beside) others.push(await stretch(leagues(run, args), 0, max));
      await slices(run, others, { share: 0.03, usual: max });
    },
    { requests: 52 },
  ),

  check(
    'LEAGUE-OFFSET-002',
    async (run) => {
      const all = await allLeagues(run);
      if (all.length < 2) run.notExercised('realm pc has fewer than two leagues of type main');
      await partitions(run, [await stretch(leagues(run), 0, max)], 0.1);
      // The largest page may not hold the whole list: pages of any sizes hold what pages of the largest size do.
      await run.property(
        'pages of the whole list',
        gPartition(all.length, max, 8),
        async (windows) => {
          await steady(
            run,
            async () => ({ ids: idsOf(await walk(run, {})) }),
            async ({ ids }) => {
              const got: unknown[] = [];
              for (const window of windows) got.push(...idsOf((await leagues(run).read(window)).entries));
              const past = await leagues(run).read({ offset: ids.length + 1, limit: max });
              if (past.entries.length > 0) {
                return { expected: 'no leagues past the end', got: idsOf(past.entries), answer: past.answer };
              }
              if (JSON.stringify(got) === JSON.stringify(ids)) return undefined;
              return { expected: `each league once: ${ids.join(', ')}`, got, answer: past.answer };
            },
            { ids: idsOf(all) },
          );
        },
        { share: 0.05 },
      );
      for (const list of [leagues(run), leagues(run, { type: 'event' })]) await nothingFarOff(run, list);
    },
    { requests: 124 },
  ),

  check(
    'LEAGUE-OFFSET-003',
    async (run) => {
      const seen = new Map<string, Set<number>>();
      await run.property(
        'limit',
        gBadLimit(max),
        async (limit) => {
          const { status } = await run.data('listLeagues', { query: [['limit', limit]] });
          const kind = /^\d+$/.test(limit)
            ? Number(limit) === 0
              ? 'limit 0'
              : 'limit above the maximum'
            : 'limit that is no uint';
          seen.set(kind, (seen.get(kind) ?? new Set()).add(status));
        },
        { share: 0.1 },
      );
      for (const offset of ['-1', '1.5', 'abc', '']) {
        const { status } = await run.data('listLeagues', { query: [['offset', offset]] });
        seen.set('offset that is no uint', (seen.get('offset that is no uint') ?? new Set()).add(status));
      }
      for (const [kind, statuses] of seen) run.note(`${kind}: status ${[...statuses].join(', ')}`);
    },
    { requests: 16 },
  ),

  check('LEAGUE-GET-001', async (run) => {
    const some = await someLeagues(run, 'pc', 10);
    if (some.length === 0) run.notExercised('no league is listed or named by the target');
    await run.each(
      some,
      (league) => league,
      async (league) => {
        const answer = await look(run, league, 'pc');
        const found = run.has(answer, 'league');
        isA(run, 'League', found, answer);
        // Where the id is no name of its own, a league may be addressed by its name (K-035).
        const [id, name] = [member(found, 'id'), member(found, 'name')];
        run.that(id === league || name === league, `the league ${league}`, id, answer);
      },
    );
  }),

  check(
    'LEAGUE-GET-002',
    async (run) => {
      await run.property(
        'unknown league',
        await strangers(run),
        async (league) => nothing(run, await look(run, league, 'pc'), 'league'),
        { share: 0.2 },
      );
      await run.property(
        'unknown league in another realm',
        fc.record({ league: gWord().map((word) => `cx-${word}`), realm: fc.constantFrom(...realms) }),
        async ({ league, realm }) => nothing(run, await look(run, league, realm), 'league'),
        { share: 0.06 },
      );
      const known = await knownNames(run);
      const close = [...nearNames(known).slice(0, 6), ...plainNames(known).slice(0, 6)];
      await run.each(
        close,
        (league) => league,
        async (league) => nothing(run, await look(run, league, 'pc'), 'league'),
      );
      // Whether names that differ in case alone are the same is not said.
      for (const league of caseNames(known).slice(0, 4)) {
        const answer = await look(run, league, 'pc');
        const found = member(answer.json, 'league');
        if (given(found)) run.warn(`${league} is looked up, and ${String(member(found, 'id'))} is found`, answer);
      }
    },
    { requests: 44 },
  ),

  check(
    'LEAGUE-GET-003',
    async (run) => {
      const pairs = [
        ...(['xbox', 'sony', 'game2'] as const).map((here) => [here, 'pc'] as const),
        ['pc', 'xbox'] as const,
        ['pc', 'game2'] as const,
      ];
      let tried = 0;
      await run.each(
        pairs,
        ([here, elsewhere]) => `leagues of ${here}, asked for in realm ${elsewhere}`,
        async ([here, elsewhere]) => {
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
              run.that(realm === elsewhere, `league ${String(id)}: null, or one of realm ${elsewhere}`, league, answer);
              // One that says that it is of that realm is another league.
              if (!given(member(league, 'realm'))) found += 1;
            } else nothing(run, answer, 'league');
          }
          run.that(found < candidates.length, `null for leagues of ${here} alone`, `${found} leagues found`);
        },
      );
      if (tried === 0) run.notExercised('every realm lists the same leagues');
    },
    { requests: 44 },
  ),

  check('LEAGUE-GET-006', async (run) => {
    const { null_lookup_status: declared } = run.target.variants;
    if (declared === 404) {
      run.notApplicable('the target declares status 404 for null lookups (null_lookup_status)');
    }
    const answer = await look(run, 'cx-no-such-league', 'pc');
    if (declared === 200 || answer.status !== 404) run.status(answer, 200);
    else run.warn('A lookup of nothing has status 404 beside its null; null_lookup_status: 404 says so in the target.');
    run.that(member(answer.json, 'league') === null, 'league: null', answer.json, answer);
  }),
]);
