import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { OAuthFailure } from './failure.js';
import { clientCredentials, exchangeCode, introspectToken, refreshTokens, revokeToken } from './oauth.js';

const tokens = {
  access_token: 'a',
  expires_in: 2592000,
  token_type: 'bearer',
  scope: 'account:profile',
  username: 'alice',
  sub: 'u',
};

/** An application whose authorization server gives one answer; `seen` is what was posted. */
function application(answer: Response, clientSecret: string | undefined = 'web+secret/with=reserved&100%') {
  const seen: { path: string; headers: Headers; form: Record<string, string> }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    seen.push({ path: `${request.method} ${new URL(request.url).pathname}`, headers: request.headers, form });
    return answer;
  };
  return {
    app: { authUrl: 'http://auth.test', clientId: 'example', clientSecret: clientSecret as string, fetch },
    seen,
  };
}

async function failureOf(step: Promise<unknown>): Promise<OAuthFailure> {
  const outcome = await step.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof OAuthFailure) return outcome;
  throw new Error('expected an OAuthFailure');
}

describe('token requests', () => {
  it('post a form with the secret in the body', async () => {
    const { app, seen } = application(Response.json(tokens));
    expect(await exchangeCode(app, { code: 'c', redirectUri: 'https://app.example/callback', verifier: 'v' })).toEqual(
      tokens,
    );
    expect(seen[0]?.path).toBe('POST /oauth/token');
    expect(seen[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(seen[0]?.headers.has('authorization')).toBe(false);
    expect(seen[0]?.form).toEqual({
      client_id: 'example',
      client_secret: 'web+secret/with=reserved&100%',
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'https://app.example/callback',
      code_verifier: 'v',
    });
  });

  it('leave the secret out for a public client, and send scopes where given', async () => {
    const { app, seen } = application(Response.json(tokens));
    await refreshTokens({ ...app, clientSecret: undefined }, 'r', ['account:profile', 'account:stashes']);
    expect(seen[0]?.form).toEqual({
      client_id: 'example',
      grant_type: 'refresh_token',
      refresh_token: 'r',
      scope: 'account:profile account:stashes',
    });
  });

  it('ask for a client-credentials token', async () => {
    const { app, seen } = application(Response.json({ ...tokens, expires_in: null }));
    expect((await clientCredentials(app, ['service:leagues'])).expires_in).toBeNull();
    expect(seen[0]?.form).toMatchObject({ grant_type: 'client_credentials', scope: 'service:leagues' });
  });

  it('fail with the code, the words and the status', async () => {
    const { app } = application(
      Response.json({ error: 'invalid_grant', error_description: 'the code has expired' }, { status: 400 }),
    );
    const failure = await failureOf(refreshTokens(app, 'secret-refresh-token'));
    expect(failure).toMatchObject({ error: 'invalid_grant', description: 'the code has expired', status: 400 });
    expect(failure.message).toBe('refresh: invalid_grant, the code has expired (HTTP 400)');
  });

  it.each([
    ['a page instead of an error', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a page instead of tokens', new Response('<h1>Hello</h1>')],
    ['tokens without an access token', Response.json({ token_type: 'bearer' })],
    ['nothing', new Response(null, { status: 204 })],
    ['null', new Response('null')],
  ])('say so when the server answers with %s', async (_, answer) => {
    expect((await failureOf(refreshTokens(application(answer).app, 'r'))).error).toBe('invalid_response');
  });

  it.each([
    [502, 'cannot answer now (HTTP 502); try again later'],
    [429, 'cannot answer now (HTTP 429); try again later'],
    [404, 'does not answer as OAuth does; check authUrl'],
  ])('say of a page with %i what to do', async (status, remedy) => {
    const { app } = application(new Response('<h1>no</h1>', { status }));
    expect((await failureOf(refreshTokens(app, 'r'))).message).toContain(remedy);
  });

  it('are not sent on to where a redirect leads', async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer(({ url }, reply) => {
      paths.push(url);
      reply.writeHead(307, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const failure = await failureOf(refreshTokens({ authUrl, clientId: 'c', clientSecret: 's' }, 'r'));
    expect([failure.status, paths]).toEqual([307, ['/oauth/token']]);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  it('let network errors through', async () => {
    const app = {
      authUrl: 'http://auth.test',
      clientId: 'example',
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    };
    await expect(refreshTokens(app, 'r')).rejects.toThrow(TypeError);
  });
});

describe('revokeToken', () => {
  it.each([
    ['{}', Response.json({})],
    ['an empty body', new Response('')],
    ['a page', new Response('<p>gone</p>', { headers: { 'content-type': 'text/html' } })],
  ])('takes %s for a success', async (_, answer) => {
    const { app, seen } = application(answer);
    await revokeToken(app, { token: 't', hint: 'refresh_token' });
    expect(seen[0]?.path).toBe('POST /oauth/token/revoke');
    expect(seen[0]?.form).toMatchObject({ token: 't', token_type_hint: 'refresh_token', client_id: 'example' });
  });

  it('shows a bearer token in place of the credentials', async () => {
    const { app, seen } = application(Response.json({}));
    await revokeToken(app, { token: 't', bearer: 'b' });
    expect(seen[0]?.form).toEqual({ token: 't' });
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer b');
  });

  it('fails with the code of the server', async () => {
    const { app } = application(Response.json({ error: 'insufficient_scope' }, { status: 403 }));
    expect(await failureOf(revokeToken(app, { token: 't' }))).toMatchObject({
      error: 'insufficient_scope',
      status: 403,
      description: null,
    });
  });
});

describe('introspectToken', () => {
  it('returns what the server knows', async () => {
    const { app, seen } = application(Response.json({ active: true, username: 'alice' }));
    expect(await introspectToken(app, { token: 't' })).toEqual({ active: true, username: 'alice' });
    expect(seen[0]?.path).toBe('POST /oauth/token/introspect');
  });

  it('does not take an answer without active', async () => {
    const { app } = application(Response.json({}));
    expect((await failureOf(introspectToken(app, { token: 't' }))).error).toBe('invalid_response');
  });
});
