import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { authorizationQuery, codeClient, exchangeForm, form } from './calls-oauth.fixture.js';
import { bearerFor, epoch, send, startTestMock, withToken } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';
import { packageFile } from './package.js';

let mock: Mock;
beforeEach(async () => {
  mock = await startTestMock();
});
afterEach(() => mock.close());

/** The schemas of openapi/control.yaml, by name. */
const { components } = parse(readFileSync(packageFile('dist/openapi/control.yaml'), 'utf8')) as { components: object };
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'control', components });
const judgeOf = (name: string) => ajv.getSchema(`control#/components/schemas/${name}`);

/** A control call, and its reply held against the document. */
async function call(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  schema?: string,
  headers: Record<string, string> = {},
): Promise<Got> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const got = await send(mock.url, {
    method,
    path: `/__control${path}`,
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: text,
  });
  if (got.status === 204) {
    expect(got.text).toBe('');
    return got;
  }
  expect(got.headers['content-type']).toBe('application/json; charset=utf-8');
  const judge = judgeOf(got.status >= 400 ? 'ControlError' : (schema ?? ''));
  if (!judge) throw new Error(`no schema ${schema}`);
  expect([judge(got.json()), judge.errors]).toEqual([true, null]);
  return got;
}

const errorOf = (got: Got): string => got.json<{ error: string }>().error;
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

