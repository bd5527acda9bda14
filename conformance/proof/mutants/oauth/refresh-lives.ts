import type { Token } from '../../../../src/store/store.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { bearerOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import {
  clientOf,
  field,
  formReply,
  isCaller,
  isRefresh,
  isUser,
  refreshesWith,
  refreshTokenOf,
} from '../../operators/oauth.js';
import { refuseForm, subjectOf } from '../../operators/oauth.js';
import type { ClientType } from '../../operators/oauth.js';
import { foundToken, isExpired, keptToken, laterConsentEnds, usedRefreshTokens } from '../../operators/tokens.js';

const hour = 3_600_000;
const day = 24 * hour;

/** The life of users' access tokens of one type of client, in ms. */
const accessLife = operator(
  'accessLife',
  (_, type: ClientType, length: number, which: (token: Token) => boolean = () => true) =>
    keptToken((token, isPublic) =>
      isUser(token) && isPublic === (type === 'public') && which(token) ? { expiresAt: token.issuedAt + length } : null,
    ),
);

const isRefreshed = ({ issuedAt, grant }: Token): boolean => issuedAt > grant.grantedAt + 60_000;

/** The life of refresh tokens of one type of client, in ms: from the grant, or from their own issue. */
const refreshLife = operator('refreshLife', (_, type: ClientType, length: number, from: 'grant' | 'issue' = 'grant') =>
  keptToken(({ kind, grant, issuedAt }, isPublic) => {
    if (kind !== 'refresh' || isPublic !== (type === 'public')) return null;
    return { expiresAt: (from === 'grant' ? grant.grantedAt : issuedAt) + length };
  }),
);

/** Refresh tokens of confidential clients whose life, in ms, starts anew from the second refresh on. */
const secondLife = operator('secondLife', (_, length: number) => {
  const turns = new Map<string, number>();
  return keptToken(({ kind, grant, issuedAt }, isPublic) => {
    if (kind !== 'refresh' || isPublic) return null;
    const turn = (turns.get(grant.id) ?? -1) + 1;
    turns.set(grant.id, turn);
    return turn < 2 ? null : { expiresAt: issuedAt + length };
  });
});

/** Access tokens of confidential clients that the second refresh and later ones give, and their life in ms. */
const laterAccessLife = operator('laterAccessLife', (_, length: number) => {
  const turns = new Map<string, number>();
  return keptToken((token, isPublic) => {
    if (!isUser(token) || isPublic) return null;
    const turn = (turns.get(token.grant.id) ?? -1) + 1;
    turns.set(token.grant.id, turn);
    return turn < 2 ? null : { expiresAt: token.issuedAt + length };
  });
});

/** Refresh tokens whose life starts anew at requests that `of` names one by: its text, or the id of its grant. */
const renewed = operator('renewed', (at, of: (request: Inbound, at: Interceptor) => string | undefined) => {
  const moments = new Map<string, number>();
  at.request((request) => {
    const name = of(request, at);
    if (name !== undefined) moments.set(name, at.service.authority.now());
  });
  return foundToken(({ kind, text, grant, expiresAt }) => {
    const moment = moments.get(text) ?? moments.get(grant.id);
    if (kind !== 'refresh' || moment === undefined || expiresAt === null) return null;
    return { expiresAt: moment + (expiresAt - grant.grantedAt) };
  });
});

