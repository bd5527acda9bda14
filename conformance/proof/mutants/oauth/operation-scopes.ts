import { operationList } from '../../../../src/contract/index.js';
import type { LogicalOperation, Scope } from '../../../../src/contract/index.js';
import { mint } from '../../../../src/oauth/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { forEach, mutants, operator } from '../../mutant.js';
import { clientOf, isCaller, isPublic, uncached } from '../../operators/oauth.js';
import { foundToken, usedRefreshTokens } from '../../operators/tokens.js';
import { isAsked, refuse, request, respond } from '../../operators/requests.js';
import type { Operations, When } from '../../operators/requests.js';

const scopes = new Map(
  operationList.flatMap(({ logical, scope }): readonly [LogicalOperation, Scope][] =>
    scope ? [[logical, scope]] : [],
  ),
);

/** The calling token has the operation's scope as well, at some requests. */
const lend = operator(
  'lend',
  (
    at,
    operations: Operations,
    when: When = {},
    which: (token: Token, scope: Scope, at: Interceptor) => boolean = () => true,
  ) =>
    foundToken((token) => {
      const scope = at.current?.operation && scopes.get(at.current.operation);
      if (!scope || token.scopes.includes(scope) || !isCaller(at, token)) return null;
      if (!isAsked(at, at.current!, operations, when) || !which(token, scope, at)) return null;
      return { scopes: [...token.scopes, scope] };
    }),
);

const has =
  (scope: Scope) =>
  (token: Token): boolean =>
    token.scopes.includes(scope);

/** A parameter that is there, with whatever value. */
const sent = (): boolean => true;

/** A token for a scope, had by whichever client may have one. */
function anyToken(scope: Scope, { service }: Interceptor): string {
  for (const client of service.authority.clients.keys()) {
    for (const user of [{ account: 'alice' }, {}]) {
      try {
        return mint({ client, scopes: [scope], ...user }, service.authority).access_token;
      } catch {
        continue;
      }
    }
  }
  throw new Error(`nobody can have ${scope}`);
}

/** Requests without a credential that get a token of the server's. */
const noToken = operator('noToken', (at, operation: LogicalOperation, scope: Scope) =>
  request(operation, ({ headers, form }) => {
    if (headers.authorization === undefined && !(scope.startsWith('oauth:') && form.has('client_secret')))
      headers.authorization = `Bearer ${anyToken(scope, at)}`;
  }),
);

/** A scope that is refused. */
const refuseScope = operator('refuseScope', (at, operation: LogicalOperation, scope: Scope) => {
  const when: When = ({ headers }) =>
    at.service.authority.store.findToken(bearerOf(headers))?.scopes.includes(scope) ?? false;
  const refusal = scope.startsWith('oauth:')
    ? respond(operation, when, 403, { error: 'insufficient_scope' }, uncached)
    : refuse(operation, when, 403);
  return refusal;
});

const perOperation = mutants(
  forEach([...scopes], ([operation, scope]) => ({
    [`SCOPE-OP-${operation} open: ${operation} asks for a token, and not for ${scope}`]: () => lend(operation),
    [`SCOPE-OP-${operation} shut: ${operation} does not know its scope, and refuses it`]: () =>
      refuseScope(operation, scope),
    [`SCOPE-OP-${operation} bare: ${operation} asks for no token`]: () => noToken(operation, scope),
  })),
);