describe('the clock', () => {
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

describe('stash events', () => {
  const event = (body: object): Promise<Got> => call('POST', '/stash-events', body, 'StashEventResult');
  interface Page {
    readonly next_change_id: string;
    readonly stashes: readonly { id: string; public: boolean; items?: unknown[] }[];
  }
  async function readOn(id: string): Promise<Page> {
    return (
      await send(mock.url, { path: `/public-stash-tabs?id=${id}`, headers: await withToken(mock, 'service:psapi') })
    ).json<Page>();
  }
  async function endOfStream(): Promise<string> {
    let page = (
      await send(mock.url, { path: '/public-stash-tabs', headers: await withToken(mock, 'service:psapi') })
    ).json<Page>();
    while (page.stashes.length > 0) page = await readOn(page.next_change_id);
    return page.next_change_id;
  }

  it('show after five minutes and not before, each under one id', async () => {
    await mock.clock.advance({ hours: 1 });
    await mock.clock.freeze();
    let end = await endOfStream();
    const { id, at } = (await event({ realm: 'pc', op: 'list' })).json<{ id: string; at: string }>();
    expect(at).toBe((await mock.clock.now()).toISOString());
    for (const [op, isPublic] of [
      ['list', true],
      ['update', true],
      ['unlist', false],
      ['list', true],
    ] as const) {
      if (end !== '' && op !== 'list') await event({ realm: 'pc', op, stash: id });
      await mock.clock.advance({ minutes: 4, seconds: 59 });
      expect((await readOn(end)).stashes).toEqual([]);
      await mock.clock.advance({ seconds: 1 });
      const page = await readOn(end);
      expect(page.stashes).toHaveLength(1);
      expect(page.stashes[0]).toMatchObject({ id, public: isPublic });
      end = page.next_change_id;
      if (op === 'unlist') await event({ realm: 'pc', op: 'list', stash: id });
    }
  });

  it('stay in their realm', async () => {
    await mock.clock.advance({ hours: 1 });
    const end = await endOfStream();
    await event({ realm: 'sony', op: 'list' });
    await mock.clock.advance({ minutes: 6 });
    expect((await readOn(end)).stashes).toEqual([]);
  });

  it.each([
    [{ realm: 'pc', op: 'update' }, 'stash'],
    [{ realm: 'pc', op: 'unlist', stash: 'f'.repeat(64) }, 'unknown'],
    [{ realm: 'pc', op: 'list', stash: 'short' }, 'stash'],
    [{ realm: 'pc', op: 'burn' }, 'op'],
    [{ op: 'list' }, 'realm'],
    [{ realm: 'game2', op: 'list' }, 'game2'],
    [{ realm: 'nowhere', op: 'list' }, 'nowhere'],
    [{ realm: '__proto__', op: 'list' }, '__proto__'],
  ])('%j is refused in words', async (body, word) => {
    const got = await event(body);
    expect([got.status, errorOf(got)]).toEqual([400, expect.stringContaining(word)]);
  });
});

describe('tokens', () => {
  it('are made for an account, for the owner, and for a client that is named', async () => {
    const minted = await call('POST', '/tokens', { account: 'alice', scopes: ['account:profile'] }, 'MintedToken');
    expect([minted.status, minted.json()]).toEqual([
      201,
      expect.objectContaining({ username: 'alice', scope: 'account:profile', expires_in: 2_592_000 }),
    ]);
    const service = await call('POST', '/tokens', { scopes: ['service:leagues', 'service:psapi'] }, 'MintedToken');
    expect(service.json()).toMatchObject({ username: mock.world.known.owner, expires_in: null });
    const named = await call(
      'POST',
      '/tokens',
      { account: 'bob', client_id: codeClient(mock.world, 'public').id, scopes: ['account:profile'] },
      'MintedToken',
    );
    expect(named.json()).toMatchObject({ username: 'bob', expires_in: 36_000 });
  });

  it('are listed with their texts cut short, and revoked', async () => {
    await bearerFor(mock, 'account:profile');
    const token = (await bearerFor(mock, 'account:characters')).slice(7);
    const listed = await call('GET', '/tokens', undefined, 'TokenList');
    expect(listed.text).not.toContain(token);
    expect((await call('POST', '/tokens/revocations', { token })).status).toBe(204);
    expect((await call('POST', '/tokens/revocations', { token: 'never-given' })).status).toBe(204);
    expect((await send(mock.url, { path: '/character', headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    const { tokens } = (await call('GET', '/tokens', undefined, 'TokenList')).json<{
      tokens: { token: string; state: string }[];
    }>();
    expect(tokens.filter(({ state }) => state === 'revoked').map((one) => one.token)).toEqual([
      `${token.slice(0, 6)}…`,
    ]);
    expect(tokens.filter(({ state }) => state === 'live').length).toBeGreaterThan(0);
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{}, 'scopes'],
    [{ scopes: ['account:everything'] }, 'account:everything'],
    [{ account: 'nobody', scopes: ['account:profile'] }, 'nobody'],
    [{ client_id: 'nothing', scopes: ['account:profile'] }, 'nothing'],
    [{ account: 'alice', client_id: 'example-desktop', scopes: ['service:leagues'] }, 'service:leagues'],
  ])('%j is refused in words', async (body, word) => {
    const got = await call('POST', '/tokens', body);
    expect([got.status, errorOf(got)]).toEqual([400, expect.stringContaining(word)]);
  });
});

describe('reset', () => {
  it('brings world, tokens and clock back to the start, byte for byte', async () => {
    const paths = [
      ['/item-filter', 'account:item_filter'],
      ['/league', 'service:leagues'],
      ['/public-stash-tabs', 'service:psapi'],
      ['/currency-exchange', 'service:cxapi'],
      ['/pvp-match', 'service:pvp_matches'],
      ['/character', 'account:characters'],
      ['/league/Standard/ladder?limit=3', 'service:leagues:ladder'],
    ] as const;
    const look = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (const [path, scope] of paths)
        seen.push((await send(mock.url, { path, headers: await withToken(mock, scope) })).text);
      return seen;
    };
    const before = await look();
    const headers = await withToken(mock, 'account:item_filter');
    const created = await send(mock.url, {
      method: 'POST',
      path: '/item-filter',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ filter_name: 'New', realm: 'pc', filter: '' }),
    });
    expect(created.status).toBe(200);
    await call('POST', '/stash-events', { realm: 'pc', op: 'list' }, 'StashEventResult');
    await mock.clock.advance({ days: 400 });
    await mock.clock.freeze();
    expect(await look()).not.toEqual(before);
    expect((await call('POST', '/reset')).status).toBe(204);
    expect((await mock.tokens()).length).toBe(0);
    expect((await send(mock.url, { path: '/item-filter', headers })).status).toBe(401);
    expect(await look()).toEqual(before);
    const clock = (await call('GET', '/clock', undefined, 'Clock')).json<{ now: string; frozen: boolean }>();
    expect(clock.frozen).toBe(false);
    expect(Date.parse(clock.now) - Date.parse(epoch)).toBeLessThan(60_000);
  });

  it('ends codes that were given before', async () => {
    const client = codeClient(mock.world);
    const { location } = await mock.consent({
      url: `${mock.url}/oauth/authorize?${authorizationQuery(client)}`,
      account: 'alice',
    });
    await mock.reset();
    const body = form(exchangeForm(client, new URL(location ?? '').searchParams.get('code') ?? ''));
    const got = await send(mock.url, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect(got.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('who may call', () => {
  const reset = (headers: Record<string, string>): Promise<Got> =>
    call('POST', '/reset', undefined, undefined, headers);

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:4010' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[])('no page in a browser: %j', async (headers) => {
    const got = await reset(headers);
    expect([got.status, errorOf(got)]).toEqual([403, expect.stringContaining('browser')]);
    expect(got.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:80',
    '0.0.0.0',
    '127.0.0.1@evil.example',
    'localhost:',
    '2130706433',
  ])('nobody under the foreign name %j, which may have been rebound to this machine', async (host) => {
    const got = await reset({ host });
    expect([got.status, errorOf(got)]).toEqual([403, expect.stringContaining('Host')]);
  });

  it.each(['localhost', 'LocalHost:1', '127.0.0.1', '127.8.9.1:65535', '[::1]:80'])(
    'programs of this machine, under %s',
    async (host) => {
      expect((await reset({ host })).status).toBe(204);
    },
  );

  it('no request without a Host', async () => {
    const { hostname, port } = new URL(mock.url);
    const reply = await new Promise<string>((done, fail) => {
      const socket = connect(Number(port), hostname, () =>
        socket.end('POST /__control/reset HTTP/1.0\r\nhost:\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (part) => (text += part.toString()));
      socket.on('error', fail);
      socket.on('close', () => done(text));
    });
    expect(reply).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('is said with no CORS header, on a mock with CORS too', async () => {
    const open = await startTestMock({ cors: true });
    const headers = { origin: 'http://app.example', 'access-control-request-method': 'POST' };
    const preflight = await send(open.url, { method: 'OPTIONS', path: '/__control/reset', headers });
    expect(preflight.status).toBe(403);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    const allowed = await send(open.url, { method: 'OPTIONS', path: '/oauth/token', headers });
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([204, '*']);
    await open.close();
  });

  it('with a token: whoever shows it, and nobody else', async () => {
    const guarded = await startTestMock({ controlToken: 's3cret' });
    const knock = async (headers: Record<string, string>): Promise<number> =>
      (await send(guarded.url, { path: '/__control/clock', headers })).status;
    expect(await knock({})).toBe(401);
    for (const wrong of [
      'Bearer s3cre',
      'Bearer s3crets',
      'Bearer S3CRET',
      's3cret',
      'Basic s3cret',
      'Bearer ',
      'Bearer  s3cret',
    ])
      expect([wrong, await knock({ authorization: wrong })]).toEqual([wrong, 401]);
    expect(await knock({ authorization: 'Bearer s3cret' })).toBe(200);
    expect(await knock({ authorization: 'Bearer s3cret', host: 'mock.test:4010' })).toBe(200);
    expect(await knock({ authorization: 'Bearer s3cret', origin: 'http://evil.example' })).toBe(403);
    expect((await guarded.clock.now()).getTime()).toBeGreaterThan(0);
    await guarded.close();
  });

  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
  it.skipIf(own === undefined)('not another machine, unless there is a token', async () => {
    const open = await startTestMock({ host: '0.0.0.0' });
    const guarded = await startTestMock({ host: '0.0.0.0', controlToken: 's3cret' });
    const from = (one: Mock): string => `http://${own}:${one.port}`;
    expect((await send(from(open), { path: '/__control/clock', headers: { host: 'localhost' } })).status).toBe(403);
    expect((await send(from(open), { path: '/' })).status).toBe(200);
    expect(
      (await send(from(guarded), { path: '/__control/clock', headers: { authorization: 'Bearer s3cret' } })).status,
    ).toBe(200);
    await Promise.all([open.close(), guarded.close()]);
  });
});
