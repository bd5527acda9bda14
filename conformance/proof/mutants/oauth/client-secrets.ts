import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { clientOf, isCredentials, refusal, usedBasic } from './planting.js';

/** Secrets of one grant that are put right, where they are near enough. */
const near =
  (grant: string | undefined, isNear: (given: string, secret: string) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.form('issueToken', (form) => {
      const secret = clientOf(form, seam)?.secret;
      const given = form.get('client_secret') ?? '';
      if (
        secret &&
        given !== '' &&
        (grant ?? form.get('grant_type')) === form.get('grant_type') &&
        isNear(given, secret)
      )
        form.set('client_secret', secret);
    });

/** Secrets that are taken for wrong. */
const spoilt =
  (isSpoilt: (secret: string) => boolean): Mutant['plant'] =>
  (seam) =>
    seam.form('issueToken', (form) => {
      const secret = form.get('client_secret');
      if (secret && isSpoilt(secret)) form.set('client_secret', `${secret} spoilt`);
    });

const secrets = (seam: Interceptor): readonly string[] =>
  [...seam.service.authority.clients.values()].flatMap(({ secret }) => secret ?? []);

/** HTTP Basic whose secret is not looked at, or is put right. */
const basic =
  (change: (id: string, secret: string, right: string) => string): Mutant['plant'] =>
  (seam) =>
    seam.request((request) => {
      if (request.operation !== 'issueToken' || !usedBasic(request)) return;
      const text = Buffer.from(request.headers.authorization!.slice(6), 'base64').toString('utf8');
      const [id = '', secret = ''] = text.split(':');
      const right = seam.service.authority.clients.get(decodeURIComponent(id.replaceAll('+', ' ')))?.secret;
      if (!right) return;
      const changed = `${id}:${change(id, secret, encodeURIComponent(right))}`;
      request.headers.authorization = `Basic ${Buffer.from(changed).toString('base64')}`;
    });

export const clientSecrets: readonly Mutant[] = [
  {
    id: 'N-AUTH-CODE-020-any',
    bug: 'any secret is accepted in an exchange',
    rows: ['AUTH-CODE-020'],
    plant: near('authorization_code', () => true),
  },
  {
    id: 'N-TOK-CC-006-any',
    bug: 'any secret is accepted for client credentials',
    rows: ['TOK-CC-006'],
    plant: near('client_credentials', () => true),
  },
  {
    id: 'N-TOK-REFRESH-011-any',
    bug: 'any secret is accepted in a refresh',
    rows: ['TOK-REFRESH-011'],
    plant: near('refresh_token', () => true),
  },
  {
    id: 'N-TOK-REFRESH-011-long',
    bug: 'in a refresh a secret is compared by its beginning',
    rows: ['TOK-REFRESH-011'],
    plant: near('refresh_token', (given, secret) => given.startsWith(secret)),
  },
  {
    id: 'N-AUTH-CODE-020-trim',
    bug: 'a secret may lack its last character',
    rows: ['AUTH-CODE-020', 'TOK-CC-006', 'TOK-REFRESH-011'],
    plant: near(undefined, (given, secret) => given.length >= secret.length - 1 && secret.startsWith(given)),
  },
  {
    id: 'N-TOK-CC-006-other',
    bug: 'the secret of any client is accepted',
    rows: ['TOK-CC-006'],
    plant: (seam) => near('client_credentials', (given) => secrets(seam).includes(given))(seam),
  },
  {
    id: 'N-AUTH-CODE-020-other',
    bug: 'the secret of any client is accepted in an exchange',
    rows: ['AUTH-CODE-020'],
    plant: (seam) => near('authorization_code', (given) => secrets(seam).includes(given))(seam),
  },
  {
    id: 'N-TOK-REFRESH-011-other',
    bug: 'the secret of any client is accepted in a refresh',
    rows: ['TOK-REFRESH-011'],
    plant: (seam) => near('refresh_token', (given) => secrets(seam).includes(given))(seam),
  },
  {
    id: 'N-TOK-ERR-008-plus',
    bug: '+ and % in a secret are decoded twice',
    rows: ['TOK-ERR-008'],
    plant: spoilt((secret) => /[+%]/.test(secret)),
  },
  {
    id: 'N-TOK-REFRESH-023-missing',
    bug: 'a refresh without a secret uses the refresh token up',
    rows: ['TOK-REFRESH-023'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const text = form.get('refresh_token');
        if (body.error !== 'invalid_client' || text === null || form.get('client_secret')) return;
        seam.acted();
        seam.service.authority.store.endToken(text, 'used');
      }),
  },
  {
    id: 'N-TOK-ERR-011-any',
    bug: 'with HTTP Basic any secret is accepted',
    rows: ['TOK-ERR-011'],
    plant: basic((_, __, right) => right),
  },
  {
    id: 'N-TOK-ERR-011-empty',
    bug: 'with HTTP Basic an empty secret is accepted',
    rows: ['TOK-ERR-011'],
    plant: basic((_, secret, right) => (secret === '' ? right : secret)),
  },
  {
    id: 'N-TOK-ERR-011-near',
    bug: 'with HTTP Basic a secret is compared without regard to case',
    rows: ['TOK-ERR-011'],
    plant: basic((_, secret, right) => (secret.toLowerCase() === right.toLowerCase() ? right : secret)),
  },
  {
    id: 'N-TOK-ERR-001-client',
    bug: 'a wrong secret is invalid_grant',
    rows: ['AUTH-CODE-020', 'TOK-CC-006', 'TOK-REFRESH-011'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, reply) => {
        if (body.error !== 'invalid_client') return;
        body.error = 'invalid_grant';
        reply.status = 400;
      }),
  },
  {
    id: 'N-TOK-ERR-001-forbidden',
    bug: 'a wrong secret has status 403',
    rows: ['AUTH-CODE-020', 'TOK-ERR-001'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, reply) => void (body.error === 'invalid_client' && (reply.status = 403))),
  },
  {
    id: 'N-TOK-CC-001',
    bug: 'client credentials are an unsupported grant',
    rows: ['TOK-CC-001'],
    plant: (seam) =>
      seam.form('issueToken', (form) => (isCredentials(form) ? refusal('unsupported_grant_type') : undefined)),
  },
  {
    id: 'N-TOK-CC-015',
    bug: 'client credentials need a redirect_uri',
    rows: ['TOK-CC-015'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        isCredentials(form) && !form.has('redirect_uri') ? refusal('invalid_request') : undefined,
      ),
  },
  {
    id: 'N-TOK-CC-004-scope',
    bug: 'a public client can use client_credentials for its own scopes',
    rows: ['TOK-CC-004'],
    plant: (seam) =>
      seam.oauth('issueToken', (_, reply, { form }) => {
        const client = clientOf(form, seam);
        const asked = form.get('scope') ?? '';
        if (!isCredentials(form) || client?.type !== 'public' || form.get('client_secret') || reply.status === 200)
          return undefined;
        if (!(client.scopes as readonly string[]).includes(asked)) return undefined;
        reply.status = 200;
        return {
          access_token: seam.service.authority.newToken(),
          expires_in: null,
          token_type: 'bearer',
          scope: asked,
          username: client.id,
          sub: '00000000-0000-4000-8000-000000000000',
        };
      }),
  },
  {
    id: 'N-TOK-REFRESH-010-public',
    bug: "a public client can use other clients' refresh tokens",
    rows: ['TOK-REFRESH-010'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findToken(text) {
          const token = store.findToken(text);
          const form = seam.current?.operation === 'issueToken' ? seam.current.form : undefined;
          if (!token || form?.get('refresh_token') !== text || clientOf(form, seam)?.type !== 'public') return token;
          acted();
          return { ...token, grant: { ...token.grant, clientId: form.get('client_id')! } };
        },
      })),
  },
  {
    id: 'N-TOK-ERR-005-refresh',
    bug: 'client_id is optional in a refresh, and taken from the token',
    rows: ['TOK-ERR-005'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const token = seam.service.authority.store.findToken(form.get('refresh_token') ?? '');
        if (token && !form.get('client_id')) form.set('client_id', token.grant.clientId);
      }),
  },
  {
    id: 'N-TOK-ERR-005-credentials',
    bug: 'client_id is optional for client credentials, and found by the secret',
    rows: ['TOK-ERR-005'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const secret = form.get('client_secret');
        const client = [...seam.service.authority.clients.values()].find((one) => one.secret === secret);
        if (isCredentials(form) && client && !form.get('client_id')) form.set('client_id', client.id);
      }),
  },
];
