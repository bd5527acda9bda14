import type { Scope } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import type { Json, Seam } from '../../seam/seam.js';
import { answerOf } from '../../seam/seam.js';

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The bearer token of a request. */
export const bearerOf = (headers: Readonly<Record<string, string | undefined>>): string =>
  headers.authorization?.replace(/^bearer /i, '') ?? '';

/** Gives the token that calls an endpoint a scope that it has not. */
function lend(seam: Seam, operation: 'introspectToken' | 'revokeToken', scope: Scope): void {
  seam.store((store, acted) => ({
    findToken(text) {
      const token = store.findToken(text);
      const { current } = seam;
      if (!token || current?.operation !== operation || bearerOf(current.headers) !== text) return token;
      if (token.scopes.includes(scope)) return token;
      acted();
      return { ...token, scopes: [...token.scopes, scope] };
    },
  }));
}

/** Refusals of revocation and introspection in the shape of the data API. */
const dataShaped = (seam: Seam): void => {
  const shaped = (body: Json, reply: { readonly status: number }): unknown =>
    reply.status >= 400 ? { error: { code: 8, message: String(body.error) } } : undefined;
  seam.oauth('revokeToken', shaped);
  seam.oauth('introspectToken', shaped);
};

export const revocation: readonly Mutant[] = [
  {
    id: 'M-RI-04',
    bug: 'a revoked access token works for another minute, from a cache',
    rows: ['BEAR-016'],
    plant(seam) {
      const until = new Map<string, number>();
      seam.store((store, acted) => ({
        endToken(text, how) {
          if (how === 'revoked' && !store.findToken(text)?.ended)
            until.set(text, seam.service.authority.now() + 60_000);
          store.endToken(text, how);
        },
        findToken(text) {
          const token = store.findToken(text);
          const grace = seam.service.authority.now() < (until.get(text) ?? 0);
          if (token?.kind !== 'access' || !grace || seam.current?.operation === 'introspectToken') return token;
          acted();
          return { ...token, ended: null };
        },
      }));
    },
  },
  {
    id: 'M-RI-07',
    bug: 'with a wrong token_type_hint nothing is revoked',
    rows: ['REV-007'],
    plant: (seam) =>
      seam.form('revokeToken', (form) => {
        const token = seam.service.authority.store.findToken(form.get('token') ?? '');
        const hint = form.get('token_type_hint');
        return token && hint && hint !== `${token.kind}_token` ? answerOf(200, {}, uncached) : undefined;
      }),
  },
  {
    id: 'M-RI-09',
    bug: 'a revocation without a token gives 200',
    rows: ['REV-009'],
    plant: (seam) =>
      seam.reply((reply, { operation, form }) => {
        if (operation !== 'revokeToken' || form.get('token') || reply.status !== 400) return;
        reply.status = 200;
        reply.json = {};
      }),
  },
  {
    id: 'M-RI-10',
    bug: "a client can revoke other clients' tokens",
    rows: ['REV-010'],
    plant: (seam) =>
      seam.oauth('revokeToken', (body, reply, { form }) => {
        if (body.error !== 'invalid_grant') return undefined;
        seam.service.authority.store.endToken(form.get('token') ?? '', 'revoked');
        reply.status = 200;
        return {};
      }),
  },
  {
    id: 'M-RI-11',
    bug: 'a revoked refresh token can still be exchanged',
    rows: ['REV-004'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        endToken(text, how) {
          if (how === 'revoked' && store.findToken(text)?.kind === 'refresh') acted();
          else store.endToken(text, how);
        },
      })),
  },
  {
    id: 'M-RI-12',
    bug: 'the access token works on when its refresh token is revoked',
    rows: ['REV-011'],
    noticed: 'warn',
    plant(seam) {
      seam.switches({ 'revoke.refreshRevokesAccess': false });
      seam.form('revokeToken', (form) => {
        if (seam.service.authority.store.findToken(form.get('token') ?? '')?.kind === 'refresh') seam.acted();
      });
    },
  },
  {
    id: 'M-RI-13',
    bug: 'GET with the token in the query revokes',
    rows: ['REV-014'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.method !== 'GET' || request.path !== '/oauth/token/revoke') return;
        request.method = 'POST';
        request.headers['content-type'] = 'application/x-www-form-urlencoded';
        request.form = request.query;
      }),
  },
  {
    id: 'M-RI-14',
    bug: 'introspection works without oauth:introspect',
    rows: ['INTRO-001'],
    plant: (seam) => lend(seam, 'introspectToken', 'oauth:introspect'),
  },
  {
    id: 'M-RI-17',
    bug: 'active is a text',
    rows: ['INTRO-003'],
    plant: (seam) =>
      seam.oauth('introspectToken', (body) => {
        if (typeof body.active === 'boolean') body.active = String(body.active);
      }),
  },
  {
    id: 'M-RI-21',
    bug: 'introspection does not know a refresh token when the hint says access_token',
    rows: ['INTRO-015'],
    plant: (seam) =>
      seam.form('introspectToken', (form) => {
        const token = seam.service.authority.store.findToken(form.get('token') ?? '');
        return token?.kind === 'refresh' && form.get('token_type_hint') === 'access_token'
          ? answerOf(200, { active: false }, uncached)
          : undefined;
      }),
  },
  {
    id: 'M-RI-22',
    bug: 'a client-credentials token shows an end in 1970',
    rows: ['INTRO-012'],
    plant: (seam) =>
      seam.oauth('introspectToken', (body) => {
        if (body.active === true && body.exp === undefined) body.exp = 0;
      }),
  },
  {
    id: 'M-RI-23',
    bug: 'introspection uses the token up',
    rows: ['INTRO-019'],
    plant: (seam) =>
      seam.oauth('introspectToken', (body, _, { form }) => {
        if (body.active !== true) return;
        seam.acted();
        seam.service.authority.store.endToken(form.get('token') ?? '', 'revoked');
      }),
  },
  {
    id: 'M-AD-38',
    bug: 'revocation and introspection have errors in the shape of the data API',
    rows: ['REV-015'],
    plant: dataShaped,
  },
  {
    id: 'M-AD-39',
    bug: 'introspection accepts a caller whose token has expired',
    rows: ['INTRO-016'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const { current } = seam;
          if (!token || current?.operation !== 'introspectToken' || bearerOf(current.headers) !== text) return token;
          acted();
          return { ...token, expiresAt: null, ended: null };
        },
      })),
  },
];