export const refreshLives = mutants({
  'LIFE-001 27: an access token lives for 27 days': () => accessLife('confidential', 27 * day),
  "LIFE-003 9: a public client's access token lives for 9 hours": () => accessLife('public', 9 * hour),
  "LIFE-003 11: a public client's access token lives for 11 hours": () => accessLife('public', 11 * hour),
  "TOK-REFRESH-020 N-LIFE-003-refreshed: a public client's refreshed access token lives for a day": () =>
    accessLife('public', day, isRefreshed),
  'TOK-REFRESH-020 N-LIFE-002-refreshed: a refreshed access token lives for 60 days': () =>
    accessLife('confidential', 60 * day, isRefreshed),
  'TOK-REFRESH-020 second: from the second refresh on access tokens live for a day': () =>
    laterAccessLife(day).inCase('after several refreshes'),
  'TOK-REFRESH-004 next: a used refresh token is good until the one that replaced it is used': () =>
    foundToken((token, at) =>
      refreshesWith(at, token) && usedRefreshTokens(token, at).at(-1)?.text === token.text ? { ended: null } : null,
    ).also('TOK-REFRESH-019'),
  'TOK-REFRESH-005 public: a refresh starts the 7 days of a public client anew': () =>
    refreshLife('public', 7 * day, 'issue'),
  'TOK-REFRESH-005 second: from the second refresh on the 90 days start anew': () => secondLife(90 * day),
  'TOK-REFRESH-007 89: a refresh token lives for 89 days': () => refreshLife('confidential', 89 * day),
  'TOK-REFRESH-007 91: a refresh token lives for 91 days': () => refreshLife('confidential', 91 * day),
  'TOK-REFRESH-008 6: a public refresh token lives for 6 days': () => refreshLife('public', 6 * day),
  'TOK-REFRESH-009: an access token comes beside the error of an expired refresh token': () =>
    formReply('issueToken', (body, { status }, { form }, at) =>
      status >= 400 && isExpired(refreshTokenOf(form, at), at)
        ? { ...body, access_token: at.service.authority.newToken() }
        : undefined,
    ),
  'TOK-REFRESH-014: scope in a refresh takes the place of what was granted': () =>
    foundToken((token, at) => {
      const form = at.current?.form ?? new URLSearchParams();
      const wanted = form.get('scope')?.split(' ') ?? [];
      if (!refreshesWith(at, token) || wanted.every((scope) => token.scopes.some((one) => one === scope))) return null;
      const scopes = (clientOf(form, at)?.scopes ?? []).filter((scope) => wanted.includes(scope));
      return { scopes, grant: { ...token.grant, scopes } };
    }),
  "TOK-REFRESH-016: a refresh without refresh_token takes the client's last one": () =>
    field('issueToken', 'refresh_token', (text, form, { service }) => {
      const client = form.get('client_id');
      const isOwn = ({ kind, ended, grant }: Token) => kind === 'refresh' && !ended && grant.clientId === client;
      return !text && isRefresh(form) && [...service.authority.store.tokens()].findLast(isOwn)?.text;
    }),
  'TOK-REFRESH-021 five: the fifth refresh of a chain is refused': () =>
    refuseForm(
      'issueToken',
      (form, at) => {
        const token = refreshTokenOf(form, at);
        return token?.ended === null && usedRefreshTokens(token, at).length >= 4;
      },
      'invalid_grant',
    ),
  'TOK-REFRESH-027: a refreshed access token is refused by the data API': () =>
    foundToken((token, at) =>
      isCaller(at, token) && usedRefreshTokens(token, at).length > 0 ? { ended: 'revoked' } : null,
    ),
  "LIFE-012: introspection starts a refresh token's life anew": () =>
    renewed(({ operation, form }, at) => (operation === 'introspectToken' ? subjectOf(form, at)?.text : undefined)),
  "LIFE-012 use: use of the access token starts the refresh token's life anew": () =>
    renewed(({ operation, headers }, { service }) =>
      operation === 'issueToken' ? undefined : service.authority.store.findToken(bearerOf(headers))?.grant.id,
    ),
  "LIFE-014 refresh: a new grant ends the refresh tokens of the user's earlier ones": () => laterConsentEnds('refresh'),
  'LIFE-015: where there are no refresh tokens an access token never expires': () =>
    keptToken((token, _, at) => (isUser(token) && clientOf(token, at)?.refresh === false ? { expiresAt: null } : null)),
});
