import type { Token } from '../../../../src/store/store.js';
import type { Mutant } from '../../mutant.js';
import type { Inbound } from '../../seam/traffic.js';
import type { Json, Seam } from '../../seam/seam.js';
import { answerOf } from '../../seam/seam.js';

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };
const fields = [
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'redirect_uri',
  'scope',
  'code_verifier',
  'refresh_token',
];

/** Changes successful token responses. */
const response = (seam: Seam, change: (body: Json, form: URLSearchParams) => void): void =>
  seam.oauth('issueToken', (body, reply, { form }) => {
    if (reply.status === 200) change(body, form);
  });

const isCredentials = (form: URLSearchParams): boolean => form.get('grant_type') === 'client_credentials';

const usedBasic = ({ headers }: Inbound): boolean => /^basic /i.test(headers.authorization ?? '');

/** Tokens of client credentials, changed before they are kept. */
const ownTokens = (seam: Seam, change: (token: Token) => Token): void =>
  seam.store((store, acted) => ({
    addToken(token) {
      if (token.grant.kind !== 'client_credentials') return store.addToken(token);
      acted();
      store.addToken(change(token));
    },
  }));

export const tokens: readonly Mutant[] = [
  {
    id: 'M-AD-21',
    bug: 'no Pragma header',
    rows: ['TOK-RESP-013'],
    noticed: 'warn',
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken') delete reply.headers.pragma;
      }),
  },
  {
    id: 'M-AD-23',
    bug: 'grant_type defaults to authorization_code',
    rows: ['TOK-ERR-003'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        if (!form.get('grant_type')) form.set('grant_type', 'authorization_code');
      }),
  },
  {
    id: 'M-AD-24',
    bug: 'a confidential client may leave its secret out, or empty',
    rows: ['TOK-ERR-005', 'AUTH-CODE-019'],
    plant: (seam) =>
      seam.form('issueToken', (form, request) => {
        const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
        if (secret && !form.get('client_secret') && !usedBasic(request)) form.set('client_secret', secret);
      }),
  },
  {
    id: 'M-AD-25',
    bug: 'a failed Basic login is answered 400 without WWW-Authenticate',
    rows: ['TOK-ERR-011'],
    plant: (seam) =>
      seam.reply((reply, request) => {
        if (request.operation !== 'issueToken' || reply.status !== 401 || !usedBasic(request)) return;
        reply.status = 400;
        delete reply.headers['www-authenticate'];
      }),
  },
  {
    id: 'M-AD-27',
    bug: 'only one service scope of a token is honoured',
    rows: ['TOK-CC-007'],
    plant: (seam) => ownTokens(seam, (token) => ({ ...token, scopes: token.scopes.slice(0, 1) })),
  },
  {
    id: 'M-TR-01',
    bug: 'expires_in is left out for client credentials',
    rows: ['TOK-RESP-004'],
    plant: (seam) => response(seam, (body, form) => void (isCredentials(form) && delete body.expires_in)),
  },
  {
    id: 'M-TR-03',
    bug: 'expires_in is in milliseconds',
    rows: ['TOK-RESP-003', 'TOK-RESP-005'],
    plant: (seam) =>
      response(seam, (body) => {
        if (typeof body.expires_in === 'number') body.expires_in *= 1000;
      }),
  },
  {
    id: 'M-TR-04',
    bug: 'expires_in is a text',
    rows: ['TOK-RESP-001', 'TOK-RESP-003'],
    plant: (seam) =>
      response(seam, (body) => {
        if (typeof body.expires_in === 'number') body.expires_in = String(body.expires_in);
      }),
  },
  {
    id: 'M-TR-05',
    bug: 'expires_in of public tokens is 2592000',
    rows: ['TOK-RESP-005'],
    plant: (seam) =>
      response(seam, (body) => {
        if (body.expires_in === 36_000) body.expires_in = 2_592_000;
      }),
  },
  {
    id: 'M-TR-09',
    bug: "username holds the account's UUID",
    rows: ['TOK-RESP-007'],
    plant: (seam) => response(seam, (body) => void (body.username = body.sub)),
  },
  {
    id: 'M-TR-16',
    bug: 'the same access token is returned for two grants',
    rows: ['TOK-RESP-015'],
    plant(seam) {
      const known = new Map<string, unknown>();
      response(seam, (body, form) => {
        const key = `${form.get('client_id')} ${String(body.username)} ${String(body.scope)}`;
        if (known.has(key)) body.access_token = known.get(key);
        else known.set(key, body.access_token);
      });
    },
  },
  {
    id: 'M-TR-17',
    bug: 'the token endpoint uses the error shape of the data API',
    rows: ['TOK-ERR-001', 'ERR-004'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, reply) =>
        reply.status >= 400 ? { error: { code: 2, message: String(body.error_description) } } : undefined,
      ),
  },
  {
    id: 'M-TR-18',
    bug: 'errors of the token endpoint have status 200',
    rows: ['TOK-ERR-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken' && reply.status >= 400) reply.status = 200;
      }),
  },
  {
    id: 'M-TR-21',
    bug: 'GET /oauth/token issues tokens',
    rows: ['TOK-ERR-007'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.method !== 'GET' || request.path !== '/oauth/token') return;
        request.method = 'POST';
        request.headers['content-type'] = 'application/x-www-form-urlencoded';
        request.form = request.query;
      }),
  },
  {
    id: 'M-TR-23',
    bug: 'a repeated form field is a crash with 500',
    rows: ['TOK-ERR-004', 'GEN-016'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        [...form.keys()].length > new Set(form.keys()).size ? answerOf(500, { error: 'server_error' }) : undefined,
      ),
  },
  {
    id: 'M-TR-24',
    bug: '+ is not decoded to a space in scope',
    rows: ['TOK-ERR-008'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.operation !== 'issueToken') return;
        request.body = request.body.replace(/(^|&)scope=[^&]*/, (scope) => scope.replaceAll('+', '%2B'));
      }),
  },
  {
    id: 'M-TR-25',
    bug: 'a content type with a charset is refused',
    rows: ['TOK-ERR-009'],
    plant: (seam) =>
      seam.request(({ operation, headers }) =>
        operation === 'issueToken' && /charset/i.test(headers['content-type'] ?? '')
          ? answerOf(400, { error: 'invalid_request' }, uncached)
          : undefined,
      ),
  },
  {
    id: 'M-TR-26',
    bug: 'an unknown form field is refused',
    rows: ['TOK-ERR-006'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        [...form.keys()].some((name) => !fields.includes(name))
          ? answerOf(400, { error: 'invalid_request' }, uncached)
          : undefined,
      ),
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
    plant: (seam) =>
      response(seam, (body, form) => {
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
    id: 'M-AD-04',
    bug: "only a client's first token is accepted",
    rows: ['BEAR-001'],
    plant(seam) {
      const first = new Map<string, string>();
      seam.store((store, acted) => ({
        addToken(token) {
          if (token.kind === 'access' && !first.has(token.grant.clientId)) first.set(token.grant.clientId, token.text);
          store.addToken(token);
        },
        findToken(text) {
          const token = store.findToken(text);
          if (token?.kind !== 'access' || first.get(token.grant.clientId) === text) return token;
          acted();
          return undefined;
        },
      }));
    },
  },
];
