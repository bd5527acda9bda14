import type { Realm } from '../../../../src/contract/index.js';
import { realms } from '../../../model/pvp.js';
import type { Interceptor, Json } from '../../interceptor/interceptor.js';
import { having } from '../../interceptor/json.js';
import { mutants, operator } from '../../mutant.js';
import { drop, list, rawReply, reply, reverse, set, unwrap } from '../../operators/replies.js';
import { defaultParameter, given, ignoreParameter, refuse, request } from '../../operators/requests.js';

const both = ['listPvpMatches', 'getPvpMatch'] as const;

const records = (at: Interceptor, realm: string | null) => at.service.world.pvpMatches((realm ?? 'pc') as Realm);
type PvpRealm = (typeof realms)[number];
type Match = ReturnType<typeof records>[number];

/** A type of list with other matches in it. */
const listing = operator(
  'listing',
  (at, type: string, belongs: (match: Match, query: URLSearchParams, now: number) => boolean) =>
    list('listPvpMatches', 'matches', (before, { query }) =>
      (query.get('type') ?? 'upcoming') === type
        ? records(at, query.get('realm'))
            .filter((one) => belongs(one, query, at.service.clock.now()))
            .map(({ match }) => match)
        : before,
    ),
);

/** The records of a lookup in place of its match. */
const lookup = operator(
  'lookup',
  (
    at,
    to: (
      match: Json | null,
      records: readonly Match[],
      id: string,
      at: Interceptor,
      realm: PvpRealm,
    ) => Match | undefined,
  ) =>
    reply('getPvpMatch', (body, { args, query }) => {
      const realm = (query.get('realm') ?? 'pc') as PvpRealm;
      const found = to(body.match as Json | null, records(at, realm), args.match ?? '', at, realm);
      if (found) body.match = { ...found.match };
    }),
);

