import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Mock } from '../server/mock.js';
import { startMock } from '../server/mock.js';
import {
  authorizationUrl,
  challengeOf,
  clientCredentialsSource,
  createGameClient,
  createVerifier,
  exchangeCode,
  introspectToken,
  newState,
  OAuthFailure,
  readRedirect,
  refreshTokens,
  revokeToken,
  tokenSource,
} from './index.js';
import type { Application, HeldTokens, TokenResponse } from './index.js';

/** What an application does, from the consent page to the end of its tokens, against the mock. */
describe('a client of the mock', () => {
  let mock: Mock;
  let web: Application;
  beforeAll(async () => {
    mock = await startMock({ epoch: '2026-01-01T00:00:00Z' });
    web = application('example-web');
  });
  beforeEach(() => mock.reset());
  afterAll(() => mock.close());

  function application(id: string): Application & { clientSecret: string } {
    const client = mock.world.clients.find((candidate) => candidate.id === id);
    return { authUrl: mock.url, clientId: id, clientSecret: client?.secret ?? '' };
  }

  const redirectUri = 'https://app.example/callback?tenant=7';

  async function redirected(decision: 'approve' | 'deny', scopes: readonly string[], verifier: string, state: string) {
    const challenge = await challengeOf(verifier);
    const url = authorizationUrl({ authUrl: mock.url, clientId: web.clientId, redirectUri, scopes, state, challenge });
    const { location } = await mock.consent({ url, account: 'alice', decision });
    return location ?? '';
  }

  async function login(scopes: readonly string[] = ['account:profile', 'account:characters']): Promise<TokenResponse> {
    const verifier = createVerifier();
    const state = newState();
    const code = readRedirect(await redirected('approve', scopes, verifier, state), state);
    return exchangeCode(web, { code, redirectUri, verifier });
  }

  const errorOf = (step: Promise<unknown>): Promise<string> =>
    step.then(
      () => 'none',
      (error: unknown) => (error instanceof OAuthFailure ? error.error : String(error)),
    );

  it('logs a user in and reads the profile', async () => {
    const tokens = await login();
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      username: 'alice',
      scope: 'account:profile account:characters',
    });
    const { data } = await createGameClient({ baseUrl: mock.url, token: tokens.access_token }).GET('/profile');
    expect(data).toMatchObject({ name: 'alice', uuid: tokens.sub });
  });

  it('hears of a user who says no', async () => {
    const state = newState();
    const location = await redirected('deny', ['account:profile'], createVerifier(), state);
    expect(() => readRedirect(location, state)).toThrow('access_denied');
  });

  it('fails to exchange a code with another verifier, and when it is late', async () => {
    const verifier = createVerifier();
    const state = newState();
    const code = readRedirect(await redirected('approve', ['account:profile'], verifier, state), state);
    expect(await errorOf(exchangeCode(web, { code, redirectUri, verifier: createVerifier() }))).toBe('invalid_grant');
    await mock.clock.advance(31);
    expect(await errorOf(exchangeCode(web, { code, redirectUri, verifier }))).toBe('invalid_grant');
  });

  it('goes on after 28 days with one refresh, however many calls meet the end of the token', async () => {
    const stored: HeldTokens[] = [];
    const source = tokenSource({
      tokens: await login(),
      refresh: (token) => refreshTokens(web, token),
      onRefresh: (tokens) => void stored.push(tokens),
      now: () => 0, // a client whose clock does not show that the token has ended
    });
    const game = createGameClient({ baseUrl: mock.url, token: source });
    expect((await game.GET('/character')).response.status).toBe(200);
    await mock.clock.advance({ days: 28 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => game.GET('/character')));
    expect(new Set(replies.map(({ response }) => response.status))).toEqual(new Set([200]));
    expect(stored).toHaveLength(1);
    await mock.clock.advance({ days: 90 });
    expect(await errorOf(game.GET('/character'))).toBe('invalid_grant');
  });

  it('writes a filter again when the token ended before', async () => {
    const source = tokenSource({
      tokens: await login(['account:item_filter']),
      refresh: (token) => refreshTokens(web, token),
      now: () => 0,
    });
    await mock.clock.advance({ days: 28 });
    const body = { filter_name: 'mine', realm: 'pc' as const, public: false, filter: 'Show\n    Rarity Unique\n' };
    const { data, response } = await createGameClient({ baseUrl: mock.url, token: source }).POST('/item-filter', {
      body,
    });
    expect(response.status).toBe(200);
    expect(data?.filter.filter_name).toBe('mine');
  });

  it('gets itself another token when the owner ended the first', async () => {
    const source = clientCredentialsSource(application('example-service'), ['service:leagues'], { now: () => 0 });
    const game = createGameClient({ baseUrl: mock.url, token: source });
    const first = await source();
    await mock.revokeByApplication('example-service');
    expect((await game.GET('/league')).response.status).toBe(200);
    expect(await source()).not.toBe(first);
  });

  it('introspects any token with the scope, and revokes its own (RFC 7009 2.1)', async () => {
    const operations = application('example-operations');
    const { access_token: token } = await login();
    expect(await introspectToken(operations, { token })).toMatchObject({ active: true, username: 'alice' });
    expect(await errorOf(revokeToken(operations, { token }))).toBe('invalid_grant');
    await revokeToken(web, { token, hint: 'access_token' });
    expect(await introspectToken(operations, { token })).toEqual({ active: false });
    await revokeToken(web, { token: 'unknown' });
  });

  it('introspects and revokes with a bearer token', async () => {
    const operations = application('example-operations');
    const clientId = operations.clientId;
    const { access_token: bearer } = await mock.issueToken({ clientId, scopes: ['oauth:revoke', 'oauth:introspect'] });
    const { access_token: token } = await mock.issueToken({ clientId, account: 'alice', scopes: ['account:profile'] });
    expect(await introspectToken(operations, { token, bearer })).toMatchObject({ active: true });
    await revokeToken(operations, { token, bearer });
    expect(await introspectToken(operations, { token, bearer })).toEqual({ active: false });
    expect(await errorOf(introspectToken(operations, { token, bearer: token }))).toBe('invalid_token');
  });

  it('is controlled from another program too: clock, tokens, revocation, stash events', async () => {
    const { access_token: token } = await login();
    await mock.clock.freeze();
    const at = await mock.clock.now();
    expect(await mock.clock.now()).toEqual(at);
    await mock.clock.unfreeze();
    expect(await mock.clock.set('2026-01-02T00:00:00Z')).toEqual(expect.any(Date));
    await expect(mock.clock.set('2025-01-01T00:00:00Z')).rejects.toThrow('The clock moves forward only');
    expect((await mock.tokens()).map(({ kind, state }) => [kind, state])).toEqual([
      ['access', 'live'],
      ['refresh', 'live'],
    ]);
    await mock.revokeByUser('alice', 'example-web');
    const { response } = await createGameClient({ baseUrl: mock.url, token }).GET('/profile');
    expect(response.status).toBe(401);
    const { id } = await mock.stashEvent({ op: 'list' });
    expect((await mock.stashEvent({ op: 'unlist', stash: id })).id).toBe(id);
  });
});
