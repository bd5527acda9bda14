import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { authorizationQuery, codeClient, exchangeForm, form } from './calls-oauth.fixture.js';
import type { Call } from './control.fixture.js';
import { controlCall, errorOf } from './control.fixture.js';
import { bearerFor, epoch, send, startTestMock, withToken } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';

let mock: Mock;
beforeEach(async () => {
  mock = await startTestMock();
});
afterEach(() => mock.close());

const call: Call = (...args) => controlCall(mock, ...args);

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
