import type { Code, Token } from '../../../../src/store/store.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Interceptor, Json } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import {
  answerForm,
  form,
  formReply,
  isCaller,
  isPublic,
  isUser,
  refuseForm,
  subjectOf,
  uncached,
} from '../../operators/oauth.js';
import { foundToken, isExpired, usedRefreshTokens } from '../../operators/tokens.js';
import { isAsked } from '../../operators/requests.js';
import type { Operations, When } from '../../operators/requests.js';

const hour = 3_600_000;
const day = 24 * hour;

/** Ends of tokens that are forgotten, some ms after. */
const forget = operator('forget', (at, how: 'used' | 'revoked', after: number, kind: Token['kind']) => {
  const ended = new Map<string, number>();
  const now = (): number => at.service.authority.now();
  at.store((store) => ({
    endToken(text, why) {
      if (why === how && !ended.has(text)) ended.set(text, now());
      store.endToken(text, why);
    },
  }));
  return foundToken((token) => {
    const isForgotten = now() >= (ended.get(token.text) ?? Infinity) + after;
    return token.kind === kind && token.ended === how && isForgotten ? { ended: null } : null;
  });
});

/** Expired or revoked tokens that some requests are good with. */
const accept = operator('accept', (at, which: 'expired' | 'revoked', operations: Operations, when: When = {}) =>
  foundToken((token) => {
    if (!at.current || !isAsked(at, at.current, operations, when) || !isCaller(at, token)) return null;
    const isEnded = which === 'revoked' ? token.ended === 'revoked' : !token.ended && isExpired(token, at);
    return isEnded ? { ended: null, expiresAt: null } : null;
  }),
);

const hasQuery: When = ({ query }) => query.size > 0;

type By = 'user' | 'application';

/** An order of the applications page, or of the application's settings page. */
const orderBy = (at: Interceptor, by: By): Json | undefined => {
  const order = at.current?.path === '/__control/revocations' ? (at.current.json as Json) : undefined;
  return order?.by === by ? order : undefined;
};

/** Tokens that such a page leaves alive. */
const spare = operator('spare', (at, by: By, spares: (token: Token, at: Interceptor) => boolean) =>
  at.store((store, acted) => ({
    endToken(text, how) {
      const token = store.findToken(text);
      if (token && orderBy(at, by) && spares(token, at)) acted();
      else store.endToken(text, how);
    },
  })),
);

/** Tokens that the applications page, or that of an application's settings, ends although nobody asked for it. */
const overreach = operator('overreach', (at, which: (token: Token, order: Json) => boolean, by: By = 'user') =>
  at.request(({ path, json }) => {
    const order = json as Json | undefined;
    if (path !== '/__control/revocations' || order?.by !== by) return;
    const { store } = at.service.authority;
    for (const token of store.tokens()) {
      if (!which(token, order)) continue;
      at.acted();
      store.endToken(token.text, 'revoked');
    }
  }),
);

/** Codes that the applications page uses up although nobody asked for it. */
const useUp = operator('useUp', (at, which: (code: Code, order: Json) => boolean) =>
  at.request(({ path, json }) => {
    const order = json as Json | undefined;
    if (path !== '/__control/revocations' || order?.by !== 'user') return;
    const { store } = at.service.authority;
    for (const code of store.codes()) {
      if (!which(code, order)) continue;
      at.acted();
      store.useCode(code.text);
    }
  }),
);

/** Clients whose tokens were once revoked on the settings page, and whose tokens are all revoked from then on. */
const barred = operator('barred', (at) => {
  const clients = new Set<unknown>();
  at.laid(() => clients.clear());
  at.request(({ path, json }) => {
    const order = json as Json | undefined;
    if (path === '/__control/revocations' && order?.by === 'application') clients.add(order.client_id);
  });
  return foundToken(({ ended, grant }) =>
    !ended && grant.kind === 'client_credentials' && clients.has(grant.clientId) ? { ended: 'revoked' } : null,
  );
});

