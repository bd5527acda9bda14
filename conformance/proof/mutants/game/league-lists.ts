import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { everywhere, having, listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { kept } from '../../interceptor/who.js';

const realms: readonly Realm[] = ['pc', 'xbox', 'sony', 'game2'];

/** A league of any realm, as the world has it. */
const leagueOf = (seam: Interceptor, fits: (id: string, name: unknown, realm: Realm) => boolean): unknown =>
  realms
    .flatMap((realm) => seam.service.world.leagues(realm).map(({ league }) => ({ realm, league })))
    .find(({ realm, league }) => fits(league.id, league.name, realm))?.league;

export const leagueLists: readonly Mutant[] = [
  {
    id: 'N-LEAGUE-LIMIT-002',
    bug: 'a limit above 50 is kept to, whatever it is',
    rows: ['LEAGUE-LIMIT-002'],
    plant(seam) {
      const wanted = new WeakMap<object, number>();
      seam.request((request) => {
        const limit = Number(request.query.get('limit'));
        if (request.operation !== 'listLeagues' || !(limit > 50)) return;
        const { query } = request;
        query.set('limit', '50');
        request.query = query;
        wanted.set(request, limit);
      });
      seam.data('listLeagues', (body, { request, query }) => {
        if (!wanted.has(request) || Number(query.get('offset') ?? 0) > 0) return;
        const all = seam.service.world
          .leagues((query.get('realm') ?? 'pc') as Realm)
          .filter(({ kind, members }) => kind === 'main' && members === null)
          .map(({ league }) => league);
        body.leagues = all.slice(0, wanted.get(request));
      });
    },
  },
  {
    id: 'N-LEAGUE-LIMIT-003-event',
    bug: 'the limit is ignored for event leagues',
    rows: ['LEAGUE-LIMIT-003'],
    plant: (seam) =>
      seam.query('listLeagues', (query) => void (query.get('type') === 'event' && query.delete('limit'))),
  },
  {
    id: 'N-LEAGUE-OFFSET-001-event',
    bug: 'the offset is ignored for event leagues',
    rows: ['LEAGUE-OFFSET-001'],
    plant: (seam) =>
      seam.query('listLeagues', (query) => void (query.get('type') === 'event' && query.delete('offset'))),
  },
  {
    id: 'N-LEAGUE-OFFSET-001-realm',
    bug: 'the offset is ignored in every realm but pc',
    rows: ['LEAGUE-OFFSET-001'],
    plant: (seam) =>
      seam.query('listLeagues', (query) => void ((query.get('realm') ?? 'pc') !== 'pc' && query.delete('offset'))),
  },
  {
    id: 'N-LEAGUE-OFFSET-002',
    bug: 'the page past the end is the last page',
    rows: ['LEAGUE-OFFSET-002'],
    plant: (seam) =>
      seam.data('listLeagues', (body, { query }) => {
        if (listAt(body, 'leagues').length > 0 || Number(query.get('offset')) === 0) return;
        body.leagues = seam.service.world
          .leagues('pc')
          .slice(0, 3)
          .map(({ league }) => league);
      }),
  },
  {
    id: 'N-LEAGUE-OFFSET-002-page',
    bug: 'offset counts pages of the size of limit',
    rows: ['LEAGUE-OFFSET-001'],
    plant: (seam) =>
      seam.query('listLeagues', (query) => {
        const offset = Number(query.get('offset') ?? 0);
        if (offset > 0) query.set('offset', String(offset * Number(query.get('limit') ?? 50)));
      }),
  },
  {
    id: 'N-LEAGUE-LIST-002-realm',
    bug: 'without a type, realm xbox lists the leagues of pc',
    rows: ['LEAGUE-LIST-002'],
    plant: (seam) =>
      seam.query('listLeagues', (query) => {
        if (!query.has('type') && query.get('realm') === 'xbox') query.set('realm', 'pc');
      }),
  },
  {
    id: 'N-LEAGUE-LIST-005-any',
    bug: 'season is ignored: every seasonal league is listed',
    rows: ['LEAGUE-LIST-005'],
    plant: (seam) =>
      seam.data('listLeagues', (body, { query }) => {
        if (query.get('type') !== 'season') return;
        body.leagues = seam.service.world.leagues('pc').map(({ league }) => league);
      }),
  },
  {
    id: 'N-LEAGUE-LIST-007',
    bug: 'event leagues cannot be looked up',
    rows: ['LEAGUE-LIST-007'],
    plant: (seam) =>
      seam.data('getLeague', (body) => {
        const { id } = (body.league ?? {}) as Json;
        const record = seam.service.world.leagues('pc').find(({ league }) => league.id === id);
        if (record?.kind === 'event') body.league = null;
      }),
  },
  {
    id: 'N-LEAGUE-LIST-007-realm',
    bug: 'leagues of realm sony cannot be looked up',
    rows: ['LEAGUE-LIST-007'],
    plant: (seam) =>
      seam.data('getLeague', (body, { query }) => void (query.get('realm') === 'sony' && (body.league = null))),
  },
  {
    id: 'N-LEAGUE-LIST-008',
    bug: 'private leagues are listed to everybody',
    rows: ['LEAGUE-LIST-008'],
    plant: (seam) =>
      seam.data('listLeagues', (body, { query }) => {
        const all = seam.service.world.leagues((query.get('realm') ?? 'pc') as Realm);
        const hidden = all.filter(({ members }) => members !== null).map(({ league }) => league as unknown as Json);
        if ((query.get('type') ?? 'main') === 'main' && Number(query.get('offset') ?? 0) === 0)
          listAt(body, 'leagues').splice(0, hidden.length, ...hidden);
      }),
  },
  {
    id: 'N-LEAGUE-LIST-009',
    bug: 'the first league of a list is there twice',
    rows: ['LEAGUE-LIST-009'],
    beside: ['LEAGUE-LIST-001'],
    plant: (seam) =>
      seam.data('listLeagues', (body) => {
        const leagues = listAt(body, 'leagues');
        if (leagues.length > 1) leagues[1] = { ...leagues[0] };
      }),
  },
  {
    id: 'N-LEAGUE-GET-002-fold',
    bug: 'an unknown league in realm game2 is an empty object',
    rows: ['LEAGUE-GET-002'],
    plant: (seam) =>
      seam.data('getLeague', (body, { query }) => void (query.get('realm') === 'game2' && (body.league ??= {}))),
  },
  {
    id: 'N-LEAGUE-GET-002-start',
    bug: 'a league is found by words that its name is among',
    rows: ['LEAGUE-GET-002'],
    plant: (seam) =>
      seam.data('getLeague', (body, { args }) => {
        const words = (args.league ?? '').split(/\W+/);
        body.league ??= leagueOf(seam, (id) => words.includes(id)) ?? null;
      }),
  },
  {
    id: 'N-LEAGUE-GET-003',
    bug: 'a league is found whatever realm is asked for',
    rows: ['LEAGUE-GET-003'],
    plant: (seam) =>
      seam.data(
        'getLeague',
        (body, { args }) => void (body.league ??= leagueOf(seam, (id) => id === args.league) ?? null),
      ),
  },
  {
    id: 'N-LEAGUE-GET-003-kept',
    bug: 'leagues are kept by their path, whatever realm is asked for',
    rows: ['LEAGUE-GET-003'],
    plant: (seam) => kept(seam, 'getLeague', ({ path }) => path),
  },
  {
    id: 'N-LEAGUE-LIST-003-kept',
    bug: 'the list of leagues is kept by its realm alone',
    rows: ['LEAGUE-LIST-004'],
    plant: (seam) =>
      kept(seam, 'listLeagues', ({ query }) => `${query.get('realm')} ${query.get('offset')} ${query.get('limit')}`),
  },
  {
    id: 'N-LEAGUE-GET-004',
    bug: 'category.active is false for leagues that are over',
    rows: ['LEAGUE-GET-004'],
    beside: ['LEAGUE-LIST-001', 'LEAGUE-LIST-005'],
    plant: (seam) =>
      seam.data(['listLeagues', 'getLeague'], (body) =>
        everywhere(
          body,
          'category',
          (category: Json | null) => category && { ...category, active: category.active === true },
        ),
      ),
  },
  {
    id: 'N-LEAGUE-GET-005',
    bug: 'startAt and endAt are exchanged',
    rows: ['LEAGUE-GET-005'],
    beside: ['LEAGUE-LIST-001'],
    plant: (seam) =>
      seam.data(['listLeagues', 'getLeague'], (body) => {
        for (const league of having(body, 'startAt', 'endAt')) {
          if (league.endAt) [league.startAt, league.endAt] = [league.endAt, league.startAt];
        }
      }),
  },
  {
    id: 'N-LEAGUE-GET-006',
    bug: 'an unknown league is answered with 404 and the wrapper',
    rows: ['LEAGUE-GET-006'],
    plant: (seam) =>
      seam.data('getLeague', (body, { reply }) => {
        if (body.league === null) reply.status = 404;
      }),
  },
  {
    id: 'N-LEAGUE-LIST-007-detail',
    bug: 'a lookup tells of no league but that it began at the epoch',
    rows: ['LEAGUE-LIST-007'],
    plant: (seam) => seam.data('getLeague', (body) => everywhere(body, 'startAt', () => '1970-01-01T00:00:00Z')),
  },
  {
    id: 'N-ERR-005',
    bug: 'an empty list of leagues is null',
    rows: ['ERR-005'],
    beside: ['LEAGUE-OFFSET-002'],
    plant: (seam) =>
      seam.data('listLeagues', (body) => void (listAt(body, 'leagues').length === 0 && (body.leagues = null))),
  },
];
