import type { DataReply, Interceptor, Json } from '../../interceptor/interceptor.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import { list, omit, refuseUnknown, reply, set, unwrap } from '../../operators/replies.js';
import { defaultParameter, given, ignoreParameter, refuse, request, shiftOffset } from '../../operators/requests.js';
import type { When } from '../../operators/requests.js';

/** The leagues of a request's realm. */
const inRealm = (at: Interceptor, context: DataReply) => at.service.world.leagues(realmOf(context));

/** Lists the current events of the realm as well, or those that are over. */
const withEvents = operator('withEvents', (at, when: When, which: 'current' | 'over' = 'current') => {
  const isOver = (end: string | null | undefined): boolean => Date.parse(end ?? '') <= at.service.clock.now();
  return list(
    'listLeagues',
    'leagues',
    (leagues, context) => [
      ...leagues,
      ...inRealm(at, context).flatMap(({ kind, league }) =>
        kind === 'event' && isOver(league.endAt) === (which === 'over') ? [league] : [],
      ),
    ],
    when,
  );
});

/** Dates wherever they are, written otherwise. */
const dates = operator('dates', (at, to: (date: string) => unknown) => {
  for (const name of ['startAt', 'endAt', 'registerAt', 'cached_since', 'validated', 'last_game_time'])
    set('all', `**.${name}`, (date: string | null) => (date === null ? null : to(date))).apply(at);
});

const isPrivate = ({ id, name }: Json): boolean => `${String(id)} ${String(name)}`.includes('PL');

export const leagues = mutants({
  'ACCLEAGUE-001 M-AD-65-bare: account leagues are a bare list': () => unwrap('listAccountLeagues', 'leagues'),
  'ACCLEAGUE-002: account leagues leave private ones out': () => omit('listAccountLeagues', 'leagues', isPrivate),
  "ACCLEAGUE-002 others: account leagues include other accounts' private ones": () =>
    list('listAccountLeagues', 'leagues', (leagues, context, at) => {
      const hidden = inRealm(at, context).filter(({ members }) => members !== null);
      const others = hidden.filter(({ league }) => !leagues.some(({ id }) => id === league.id));
      return [...leagues, ...others.map(({ league }) => league)];
    }),
  'ACCLEAGUE-003 M-AD-65: the realms of account leagues give 404': () =>
    refuse('listAccountLeagues', { realm: given }, 404),
  'ACCLEAGUE-004: leagues of an account are those in which it has guild tabs': () =>
    list('listAccountLeagues', 'leagues', (leagues) => leagues.slice(-1)),
  'GEN-009 M-LL-12: dates are numbers of seconds': () => dates((date) => Date.parse(date) / 1000),
  'GEN-009 M-LL-12-day: dates have no time of day': () => dates((date) => date.slice(0, 10)),
  'LADDERENTRY-FIELD-character.id M-LL-33: the id of a character has 32 digits': () =>
    set(['getLeagueLadder', 'listCharacters', 'getCharacter'], '**.character.id', (id: string) => id.slice(0, 32)),
  'LACC-004: league accounts know no realms': () => refuse('getLeagueAccount', { realm: ['xbox', 'sony'] }, 404),
  'LEAGUE-GET-001 M-LL-09: a league has no wrapper': () => unwrap('getLeague', 'league'),
  'LEAGUE-GET-002 M-LL-07: an unknown league is answered with {}': () =>
    reply('getLeague', ({ league }) => (league === null ? {} : undefined)).also('ERR-002'),
  'LEAGUE-GET-002 M-LL-07-404: an unknown league is answered with 404 and no wrapper': () =>
    refuseUnknown('getLeague', 'league').also('ERR-002'),
  'LEAGUE-GET-002 M-LL-08: an unknown league is an empty object': () =>
    set('getLeague', 'league', (league: Json | null) => league ?? {}),
  'LEAGUE-LIMIT-001 M-LL-01: the default limit of the list of leagues is 20': () =>
    defaultParameter('listLeagues', 'limit', '20'),
  'LEAGUE-LIMIT-003 M-AD-54: the limit of the list of leagues is ignored': () =>
    ignoreParameter('listLeagues', 'limit'),
  'LEAGUE-LIST-001 M-AD-52: the list of leagues is a bare list': () => unwrap('listLeagues', 'leagues'),
  'LEAGUE-LIST-002 M-LL-05: without a type all leagues are listed': () => withEvents({ type: null }),
  'LEAGUE-LIST-003 M-LL-04: type=main lists events too': () => withEvents({ type: 'main' }),
  'LEAGUE-LIST-003 past: type=main lists leagues that are over': () => withEvents({ type: 'main' }, 'over').warns(),
  'LEAGUE-LIST-004 past: type=event lists events that are over': () => withEvents({ type: 'event' }, 'over').warns(),
  'LEAGUE-LIST-004 main: type=event lists permanent leagues too': () =>
    list(
      'listLeagues',
      'leagues',
      (leagues, context, at) => [
        ...leagues,
        ...inRealm(at, context).flatMap(({ kind, league }) => (kind === 'main' ? [league] : [])),
      ],
      { type: 'event' },
    ),
  'LEAGUE-LIST-004 realm: in realm sony type=event lists what type=main does': () =>
    ignoreParameter('listLeagues', 'type', { realm: 'sony', type: 'event' }),
  'LEAGUE-LIST-004: type=event lists nothing': () => set('listLeagues', 'leagues', [], { type: 'event' }),
  'LEAGUE-LIST-005: type=season lists the current leagues': () => ignoreParameter('listLeagues', 'type'),
  'LEAGUE-OFFSET-001: offset of the list of leagues is off by one': () => shiftOffset('listLeagues'),
  'REALM-QUERY-003 M-AD-40: the list of leagues refuses realm=game2': () => refuse('listLeagues', { realm: 'game2' }),
  'REALM-QUERY-004 N-ACCLEAGUE-003-pc: leagues of an account in sony are those in pc': () =>
    request('listAccountLeagues', (one) => {
      if (one.path === '/account/leagues/sony') one.path = '/account/leagues';
    }).exercise('ACCLEAGUE-003'),
});