/** Users who once revoked what a client had, and whose later grants to it are revoked from the start. */
const barredByUser = operator('barredByUser', (at) => {
  const barred = new Set<string>();
  at.laid(() => barred.clear());
  at.request(({ path, json }) => {
    const order = json as Json | undefined;
    if (path === '/__control/revocations' && order?.by === 'user')
      barred.add(JSON.stringify([order.account, order.client_id]));
  });
  return foundToken(({ ended, grant: { kind, account, clientId } }) =>
    !ended && kind === 'authorization_code' && barred.has(JSON.stringify([account, clientId]))
      ? { ended: 'revoked' }
      : null,
  );
});

/** Revocations that are refused with a status, and carried out. */
const revokeAnyway = operator('revokeAnyway', (at, status: number) =>
  formReply('revokeToken', (_, reply, request) => {
    const token = subjectOf(request.form, at);
    if (reply.status !== status || !token) return;
    at.acted();
    at.service.authority.store.endToken(token.text, 'revoked');
  }),
);

/** Revocations of tokens of grants with a used refresh token, which have no effect. */
const keepRefreshed = operator('keepRefreshed', (at, kind: Token['kind']) =>
  answerForm('revokeToken', (sent) => {
    const token = subjectOf(sent, at);
    return token?.kind === kind && usedRefreshTokens(token, at).length > 0;
  }),
);

/** Whether the grant of an access token has a newer one. */
const isOfBefore = ({ grant, issuedAt, text }: Token, at: Interceptor): boolean =>
  [...at.service.authority.store.tokens()].some(
    (one) => one.kind === 'access' && one.grant.id === grant.id && one.text !== text && one.issuedAt >= issuedAt,
  );

const isGrantedToOther = ({ kind, clientId }: Token['grant'], id: unknown): boolean =>
  kind === 'authorization_code' && clientId !== id;