const narrow = mutants({
  'SCOPE-OP-getProfile query: a query opens the profile to any token': () =>
    lend('getProfile', ({ query }) => query.size > 0),
  'SCOPE-OP-getProfile N-SCOPE-OP-public-client: tokens of public clients pass every account scope': () =>
    lend('all', {}, (token, _, at) => isPublic(token, at)).also('SCOPE-OP-listCharacters', 'SCOPE-OP-getItemFilter'),
  'SCOPE-OP-listLeagues season: leagues of a season are shown to any token': () =>
    lend('listLeagues', { type: 'season' }),
  'SCOPE-OP-listLeagues game2: leagues of the second game are shown to any token': () =>
    lend('listLeagues', { realm: 'game2' }),
  'SCOPE-OP-getLeague query: a league in a realm is shown to any token': () => lend('getLeague', { realm: sent }),
  'SCOPE-OP-getLeagueLadder offset: later pages of a ladder are shown to any token': () =>
    lend('getLeagueLadder', { offset: (offset) => Number(offset) > 0 }),
  'SCOPE-OP-getLeagueLadder class: the ladder of a class is shown to any token': () =>
    lend('getLeagueLadder', { sort: 'class' }),
  'SCOPE-OP-getLeagueEventLadder limit: an event ladder with a limit is shown to any token': () =>
    lend('getLeagueEventLadder', { limit: sent }),
  'SCOPE-OP-listPvpMatches type: matches of a type are shown to any token': () =>
    lend('listPvpMatches', { type: sent }),
  'SCOPE-OP-getPvpMatchLadder realm: a match ladder in a realm is shown to any token': () =>
    lend('getPvpMatchLadder', { realm: sent }),
  'SCOPE-OP-getPublicStashTabs id: later pages of the stream are shown to any token': () =>
    lend('getPublicStashTabs', { id: sent }),
  'SCOPE-OP-getPublicStashTabs realm: the public stashes of sony need service:leagues only': () =>
    lend('getPublicStashTabs', { realm: 'sony' }, has('service:leagues')),
  'SCOPE-OP-createItemFilter validate: a creation with validation takes any token': () =>
    lend('createItemFilter', { validate: sent }),
  'SCOPE-OP-updateItemFilter validate: an update with validation takes any token': () =>
    lend('updateItemFilter', { validate: sent }),
  'SCOPE-OP-getLeagueAccount sony: getLeagueAccount in realm sony asks for any token': () =>
    lend('getLeagueAccount', { realm: 'sony' }),
  'SCOPE-OP-listStashes xbox: listStashes in realm xbox asks for any token': () =>
    lend('listStashes', { realm: 'xbox' }),
  'SCOPE-OP-listCharacters realm: account:stashes opens the characters of game2': () =>
    lend(['listCharacters', 'getCharacter'], { realm: 'game2' }, has('account:stashes')),
  'SCOPE-OP-getStash sub: sub-tabs of a stash need account:characters only': () =>
    lend('getStash', { substash_id: sent }, has('account:characters')),
  'SCOPE-OP-getCurrencyExchange id: an hour of the exchange needs service:psapi only': () =>
    lend('getCurrencyExchange', { id: sent }, has('service:psapi')),
  'SCOPE-HIER-001 M-BS-06: a scope is looked for as a part of the text of scopes': () =>
    lend('all', {}, (token, scope) => token.scopes.some((one) => one.includes(scope) || scope.includes(one))).also(
      'SCOPE-HIER-002',
      'SCOPE-HIER-003',
    ),
  'SCOPE-ALLBUT-001: a token can do whatever its client may': () =>
    lend('all', {}, (token, scope, at) => {
      const client = clientOf(token, at);
      return [...(client?.scopes ?? []), ...(client?.credentialScopes ?? [])].includes(scope);
    }).also('SCOPE-MULTI-001', 'AUTH-CODE-017'),
  'SCOPE-MULTI-001 three: a token with five scopes or more can do everything': () =>
    lend('all', {}, (token) => token.scopes.length >= 5).also('SCOPE-ALLBUT-001'),
  'AUTH-CODE-017 union: what a user has once granted a client all its tokens can do': () =>
    lend('all', {}, ({ grant }, scope, { service }) =>
      [...service.authority.store.tokens()].some(
        (one) =>
          one.grant.clientId === grant.clientId && one.grant.account === grant.account && one.scopes.includes(scope),
      ),
    ).also('SCOPE-MULTI-001', 'BEAR-006'),
  'BEAR-006 service: client-credentials tokens are not asked for account scopes': () =>
    lend('all', {}, ({ grant }, scope) => grant.kind === 'client_credentials' && scope.startsWith('account:')),
  'TOK-REFRESH-027 N-BEAR-006-refreshed: a refreshed token can do everything': () =>
    lend('all', {}, (token, _, at) => usedRefreshTokens(token, at).length > 0),
});

export const operationScopes = [...perOperation, ...narrow];
