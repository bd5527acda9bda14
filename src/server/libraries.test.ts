import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { choose, press, readForms, untick } from './forms.fixture.js';
import type { FilledForm } from './forms.fixture.js';
import type { Mock } from './mock.js';
import { startMock } from './mock.js';

/**
 * Two widely used OAuth libraries as clients of the mock. Each configures itself from the metadata, and what one of them
 * refuses although the interface says it, is a test whose name says so.
 */
interface Credentials {
  readonly id: string;
  readonly secret?: string;
  /** How the secret is sent. */
  readonly by?: 'body' | 'basic';
}

interface Asked {
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string;
  readonly verifier: string;
}

interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly [field: string]: unknown;
}

/** A client as one of the libraries makes it. */
interface LibraryClient {
  authorizationUrl(asked: Asked): Promise<URL>;
  /** Checks the state of the redirect and exchanges its code. */
  callback(redirect: URL, asked: Asked): Promise<Tokens>;
  refresh(token: string): Promise<Tokens>;
  credentials(scope: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  introspect(token: string): Promise<{ active: boolean; scope?: string; client_id?: string; exp?: number }>;
  get(url: string, token: string): Promise<Response>;
}

type Library = (issuer: string, credentials: Credentials) => Promise<LibraryClient>;

const withOpenidClient: Library = async (issuer, { id, secret, by }) => {
  const authentication =
    secret === undefined
      ? openid.None()
      : by === 'basic'
        ? openid.ClientSecretBasic(secret)
        : openid.ClientSecretPost(secret);
  const config = await openid.discovery(new URL(issuer), id, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
  return {
    authorizationUrl: async ({ redirectUri, scope, state, verifier }) =>
      openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    callback: (redirect, { state, verifier }) =>
      openid.authorizationCodeGrant(config, redirect, { expectedState: state, pkceCodeVerifier: verifier }),
    refresh: (token) => openid.refreshTokenGrant(config, token),
    credentials: (scope) => openid.clientCredentialsGrant(config, { scope }),
    revoke: (token) => openid.tokenRevocation(config, token),
    introspect: (token) => openid.tokenIntrospection(config, token),
    get: (url, token) => openid.fetchProtectedResource(config, token, new URL(url), 'GET'),
  };
};

const withOauth4webapi: Library = async (issuer, { id, secret, by }) => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const found = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(new URL(issuer), found);
  const client = { client_id: id };
  const authentication =
    secret === undefined
      ? oauth.None()
      : by === 'basic'
        ? oauth.ClientSecretBasic(secret)
        : oauth.ClientSecretPost(secret);
  return {
    async authorizationUrl({ redirectUri, scope, state, verifier }) {
      const url = new URL(server.authorization_endpoint ?? expect.fail('the metadata names no authorization endpoint'));
      url.search = new URLSearchParams({
        client_id: id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      return url;
    },
    async callback(redirect, { redirectUri, state, verifier }) {
      const parameters = oauth.validateAuthResponse(server, client, redirect, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        insecure,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    },
    async refresh(token) {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, insecure);
      return oauth.processRefreshTokenResponse(server, client, response);
    },
    async credentials(scope) {
      const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, { scope }, insecure);
      return oauth.processClientCredentialsResponse(server, client, response);
    },
    async revoke(token) {
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, authentication, token, insecure),
      );
    },
    async introspect(token) {
      const response = await oauth.introspectionRequest(server, client, authentication, token, insecure);
      return oauth.processIntrospectionResponse(server, client, response);
    },
    get: (url, token) => oauth.protectedResourceRequest(token, 'GET', new URL(url), undefined, null, insecure),
  };
};

const web = { id: 'example-web', secret: 'web-secret' };
/** Its secret has what forms and HTTP Basic have to encode. */
const other = { id: 'example-other', secret: 'other+secret/with=reserved&100%-characters' };
const desktop = { id: 'example-desktop' };
const limited = { id: 'example-limited', secret: 'limited-secret' };
const service = { id: 'example-service', secret: 'service-secret' };
const operations = { id: 'example-operations', secret: 'operations-secret' };

const clients: readonly [name: string, credentials: Credentials, redirectUri: string][] = [
  ['a confidential client, secret in the body', { ...other, by: 'body' }, 'https://app.example/callback'],
  ['a confidential client, HTTP Basic', { ...other, by: 'basic' }, 'https://app.example/callback'],
  ['a public client on a port of the moment', desktop, 'http://127.0.0.1:49152/callback'],
];

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const ask = (redirectUri: string, scope = 'account:profile account:characters'): Asked => ({
  redirectUri,
  scope,
  state: oauth.generateRandomState(),
  verifier: oauth.generateRandomCodeVerifier(),
});

