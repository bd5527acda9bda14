import type { Realm } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import { everywhere, having, listAt } from '../../seam/json.js';
import { answerOf } from '../../seam/seam.js';
import type { Json, Seam } from '../../seam/seam.js';
import { kept } from '../../seam/who.js';

const realms: readonly Realm[] = ['pc', 'xbox', 'sony', 'game2'];

/** A league of any realm, as the world has it. */
const leagueOf = (seam: Seam, fits: (id: string, name: unknown, realm: Realm) => boolean): unknown =>
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
    id: 'N-ACCLEAGUE-004',
    bug: 'leagues of an account are those in which it has guild tabs',
    rows: ['ACCLEAGUE-004'],
    plant: (seam) => seam.data('listAccountLeagues', (body) => void (body.leagues = listAt(body, 'leagues').slice(-1))),
  },
  {
    id: 'N-ACCLEAGUE-003-pc',
    bug: 'leagues of an account in sony are those in pc',
    rows: ['REALM-QUERY-004'],
    beside: ['ACCLEAGUE-003'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.path === '/account/leagues/sony') request.path = '/account/leagues';
      }),
  },
  {
    id: 'N-ERR-005',
    bug: 'an empty list of leagues is null',
    rows: ['ERR-005'],
    beside: ['LEAGUE-OFFSET-002'],
    plant: (seam) =>
      seam.data('listLeagues', (body) => void (listAt(body, 'leagues').length === 0 && (body.leagues = null))),
  },
  {
    id: 'N-GEN-003',
    bug: 'the profile is found at a path with a version, to which its own leads',
    rows: ['GEN-003'],
    plant: (seam) =>
      seam.request(({ operation, headers }) =>
        operation === 'getProfile' && headers.authorization !== undefined
          ? answerOf(307, undefined, { location: '/v1/profile' })
          : undefined,
      ),
  },
  {
    id: 'N-GEN-003-token',
    bug: 'the token endpoint leads to one with a version',
    rows: ['GEN-003'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        form.get('grant_type') === 'cx-none' ? answerOf(308, undefined, { location: '/v2/oauth/token' }) : undefined,
      ),
  },
  {
    id: 'N-GEN-017',
    bug: 'a plus sign in a path is a space',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation === 'getLeague' || request.operation === 'getCharacter')
          request.path = request.path.replaceAll('+', '%20');
      }),
  },
  {
    id: 'N-GEN-017-twice',
    bug: 'paths are decoded twice',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation === 'getLeague') request.path = request.path.replace(/%25([0-9A-F]{2})/gi, '%$1');
      }),
  },
  {
    id: 'N-GEN-017-latin',
    bug: 'names of leagues are taken for Latin-1',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.data('getLeague', (body, { args }) => {
        if (/[^\x20-\x7e]/.test(args.league ?? '')) body.league = null;
      }),
  },
  {
    id: 'N-GEN-004-xbox',
    bug: 'characters of realm xbox need a league',
    rows: ['GEN-004'],
    plant: (seam) =>
      seam.request(({ path, query }) =>
        path === '/character/xbox' && !query.has('league')
          ? answerOf(400, { error: { code: 2, message: 'league is missing' } })
          : undefined,
      ),
  },
  {
    id: 'N-GEN-001-utf8',
    bug: 'JSON is said to be application/javascript for one operation',
    rows: ['GEN-001'],
    beside: ['LACC-001'],
    plant: (seam) =>
      seam.data('getLeagueAccount', (_, { reply }) => void (reply.headers['content-type'] = 'application/javascript')),
  },
  {
    id: 'N-GEN-017-stash',
    bug: 'the league of a list of tabs may have letters and digits only',
    rows: ['GEN-017'],
    plant: (seam) =>
      seam.request(({ operation, path }) =>
        operation === 'listStashes' && path.includes('%')
          ? answerOf(404, { error: { code: 1, message: 'Resource not found' } })
          : undefined,
      ),
  },
  {
    id: 'N-LEAGUE-LIST-007-detail',
    bug: 'a lookup tells of no league but that it began at the epoch',
    rows: ['LEAGUE-LIST-007'],
    plant: (seam) => seam.data('getLeague', (body) => everywhere(body, 'startAt', () => '1970-01-01T00:00:00Z')),
  },
  {
    id: 'N-GEN-001-mark',
    bug: 'JSON begins with a byte order mark',
    rows: ['GEN-001'],
    beside: ['LACC-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'getLeagueAccount') reply.content = `\ufeff${reply.content}`;
      }),
  },
];
