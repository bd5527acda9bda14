import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { authorizationQuery, codeClient, exchangeForm, form } from './calls-oauth.fixture.js';
import type { Call } from './control.fixture.js';
import { controlCall, errorOf } from './control.fixture.js';
import { epoch, send, startTestMock, withToken } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';

let mock: Mock;
beforeEach(async () => {
  mock = await startTestMock();
});
afterEach(() => mock.close());

const call: Call = (...args) => controlCall(mock, ...args);
const nowOf = (got: Got): string => got.json<{ now: string }>().now;

describe('what is offered', () => {
  it('is version 1 and every capability of the protocol', async () => {
    const { protocol, capabilities } = (await call('GET', '/', undefined, 'Capabilities')).json<{
      protocol: number;
      capabilities: string[];
    }>();
    expect(protocol).toBe(1);
    expect(capabilities).toEqual(expect.arrayContaining(['clock', 'consent', 'revocations', 'stash-events', 'reset']));
  });

  it('is found under the control address with and without a slash', async () => {
    expect((await call('GET', '', undefined, 'Capabilities')).status).toBe(200);
  });

  it.each([
    ['GET', '/nothing'],
    ['GET', '/reset'],
    ['POST', '/'],
    ['GET', '/clock/'],
    ['GET', '/CLOCK'],
    ['POST', '/clock/now'],
  ] as const)('%s %s is no call', async (method, path) => {
    const got = await call(method, path);
    expect([404, 405]).toContain(got.status);
    expect(errorOf(got)).toContain(path);
  });
});

describe('a call that is not there', () => {
  it('is answered with those that are', async () => {
    const words = errorOf(await call('POST', '/nope', {}));
    expect(words).toContain(
      'POST /__control/nope: the control protocol has no such call; the calls are GET /__control, ',
    );
    for (const there of ['POST /__control/clock', 'POST /__control/tokens', 'GET /__control/journal'])
      expect(words).toContain(`, ${there}`);
  });

  it('is answered with the methods of its path', async () => {
    expect(errorOf(await call('GET', '/reset'))).toMatch(/has no such call; there it takes POST$/);
  });
});

