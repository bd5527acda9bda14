import type { Scope } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { bearerOf } from '../../interceptor/who.js';
import { uncached } from './planting.js';
import { answers, undead, isKnown } from './revocation.js';

/** Gives the token that calls an endpoint a scope that it has not. */
function lend(seam: Interceptor, operation: 'introspectToken' | 'revokeToken', scope: Scope): void {
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

export const introspection: readonly Mutant[] = [
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
  {
    id: 'N-INTRO-006',
    bug: 'introspection calls a revoked token active',
    rows: ['INTRO-006'],
    plant: undead((operation) => operation === 'introspectToken'),
  },
];