export const endedTokens = mutants({
  'LIFE-010 revoked: a revoked access token works again after an hour': () => forget('revoked', hour, 'access'),
  'LIFE-010 revoked-refresh: a revoked refresh token works again after a day': () => forget('revoked', day, 'refresh'),
  'LIFE-010 used: a used refresh token works again after an hour': () => forget('used', hour, 'refresh'),
  'BEAR-004 one: expired tokens work on characters': () => accept('expired', 'getCharacter'),
  'BEAR-004 realm: expired tokens work in realm sony': () =>
    accept('expired', 'all', ({ path }) => path.includes('/sony')),
  'BEAR-004 game2: expired tokens work on characters of the second game': () =>
    accept('expired', 'getCharacter', ({ path }) => /^\/character\/(game2|poe2)\//.test(path)),
  'BEAR-004 write: expired tokens may update filters': () => accept('expired', 'updateItemFilter'),
  'BEAR-004 query: expired tokens open requests that have a query': () => accept('expired', 'all', hasQuery),
  'BEAR-005 one: revoked tokens work on league accounts': () => accept('revoked', 'getLeagueAccount'),
  'BEAR-005 sub-tab: revoked tokens work on sub-tabs of guilds': () =>
    accept('revoked', 'getGuildStash', ({ path }) => /\/stash\/[^/]+\/[^/]+\/[^/]+$/.test(path)),
  'BEAR-005 service: revoked tokens work on the exchange': () => accept('revoked', 'getCurrencyExchange'),
  'BEAR-005 write: revoked tokens may create filters': () => accept('revoked', 'createItemFilter'),
  'BEAR-005 query: revoked tokens open requests that have a query': () =>
    accept('revoked', 'all', hasQuery).also('SCOPE-OP-listLeagues'),
  'BEAR-010 refresh: a refresh token is a bearer token': () =>
    foundToken((token, at) => (token.kind === 'refresh' && isCaller(at, token) ? { kind: 'access' } : null)),
  'LIFE-005 refreshed: the applications page leaves refreshed access tokens alive': () =>
    spare('user', (token, at) => isUser(token) && usedRefreshTokens(token, at).length > 0),
  'LIFE-005 later: what a user grants to a client after a revocation is revoked too': () =>
    barredByUser().inCase('a later grant'),
  'LIFE-005 earlier: the applications page leaves access tokens of before a refresh alive': () =>
    spare('user', (token, at) => isUser(token) && isOfBefore(token, at)),
  'LIFE-005 public: the applications page leaves tokens of public clients alive': () => spare('user', isPublic),
  "LIFE-005 newest: the applications page ends a user's newest grant only": () =>
    spare('user', ({ grant }, { service }) =>
      [...service.authority.store.tokens()].some(
        ({ grant: { id, clientId, account, grantedAt }, ended }) =>
          !ended &&
          clientId === grant.clientId &&
          account === grant.account &&
          id !== grant.id &&
          grantedAt >= grant.grantedAt,
      ),
    ),
  'LIFE-006: the applications page leaves refresh tokens alive': () => spare('user', ({ kind }) => kind === 'refresh'),
  'LIFE-006 public: the applications page leaves refresh tokens of public clients alive': () =>
    spare('user', (token, at) => token.kind === 'refresh' && isPublic(token, at)),
  'TOK-CC-012 later: what a client is issued after its tokens were revoked is revoked too': () => barred(),
  "TOK-CC-012 newest: the settings page ends a client's newest token only": () =>
    spare('application', ({ text, grant: { clientId } }, { service }) => {
      const isClients = ({ kind, grant }: Token) =>
        kind === 'access' && grant.clientId === clientId && grant.kind === 'client_credentials';
      return [...service.authority.store.tokens()].findLast(isClients)?.text !== text;
    }),
  "LIFE-011 clients: the applications page ends the user's tokens for all clients": () =>
    overreach(({ grant }, { account }) => grant.account === account && grant.kind === 'authorization_code'),
  "LIFE-011 users: the applications page ends the client's tokens of all users": () =>
    overreach(({ grant }, { client_id }) => grant.clientId === client_id),
  "LIFE-011 codes: the applications page ends the user's codes for all clients": () =>
    useUp(({ grant }, { account }) => grant.account === account),
  "LIFE-011 others: the applications page ends the client's codes of all users": () =>
    useUp(({ grant }, { client_id }) => grant.clientId === client_id),
  'LIFE-007 others: the settings page ends what users granted to other clients': () =>
    overreach(({ grant }, { client_id }) => isGrantedToOther(grant, client_id), 'application').inCase(
      'grants of other clients',
    ),
  'LIFE-007 refresh: the settings page ends refresh tokens of other clients': () =>
    overreach(
      ({ grant, kind }, { client_id }) => kind === 'refresh' && isGrantedToOther(grant, client_id),
      'application',
    ).inCase('grants of other clients'),
  "REV-013 service: the revocation of a user's token ends those by client credentials": () =>
    form('revokeToken', (sent, at) => {
      const { store } = at.service.authority;
      if (store.findToken(sent.get('token') ?? '')?.grant.kind !== 'authorization_code') return;
      for (const { text, grant, scopes } of store.tokens())
        if (grant.kind === 'client_credentials' && scopes.some((scope) => scope.startsWith('service:'))) {
          at.acted();
          store.endToken(text, 'revoked');
        }
    }),
  'REV-001: any bearer token may revoke': () =>
    form('revokeToken', (sent, { service }, { headers }) => {
      const { store } = service.authority;
      const bearer = store.findToken(bearerOf(headers));
      const token = store.findToken(sent.get('token') ?? '');
      if (!bearer || bearer.ended || bearer.scopes.includes('oauth:revoke') || !token) return undefined;
      store.endToken(token.text, 'revoked');
      return answerOf(200, {}, uncached);
    }),
  'REV-001 effect: a revocation without the scope is refused, and carried out': () => revokeAnyway(403),
  'REV-002 effect: a revocation without a credential is refused, and carried out': () => revokeAnyway(401),
  'REV-003 refreshed: revoking a refreshed access token has no effect': () => keepRefreshed('access'),
  'REV-004 rotated: revoking a rotated refresh token has no effect': () => keepRefreshed('refresh'),
  'REV-018: revoking an expired token is an error': () =>
    refuseForm('revokeToken', (sent, at) => isExpired(subjectOf(sent, at), at), 'invalid_grant'),
  'REV-008 status: an unrecognised hint makes the token unknown': () =>
    answerForm('revokeToken', (sent) => {
      const hint = sent.get('token_type_hint');
      return hint && !['access_token', 'refresh_token'].includes(hint);
    }),
  'REV-017: client-credentials tokens cannot be revoked at the endpoint': () =>
    answerForm('revokeToken', (sent, at) => subjectOf(sent, at)?.grant.kind === 'client_credentials'),
});