describe('the clock', () => {
  it.each([
    [{ advance: '28 days' }, 'advance must be a number (seconds to go forward, such as 3600 for an hour)'],
    [{ advance: -1 }, 'advance must be 0 or more (seconds to go forward, such as 3600 for an hour)'],
    [{}, 'the body needs one of advance, set, frozen'],
    [{ advance: 1, frozen: true }, 'the body takes only one of advance, set, frozen'],
  ])('is told of in words where a change is wrong: %j', async (change, words) => {
    const refused = await call('POST', '/clock', change);
    expect([refused.status, errorOf(refused)]).toEqual([400, words]);
  });

  it('starts at the epoch and runs', async () => {
    const got = await call('GET', '/clock', undefined, 'Clock');
    expect(got.json()).toMatchObject({ frozen: false });
    expect(Date.parse(nowOf(got)) - Date.parse(epoch)).toBeLessThan(60_000);
    expect(Date.parse(nowOf(got))).toBeGreaterThanOrEqual(Date.parse(epoch));
  });

  it('stands still when it is frozen, moves when it is told to, and runs on from there', async () => {
    const frozen = await call('POST', '/clock', { frozen: true }, 'Clock');
    expect(frozen.json()).toMatchObject({ frozen: true });
    expect(nowOf(await call('GET', '/clock', undefined, 'Clock'))).toBe(nowOf(frozen));
    const moved = await call('POST', '/clock', { advance: 1.5 }, 'Clock');
    expect(Date.parse(nowOf(moved)) - Date.parse(nowOf(frozen))).toBe(1500);
    expect(moved.json()).toMatchObject({ frozen: true });
    const set = await call('POST', '/clock', { set: '2026-02-01T00:00:00+01:00' }, 'Clock');
    expect(set.json()).toEqual({ now: '2026-01-31T23:00:00.000Z', frozen: true });
    const freed = await call('POST', '/clock', { frozen: false }, 'Clock');
    expect(freed.json()).toMatchObject({ frozen: false });
    expect(Date.parse(nowOf(freed)) - Date.parse(nowOf(set))).toBeLessThan(60_000);
  });

  it('goes forward only, and says so in a sentence', async () => {
    await call('POST', '/clock', { frozen: true }, 'Clock');
    const before = nowOf(await call('GET', '/clock', undefined, 'Clock'));
    const got = await call('POST', '/clock', { set: '2025-12-31T00:00:00.000Z' });
    expect([got.status, errorOf(got)]).toEqual([
      400,
      `The clock moves forward only: 2025-12-31T00:00:00.000Z is before ${before}.`,
    ]);
    expect((await call('POST', '/clock', { advance: -1 })).status).toBe(400);
    expect(nowOf(await call('GET', '/clock', undefined, 'Clock'))).toBe(before);
    expect((await call('POST', '/clock', { set: before }, 'Clock')).status).toBe(200);
    expect((await call('POST', '/clock', { advance: 0 }, 'Clock')).status).toBe(200);
  });

  it.each([
    {},
    { advance: 1, frozen: true },
    { advance: '1' },
    { advance: null },
    { set: 'tomorrow' },
    { set: 5 },
    { frozen: 'yes' },
    { back: 1 },
    [],
    null,
    5,
    '{',
    '',
    { advance: 1e300 },
    { advance: 1e13 },
    { set: '+275760-09-13T00:00:00Z' },
    { set: '2026-06-30T23:59:60Z' },
  ])('refuses %j and stays as it was', async (change) => {
    await call('POST', '/clock', { frozen: true }, 'Clock');
    const before = (await call('GET', '/clock', undefined, 'Clock')).text;
    const got = await call('POST', '/clock', change);
    expect(got.status).toBe(400);
    expect(errorOf(got)).not.toBe('');
    expect((await call('GET', '/clock', undefined, 'Clock')).text).toBe(before);
  });

  it('is the one that tokens end by', async () => {
    const headers = await withToken(mock, 'account:profile');
    await mock.clock.advance({ days: 27, hours: 23 });
    expect((await send(mock.url, { path: '/profile', headers })).status).toBe(200);
    await mock.clock.advance({ hours: 2 });
    expect((await send(mock.url, { path: '/profile', headers })).status).toBe(401);
  });

  it('is the one that the exchange goes by', async () => {
    const headers = await withToken(mock, 'service:cxapi');
    await mock.clock.freeze();
    const hour = Math.floor((await mock.clock.now()).getTime() / 3_600_000) * 3600;
    const at = async (): Promise<number> =>
      (await send(mock.url, { path: `/currency-exchange/${hour}`, headers })).json<{ next_change_id: number }>()
        .next_change_id;
    expect(await at()).toBe(hour);
    await mock.clock.advance({ hours: 1 });
    expect(await at()).toBe(hour + 3600);
  });
});

