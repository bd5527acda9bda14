import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  authorizationUrl,
  clientCredentials,
  exchangeCode,
  introspectToken,
  newState,
  readRedirect,
  refreshTokens,
} from '../client/index.js';
import type { Application, OAuthFailure, TokenResponse } from '../client/index.js';
import { limits, lifetimes } from '../contract/index.js';
import type { Mock } from './mock.js';
import { startTestMock } from './mock.fixture.js';

/**
 * Every life of interface 8 over HTTP, by the mock's clock. The clock stands still and is set to the millisecond before
 * an end, and to the end itself: ends are half-open (K-110).
 */
let mock: Mock;
let start: number;
let confidential: Application;
let desktop: Application;
let service: Application & { clientSecret: string };

beforeAll(async () => {
  mock = await startTestMock({ epoch: '2026-01-01T12:34:56.789Z' });
  confidential = {
    authUrl: mock.url,
    clientId: 'example-web',
    clientSecret: 'web-secret',
  };
  desktop = { authUrl: mock.url, clientId: 'example-desktop' };
  service = { authUrl: mock.url, clientId: 'example-service', clientSecret: 'service-secret' };
});
afterAll(() => mock.close());

beforeEach(async () => {
  await mock.reset();
  start = (await mock.clock.freeze()).getTime();
});

const clients = [
  ['confidential', () => confidential, 'https://app.example/callback'],
  ['public', () => desktop, 'http://127.0.0.1:8400/callback'],
] as const;

const verifier = 'lifetimes-'.repeat(5);

/** Lets alice approve now; the exchange may come later. */
async function approve(
  application: Application,
  redirectUri: string,
): Promise<(tried?: string) => Promise<TokenResponse>> {
  const state = newState();
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const url = authorizationUrl({ ...application, redirectUri, scopes: ['account:profile'], state, challenge });
  const { location } = await mock.consent({ url, account: 'alice' });
  const code = readRedirect(location ?? '', state);
  return (tried = verifier) => exchangeCode(application, { code, redirectUri, verifier: tried });
}

const grant = async (application: Application, redirectUri: string): Promise<TokenResponse> =>
  (await approve(application, redirectUri))();

/** Stops the clock at the last millisecond before `seconds` after `from`, then at the exact end, and acts at both. */
async function aroundEnd<T>(seconds: number, act: () => Promise<T>, from = start): Promise<[before: T, atEnd: T]> {
  await mock.clock.set(new Date(from + seconds * 1000 - 1));
  const before = await act();
  await mock.clock.set(new Date(from + seconds * 1000));
  return [before, await act()];
}

const get = (path: string, token: string): Promise<Response> =>
  fetch(mock.url + path, { headers: { authorization: `Bearer ${token}` } });

const profileStatus = async ({ access_token: token }: TokenResponse): Promise<number> =>
  (await get('/profile', token)).status;

const isActive = async (token: string): Promise<boolean> => {
  const operations = { authUrl: mock.url, clientId: 'example-operations', clientSecret: 'operations-secret' };
  return (await introspectToken(operations, { token })).active;
};

const refreshOf = ({ refresh_token: token }: TokenResponse): string => token ?? expect.fail('no refresh token came');

/** How an OAuth call ended: `ok`, or the error code. */
const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: OAuthFailure) => error.error,
  );

describe.each(clients)('a code of a %s client', (_type, client, redirectUri) => {
  it(`can be exchanged until its ${lifetimes.authorization_code} seconds are over, and not at the instant that they are`, async () => {
    const [inTime, late] = [await approve(client(), redirectUri), await approve(client(), redirectUri)];
    const calls = [inTime, late];
    const outcomes = await aroundEnd(lifetimes.authorization_code, () => outcome(calls.shift()?.() ?? expect.fail()));
    expect(outcomes).toEqual(['ok', 'invalid_grant']);
  });

  it('lives from its issue, whatever was tried since', async () => {
    const exchange = await approve(client(), redirectUri);
    await mock.clock.advance(lifetimes.authorization_code - 10);
    expect(await outcome(exchange('x'.repeat(43)))).toBe('invalid_grant');
    await mock.clock.advance(10);
    expect(await outcome(exchange())).toBe('invalid_grant');
  });
});

