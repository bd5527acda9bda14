import type { GameOperation } from '../../../../src/contract/index.js';
import type { RowId } from '../../../ledger.gen.js';
import type { Interceptor, Json } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { accountOf, bearerOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import type { Entries } from '../../mutant.js';
import { charactersOf, foundCharacter, listedCharacters } from '../../operators/characters.js';
import { drop, list, omit, put, set, stale } from '../../operators/replies.js';
import { given, refuse, request } from '../../operators/requests.js';
import type { When } from '../../operators/requests.js';
import { foundInstead, isAtTop, seenTabs } from '../../operators/tabs.js';
import type { AskedTab } from '../../operators/tabs.js';

/** An answer that is kept by its address and given to other accounts too, as by a cache that ignores Authorization. */
const cached = (row: RowId, operation: GameOperation, what: string): Entries => ({
  [`${row} cache-${operation}: ${what} kept by the address alone, whoever asks`]: () => stale(operation),
});

/** The account of a request is kept in one place for all requests, and another request may come in between. */
const sharedPlace = operator('sharedPlace', (at, operation: GameOperation) => {
  let authorization: string | undefined;
  at.request(async (one) => {
    if (one.operation !== operation || one.headers.authorization === undefined) return;
    authorization = one.headers.authorization;
    await new Promise((done) => void setTimeout(done, 2));
    one.headers.authorization = authorization;
  });
});

const mixedUp = (row: RowId, operation: GameOperation): Entries => ({
  [`${row} beside-${operation}: ${operation} keeps the user of a request in one place for all requests`]: () =>
    sharedPlace(operation),
});

const grantOf = (at: Interceptor, { headers }: Inbound) =>
  at.service.authority.store.findToken(bearerOf(headers))?.grant;

/** Whether the token of a request is one of a public client, and the request of this kind. */
const isPublic =
  (is: (request: Inbound) => boolean = () => true): When =>
  (one, at) =>
    at.service.authority.clients.get(grantOf(at, one)?.clientId ?? '')?.type === 'public' && is(one);

/** Whether the token of a request is one that a refresh gave: it was issued later than its grant. */
const isRefreshed = (at: Interceptor, { headers }: Inbound): boolean => {
  const token = at.service.authority.store.findToken(bearerOf(headers));
  return token !== undefined && token.grant.kind === 'authorization_code' && token.issuedAt > token.grant.grantedAt;
};

const isSubTab = ({ route }: Inbound): boolean => route?.args.substash_id !== undefined;

/** A tab at top level of another account, with the sub-tab that is asked for. */
const amongOthers = (asked: AskedTab): Json | undefined => {
  const tabs = asked.others.flatMap((account) => asked.tabs({ account }));
  return asked.among(tabs.filter(isAtTop));
};

export const accountsApart = mutants({
  ...mixedUp('ACCLEAGUE-001', 'listAccountLeagues'),
  ...cached('ACCLEAGUE-002', 'listAccountLeagues', 'leagues of accounts are'),
  'ACCLEAGUE-005: leagues of an account begin at the epoch': () =>
    set('listAccountLeagues', 'leagues[].startAt', '1970-01-01T00:00:00Z'),
  'ACCLEAGUE-002 public: public clients get no private leagues': () =>
    omit('listAccountLeagues', 'leagues', ({ id, name }) => `${String(id)} ${String(name)}`.includes('PL'), isPublic()),
  'ACCLEAGUE-002 refreshed: a refreshed token shows no private leagues': () =>
    omit(
      'listAccountLeagues',
      'leagues',
      ({ id, name }) => `${String(id)} ${String(name)}`.includes('PL'),
      (one, at) => isRefreshed(at, one),
    ),
  'FILTER-GET-001 public: public clients find no filter that another client created': () =>
    refuse('getItemFilter', isPublic(), 404),
  'CHAR-GET-001 owner: a single character is null for tokens of client credentials': () =>
    set('getCharacter', 'character', null, (one, at) => grantOf(at, one)?.kind === 'client_credentials'),
  'CHAR-GET-002 public: public clients get characters without equipment': () =>
    drop('getCharacter', 'character.equipment', isPublic()),
  'CHAR-GET-002 public-xbox: public clients get characters of xbox without passives': () =>
    drop(
      'getCharacter',
      'character.passives',
      isPublic(({ path }) => path.includes('/xbox/')),
    ),
  ...cached('CHAR-GET-004', 'listCharacters', 'lists of characters are'),
  ...cached('CHAR-GET-004', 'getCharacter', 'characters are'),
  "CHAR-GET-004: another account's character is found in realm xbox": () =>
    foundCharacter({ realm: 'xbox' }, (_, context, at) => {
      const others = [...at.service.authority.accounts.keys()].filter((key) => key !== accountOf(at, context));
      const all = others.flatMap((key) => charactersOf(at, key, 'xbox'));
      return all.find(({ name }) => name === context.args.name);
    }),
  "CHAR-GET-004 list: the list of characters has those of the whole realm's accounts": () =>
    listedCharacters((_, realm, at) =>
      [...at.service.authority.accounts.keys()].flatMap((key) => charactersOf(at, key, realm)),
    ),
  ...mixedUp('CHAR-LIST-001', 'listCharacters'),
  'CHAR-LIST-001 public: public clients get the current character only': () =>
    list('listCharacters', 'characters', (all) => all.slice(0, 1), isPublic()),
  ...cached('FILTER-LIST-001', 'listItemFilters', 'lists of filters are'),
  ...cached('FILTER-GET-004', 'getItemFilter', 'filters are'),
  ...cached('GUILD-GET-003', 'getGuildStash', 'guild tabs are'),
  'GUILD-GET-003 sub: sub-tabs of guild tabs can be read whoever may access them': () =>
    seenTabs('guildStashes', 'all', { substash_id: given }, ([, ...place], world) =>
      world.guildStashes('alice', ...place),
    ).inCase('a sub-tab of a hidden tab'),
  ...mixedUp('GUILD-LIST-001', 'listGuildStashes'),
  ...cached('GUILD-LIST-002', 'listGuildStashes', 'lists of guild tabs are'),
  ...mixedUp('LACC-001', 'getLeagueAccount'),
  'LACC-001 public: public clients get an atlas without trees': () =>
    set(
      'getLeagueAccount',
      'league_account',
      (account: Json | null) => account && { atlas_passive_trees: [] },
      isPublic(),
    ),
  'LACC-001 cache: league accounts are kept by the address alone for five seconds': () =>
    stale('getLeagueAccount', ({ url }, at) => `${Math.floor(at.service.clock.now() / 5000)} ${url}`),
  'LACC-001 cache-ever: league accounts are kept by the address alone': () => stale('getLeagueAccount'),
  'LACC-004 pc: league accounts of every realm are those of pc': () =>
    request('getLeagueAccount', (one) => {
      one.path = one.path.replace(/^\/league-account\/(xbox|sony)\/(?=.)/, '/league-account/');
    }),
  'LACC-004 home: the league with passives in realm pc has those in every realm': () =>
    request('getLeagueAccount', (one, at) => {
      if (one.route?.args.league === at.service.world.known.atlas_league)
        one.path = one.path.replace(/^\/league-account\/(xbox|sony)\/(?=.)/, '/league-account/');
    }).warns(),
  'PROFILE-003: the name of a profile is null where the account has no locale': () =>
    set('getProfile', 'name', (name: string, { locale }: Json) => ((locale ?? null) === null ? null : name)).exercise(
      'PROFILE-007',
      'PROFILE-005',
    ),
  'PROFILE-005 bare: the livestream of a profile is a name, not an object': () =>
    set('getProfile', 'livestream', (stream: Json | null) => stream?.name ?? null),
  'PROFILE-005 all: every account has the livestream of the one that is linked': () =>
    put('getProfile', 'livestream', (stream: unknown) => stream ?? { name: '' }),
  ...cached('PROFILE-006', 'getProfile', 'profiles are'),
  'PROFILE-006 client: a profile is the one of the first user of the client': () =>
    stale('getProfile', (one, at) => grantOf(at, one)?.clientId ?? ''),
  'PROFILE-006 case: the name of a profile is in capital letters': () =>
    set('getProfile', 'name', (name: string) => name.toUpperCase()),
  'PROFILE-006 uuid: the UUID of a profile is another one for every client': () =>
    set('getProfile', 'uuid', (uuid: string) => `${uuid.slice(0, -4)}0000`, isPublic()),
  'PROFILE-006 public: public clients get profiles without a locale': () => drop('getProfile', 'locale', isPublic()),
  'PROFILE-006 public-case: public clients get UUIDs in capital letters': () =>
    set('getProfile', 'uuid', (uuid: string) => uuid.toUpperCase(), isPublic()),
  'PROFILE-006 beside: the user of a request is kept in one place for all requests, and another one may come in between':
    () => sharedPlace('getProfile'),
  ...cached('PROFILE-007', 'getProfile', 'profiles are'),
  ...cached('STASH-GET-001', 'listStashes', 'lists of tabs are'),
  ...mixedUp('STASH-GET-001', 'getStash'),
  'STASH-GET-002 public: public clients get tabs without items': () =>
    drop(
      'getStash',
      '**.items',
      isPublic((one) => !isSubTab(one)),
    ),
  ...cached('STASH-GET-003', 'getStash', 'tabs are'),
  "STASH-GET-003 foreign: another account's tab is found by its id": () =>
    foundInstead('getStash', { substash_id: null }, amongOthers),
  ...mixedUp('STASH-LIST-001', 'listStashes'),
  'STASH-LIST-001 public: public clients get tabs without sub-tabs': () =>
    drop('listStashes', '**.children', isPublic()),
  'STASH-SUB-002 public: public clients get sub-tabs without items': () =>
    drop('getStash', '**.items', isPublic(isSubTab)),
  "STASH-SUB-004 foreign: another account's sub-tab is found by its parent": () =>
    foundInstead('getStash', { substash_id: given }, amongOthers),
});