describe('consent', () => {
  const url = (more: Record<string, string> = {}): string =>
    `${mock.url}/oauth/authorize?${authorizationQuery(codeClient(mock.world), more)}`;
  const decide = (body: object): Promise<Got> => call('POST', '/consent', body, 'ConsentOutcome');

  it('approved gives a code that is good once, and the state as it came', async () => {
    const client = codeClient(mock.world);
    const { status, location } = (
      await decide({ url: url({ state: 'ä +&%' }), account: 'bob', decision: 'approve' })
    ).json<{ status: number; location: string }>();
    expect(status).toBe(302);
    const { searchParams } = new URL(location);
    expect(searchParams.get('state')).toBe('ä +&%');
    const exchange = {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form(exchangeForm(client, searchParams.get('code') ?? '')),
    };
    expect((await send(mock.url, exchange)).json()).toMatchObject({ username: 'bob', scope: 'account:profile' });
    expect((await send(mock.url, exchange)).status).toBe(400);
  });

  it('denied gives access_denied', async () => {
    const { location } = (await decide({ url: url(), account: 'alice', decision: 'deny' })).json<{
      location: string;
    }>();
    expect(new URL(location).searchParams.get('error')).toBe('access_denied');
    expect(new URL(location).searchParams.has('code')).toBe(false);
  });

  it('may be to a part', async () => {
    const wide = url({ scope: 'account:profile account:characters' });
    const { location } = (
      await decide({ url: wide, account: 'alice', decision: 'approve', scope: 'account:characters' })
    ).json<{ location: string }>();
    const body = form(exchangeForm(codeClient(mock.world), new URL(location).searchParams.get('code') ?? ''));
    const got = await send(mock.url, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect(got.json()).toMatchObject({ scope: 'account:characters' });
  });

  it('meets the page where the request is not to be trusted, and no redirect', async () => {
    const outcome = (
      await decide({ url: url({ redirect_uri: 'https://elsewhere.example/' }), account: 'alice', decision: 'approve' })
    ).json<{ status: number; location: null; body: string }>();
    expect(outcome).toMatchObject({ status: 400, location: null });
    expect(outcome.body).toContain('<!doctype html>');
  });

  it.each([
    [{ account: 'nobody', decision: 'approve' }, 'nobody'],
    [{ account: 'alice', decision: 'maybe' }, 'decision'],
    [{ account: 'alice' }, 'decision'],
    [{ account: 'alice', decision: 'approve', url: 'http://127.0.0.1/elsewhere' }, '/elsewhere'],
    [{ account: 'alice', decision: 'approve', url: 7 }, 'url'],
  ])('%j is refused in words', async (more, word) => {
    const got = await decide({ url: url(), ...more });
    expect([got.status, errorOf(got)]).toEqual([400, expect.stringContaining(word)]);
  });
});

describe('revocations', () => {
  const revoke = (body: unknown): Promise<Got> => call('POST', '/revocations', body);
  const alive = async (token: { access_token: string }, path = '/profile'): Promise<boolean> =>
    (await send(mock.url, { path, headers: { authorization: `Bearer ${token.access_token}` } })).status === 200;

  it('by the user end every token of that account for that client, and no other', async () => {
    const { id } = codeClient(mock.world);
    const of = (account: string, clientId: string) =>
      mock.issueToken({ account, clientId, scopes: ['account:profile'] });
    const [one, two, other, bobs] = await Promise.all([
      of('alice', id),
      of('alice', id),
      of('alice', 'example-limited'),
      of('bob', id),
    ]);
    expect((await revoke({ by: 'user', account: 'alice', client_id: id })).status).toBe(204);
    expect([await alive(one), await alive(two), await alive(other), await alive(bobs)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const refresh = form({
      client_id: id,
      client_secret: codeClient(mock.world).secret,
      grant_type: 'refresh_token',
      refresh_token: one.refresh_token ?? '',
    });
    const got = await send(mock.url, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: refresh,
    });
    expect(got.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('by the application end its client-credentials tokens, and no other', async () => {
    const [one, other] = await Promise.all(
      ['example-service', 'example-service-account'].map((clientId) =>
        mock.issueToken({ clientId, scopes: ['service:leagues'] }),
      ),
    );
    if (!one || !other) throw new Error('no tokens');
    expect((await revoke({ by: 'application', client_id: 'example-service' })).status).toBe(204);
    expect([await alive(one, '/league'), await alive(other, '/league')]).toEqual([false, true]);
  });

  it.each([
    [{ by: 'user', client_id: 'example-web' }, 'account'],
    [{ by: 'user', account: 'nobody', client_id: 'example-web' }, 'nobody'],
    [{ by: 'user', account: 'alice', client_id: 'nothing' }, 'nothing'],
    [{ by: 'application', client_id: 'nothing' }, 'nothing'],
    [{ by: 'chance', client_id: 'example-web' }, 'by'],
    [{ by: 'application' }, 'client_id'],
    [[], 'by'],
    [null, 'by'],
    [{}, 'by'],
  ])('%j is refused in words', async (body, word) => {
    const got = await revoke(body);
    expect([got.status, errorOf(got)]).toEqual([400, expect.stringContaining(word)]);
  });
});
