import type { Token } from '../../../../src/store/store.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { found, isCredentials, response } from './planting.js';

/** Tokens of client credentials, changed before they are kept. */
const ownTokens = (seam: Interceptor, change: (token: Token) => Token): void =>
  seam.store((store, acted) => ({
    addToken(token) {
      if (token.grant.kind !== 'client_credentials') return store.addToken(token);
      acted();
      store.addToken(change(token));
    },
  }));

export const clientCredentials: readonly Mutant[] = [
  {
    id: 'M-AD-27',
    bug: 'only one service scope of a token is honoured',
    rows: ['TOK-CC-007'],
    plant: (seam) => ownTokens(seam, (token) => ({ ...token, scopes: token.scopes.slice(0, 1) })),
  },
  {
    id: 'M-CC-01',
    bug: 'a public client can use client_credentials',
    rows: ['TOK-CC-004'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const { clients } = seam.service.authority;
        const other = clients.get('example-service-account');
        if (!isCredentials(form) || clients.get(form.get('client_id') ?? '')?.type !== 'public' || !other?.secret)
          return;
        form.set('client_id', other.id);
        form.set('client_secret', other.secret);
      }),
  },
  {
    id: 'M-CC-03',
    bug: 'a client-credentials token expires after 28 days',
    rows: ['TOK-CC-003'],
    plant: (seam) => ownTokens(seam, (token) => ({ ...token, expiresAt: token.issuedAt + 28 * 86_400_000 })),
  },
  {
    id: 'M-CC-04',
    bug: 'the response of client credentials has a refresh token',
    rows: ['TOK-CC-002'],
    plant: response((body, form, seam) => {
      if (isCredentials(form)) body.refresh_token = seam.service.authority.newToken();
    }),
  },
  {
    id: 'M-CC-06',
    bug: "the owner's data cannot be reached with a client-credentials token",
    rows: ['TOK-CC-011'],
    plant: (seam) =>
      seam.request(({ operation, headers }) => {
        if (operation !== 'getProfile' && operation !== 'listCharacters') return undefined;
        const text = headers.authorization?.replace(/^bearer /i, '') ?? '';
        const token = seam.service.authority.store.findToken(text);
        if (token?.grant.kind !== 'client_credentials') return undefined;
        return answerOf(404, { error: { code: 1, message: 'Resource not found' } });
      }),
  },
  {
    id: 'M-CC-07',
    bug: 'a client-credentials token cannot be revoked on the settings page',
    rows: ['TOK-CC-012'],
    plant: (seam) =>
      seam.request(({ path, json }) =>
        path === '/__control/revocations' && (json as Json).by === 'application' ? answerOf(204, undefined) : undefined,
      ),
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
    id: 'M-AD-36',
    bug: 'a client-credentials token ends when the clock goes on by more than 2^31 ms',
    rows: ['LIFE-013'],
    plant: (seam) =>
      found(seam, ({ grant, issuedAt }) =>
        grant.kind === 'client_credentials' && seam.service.authority.now() - issuedAt > 2 ** 31
          ? { expiresAt: issuedAt }
          : null,
      ),
  },
  {
    id: 'M-AD-32',
    bug: 'the revocation on the settings page only keeps new tokens from being made',
    rows: ['LIFE-007'],
    plant(seam) {
      const blocked = new Set<string>();
      seam.request(({ path, json, operation, form }) => {
        const order = json as Json | undefined;
        if (path === '/__control/revocations' && order?.by === 'application') {
          blocked.add(String(order.client_id));
          return answerOf(204, undefined);
        }
        const barred = operation === 'issueToken' && form.get('grant_type') === 'client_credentials';
        if (!barred || !blocked.has(form.get('client_id') ?? '')) return undefined;
        return answerOf(400, { error: 'unauthorized_client' }, { 'cache-control': 'no-store', pragma: 'no-cache' });
      });
    },
  },
];
