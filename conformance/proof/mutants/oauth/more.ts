import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { Scope } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import type { Json, Seam } from '../../seam/seam.js';
import { answerOf } from '../../seam/seam.js';
import { bearerOf } from './revocation.js';

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Sets a parameter of authorization requests that left it out. */
const filled =
  (name: string, value: (query: URLSearchParams, seam: Seam) => string): Mutant['plant'] =>
  (seam) =>
    seam.authorization((query) => void (query.get(name) || query.set(name, value(query, seam))));

/** Changes successful token responses. */
const response =
  (change: (body: Json, form: URLSearchParams, seam: Seam) => void): Mutant['plant'] =>
  (seam) =>
    seam.oauth('issueToken', (body, reply, { form }) => {
      if (reply.status === 200) change(body, form, seam);
    });

/** Puts token requests right that must be refused. */
const mended =
  (change: (form: URLSearchParams, seam: Seam) => void): Mutant['plant'] =>
  (seam) =>
    seam.form('issueToken', (form) => void change(form, seam));

const codeOf = (form: URLSearchParams, seam: Seam) => seam.service.authority.store.findCode(form.get('code') ?? '');

/** A code that is found to fit whatever verifier comes. */
const anyVerifier =
  (fits: (verifier: string, challenge: string) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      findCode(text) {
        const code = store.findCode(text);
        const verifier = seam.current?.form.get('code_verifier') ?? '';
        if (!code || challengeOf(verifier) === code.challenge || !fits(verifier, code.challenge)) return code;
        acted();
        return { ...code, challenge: challengeOf(verifier) };
      },
    }));

/** A change of the status, or the body, of an endpoint's answers. */
const answers =
  (
    operation: 'revokeToken' | 'introspectToken',
    from: number,
    to: number,
    which: (form: URLSearchParams, seam: Seam) => boolean = () => true,
  ): Mutant['plant'] =>
  (seam) =>
    seam.reply((reply, request) => {
      if (request.operation === operation && reply.status === from && which(request.form, seam)) reply.status = to;
    });

const isKnown = (form: URLSearchParams, seam: Seam): boolean =>
  seam.service.authority.store.findToken(form.get('token') ?? '') !== undefined;

/** Tokens that are found alive although they have ended, for some requests. */
const undead =
  (which: (operation: string | undefined) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      findToken(text) {
        const token = store.findToken(text);
        if (!token || token.ended !== 'revoked' || !which(seam.current?.operation)) return token;
        acted();
        return { ...token, ended: null };
      },
    }));

/** Service scopes that are asked for by code, and granted. */
const serviceByCode =
  (type: 'confidential' | 'public'): Mutant['plant'] =>
  (seam) => {
    const byState = new Map<string, Scope[]>();
    const byCode = new Map<string, Scope[]>();
    seam.authorization((query) => {
      if (seam.service.authority.clients.get(query.get('client_id') ?? '')?.type !== type) return;
      const scopes = (query.get('scope') ?? '').split(' ');
      const extra = scopes.filter((scope) => scope.startsWith('service:')) as Scope[];
      if (extra.length === 0) return;
      byState.set(query.get('state') ?? '', extra);
      query.set('scope', scopes.filter((scope) => !scope.startsWith('service:')).join(' ') || 'account:profile');
    });
    seam.redirect((location, { query }) => {
      const code = location === null ? null : new URL(location).searchParams.get('code');
      const extra = byState.get(query.get('state') ?? '');
      if (code !== null && extra) byCode.set(code, extra);
      return location;
    });
    seam.store((store) => ({
      findCode(text) {
        const code = store.findCode(text);
        const extra = byCode.get(text);
        return code && extra ? { ...code, grant: { ...code.grant, scopes: [...code.grant.scopes, ...extra] } } : code;
      },
    }));
  };

