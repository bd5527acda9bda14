import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { uncached } from './planting.js';

/** Refusals of revocation and introspection in the shape of the data API. */
const dataShaped = (seam: Interceptor): void => {
  const shaped = (body: Json, reply: { readonly status: number }): unknown =>
    reply.status >= 400 ? { error: { code: 8, message: String(body.error) } } : undefined;
  seam.oauth('revokeToken', shaped);
  seam.oauth('introspectToken', shaped);
};

export const isKnown = (form: URLSearchParams, seam: Interceptor): boolean =>
  seam.service.authority.store.findToken(form.get('token') ?? '') !== undefined;

/** A change of the status, or the body, of an endpoint's answers. */
export const answers =
  (
    operation: 'revokeToken' | 'introspectToken',
    from: number,
    to: number,
    which: (form: URLSearchParams, seam: Interceptor) => boolean = () => true,
  ): Mutant['plant'] =>
  (seam) =>
    seam.reply((reply, request) => {
      if (request.operation === operation && reply.status === from && which(request.form, seam)) reply.status = to;
    });

/** Tokens that are found alive although they have ended, for some requests. */
export const undead =
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
    id: 'M-RL-30',
    bug: 'the revocation of one grant ends those of all users of the client',
    rows: ['LIFE-011', 'REV-013'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        endToken(text, how) {
          const clientId = store.findToken(text)?.grant.clientId;
          store.endToken(text, how);
          if (how !== 'revoked') return;
          for (const other of store.tokens()) {
            if (other.grant.clientId !== clientId || other.ended) continue;
            acted();
            store.endToken(other.text, 'revoked');
          }
        },
      })),
  },
  {
    id: 'M-AD-38',
    bug: 'revocation and introspection have errors in the shape of the data API',
    rows: ['REV-015'],
    plant: dataShaped,
  },
];
