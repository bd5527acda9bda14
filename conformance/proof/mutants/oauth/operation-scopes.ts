import { operationList } from '../../../../src/contract/index.js';
import type { LogicalOperation, Scope } from '../../../../src/contract/index.js';
import { mint } from '../../../../src/oauth/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { RowId } from '../../../ledger.gen.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { bearerOf } from '../../interceptor/who.js';
import { refusal } from './planting.js';

/** The token that the current request is sent with. */
export const isCaller = (seam: Interceptor, { text }: Token): boolean =>
  seam.current !== undefined && bearerOf(seam.current.headers) === text;

/** Gives the calling token the scopes of an operation, for some requests. */
export const lent =
  (which: (request: Inbound, token: Token, seam: Interceptor) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      findToken(text) {
        const token = store.findToken(text);
        const { current } = seam;
        if (!token || !current?.operation || !isCaller(seam, token)) return token;
        const scope = scopeOf(current.operation);
        if (scope === undefined || token.scopes.includes(scope) || !which(current, token, seam)) return token;
        acted();
        return { ...token, scopes: [...token.scopes, scope] };
      },
    }));

const scopeOf = (logical: LogicalOperation): Scope | undefined =>
  operationList.find((operation) => operation.logical === logical)?.scope;

const scoped = [...new Set(operationList.map(({ logical }) => logical))].filter(
  (logical) => scopeOf(logical) !== undefined,
);

const isOauth = (logical: LogicalOperation): boolean => logical === 'revokeToken' || logical === 'introspectToken';

/** A token for an operation, had by whichever client may have one. */
function anyToken(logical: LogicalOperation, { service }: Interceptor): string {
  const scopes = [scopeOf(logical)!];
  for (const client of service.authority.clients.keys()) {
    for (const account of ['alice', undefined]) {
      try {
        return mint({ client, scopes, ...(account !== undefined && { account }) }, service.authority).access_token;
      } catch {
        continue;
      }
    }
  }
  throw new Error(`nobody can have ${scopes[0]}`);
}

const perOperation = scoped.flatMap((logical): readonly Mutant[] => {
  const rows = [`SCOPE-OP-${logical}` as RowId];
  const scope = scopeOf(logical)!;
  return [
    {
      id: `N-SCOPE-OP-${logical}-open`,
      bug: `${logical} asks for a token, and not for ${scope}`,
      rows,
      plant: lent(({ operation }) => operation === logical),
    },
    {
      id: `N-SCOPE-OP-${logical}-shut`,
      bug: `${logical} does not know its scope, and refuses it`,
      rows,
      plant: (seam) =>
        seam.request(({ operation, headers }) => {
          if (operation !== logical) return undefined;
          const token = seam.service.authority.store.findToken(bearerOf(headers));
          if (!token?.scopes.includes(scope)) return undefined;
          return isOauth(logical)
            ? refusal('insufficient_scope', 403)
            : answerOf(403, { error: { code: 6, message: 'Forbidden' } });
        }),
    },
    {
      id: `N-SCOPE-OP-${logical}-bare`,
      bug: `${logical} asks for no token`,
      rows,
      plant: (seam) =>
        seam.request((request) => {
          if (request.operation !== logical || request.headers.authorization !== undefined) return;
          if (isOauth(logical) && request.form.has('client_secret')) return;
          request.headers.authorization = `Bearer ${anyToken(logical, seam)}`;
        }),
    },
  ];
});

/** Requests to a form of an operation that has a realm, or another optional part, in its path. */
const under =
  (start: string) =>
  ({ path }: Inbound): boolean =>
    path.startsWith(start);

const has = (scope: Scope) => (_: Inbound, token: Token) => token.scopes.includes(scope);

const both =
  (...conditions: readonly ((request: Inbound, token: Token, seam: Interceptor) => boolean)[]) =>
  (request: Inbound, token: Token, seam: Interceptor): boolean =>
    conditions.every((holds) => holds(request, token, seam));

const narrow: readonly Mutant[] = [
  {
    id: 'N-SCOPE-OP-listCharacters-realm',
    bug: 'account:stashes opens the characters of game2',
    rows: ['SCOPE-OP-listCharacters'],
    plant: lent(both(under('/character/game2'), has('account:stashes'))),
  },
  {
    id: 'N-SCOPE-OP-getStash-sub',
    bug: 'sub-tabs of a stash need account:characters only',
    rows: ['SCOPE-OP-getStash'],
    plant: lent(
      both(({ route }) => route?.operation === 'getStash' && 'substash_id' in route.args, has('account:characters')),
    ),
  },
  {
    id: 'N-SCOPE-OP-getPublicStashTabs-realm',
    bug: 'the public stashes of sony need service:leagues only',
    rows: ['SCOPE-OP-getPublicStashTabs'],
    plant: lent(both(under('/public-stash-tabs/sony'), has('service:leagues'))),
  },
  {
    id: 'N-SCOPE-OP-getCurrencyExchange-id',
    bug: 'an hour of the exchange needs service:psapi only',
    rows: ['SCOPE-OP-getCurrencyExchange'],
    plant: lent(
      both(({ route }) => route?.operation === 'getCurrencyExchange' && 'id' in route.args, has('service:psapi')),
    ),
  },
  {
    id: 'N-SCOPE-ALLBUT-001',
    bug: 'a token can do whatever its client may',
    rows: ['SCOPE-ALLBUT-001', 'SCOPE-MULTI-001', 'AUTH-CODE-017'],
    plant: lent((request, { grant }, { service }) => {
      const client = service.authority.clients.get(grant.clientId);
      return [...(client?.scopes ?? []), ...(client?.credentialScopes ?? [])].includes(scopeOf(request.operation!)!);
    }),
  },
  {
    id: 'N-AUTH-CODE-017-union',
    bug: 'what a user has once granted a client all its tokens can do',
    rows: ['AUTH-CODE-017', 'SCOPE-MULTI-001', 'BEAR-006'],
    plant: lent((request, { grant }, { service }) =>
      [...service.authority.store.tokens()].some(
        ({ grant: other, scopes }) =>
          other.clientId === grant.clientId &&
          other.account === grant.account &&
          scopes.includes(scopeOf(request.operation!)!),
      ),
    ),
  },
  {
    id: 'N-SCOPE-MULTI-001-three',
    bug: 'a token with five scopes or more can do everything',
    rows: ['SCOPE-MULTI-001', 'SCOPE-ALLBUT-001'],
    plant: lent((_, { scopes }) => scopes.length >= 5),
  },
  {
    id: 'N-BEAR-006-service',
    bug: 'client-credentials tokens are not asked for account scopes',
    rows: ['BEAR-006'],
    plant: lent(
      (request, { grant }) =>
        grant.kind === 'client_credentials' && scopeOf(request.operation!)!.startsWith('account:'),
    ),
  },
  {
    id: 'N-BEAR-006-refreshed',
    bug: 'a refreshed token can do everything',
    rows: ['TOK-REFRESH-027'],
    plant: lent((_, { grant, issuedAt }, { service }) =>
      [...service.authority.store.tokens()].some(
        ({ grant: other, kind, ended }) =>
          other.id === grant.id && kind === 'refresh' && ended === 'used' && issuedAt >= other.grantedAt,
      ),
    ),
  },
];

export const operationScopes: readonly Mutant[] = [...perOperation, ...narrow];
