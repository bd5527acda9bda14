import type { Client } from '../../../../src/world/world.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { mutants, operator, together } from '../../mutant.js';
import {
  clientOf,
  field,
  formReply,
  isCredentials,
  isPublic,
  isRefresh,
  refreshTokenOf,
} from '../../operators/oauth.js';
import { refreshesWith, refuseForm, usedBasic } from '../../operators/oauth.js';
import { foundToken } from '../../operators/tokens.js';
import { request } from '../../operators/requests.js';

const clients = ({ service }: Interceptor) => [...service.authority.clients.values()];

type IsNear = (given: string, secret: string, at: Interceptor) => boolean;

/** Secrets that are taken for the right one where they are near enough, in requests of one grant type or of all. */
const near = operator('near', (at, grant: string | null, isNear: IsNear) =>
  field('issueToken', 'client_secret', (given, form) => {
    const secret = clientOf(form, at)?.secret;
    if (!secret || !given || (grant !== null && grant !== form.get('grant_type'))) return null;
    return isNear(given, secret, at) && secret;
  }),
);

const any = (): boolean => true;
const anyClients: IsNear = (given, _, at) => clients(at).some(({ secret }) => secret === given);

/** HTTP Basic whose secret is put right, where it is near enough; both are as they are encoded. */
const nearBasic = operator('nearBasic', (at, isNear: (given: string, secret: string) => boolean) =>
  request('issueToken', (one) => {
    if (!usedBasic(one)) return;
    const text = Buffer.from(one.headers.authorization!.slice(6), 'base64').toString('utf8');
    const [id = '', given = ''] = text.split(':');
    const right = at.service.authority.clients.get(decodeURIComponent(id.replaceAll('+', ' ')))?.secret;
    if (!right) return;
    const secret = encodeURIComponent(right);
    const changed = `${id}:${isNear(given, secret) ? secret : given}`;
    one.headers.authorization = `Basic ${Buffer.from(changed).toString('base64')}`;
  }),
);

/** A public client gets a token by client_credentials, where what it asks for is served. */
const servesPublic = operator('servesPublic', (_, isServed: (scope: string, client: Client) => boolean) =>
  formReply('issueToken', (_body, reply, { form }, at) => {
    const client = clientOf(form, at);
    const scope = form.get('scope') ?? '';
    if (!client || !isCredentials(form) || !isPublic(form, at) || form.get('client_secret')) return undefined;
    if (reply.status === 200 || !isServed(scope, client)) return undefined;
    reply.status = 200;
    const sub = '00000000-0000-4000-8000-000000000000';
    const access_token = at.service.authority.newToken();
    return { access_token, expires_in: null, token_type: 'bearer', scope, username: client.id, sub };
  }),
);

export const clientSecrets = mutants({
  'AUTH-CODE-020 any: any secret is accepted in an exchange': () => near('authorization_code', any),
  'AUTH-CODE-020 trim: a secret may lack its last character': () =>
    near(null, (given, secret) => given.length >= secret.length - 1 && secret.startsWith(given)).also(
      'TOK-CC-006',
      'TOK-REFRESH-011',
    ),
  'AUTH-CODE-020 other: the secret of any client is accepted in an exchange': () =>
    near('authorization_code', anyClients),
  'TOK-CC-001: client credentials are an unsupported grant': () =>
    refuseForm('issueToken', isCredentials, 'unsupported_grant_type'),
  'TOK-CC-004 scope: a public client can use client_credentials for its own scopes': () =>
    servesPublic((asked, client) => client.scopes.some((one) => one === asked)),
  'TOK-CC-004 bare: a public client that asks for no scope can use client_credentials': () =>
    servesPublic((asked) => asked === ''),
  'TOK-CC-006 any: any secret is accepted for client credentials': () => near('client_credentials', any),
  'TOK-CC-006 other: the secret of any client is accepted': () => near('client_credentials', anyClients),
  'TOK-CC-015: client credentials need a redirect_uri': () =>
    refuseForm('issueToken', (form) => isCredentials(form) && !form.has('redirect_uri'), 'invalid_request'),
  "TOK-REFRESH-010 public: a public client can use other clients' refresh tokens": () =>
    foundToken((token, at) => {
      if (!refreshesWith(at, token) || !isPublic(at.current!.form, at)) return null;
      return { grant: { ...token.grant, clientId: at.current!.form.get('client_id')! } };
    }),
  'TOK-REFRESH-011 later: any secret is accepted with a token that came of a refresh': (firsts = new Set<unknown>()) =>
    together(
      formReply('issueToken', (body, _, { form }) => void (form.has('code') && firsts.add(body.refresh_token))),
      field('issueToken', 'client_secret', (given, form, at) =>
        given && isRefresh(form) && !firsts.has(form.get('refresh_token')) ? clientOf(form, at)?.secret : null,
      ),
    ),
  'TOK-REFRESH-011 any: any secret is accepted in a refresh': () => near('refresh_token', any),
  'TOK-REFRESH-011 long: in a refresh a secret is compared by its beginning': () =>
    near('refresh_token', (given, secret) => given.startsWith(secret)),
  'TOK-REFRESH-011 other: the secret of any client is accepted in a refresh': () => near('refresh_token', anyClients),
  'TOK-REFRESH-023 missing: a refresh without a secret uses the refresh token up': () =>
    formReply('issueToken', ({ error }, _, { form }, at) => {
      const text = form.get('refresh_token');
      if (error !== 'invalid_client' || text === null || form.get('client_secret')) return;
      at.acted();
      at.service.authority.store.endToken(text, 'used');
    }),
  'TOK-REFRESH-023 foreign: a refresh by another client uses the refresh token up': () =>
    formReply('issueToken', ({ error }, _, { form }, at) => {
      const token = refreshTokenOf(form, at);
      if (error !== 'invalid_grant' || !token || token.grant.clientId === form.get('client_id')) return;
      at.acted();
      at.service.authority.store.endToken(token.text, 'used');
    }),
  'TOK-REFRESH-029: client_id is optional in a refresh, and taken from the token': () =>
    field('issueToken', 'client_id', (id, form, at) => !id && refreshTokenOf(form, at)?.grant.clientId),
  'TOK-CC-017: client_id is optional for client credentials, and found by the secret': () =>
    field('issueToken', 'client_id', (id, form, at) => {
      const client = clients(at).find(({ secret }) => secret === form.get('client_secret'));
      return !id && isCredentials(form) && client?.id;
    }),
  'TOK-ERR-008 plus: + and % in a secret are decoded twice': () =>
    field('issueToken', 'client_secret', (secret) => /[+%]/.test(secret) && `${secret} spoilt`),
  'TOK-ERR-011 any: with HTTP Basic any secret is accepted': () => nearBasic(any),
  'TOK-ERR-011 empty: with HTTP Basic an empty secret is accepted': () => nearBasic((given) => given === ''),
  'TOK-ERR-011 near: with HTTP Basic a secret is compared without regard to case': () =>
    nearBasic((given, secret) => given.toLowerCase() === secret.toLowerCase()),
});
