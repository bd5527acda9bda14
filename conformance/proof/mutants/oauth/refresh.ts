import { lifetimes } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import { bearerOf } from '../../interceptor/who.js';
import { intercept, mutants, operator, together } from '../../mutant.js';
import { field, isRefresh, isUser, mapField, mapMember } from '../../operators/oauth.js';
import { refreshesWith, refuseForm, tokenResponse } from '../../operators/oauth.js';
import { foundToken, keptToken, neverEnd } from '../../operators/tokens.js';

const hour = 3_600_000;
const day = 24 * hour;

/** Tokens of a user, by the type of the client, that live for another time. */
const lifetime = operator('lifetime', (_, kind: Token['kind'], client: 'public' | 'confidential', ms: number) =>
  keptToken((token, isPublic) => {
    if (token.kind !== kind || token.grant.kind !== 'authorization_code' || isPublic !== (client === 'public'))
      return null;
    return { expiresAt: (kind === 'refresh' ? token.grant.grantedAt : token.issuedAt) + ms };
  }),
);

interface Use {
  readonly issuedAt: number;
  /** When the token was to end, and when it ends by the uses before. */
  readonly expiresAt: number;
  readonly end: number;
  readonly now: number;
  readonly operation: string | undefined;
}

/** Uses of an access token of a user give it another end, unless that is null. */
const putOff = operator('putOff', (at, endOf: (use: Use) => number | null) => {
  const ends = new Map<string, number>();
  return foundToken((token) => {
    const { text, issuedAt, expiresAt } = token;
    if (!isUser(token) || expiresAt === null) return null;
    const now = at.service.authority.now();
    const end = ends.get(text) ?? expiresAt;
    const next = now < end ? endOf({ issuedAt, expiresAt, end, now, operation: at.current?.operation }) : null;
    if (next !== null) ends.set(text, next);
    return end === expiresAt ? null : { expiresAt: end };
  });
});