describe.each(clients)('an access token of a %s client', (type, client, redirectUri) => {
  const life = lifetimes.access_token[type];

  it(`works until its ${life} seconds are over, and is 401 and inactive at the instant that they are`, async () => {
    const tokens = await grant(client(), redirectUri);
    const look = async (): Promise<unknown> => [await profileStatus(tokens), await isActive(tokens.access_token)];
    expect(await aroundEnd(life, look)).toEqual([
      [200, true],
      [401, false],
    ]);
  });

  it('has a full life of its own when it comes from a refresh, also after the first one has ended', async () => {
    const first = await grant(client(), redirectUri);
    await mock.clock.advance(life + 1);
    expect(await profileStatus(first)).toBe(401);
    const second = await refreshTokens(client(), refreshOf(first));
    expect(await aroundEnd(life, () => profileStatus(second), start + (life + 1) * 1000)).toEqual([200, 401]);
  });

  it('says in expires_in what the interface says', async () => {
    expect((await grant(client(), redirectUri)).expires_in).toBe(lifetimes.expires_in[type]);
  });
});

it('a confidential access token ends before its expires_in says so (K-001), unless the mock is asked to be truthful', async () => {
  expect(lifetimes.expires_in.confidential).toBeGreaterThan(lifetimes.access_token.confidential);
  await using truthful = await startTestMock({ switches: { 'tokens.expiresInMode': 'truthful' } });
  const { expires_in: life } = await truthful.issueToken({
    account: 'alice',
    clientId: 'example-web',
    scopes: ['account:profile'],
  });
  expect(life).toBe(lifetimes.access_token.confidential);
});

describe.each(clients)('a refresh token of a %s client', (type, client, redirectUri) => {
  const life = lifetimes.refresh_token[type];

  it(`can be used until its ${life} seconds are over, and not at the instant that they are`, async () => {
    const tokens = [await grant(client(), redirectUri), await grant(client(), redirectUri)].map(refreshOf);
    const outcomes = await aroundEnd(life, () => outcome(refreshTokens(client(), tokens.shift() ?? '')));
    expect(outcomes).toEqual(['ok', 'invalid_grant']);
  });

  it('hands its own end on through every rotation', async () => {
    let held = await grant(client(), redirectUri);
    for (const part of [0.1, 0.5, 0.5, 0.99]) {
      await mock.clock.set(new Date(start + life * 1000 * part));
      held = await refreshTokens(client(), refreshOf(held));
    }
    const rotate = async (): Promise<void> => {
      held = await refreshTokens(client(), refreshOf(held));
    };
    expect(await aroundEnd(life, () => outcome(rotate()))).toEqual(['ok', 'invalid_grant']);
  });

  it('is dead at once when it is used', async () => {
    const first = await grant(client(), redirectUri);
    const second = await refreshTokens(client(), refreshOf(first));
    expect(await isActive(refreshOf(first))).toBe(false);
    expect(await isActive(refreshOf(second))).toBe(true);
    expect(await outcome(refreshTokens(client(), refreshOf(first)))).toBe('invalid_grant');
  });
});

it('a client-credentials token has no end: it works after ten years, also when nothing used it meanwhile', async () => {
  const token = await clientCredentials(service, ['service:leagues']);
  expect(token.expires_in).toBeNull();
  await mock.clock.advance({ days: 3653 });
  // Tokens that died are forgotten when new ones are made; this one must not be among them.
  await clientCredentials(service, ['service:leagues']);
  expect((await get('/league', token.access_token)).status).toBe(200);
  expect(await isActive(token.access_token)).toBe(true);
});

describe('the public stash stream', () => {
  it(`shows a change at the instant that its ${limits.stash_delay} seconds are over, and not before`, async () => {
    const { access_token: token } = await clientCredentials(service, ['service:psapi']);
    type Page = { next_change_id: string; stashes: { id: string }[] };
    const read = async (id: string): Promise<Page> =>
      (await get(`/public-stash-tabs?id=${encodeURIComponent(id)}`, token)).json() as Promise<Page>;
    // The world's youngest change is still inside the delay: let it pass first.
    await mock.clock.advance(limits.stash_delay);
    let page = (await (await get('/public-stash-tabs', token)).json()) as Page;
    while (page.stashes.length > 0) page = await read(page.next_change_id);

    const { id, at } = await mock.stashEvent({ op: 'list' });
    const seen = await aroundEnd(
      limits.stash_delay,
      async () => (await read(page.next_change_id)).stashes.map((stash) => stash.id),
      Date.parse(at),
    );
    expect(seen).toEqual([[], [id]]);
  });
});

describe('the currency exchange', () => {
  it('serves an hour at the instant that it is over, and the current one never', async () => {
    const { access_token: token } = await clientCredentials(service, ['service:cxapi']);
    const hour = 3600;
    const current = Math.floor(start / 1000 / hour) * hour;
    const read = async (id: number): Promise<number> =>
      ((await (await get(`/currency-exchange/${id}`, token)).json()) as { next_change_id: number }).next_change_id;
    expect(await read(current - hour)).toBe(current);
    expect(await aroundEnd(hour, () => read(current), current * 1000)).toEqual([current, current + hour]);
  });
});