/** Opens the consent page, lets `fill` change its form, presses a button, and returns where the browser is sent. */
async function decide(url: URL, button: string, fill: (form: FilledForm) => FilledForm = (form) => form): Promise<URL> {
  const page = await fetch(url);
  expect(page.status).toBe(200);
  const [form, ...others] = readForms(await page.text(), page.url);
  expect(others).toEqual([]);
  const response = await press(fill(form ?? expect.fail('the consent page has no form')), button);
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

/** What a call was refused with: the error, whose `cause` may tell more. */
const refusal = (call: Promise<unknown>): Promise<Error & { readonly cause?: unknown }> =>
  call.then(
    () => expect.fail('it was not refused'),
    (error: Error) => error,
  );

/** The words of an error and of its cause: openid-client wraps those of oauth4webapi. */
const words = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;

describe.each([
  ['openid-client', withOpenidClient],
  ['oauth4webapi', withOauth4webapi],
])('%s', (_name, library) => {
  async function grant(credentials: Credentials, asked: Asked): Promise<[LibraryClient, Tokens]> {
    const client = await library(mock.url, credentials);
    const redirect = await decide(await client.authorizationUrl(asked), 'Approve', (form) =>
      choose(form, 'account', 'bob'),
    );
    return [client, await client.callback(redirect, asked)];
  }

  it.each(clients)('goes from discovery to data and through a refresh: %s', async (_case, credentials, redirectUri) => {
    const [client, tokens] = await grant(credentials, ask(redirectUri));
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      scope: 'account:profile account:characters',
      username: 'bob',
    });
    const profile = await client.get(`${mock.url}/profile`, tokens.access_token);
    expect(await profile.json()).toMatchObject({ name: 'bob', uuid: tokens.sub });

    const used = tokens.refresh_token ?? expect.fail('no refresh token came');
    const renewed = await client.refresh(used);
    expect(renewed.refresh_token).not.toBe(used);
    expect((await client.get(`${mock.url}/character`, renewed.access_token)).status).toBe(200);
    expect(await refusal(client.refresh(used))).toMatchObject({ error: 'invalid_grant', status: 400 });
    expect((await client.refresh(renewed.refresh_token ?? '')).scope).toBe(tokens.scope);
  });

  it('refuses a redirect whose state is not the one it sent', async () => {
    const client = await library(mock.url, web);
    const asked = ask('https://app.example/callback');
    const redirect = await decide(await client.authorizationUrl(asked), 'Approve');
    const other = { ...asked, state: oauth.generateRandomState() };
    expect(words(await refusal(client.callback(redirect, other)))).toMatch(/"state"/);
  });

  it('is told of a wrong verifier', async () => {
    const client = await library(mock.url, web);
    const asked = ask('https://app.example/callback');
    const redirect = await decide(await client.authorizationUrl(asked), 'Approve');
    const other = { ...asked, verifier: oauth.generateRandomCodeVerifier() };
    expect(await refusal(client.callback(redirect, other))).toMatchObject({ error: 'invalid_grant' });
  });

  it('is told when the user denies, and when nothing is ticked', async () => {
    const client = await library(mock.url, desktop);
    for (const [button, fill] of [
      ['Deny', (form: FilledForm) => form],
      ['Approve', (form: FilledForm) => untick(form, 'scope', 'account:profile')],
    ] as const) {
      const asked = ask('http://127.0.0.1:8400/callback', 'account:profile');
      const redirect = await decide(await client.authorizationUrl(asked), button, fill);
      expect(redirect.searchParams.has('code')).toBe(false);
      expect(await refusal(client.callback(redirect, asked))).toMatchObject({ error: 'access_denied' });
    }
  });

  it('is told by a redirect what is wrong with a request', async () => {
    const client = await library(mock.url, desktop);
    const asked = ask('http://127.0.0.1:8400/callback', 'service:leagues');
    const response = await fetch(await client.authorizationUrl(asked), { redirect: 'manual' });
    const redirect = new URL(response.headers.get('location') ?? '');
    expect(await refusal(client.callback(redirect, asked))).toMatchObject({ error: 'invalid_scope' });
  });

  it('gets the part that the user granted', async () => {
    const client = await library(mock.url, web);
    const asked = ask('https://app.example/callback', 'account:profile account:characters account:stashes');
    const redirect = await decide(await client.authorizationUrl(asked), 'Approve', (form) =>
      untick(form, 'scope', 'account:characters'),
    );
    const tokens = await client.callback(redirect, asked);
    expect(tokens.scope).toBe('account:profile account:stashes');
    expect((await client.get(`${mock.url}/profile`, tokens.access_token)).status).toBe(200);
    expect(await refusal(client.get(`${mock.url}/character`, tokens.access_token))).toMatchObject({ status: 403 });
  });

  it('gets no refresh token for an application that may have none', async () => {
    const [, tokens] = await grant(
      { id: 'example-web-norefresh', secret: 'norefresh-secret' },
      ask('https://norefresh.example/callback'),
    );
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(tokens.expires_in).toBeGreaterThan(0);
  });

  it.each(['body', 'basic'] as const)('introspects and revokes as a client that may, secret by %s', async (by) => {
    const [client, tokens] = await grant(
      { ...operations, by },
      ask('https://operations.example/callback', 'account:profile'),
    );
    const [, others] = await grant(web, ask('https://app.example/callback'));
    expect(await client.introspect(tokens.access_token)).toMatchObject({
      active: true,
      scope: 'account:profile',
      client_id: operations.id,
    });
    expect(await client.introspect(others.refresh_token ?? '')).toMatchObject({ active: true, client_id: web.id });
    await client.revoke(tokens.access_token);
    expect(await client.introspect(tokens.access_token)).toEqual({ active: false });
    expect(await refusal(client.get(`${mock.url}/profile`, tokens.access_token))).toMatchObject({ status: 401 });
    await client.revoke(tokens.access_token);
    await client.revoke('never-issued');
  });

  it('revokes a refresh token, and the access token with it', async () => {
    const [client, tokens] = await grant(web, ask('https://app.example/callback'));
    await client.revoke(tokens.refresh_token ?? '');
    expect(await refusal(client.refresh(tokens.refresh_token ?? ''))).toMatchObject({ error: 'invalid_grant' });
    expect(await refusal(client.get(`${mock.url}/profile`, tokens.access_token))).toMatchObject({ status: 401 });
  });

  it('is told that it may not revoke the token of another client, and nothing at all without oauth:revoke', async () => {
    const [, tokens] = await grant(web, ask('https://app.example/callback'));
    const [client, own] = await grant(limited, ask('https://limited.example/callback'));
    expect(await refusal((await library(mock.url, operations)).revoke(tokens.access_token))).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await refusal(client.revoke(own.access_token))).toMatchObject({ error: 'unauthorized_client' });
    for (const { access_token: token } of [tokens, own])
      expect((await client.get(`${mock.url}/profile`, token)).status).toBe(200);
  });

  it.each(['body', 'basic'] as const)(
    'sees the 401 of a wrong secret as a challenge, not as the error invalid_client, secret by %s',
    async (by) => {
      const client = await library(mock.url, { ...service, secret: 'wrong', by });
      const error = await refusal(client.credentials('service:leagues'));
      expect(error).toMatchObject({
        status: 401,
        code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
        cause: [{ scheme: 'basic' }],
      });
      expect(error).not.toHaveProperty('error');
    },
  );

  it('refuses the expires_in of null that interface 4.1 gives to client-credentials tokens', async () => {
    const client = await library(mock.url, service);
    const error = await refusal(client.credentials('service:leagues'));
    expect(error).toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
    expect(words(error)).toMatch(/"expires_in" property must be a number/);
  });

  it.each(['body', 'basic'] as const)(
    'takes client-credentials tokens with the switch tokens.nullExpiresIn=omit, secret by %s',
    async (by) => {
      await using omitting = await startMock({ switches: { 'tokens.nullExpiresIn': 'omit' } });
      const client = await library(omitting.url, { ...service, by });
      const tokens = await client.credentials('service:leagues service:cxapi');
      expect(tokens).toMatchObject({ scope: 'service:leagues service:cxapi', username: 'owner' });
      expect(tokens).not.toHaveProperty('expires_in');
      expect((await client.get(`${omitting.url}/league`, tokens.access_token)).status).toBe(200);
    },
  );

  it('wants iss in the redirect where the metadata promises it (RFC 9207), and finds it with authorize.iss=true', async () => {
    await using issuing = await startMock({ switches: { 'authorize.iss': true } });
    const client = await library(issuing.url, web);
    const asked = ask('https://app.example/callback');
    const redirect = await decide(await client.authorizationUrl(asked), 'Approve');
    const without = new URL(redirect);
    without.searchParams.delete('iss');
    expect(words(await refusal(client.callback(without, asked)))).toMatch(/"iss"/);
    expect(await client.callback(redirect, asked)).toMatchObject({ token_type: 'bearer' });
  });
});

describe('a redirect URI with a query of its own', () => {
  const redirectUri = 'https://app.example/callback?tenant=7';

  async function redirected(library: Library): Promise<[LibraryClient, URL, Asked]> {
    const client = await library(mock.url, web);
    const asked = ask(redirectUri);
    const redirect = await decide(await client.authorizationUrl(asked), 'Approve');
    expect(redirect.searchParams.get('tenant')).toBe('7');
    return [client, redirect, asked];
  }

  it('works with oauth4webapi', async () => {
    const [client, redirect, asked] = await redirected(withOauth4webapi);
    expect(await client.callback(redirect, asked)).toMatchObject({ token_type: 'bearer' });
  });

  it('fails with openid-client, which leaves the query out of the redirect_uri of the exchange', async () => {
    const [client, redirect, asked] = await redirected(withOpenidClient);
    expect(await refusal(client.callback(redirect, asked))).toMatchObject({ error: 'invalid_grant' });
  });
});