export const refresh = mutants({
  'TOK-REFRESH-002 M-RL-02: the refresh token is never rotated': () =>
    together(
      neverEnd((_, how) => how === 'used'),
      mapMember('issueToken', 'refresh_token', (token, _, form) => token && (form.get('refresh_token') ?? token)),
    ),
  'AUTH-CODE-011 renewed: a code that comes again ends no token of a refresh': () => {
    const renewed = new Set<string>();
    return together(
      tokenResponse((body, form) => {
        if (isRefresh(form)) renewed.add(String(body.access_token));
      }),
      neverEnd((token, how) => how === 'revoked' && renewed.has(token?.text ?? '')),
    ).warns();
  },
  'TOK-REFRESH-003 M-AD-28: a refresh gives the old access token again': () =>
    intercept((at) => {
      const before = new Map<unknown, unknown>();
      tokenResponse((body, form) => {
        body.access_token = before.get(form.get('refresh_token')) ?? body.access_token;
        before.set(body.refresh_token, body.access_token);
      }).apply(at);
    }),
  'TOK-REFRESH-004: a used refresh token works for another minute': () =>
    intercept((at) => {
      const until = new Map<string, number>();
      at.store((store) => ({
        endToken(text, how) {
          if (how === 'used') until.set(text, at.service.authority.now() + 60_000);
          store.endToken(text, how);
        },
      }));
      foundToken(({ text, ended }) =>
        ended === 'used' && at.service.authority.now() < (until.get(text) ?? 0) ? { ended: null } : null,
      ).apply(at);
    }).also('TOK-REFRESH-021'),
  'TOK-REFRESH-004 scope: a refresh that names its scopes does not use up its token': () =>
    intercept((at) =>
      at.store((store, acted) => ({
        endToken(text, how) {
          if (how !== 'used' || !at.current?.form.has('scope')) return store.endToken(text, how);
          acted();
        },
      })),
    ),
  'TOK-REFRESH-005 M-RL-03: a refresh starts the 90 days anew': () =>
    keptToken(({ kind, issuedAt, expiresAt }, isPublic) => {
      const end = issuedAt + lifetimes.refresh_token[isPublic ? 'public' : 'confidential'] * 1000;
      return kind === 'refresh' && end !== expiresAt ? { expiresAt: end } : null;
    }).also('TOK-REFRESH-006'),
  'TOK-REFRESH-005 scopes: a refresh that names its scopes starts the 90 days anew': () =>
    keptToken(({ kind, issuedAt, expiresAt }, isPublic, at) => {
      const end = issuedAt + lifetimes.refresh_token[isPublic ? 'public' : 'confidential'] * 1000;
      return kind === 'refresh' && end !== expiresAt && at.current?.form.get('scope') ? { expiresAt: end } : null;
    }).inCase('by a refresh for its scopes'),
  'TOK-REFRESH-007 M-RL-15: a refresh token lives for 28 days, as the access token': () =>
    lifetime('refresh', 'confidential', 28 * day),
  'TOK-REFRESH-008 M-RL-17: a public refresh token lives for 90 days': () => lifetime('refresh', 'public', 90 * day),
  'TOK-REFRESH-010 M-RL-08: a refresh token can be used by another client': () =>
    foundToken((token, at) => {
      const clientId = at.current?.form.get('client_id');
      const isOther = clientId && refreshesWith(at, token) && token.grant.clientId !== clientId;
      return isOther ? { grant: { ...token.grant, clientId } } : null;
    }),
  'AUTH-CODE-017 refreshed-text: a refresh for less says so, and its token can do all that the one before could': (
    asked = new Map<unknown, string>(),
  ) =>
    together(
      mapField('issueToken', 'scope', (scope, form) => {
        if (!isRefresh(form) || !scope) return scope;
        asked.set(form.get('refresh_token'), scope);
        return null;
      }),
      tokenResponse((body, form) => {
        const less = asked.get(form.get('refresh_token'));
        if (isRefresh(form) && less !== undefined) body.scope = less;
      }),
    ).inCase('after a refresh for less'),
  'AUTH-CODE-017 refreshed-token: a refresh for less says that all is granted, and its token can do less': (
    all = new Map<unknown, string>(),
  ) =>
    tokenResponse((body, form) => {
      if (!isRefresh(form)) all.set(body.refresh_token, String(body.scope));
      else if (form.get('scope')) body.scope = all.get(form.get('refresh_token')) ?? body.scope;
    }).inCase('after a refresh for less'),
  'TOK-REFRESH-013: a refresh without scope gives account:profile only': () =>
    mapField('issueToken', 'scope', (scope, form) => (isRefresh(form) ? scope || 'account:profile' : scope)),
  'TOK-REFRESH-013 third: the third refresh gives scopes that were not granted': (turns = new Map<unknown, number>()) =>
    tokenResponse((body, form) => {
      if (!isRefresh(form)) return;
      const turn = (turns.get(form.get('refresh_token')) ?? 0) + 1;
      turns.set(body.refresh_token, turn);
      if (turn === 3) body.scope = `${String(body.scope)} account:stashes account:item_filter`;
    }).inCase('after several refreshes'),
  'TOK-REFRESH-013 less: once a refresh asked for less, so does each that follows': (
    narrowed = new Map<unknown, string>(),
  ) =>
    together(
      tokenResponse((body, form) => {
        if (isRefresh(form) && form.get('scope')) narrowed.set(body.refresh_token, form.get('scope')!);
      }),
      mapField('issueToken', 'scope', (scope, form) => scope ?? narrowed.get(form.get('refresh_token')) ?? null),
    ).inCase('after a refresh for less'),
  'TOK-REFRESH-027 less: the answer to a refresh for less tells the scopes of the grant': () =>
    tokenResponse((body, form, at) => {
      const token = at.service.authority.store.findToken(String(body.access_token));
      if (isRefresh(form) && form.get('scope') && token) body.scope = token.grant.scopes.join(' ');
    }).inCase('after a refresh for less'),
  'TOK-REFRESH-017: refresh tokens are looked up by their first 32 characters': () =>
    field('issueToken', 'refresh_token', (sent, _, { service }) => {
      const all = [...service.authority.store.tokens()];
      return sent.length >= 32 && all.find(({ text }) => text.startsWith(sent.slice(0, 32)))?.text;
    }),
  'TOK-REFRESH-018 M-RL-19: an access token is accepted as refresh_token': () =>
    foundToken((token, at) => (token.kind === 'access' && refreshesWith(at, token) ? { kind: 'refresh' } : null)),
  'TOK-REFRESH-019 M-RL-05: between finding a refresh token and ending it others find it too': () =>
    intercept((at) => {
      // What each request found when it came in, which is what it goes on with.
      const seen = new Map<object, Token>();
      at.form('issueToken', async (form, request) => {
        const token = at.service.authority.store.findToken(form.get('refresh_token') ?? '');
        if (!token) return;
        seen.set(request, token);
        await new Promise((done) => setTimeout(done, 5));
      });
      foundToken((token) => {
        const before = at.current && seen.get(at.current);
        return before?.text === token.text && before.ended !== token.ended ? before : null;
      }).apply(at);
      at.reply((_, request) => void seen.delete(request));
    }),
  'TOK-REFRESH-020: a refreshed access token ends with the first one': () =>
    keptToken(({ kind, grant: { grantedAt }, issuedAt, expiresAt }) =>
      kind === 'access' && expiresAt !== null && issuedAt > grantedAt + 60_000
        ? { expiresAt: grantedAt + (expiresAt - issuedAt) }
        : null,
    ),
  'TOK-REFRESH-024: a refresh needs an access token that is alive': () =>
    refuseForm(
      'issueToken',
      (form, { service: { authority } }) => {
        const token = authority.store.findToken(form.get('refresh_token') ?? '');
        const others = token && !token.ended ? authority.store.tokensOf(token.grant.id) : undefined;
        return others?.every(({ kind, expiresAt }) => kind !== 'access' || authority.now() >= (expiresAt ?? Infinity));
      },
      'invalid_grant',
    ),
  'LIFE-001 M-RL-22: an access token of a confidential client lives for 24 hours': () =>
    lifetime('access', 'confidential', 24 * hour),
  'LIFE-002 M-RL-21: an access token lives for more than 30 days': () => lifetime('access', 'confidential', 31 * day),
  "LIFE-003: a public client's access token lives for 28 days": () => lifetime('access', 'public', 28 * day),
  "LIFE-004 M-RL-24: each use starts an access token's life anew": () =>
    putOff(({ expiresAt, issuedAt, now, operation }) =>
      operation === 'issueToken' ? null : now + (expiresAt - issuedAt),
    ),
  "LIFE-004 late: a use in the last day of an access token's life puts its end off by a day": () =>
    putOff(({ end, issuedAt, now }) => (end - now < day && end - issuedAt > day ? now + day : null)),
  'ERR-001 M-RL-26: an expired token gives 403': () =>
    intercept((at) =>
      at.reply((reply, { headers }) => {
        const token = at.service.authority.store.findToken(bearerOf(headers));
        if (reply.status === 401 && token?.ended === null && token.kind === 'access') reply.status = 403;
      }),
    ).also('BEAR-004'),
});