export const pvpMatches = mutants({
  'PVP-LIST-001: the matches are a bare array': () => unwrap('listPvpMatches', 'matches'),
  'PVP-LIST-001 null: an empty list of matches is null': () =>
    set('listPvpMatches', 'matches', (matches: Json[]) => (matches.length === 0 ? null : matches)),
  'PVP-LIST-001 sony: matches of realm sony have no style': () =>
    drop('listPvpMatches', 'matches[].style', { realm: 'sony' }),
  'PVP-LIST-002 all: without type the matches of every state are listed': () =>
    list('listPvpMatches', 'matches', (_, { query }, at) => records(at, query.get('realm')).map(({ match }) => match), {
      type: null,
    }),
  'PVP-LIST-002 realm: without type, and with a realm, nothing is listed': () =>
    set('listPvpMatches', 'matches', [], ({ query }) => !query.has('type') && query.get('realm') === 'pc'),
  'PVP-LIST-003 unknown: for a season that does not exist the matches of the present one are listed': () =>
    listing('season', ({ season }) => season !== null),
  'PVP-LIST-003 season: a season lists the upcoming matches as well': () =>
    listing('season', ({ season, startsAt }, query, now) => season === query.get('season') || startsAt > now),
  'PVP-LIST-003 known: each league that exists lists the matches of all': () =>
    list(
      'listPvpMatches',
      'matches',
      (before, { query }, at) => {
        const isKnown = at.service.world.leagues('pc').some(({ league }) => league.id === query.get('league'));
        return isKnown ? records(at, query.get('realm')).map(({ match }) => match) : before;
      },
      { type: 'league' },
    ).warns(),
  'PVP-LIST-004 none: no match is listed as upcoming, though some are marked so': () =>
    set('listPvpMatches', 'matches', [], ({ query }) => (query.get('type') ?? 'upcoming') === 'upcoming'),
  'PVP-LIST-004: upcoming lists matches that have begun': () =>
    reply('listPvpMatches', (body) => {
      const [first] = having(body, 'upcoming');
      if (first) [first.inProgress, first.upcoming] = [first.upcoming, undefined];
    }),
  'PVP-LIST-004 complete: an upcoming match is complete as well': () =>
    reply(both, (body) => having(body, 'upcoming').forEach((match) => void (match.complete = true))).also(
      'PVP-STATE-001',
    ),
  'PVP-STATE-001: a match that is over is in progress as well': () =>
    reply(both, (body) => having(body, 'complete').forEach((match) => void (match.inProgress = true))).exercise(
      'PVP-GET-001',
    ),
  'PVP-STATE-003: startAt and endAt of a match are exchanged': () =>
    reply(both, (body) => {
      for (const match of having(body, 'startAt', 'endAt'))
        if (match.endAt) [match.startAt, match.endAt] = [match.endAt, match.startAt];
    }).exercise('PVP-GET-001'),
  'PVP-GET-001: a match is found by the beginning of its id': () =>
    lookup((match, all, id) => (match ? all.find((one) => one.match.id.startsWith(id.slice(0, 3))) : undefined)).also(
      'PVP-GET-003',
    ),
  'PVP-GET-001 bare: a match has no wrapper': () => unwrap('getPvpMatch', 'match'),
  'PVP-GET-001 list: a match comes in a list': () =>
    set('getPvpMatch', 'match', (match: Json | null) => match && [match]),
  'PVP-GET-002 case: for an unknown match there is the first one': () =>
    lookup((match, [first]) => (match ? undefined : first)),
  'PVP-GET-002 realm: an unknown match of realm sony is refused': () =>
    rawReply(
      'getPvpMatch',
      (one) => {
        if ((one.json as Json).match !== null) return;
        one.status = 400;
        one.json = { error: { code: 2, message: 'Invalid query: match' } };
      },
      { realm: 'sony' },
    ),
  'PVP-GET-003 over: a match that is over cannot be looked up': () =>
    set('getPvpMatch', 'match', (match: Json | null) => (match?.complete ? null : match)).also('PVP-GET-001'),
  'PVP-GET-003 realm: a match is looked up in realm pc always': () => ignoreParameter('getPvpMatch', 'realm'),
  'PVP-GET-003 elsewhere: a match is found in every realm, as one of that realm': () =>
    lookup((match, _, id, at, realm) => {
      const found = realms.flatMap((one) => records(at, one)).find((one) => one.match.id === id);
      if (match || !found) return undefined;
      const isUpcoming = found.startsAt > at.service.clock.now();
      return { ...found, match: { ...found.match, realm, ...(isUpcoming && { upcoming: true }) } };
    }).inCase('another realm'),
  'PVP-GET-003 style: the style of a match is another when it is looked up': () =>
    set('getPvpMatch', '**.style', (style: string) => (style === 'Arena' ? 'Swiss' : 'Arena')),
  'PVP-GET-003 dates: a match that is looked up begins an hour later': () =>
    set('getPvpMatch', '**.startAt', (at: string) => new Date(Date.parse(at) + 3_600_000).toISOString()),
  'PVP-PVP-001 over: pvp is left out of matches that are over': () =>
    reply(both, (body) => having(body, 'complete').forEach((match) => delete match.pvp)).exercise('PVP-GET-001'),
  'PVPLADDER-RATING-001 one: the first team of a match without ratings has one': () =>
    list('getPvpMatchLadder', 'match.entries', ([first, ...rest]) =>
      first ? [first.rank === 1 ? { rating: 1500, ...first } : first, ...rest] : [],
    ),
  'LADDER-GONE-001 N-PVPLADDER-001-unknown: for an unknown match there is the ladder of another': () =>
    request('getPvpMatchLadder', (one, at) => {
      const realm = (one.query.get('realm') ?? 'pc') as Realm;
      const all = records(at, realm).map(({ match }) => match.id);
      const known = all.find((id) => (at.service.world.pvpLadder(realm, id)?.length ?? 0) > 0);
      if (!all.includes(one.route?.args.match ?? '')) one.path = `/pvp-match/${encodeURIComponent(known ?? '')}/ladder`;
    }),
  'LADDER-GONE-001 realm: the ladder of a match is the same in every realm': () =>
    request('getPvpMatchLadder', (one, at) => {
      const match = one.route?.args.match ?? '';
      const home = realms.find((realm) => records(at, realm).some((record) => record.match.id === match));
      const query = new URLSearchParams(one.query);
      query.set('realm', home ?? 'pc');
      one.query = query;
    }).inCase('a match of another realm'),
  'PVPLADDER-MEMBER-002: a team whose members are all private has none': () =>
    set('getPvpMatchLadder', '**.members', (members: Json[]) =>
      members.some((one) => one.public) ? members : [],
    ).exercise('PVPLADDER-001'),
  'PVPLADDER-RANK-001: the teams come in the order of their games': () => reverse('getPvpMatchLadder', 'match.entries'),
  'REALM-QUERY-001 ladder: without realm a ladder is that of realm xbox': () =>
    defaultParameter('getLeagueLadder', 'realm', 'xbox'),
  'REALM-QUERY-001 pvp: without realm matches are those of realm sony': () =>
    defaultParameter('listPvpMatches', 'realm', 'sony'),
  'REALM-QUERY-001 pc: realm=pc is refused': () => refuse('getLeagueLadder', { realm: 'pc' }).also('REALM-QUERY-003'),
  'REALM-QUERY-002 pvp: without realm a match is looked up in realm sony': () =>
    defaultParameter('getPvpMatch', 'realm', 'sony'),
  'REALM-QUERY-002 ladder: without realm the ladder of a match is refused': () =>
    refuse('getPvpMatchLadder', { realm: null }),
  'REALM-QUERY-002 event: without realm an event ladder is that of realm xbox': () =>
    defaultParameter('getLeagueEventLadder', 'realm', 'xbox'),
  'REALM-QUERY-003 game2: a league of the second game cannot be looked up': () =>
    refuse('getLeague', { realm: 'game2' }),
  'REALM-QUERY-003 event: event ladders know realm pc only': () =>
    refuse('getLeagueEventLadder', { realm: ['xbox', 'sony'] }),
  'REALM-QUERY-003 pvp: PvP ladders of realm sony are refused': () => refuse('getPvpMatchLadder', { realm: 'sony' }),
  'REALM-QUERY-004 ladder: the ladders of all realms are that of pc': () =>
    ignoreParameter('getLeagueLadder', 'realm').exercise('REALM-QUERY-003').warns(),
  'REALM-QUERY-006: the ladders of all realms are that of pc': () => ignoreParameter('getLeagueLadder', 'realm'),
  'REALM-QUERY-006 page: with a limit a ladder is that of realm pc': () =>
    ignoreParameter('getLeagueLadder', 'realm', { limit: given }),
  'REALM-QUERY-004 pvp-list: the matches of all realms are those of pc': () =>
    ignoreParameter('listPvpMatches', 'realm').exercise('PVP-LIST-001'),
});
