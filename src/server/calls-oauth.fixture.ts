import type { OperationId } from '../contract/index.js';
import { operationList } from '../contract/index.js';
import { challengeOf } from '../oauth/pkce.js';
import type { Client, World } from '../world/world.js';
import type { Call } from './call.fixture.js';
import { bearerFor } from './mock.fixture.js';
import type { Mock } from './mock.js';

/** 43 unreserved characters (RFC 7636 4.1). */
const verifier = 'verifier-of-the-tests-0123456789-abcdefghij';
const challenge = challengeOf(verifier);

/** A confidential client that users can grant things to, with refresh tokens. */
export function codeClient(world: World, type: Client['type'] = 'confidential'): Client {
  const found = world.clients.find(
    (client) => client.type === type && client.refresh && client.scopes.includes('account:profile'),
  );
  if (!found) throw new Error(`the world has no ${type} client`);
  return found;
}

/** The query of an authorization request that the client may make. */
export const authorizationQuery = (client: Client, more: Readonly<Record<string, string>> = {}): URLSearchParams =>
  new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'account:profile',
    state: 'a state & more',
    redirect_uri: client.redirectUris[0] ?? '',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  });

/** A code for the client, approved by alice. */
export async function codeFor(
  mock: Mock,
  client: Client,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const url = `${mock.url}/oauth/authorize?${authorizationQuery(client, more)}`;
  const { location } = await mock.consent({ url, account: 'alice' });
  return new URL(location ?? '').searchParams.get('code') ?? '';
}

export const form = (fields: Readonly<Record<string, string | null>>): string =>
  new URLSearchParams(Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== null)).toString();

/** The form that exchanges a code. */
export const exchangeForm = (client: Client, code: string): Record<string, string | null> => ({
  client_id: client.id,
  client_secret: client.secret,
  grant_type: 'authorization_code',
  code,
  redirect_uri: client.redirectUris[0] ?? '',
  code_verifier: verifier,
});

/** HTTP Basic credentials of a client (RFC 6749 2.3.1). */
export const basic = ({ id, secret }: Client): string =>
  `Basic ${Buffer.from([id, secret ?? ''].map(encodeURIComponent).join(':')).toString('base64')}`;

/** Calls of the authorization server: each grant, each way to be refused. */
export async function oauthCalls(mock: Mock): Promise<Call[]> {
  const { world } = mock;
  const web = codeClient(world);
  const app = codeClient(world, 'public');
  const service = world.clients.find(({ credentialScopes }) => credentialScopes.includes('service:leagues'));
  const operations = world.clients.find(({ credentialScopes }) => credentialScopes.includes('oauth:revoke'));
  if (!service || !operations) throw new Error('the world lacks a client for service scopes or for revocation');

  const call = (id: OperationId, story: string, status: number, more: Partial<Call> = {}): Call => {
    const operation = operationList.find((one) => one.id === id);
    if (!operation) throw new Error(`no operation ${id}`);
    const headers: Record<string, string> = operation.body === undefined ? {} : { 'content-type': operation.body };
    return {
      operation,
      story,
      status,
      target: operation.path,
      sound: status < 400,
      ...more,
      headers: { ...headers, ...more.headers },
    };
  };
  const ask = (
    story: string,
    status: number,
    more: Readonly<Record<string, string>>,
    client = web,
    sound = true,
  ): Call =>
    call('authorize', story, status, { target: `/oauth/authorize?${authorizationQuery(client, more)}`, sound });
  const post = (
    id: OperationId,
    story: string,
    status: number,
    fields: Readonly<Record<string, string | null>>,
    headers: Record<string, string> = {},
  ): Call => call(id, story, status, { body: form(fields), headers });

  const credentials = {
    client_id: service.id,
    client_secret: service.secret,
    grant_type: 'client_credentials',
    scope: 'service:leagues',
  };
  const fresh = await mock.issueToken({ account: 'alice', clientId: web.id, scopes: ['account:profile'] });
  const doomed = await mock.issueToken({ account: 'alice', clientId: web.id, scopes: ['account:profile'] });
  const revoke = { authorization: await bearerFor(mock, 'oauth:revoke') };
  const introspect = { authorization: await bearerFor(mock, 'oauth:introspect') };
  const powerless = { authorization: `Bearer ${fresh.access_token}` };
  const known = { token: fresh.access_token };

  return [
    ask('a page', 200, {}),
    ask('a page with a warning', 200, {}, app),
    ask('an unknown scope', 302, { scope: 'account:everything' }),
    ask('the implicit grant', 302, { response_type: 'token' }, web, false),
    ask('a plain challenge', 302, { code_challenge_method: 'plain' }, web, false),
    ask('no state', 302, { state: '' }, web, false),
    ask('an unknown client', 400, { client_id: 'nobody' }),
    ask('an address that is not registered', 400, { redirect_uri: 'https://elsewhere.example/' }),
    call('authorize', 'no query', 400),
    post('issueToken', 'client credentials', 200, credentials),
    post('issueToken', 'a code', 200, exchangeForm(web, await codeFor(mock, web))),
    post('issueToken', 'a code of a public client', 200, exchangeForm(app, await codeFor(mock, app))),
    post('issueToken', 'a refresh', 200, {
      client_id: web.id,
      client_secret: web.secret,
      grant_type: 'refresh_token',
      refresh_token: fresh.refresh_token ?? '',
    }),
    post('issueToken', 'a wrong code', 400, exchangeForm(web, 'never-given')),
    post('issueToken', 'a wrong verifier', 400, {
      ...exchangeForm(web, await codeFor(mock, web)),
      code_verifier: 'x'.repeat(43),
    }),
    post('issueToken', 'an unknown grant', 400, { ...credentials, grant_type: 'password' }),
    post('issueToken', 'a scope of another kind', 400, { ...credentials, scope: 'account:stashes' }),
    post('issueToken', 'a wrong secret', 401, { ...credentials, client_secret: 'wrong' }),
    post('issueToken', 'an unknown client', 401, { ...credentials, client_id: 'nobody' }),
    post('issueToken', 'nothing', 400, {}),
    post('introspectToken', 'a live token', 200, known, introspect),
    post('introspectToken', 'an unknown token', 200, { token: 'never-given' }, introspect),
    post('introspectToken', 'as a client', 200, known, { authorization: basic(operations) }),
    post('introspectToken', 'no token', 400, {}, introspect),
    post('introspectToken', 'nobody asks', 401, known),
    post('introspectToken', 'without the scope', 403, known, powerless),
    post('revokeToken', 'a live token', 200, { token: doomed.access_token }, revoke),
    post('revokeToken', 'an unknown token', 200, { token: 'never-given' }, revoke),
    post('revokeToken', 'no token', 400, {}, revoke),
    post('revokeToken', 'nobody asks', 401, known),
    post('revokeToken', 'without the scope', 403, known, powerless),
  ];
}