export const moreOauth: readonly Mutant[] = [
  {
    id: 'N-AUTH-REQ-003',
    bug: 'a missing scope means account:profile',
    rows: ['AUTH-REQ-003'],
    plant: filled('scope', () => 'account:profile'),
  },
  {
    id: 'N-AUTH-REQ-005',
    bug: 'PKCE may be left out',
    rows: ['AUTH-REQ-005', 'AUTH-PKCE-004'],
    plant(seam) {
      filled('code_challenge', () => challengeOf('n'.repeat(43)))(seam);
      filled('code_challenge_method', () => 'S256')(seam);
    },
  },
  {
    id: 'N-AUTH-REQ-008',
    bug: 'a missing redirect_uri means the registered one',
    rows: ['AUTH-REQ-008'],
    plant: filled(
      'redirect_uri',
      (query, { service }) => service.authority.clients.get(query.get('client_id') ?? '')?.redirectUris[0] ?? '',
    ),
  },
  {
    id: 'N-AUTH-REQ-012',
    bug: 'of a parameter that is sent twice the last one counts',
    rows: ['AUTH-REQ-012'],
    plant: (seam) =>
      seam.authorization((query) => {
        for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) ?? '');
      }),
  },
  {
    id: 'N-AUTH-STATE-002',
    bug: 'redirected errors have no state',
    rows: ['AUTH-STATE-002'],
    plant: (seam) =>
      seam.redirect((location) =>
        location?.includes('error=') ? location.replace(/([?&])state=[^&]*&?/, '$1') : location,
      ),
  },
  {
    id: 'N-AUTH-REDIR-005',
    bug: 'the query of the registered redirect_uri is lost',
    rows: ['AUTH-REDIR-005'],
    plant: (seam) => seam.redirect((location) => location?.replace('tenant=7&', '')),
  },
  {
    id: 'N-AUTH-PKCE-002',
    bug: 'the method is compared without regard to case',
    rows: ['AUTH-PKCE-002'],
    plant: (seam) =>
      seam.authorization((query) => {
        const method = query.get('code_challenge_method');
        if (method !== null) query.set('code_challenge_method', method.toUpperCase());
      }),
  },
  {
    id: 'N-AUTH-ERR-003',
    bug: 'failures of good clients are shown on a page',
    rows: ['AUTH-ERR-003'],
    plant: (seam) =>
      seam.reply((reply, { path }) => {
        const body = reply.json as Json | undefined;
        if (path !== '/__control/consent' || !String(body?.location ?? '').includes('error=')) return;
        Object.assign(body!, { status: 400, location: null, body: '<p>That did not work.</p>' });
      }),
  },
  {
    id: 'N-AUTH-CODE-004',
    bug: 'the verifier is not looked at',
    rows: ['AUTH-CODE-004'],
    plant: anyVerifier((verifier) => verifier !== ''),
  },
  {
    id: 'N-AUTH-CODE-005',
    bug: 'a missing verifier is passed over',
    rows: ['AUTH-CODE-005'],
    plant(seam) {
      mended(
        (form) => void (form.get('code') && !form.get('code_verifier') && form.set('code_verifier', 'n'.repeat(43))),
      )(seam);
      anyVerifier((verifier) => verifier === 'n'.repeat(43))(seam);
    },
  },
  {
    id: 'N-AUTH-CODE-006',
    bug: 'the challenge is accepted as the verifier',
    rows: ['AUTH-CODE-006'],
    plant: anyVerifier((verifier, challenge) => verifier === challenge),
  },
  {
    id: 'N-AUTH-CODE-010',
    bug: 'between finding a code and using it up others find it too',
    rows: ['AUTH-CODE-010'],
    plant(seam) {
      seam.request(async ({ operation, form }) => {
        if (operation === 'issueToken' && form.get('code')) await new Promise((done) => setTimeout(done, 5));
        return undefined;
      });
      seam.store((store, acted) => ({
        useCode(text) {
          acted();
          setTimeout(() => store.useCode(text), 15);
        },
      }));
    },
  },
  {
    id: 'N-AUTH-CODE-012',
    bug: 'redirect_uri is optional in the exchange',
    rows: ['AUTH-CODE-012'],
    plant: mended((form, seam) => {
      const code = codeOf(form, seam);
      if (code && !form.get('redirect_uri')) form.set('redirect_uri', code.redirectUri);
    }),
  },
  {
    id: 'N-AUTH-CODE-013',
    bug: 'the redirect_uri of the exchange is not compared',
    rows: ['AUTH-CODE-013'],
    plant: mended((form, seam) => {
      const code = codeOf(form, seam);
      if (code && form.get('redirect_uri')) form.set('redirect_uri', code.redirectUri);
    }),
  },
  {
    id: 'N-AUTH-CODE-017',
    bug: 'scope in the response is what was asked for, the token has less',
    rows: ['AUTH-CODE-017'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          if (token.grant.kind !== 'authorization_code' || token.scopes.length < 2) return store.addToken(token);
          acted();
          store.addToken({ ...token, scopes: token.scopes.slice(1) });
        },
      })),
  },
  {
    id: 'N-AUTH-CODE-023',
    bug: 'an unknown client_id is invalid_grant',
    rows: ['AUTH-CODE-023'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const known = seam.service.authority.clients.has(form.get('client_id') ?? '');
        if (body.error === 'invalid_client' && !known) body.error = 'invalid_grant';
      }),
  },
  {
    id: 'N-TOK-RESP-002',
    bug: 'token_type is Mac',
    rows: ['TOK-RESP-002'],
    plant: response((body) => void (body.token_type = 'mac')),
  },
  {
    id: 'N-TOK-RESP-006',
    bug: 'scopes are separated by commas',
    rows: ['TOK-RESP-006'],
    plant: response((body) => void (body.scope = String(body.scope).replaceAll(' ', ','))),
  },
  {
    id: 'N-TOK-RESP-008',
    bug: 'sub is a number',
    rows: ['TOK-RESP-008', 'TOK-RESP-009'],
    plant: response((body) => void (body.sub = '7')),
  },
  {
    id: 'N-TOK-RESP-010',
    bug: 'no refresh token is issued',
    rows: ['TOK-RESP-010'],
    plant: response((body) => void delete body.refresh_token),
  },
  {
    id: 'N-TOK-RESP-011',
    bug: 'a client without refresh tokens gets one',
    rows: ['TOK-RESP-011'],
    plant: response((body, form, { service }) => {
      if (form.get('grant_type') === 'authorization_code') body.refresh_token ??= service.authority.newToken();
    }),
  },
  {
    id: 'N-TOK-RESP-012',
    bug: 'tokens may be cached',
    rows: ['TOK-RESP-012'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken') delete reply.headers['cache-control'];
      }),
  },
  {
    id: 'N-TOK-RESP-014',
    bug: 'a token response has status 201',
    rows: ['TOK-RESP-014'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken' && reply.status === 200) reply.status = 201;
      }),
  },
  {
    id: 'N-TOK-ERR-002',
    bug: 'an unknown grant_type is invalid_request',
    rows: ['TOK-ERR-002'],
    plant: (seam) =>
      seam.oauth('issueToken', (body) => {
        if (body.error === 'unsupported_grant_type') body.error = 'invalid_request';
      }),
  },
  {
    id: 'N-TOK-CC-005',
    bug: 'client_credentials needs no secret',
    rows: ['TOK-CC-005'],
    plant: (seam) =>
      seam.form('issueToken', (form, { headers }) => {
        const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
        if (form.get('grant_type') !== 'client_credentials' || headers.authorization !== undefined) return;
        if (secret && !form.get('client_secret')) form.set('client_secret', secret);
      }),
  },
  {
    id: 'N-TOK-CC-010',
    bug: 'a client-credentials token is of the client itself',
    rows: ['TOK-CC-010'],
    plant: response((body, form) => {
      if (form.get('grant_type') === 'client_credentials') body.username = form.get('client_id');
    }),
  },
  {
    id: 'N-TOK-CC-016',
    bug: 'service scopes come by code',
    rows: ['AUTH-SCOPE-002', 'TOK-CC-016'],
    plant: serviceByCode('confidential'),
  },
  {
    id: 'N-AUTH-SCOPE-003',
    bug: 'a public client gets service scopes',
    rows: ['AUTH-SCOPE-003'],
    plant: serviceByCode('public'),
  },
  {
    id: 'N-AUTH-SCOPE-005',
    bug: 'the guild scope is granted without the special grant',
    rows: ['AUTH-SCOPE-005'],
    plant(seam) {
      seam.clients(({ scopes }) => ({ scopes: [...new Set<Scope>([...scopes, 'account:guild:stashes'])] }));
      seam.redirect((location, { query }) => {
        if (location?.includes('code=') && query.get('scope')?.includes('guild')) seam.acted();
        return location;
      });
    },
  },
  {
    id: 'N-TOK-REFRESH-004',
    bug: 'a used refresh token works for another minute',
    rows: ['TOK-REFRESH-004', 'TOK-REFRESH-021'],
    plant(seam) {
      const used = new Map<string, number>();
      seam.store((store, acted) => ({
        endToken(text, how) {
          if (how === 'used') used.set(text, seam.service.authority.now() + 60_000);
          store.endToken(text, how);
        },
        findToken(text) {
          const token = store.findToken(text);
          if (token?.ended !== 'used' || seam.service.authority.now() >= (used.get(text) ?? 0)) return token;
          acted();
          return { ...token, ended: null };
        },
      }));
    },
  },
  {
    id: 'N-TOK-REFRESH-013',
    bug: 'a refresh without scope gives account:profile only',
    rows: ['TOK-REFRESH-013'],
    plant: mended((form) => {
      if (form.get('grant_type') === 'refresh_token' && !form.get('scope')) form.set('scope', 'account:profile');
    }),
  },
  {
    id: 'N-TOK-REFRESH-017',
    bug: 'an unknown refresh token is invalid_request',
    rows: ['TOK-REFRESH-017'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const text = form.get('refresh_token');
        if (body.error === 'invalid_grant' && text && !seam.service.authority.store.findToken(text))
          body.error = 'invalid_request';
      }),
  },
  {
    id: 'N-TOK-REFRESH-020',
    bug: 'a refreshed access token ends with the first one',
    rows: ['TOK-REFRESH-020'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          const { kind, grant, issuedAt, expiresAt } = token;
          if (kind === 'access' && expiresAt !== null && issuedAt > grant.grantedAt + 60_000) {
            acted();
            store.addToken({ ...token, expiresAt: grant.grantedAt + (expiresAt - issuedAt) });
          } else store.addToken(token);
        },
      })),
  },
  {
    id: 'N-TOK-REFRESH-024',
    bug: 'a refresh needs an access token that is alive',
    rows: ['TOK-REFRESH-024'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const { store, now } = seam.service.authority;
        const token = store.findToken(form.get('refresh_token') ?? '');
        if (!token || token.ended) return undefined;
        const alive = store
          .tokensOf(token.grant.id)
          .some(({ kind, expiresAt }) => kind === 'access' && now() < (expiresAt ?? Infinity));
        return alive ? undefined : answerOf(400, { error: 'invalid_grant' }, uncached);
      }),
  },
  {
    id: 'N-LIFE-003',
    bug: "a public client's access token lives for 28 days",
    rows: ['LIFE-003'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          const isPublic = seam.service.authority.clients.get(token.grant.clientId)?.type === 'public';
          if (!isPublic || token.kind === 'refresh') return store.addToken(token);
          acted();
          store.addToken({ ...token, expiresAt: token.issuedAt + 28 * 86_400_000 });
        },
      })),
  },
  {
    id: 'N-LIFE-005',
    bug: 'the applications page ends refresh tokens only',
    rows: ['LIFE-005'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        endToken(text, how) {
          const isPage = seam.current?.path === '/__control/revocations';
          if (isPage && store.findToken(text)?.kind === 'access') acted();
          else store.endToken(text, how);
        },
      })),
  },
  {
    id: 'N-REV-003',
    bug: 'a revocation revokes nothing',
    rows: ['REV-003', 'LIFE-008', 'BEAR-005'],
    plant: undead((operation) => operation !== 'issueToken'),
  },
  {
    id: 'N-REV-005',
    bug: 'an unknown token is an error',
    rows: ['REV-005'],
    plant: answers('revokeToken', 200, 400, (form, seam) => !isKnown(form, seam)),
  },
  {
    id: 'N-REV-006',
    bug: 'revoking a token again is an error',
    rows: ['REV-006'],
    plant(seam) {
      const seen = new Set<string>();
      seam.reply((reply, { operation, form }) => {
        const text = form.get('token') ?? '';
        if (operation !== 'revokeToken' || reply.status !== 200) return;
        if (seen.has(text)) reply.status = 400;
        seen.add(text);
      });
    },
  },
  {
    id: 'N-REV-002',
    bug: 'a revocation needs no credential',
    rows: ['REV-002'],
    plant: (seam) =>
      seam.form('revokeToken', (form, { headers }) => {
        const text = form.get('token');
        if (!text || headers.authorization !== undefined || form.has('client_secret')) return undefined;
        seam.service.authority.store.endToken(text, 'revoked');
        return answerOf(200, {}, uncached);
      }),
  },
  {
    id: 'N-INTRO-002',
    bug: 'introspection needs no credential',
    rows: ['INTRO-002'],
    plant: (seam) =>
      seam.form('introspectToken', (form, { headers }) =>
        headers.authorization === undefined && !form.has('client_secret')
          ? answerOf(200, { active: isKnown(form, seam) }, uncached)
          : undefined,
      ),
  },
  {
    id: 'N-INTRO-004',
    bug: 'introspection answers 404 for an unknown token',
    rows: ['INTRO-004'],
    plant: answers('introspectToken', 200, 404, (form, seam) => !isKnown(form, seam)),
  },
  {
    id: 'N-INTRO-006',
    bug: 'introspection calls a revoked token active',
    rows: ['INTRO-006'],
    plant: undead((operation) => operation === 'introspectToken'),
  },
  {
    id: 'N-INTRO-005',
    bug: 'introspection calls an expired token active',
    rows: ['INTRO-005'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const { current } = seam;
          const isCaller = current !== undefined && bearerOf(current.headers) === text;
          if (!token || current?.operation !== 'introspectToken' || isCaller || token.expiresAt === null) return token;
          if (seam.service.authority.now() < token.expiresAt) return token;
          acted();
          return { ...token, expiresAt: null };
        },
      })),
  },
];
