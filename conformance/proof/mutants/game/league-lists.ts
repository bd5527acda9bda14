import type { Realm } from '../../../../src/contract/index.js';
import type { DataReply, Interceptor, Json } from '../../interceptor/interceptor.js';
import { having } from '../../interceptor/json.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator, together } from '../../mutant.js';
import { exceedMaximum, mapOffset, windowOf } from '../../operators/pages.js';
import { list, put, reply, set, stale } from '../../operators/replies.js';
import { ignoreParameter, mapParameter, request } from '../../operators/requests.js';

const both = ['listLeagues', 'getLeague'] as const;
const realms: readonly Realm[] = ['pc', 'xbox', 'sony', 'game2'];

type ListedLeague = ReturnType<Interceptor['service']['world']['leagues']>[number];

/** A league of any realm that fits is found where the server finds none. */
const foundAnywhere = operator('foundAnywhere', (at, fits: (id: string, asked: string) => boolean) =>
  set('getLeague', 'league', (found: Json | null, _: Json, { args }: DataReply) => {
    const all = realms.flatMap((realm) => at.service.world.leagues(realm));
    return found ?? all.find(({ league }) => fits(league.id, args.league ?? ''))?.league ?? null;
  }),
);

/** Some of the leagues of a realm. */
const leaguesOf = (at: Interceptor, realm: Realm, which: (one: ListedLeague) => boolean = () => true) =>
  at.service.world
    .leagues(realm)
    .filter(which)
    .map(({ league }) => league);

export const leagueLists = mutants({
  'ERR-005: an empty list of leagues is null': () =>
    set('listLeagues', 'leagues', (leagues: Json[]) => (leagues.length === 0 ? null : leagues)).exercise(
      'LEAGUE-OFFSET-002',
    ),
  'LEAGUE-GET-002 fold: an unknown league in realm game2 is an empty object': () =>
    set('getLeague', 'league', (league: Json | null) => league ?? {}, { realm: 'game2' }),
  'LEAGUE-GET-002 start: a league is found by words that its name is among': () =>
    foundAnywhere((id, asked) => asked.split(/\W+/).includes(id)),
  'LEAGUE-GET-003: a league is found whatever realm is asked for': () => foundAnywhere((id, asked) => id === asked),
  'LEAGUE-GET-003 kept: leagues are kept by their path, whatever realm is asked for': () =>
    stale('getLeague', ({ path }) => path),
  'LEAGUE-GET-004: category.active is false for leagues that are over': () =>
    put(both, '**.category.active', (active: unknown) => active === true).exercise(
      'LEAGUE-LIST-001',
      'LEAGUE-LIST-005',
    ),
  'LEAGUE-GET-005: startAt and endAt are exchanged': () =>
    reply(both, (body) => {
      for (const league of having(body, 'startAt', 'endAt'))
        if (league.endAt) [league.startAt, league.endAt] = [league.endAt, league.startAt];
    }).exercise('LEAGUE-LIST-001'),
  'LEAGUE-GET-006: an unknown league is answered with 404 and the wrapper': () =>
    reply('getLeague', ({ league }, { reply: one }) => void (league === null && (one.status = 404))),
  'LEAGUE-LIMIT-002: a limit above 50 is kept to, whatever it is': () =>
    exceedMaximum('listLeagues', {}, 0, (leagues, length, context, at) => {
      if (windowOf('listLeagues', context).offset > 0) return leagues;
      const main = leaguesOf(at, realmOf(context), ({ kind, members }) => kind === 'main' && members === null);
      return main.slice(0, length);
    }),
  'LEAGUE-LIMIT-002 zero: limit=0 stands for no limit': (zero = new WeakSet()) =>
    together(
      request('listLeagues', (one) => {
        const { query } = one;
        if (query.get('limit') !== '0') return;
        query.set('limit', '50');
        one.query = query;
        zero.add(one);
      }),
      list('listLeagues', 'leagues', (leagues, context, at) => {
        if (!zero.has(context.request)) return leagues;
        return leaguesOf(at, realmOf(context), ({ kind, members }) => kind === 'main' && members === null);
      }),
    ),
  'LEAGUE-LIMIT-003 event: the limit is ignored for event leagues': () =>
    ignoreParameter('listLeagues', 'limit', { type: 'event' }),
  'LEAGUE-LIST-002 realm: without a type, realm xbox lists the leagues of pc': () =>
    mapParameter('listLeagues', 'realm', () => 'pc', { type: null, realm: 'xbox' }),
  'LEAGUE-LIST-004 N-LEAGUE-LIST-003-kept: the list of leagues is kept by its realm alone': () =>
    stale('listLeagues', ({ query }) => `${query.get('realm')} ${query.get('offset')} ${query.get('limit')}`).exercise(
      'LEAGUE-LIST-003',
    ),
  'LEAGUE-LIST-005 any: season is ignored: every seasonal league is listed': () =>
    list('listLeagues', 'leagues', (_, __, at) => leaguesOf(at, 'pc'), { type: 'season' }),
  'LEAGUE-LIST-007: event leagues cannot be looked up': () =>
    set('getLeague', 'league', (league: Json | null, _: Json, __: DataReply, at: Interceptor) =>
      leaguesOf(at, 'pc', ({ kind }) => kind === 'event').some(({ id }) => id === league?.id) ? null : league,
    ),
  'LEAGUE-LIST-007 realm: leagues of realm sony cannot be looked up': () =>
    set('getLeague', 'league', null, { realm: 'sony' }),
  'LEAGUE-LIST-007 detail: a lookup tells of no league but that it began at the epoch': () =>
    set('getLeague', '**.startAt', '1970-01-01T00:00:00Z'),
  'LEAGUE-LIST-007 description: a lookup describes every league alike': () =>
    set('getLeague', 'league.description', 'A league.'),
  'LEAGUE-LIST-008: private leagues are listed to everybody': () =>
    list(
      'listLeagues',
      'leagues',
      (leagues, context, at) => {
        const hidden = leaguesOf(at, realmOf(context), ({ members }) => members !== null);
        return windowOf('listLeagues', context).offset > 0 ? leagues : [...hidden, ...leagues.slice(hidden.length)];
      },
      ({ query }) => (query.get('type') ?? 'main') === 'main',
    ),
  'LEAGUE-LIST-009: the first league of a list is there twice': () =>
    list('listLeagues', 'leagues', (leagues) => leagues.map((one, index) => (index === 1 ? leagues[0] : one))).exercise(
      'LEAGUE-LIST-001',
    ),
  'LEAGUE-OFFSET-001 event: the offset is ignored for event leagues': () =>
    ignoreParameter('listLeagues', 'offset', { type: 'event' }),
  'LEAGUE-OFFSET-001 realm: the offset is ignored in every realm but pc': () =>
    ignoreParameter('listLeagues', 'offset', { realm: (realm) => realm !== 'pc' }),
  'LEAGUE-OFFSET-001 N-LEAGUE-OFFSET-002-page: offset counts pages of the size of limit': () =>
    mapOffset('listLeagues', (offset, limit) => offset * limit),
  'LEAGUE-OFFSET-002: the page past the end is the last page': () =>
    list('listLeagues', 'leagues', (leagues, context, at) =>
      leagues.length > 0 || windowOf('listLeagues', context).offset === 0 ? leagues : leaguesOf(at, 'pc').slice(0, 3),
    ),
});
