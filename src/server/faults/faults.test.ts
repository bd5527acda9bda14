import { Agent, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowInsecureRequests, ClientSecretPost, Configuration, refreshTokenGrant } from 'openid-client';

import { clientCredentials } from '../../client/index.js';
import type { FaultRule } from '../../client/index.js';
import { operationList } from '../../contract/index.js';
import { startTestMock, withToken } from '../mock.fixture.js';
import type { Mock } from '../mock.js';
import { Faults } from './faults.js';

let mock: Mock;
let agent: Agent;
let headers: { authorization: string };
beforeEach(async () => {
  mock = await startTestMock({ journal: true });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  headers = await withToken(mock, 'account:profile');
});
afterEach(async () => {
  agent.destroy();
  await mock.close();
});

/** What a client with kept connections meets: a status and a body, or the code of its error. */
function get(path = '/profile', signal?: AbortSignal): Promise<string> {
  return new Promise((done) => {
    const out = request(mock.url + path, { agent, headers, signal }, (res) => {
      let text = '';
      res.on('data', (part: Buffer) => (text += part.toString()));
      res.on('end', () => done(`${res.statusCode} ${text}`));
      res.on('error', ({ message }) => done(message));
    });
    out.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    out.end();
  });
}

const last = async () => (await mock.journal.list()).at(-1);

describe('a client with kept connections meets', () => {
  it('an error reply in the form of the interface, and the seconds to wait', async () => {
    await mock.faults.add({ kind: 'status', status: 503, retry_after: 7, operation: 'getProfile', times: 1 });
    const response = await fetch(`${mock.url}/profile`, { headers });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('x-mock-reason')).toBe('fault-1: status 503');
    expect(await response.json()).toEqual({ error: { code: 7, message: expect.stringContaining('unavailable') } });
    expect(await get()).toMatch(/^200 /);
    expect(await mock.faults.list()).toMatchObject([{ id: 'fault-1', met: 2, applied: 1 }]);
    expect((await fetch(`${mock.controlUrl}/faults/clear`, { method: 'POST' })).status).toBe(204);
    expect(await mock.faults.list()).toEqual([]);
  });

  it('an OAuth error at the token endpoint', async () => {
    await mock.faults.add({ kind: 'status', status: 400, error: 'invalid_grant', operation: 'issueToken' });
    const response = await fetch(`${mock.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
  });

  it.each([
    [401, '/profile', 'www-authenticate', 'Bearer realm="data", error="invalid_token"'],
    [405, '/profile', 'allow', ''],
    [401, '/oauth/token', 'www-authenticate', 'Basic realm="oauth", charset="UTF-8"'],
    [405, '/oauth/token', 'allow', ''],
  ])('with %i of %s the header that belongs to it', async (status, path, name, value) => {
    await mock.faults.add({ kind: 'status', status });
    const response = await fetch(`${mock.url}${path}`, path === '/profile' ? { headers } : { method: 'POST' });
    expect([response.status, response.headers.get(name)]).toEqual([status, value]);
  });

  it.each([
    [429, 'temporarily_unavailable'],
    [500, 'server_error'],
    [503, 'temporarily_unavailable'],
  ])('%i of the token endpoint as an OAuth error, which the client package reads', async (status, error) => {
    await mock.faults.add({ kind: 'status', status, operation: 'issueToken' });
    const application = { authUrl: mock.url, clientId: 'example-service', clientSecret: 'x' };
    await expect(clientCredentials(application, ['service:leagues'])).rejects.toMatchObject({ error, status });
  });

  it('a reset, and fetch a failure', async () => {
    await mock.faults.add({ kind: 'reset', times: 2 });
    expect(await get()).toBe('ECONNRESET');
    await expect(fetch(`${mock.url}/profile`, { headers })).rejects.toThrow('fetch failed');
    expect(await get()).toMatch(/^200 /);
    expect(await mock.journal.list({ decision: 'faulted' })).toMatchObject([
      { delivery: 'reset', reply: null, reason: 'fault-1: reset' },
      { delivery: 'reset' },
    ]);
  });

  it('an empty reply', async () => {
    await mock.faults.add({ kind: 'empty', times: 1 });
    expect(await get()).toBe('ECONNRESET'); // Node's word for a hang-up before a status line
    expect(await last()).toMatchObject({ decision: 'faulted', delivery: 'lost', reply: null });
    expect(await get()).toMatch(/^200 /);
  });

  it('a wait until a date', async () => {
    await mock.faults.add({ kind: 'status', status: 429, retry_after: 60, retry_form: 'date' });
    const before = Date.now();
    const until = (await fetch(`${mock.url}/profile`, { headers })).headers.get('retry-after') ?? '';
    expect(new Date(until).toUTCString()).toBe(until);
    expect(Date.parse(until) - before).toBeGreaterThanOrEqual(60_000);
    expect(Date.parse(until) - before).toBeLessThan(65_000);
  });

  it.each([[undefined, 503] as const, [200, 200] as const])('a page of HTML with status %s', async (status, got) => {
    await mock.faults.add({ kind: 'page', retry_after: 2, ...(status && { status }) });
    const response = await fetch(`${mock.url}/profile`, { headers });
    expect([response.status, response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([
      got,
      'text/html; charset=utf-8',
      '2',
    ]);
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  });

  it('a redirect to the same path of another origin', async () => {
    await mock.faults.add({ kind: 'redirect', origin: 'http://127.0.0.1:9', server: 'data' });
    const response = await fetch(`${mock.url}/profile?a=1`, { headers, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/profile?a=1']);
    expect((await fetch(`${mock.url}/oauth/token`, { method: 'POST' })).status).toBe(400);
  });

  it('a body that is shorter than its length', async () => {
    await mock.faults.add({ kind: 'incomplete', times: 1 });
    expect(await get()).toBe('aborted');
    expect(await last()).toMatchObject({ decision: 'faulted', delivery: 'cut', reply: { status: 200 } });
    expect(await get()).toMatch(/^200 /);
  });

  it('failures of the grant that a rule names, and of no other', async () => {
    const [rule] = await mock.faults.add({ kind: 'status', status: 503, grant: 'refresh_token' });
    const ask = (form: Record<string, string>) =>
      fetch(`${mock.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    expect((await ask({ grant_type: 'client_credentials' })).status).toBe(400);
    expect((await ask({ grant_type: 'refresh_token' })).status).toBe(503);
    expect(await mock.faults.list()).toMatchObject([{ id: rule?.id, met: 1, applied: 1 }]);
  });

  it('half of a JSON text', async () => {
    const whole = await get();
    await mock.faults.add({ kind: 'truncated' });
    const half = await get();
    expect(half).toHaveLength(4 + Math.floor((whole.length - 4) / 2));
    expect(whole.startsWith(half)).toBe(true);
    expect(await last()).toMatchObject({ delivery: 'cut', problems: { reply: ['the body is not JSON'] } });
  });

  it('a reply that is late by all rules together, up to an hour', () => {
    const faults = new Faults();
    const none = { clients: new Map(), accounts: new Map() };
    faults.add(
      Array.from({ length: 600 }, () => ({ kind: 'latency', ms: 3_600_000 })),
      none,
    );
    expect(faults.strike({ operation: operationList[0]!, identity: {} })?.delay).toBe(3_600_000);
    faults.clear();
    faults.add(
      [
        { kind: 'latency', ms: 20 },
        { kind: 'latency', ms: 30 },
      ],
      none,
    );
    expect(faults.strike({ operation: operationList[0]!, identity: {} })?.delay).toBe(50);
  });

  it('a late reply, and a slow one', async () => {
    await mock.faults.add({ kind: 'latency', ms: 40, ms_most: 80, operation: 'getProfile' });
    const begin = performance.now();
    expect(await get()).toMatch(/^200 /);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(39);
    await mock.faults.clear();
    const plain = await get();
    await mock.faults.add({ kind: 'drip', ms: 60 });
    let portions = 0;
    const response = await fetch(`${mock.url}/profile`, { headers });
    let text = '';
    for await (const part of response.body!) {
      portions += 1;
      text += Buffer.from(part).toString();
    }
    expect(`200 ${text}`).toBe(plain);
    expect(portions).toBeGreaterThan(3);
    expect(await last()).toMatchObject({ decision: 'faulted', delivery: 'sent', reason: 'fault-2: drip over 60 ms' });
  });

  it('a slow reply in portions that end within a character', async () => {
    headers = await withToken(mock, 'account:characters');
    const whole = await (await fetch(`${mock.url}/character`, { headers })).text();
    await mock.faults.add({ kind: 'drip', ms: 60 });
    const parts: Buffer[] = [];
    const response = await fetch(`${mock.url}/character`, { headers });
    for await (const part of response.body!) parts.push(Buffer.from(part));
    expect(Buffer.concat(parts).toString()).toBe(whole);
    expect(parts.map(String).join('')).toContain('\ufffd');
  });

  it('nothing at all, until it gives up', async () => {
    await mock.faults.add({ kind: 'hang' });
    const waiting = get('/profile', AbortSignal.timeout(50));
    expect(await waiting).toBe('ABORT_ERR');
    expect((await mock.journal.waitFor({ decision: 'faulted' }))[0]).toMatchObject({ delivery: 'lost', reply: null });
  });
});

describe('a lost refresh reply', () => {
  it('leaves the client with a dead token and nothing else', async () => {
    const { refresh_token: first = '' } = await mock.issueToken({
      account: 'alice',
      clientId: 'example-web',
      scopes: ['account:profile'],
    });
    const secret = mock.world.clients.find(({ id }) => id === 'example-web')?.secret ?? '';
    const server = { issuer: mock.url, token_endpoint: `${mock.url}/oauth/token` };
    const configuration = new Configuration(server, 'example-web', {}, ClientSecretPost(secret));
    allowInsecureRequests(configuration);
    const before = (await mock.tokens()).filter(({ kind, state }) => kind === 'refresh' && state === 'live').length;
    await mock.faults.add({ kind: 'lost-reply', operation: 'issueToken', client_id: 'example-web', times: 1 });

    await expect(refreshTokenGrant(configuration, first)).rejects.toThrow('fetch failed');
    const again = await refreshTokenGrant(configuration, first).catch((error: unknown) => error);
    expect(again).toMatchObject({ error: 'invalid_grant', status: 400 });

    const [lost, refused] = await mock.journal.list({ operation: 'issueToken' });
    expect(lost).toMatchObject({ decision: 'faulted', delivery: 'lost', reply: { status: 200 }, account: 'alice' });
    expect(lost?.reply?.body.text).toContain('"refresh_token":"[redacted ');
    expect(refused).toMatchObject({ decision: 'refused', reason: expect.stringContaining('was used before') });
    expect(refused?.credential).toBe(lost?.credential);
    const live = (await mock.tokens()).filter(({ kind, state }) => kind === 'refresh' && state === 'live');
    expect(live.length - before).toBe(0); // one is dead, and the new one nobody knows
  });
});

describe('the rules', () => {
  it('meet by operation form, client and account, after so many, so often', async () => {
    await mock.faults.add(
      { kind: 'status', status: 500, operation: 'listLeagues' },
      { kind: 'status', status: 500, client_id: 'example-service' },
      { kind: 'status', status: 500, account: 'bob' },
      { kind: 'status', status: 503, account: 'alice', after: 2, times: 1 },
    );
    const seen = [];
    for (let step = 0; step < 5; step++) seen.push((await get()).slice(0, 3));
    expect(seen).toEqual(['200', '200', '503', '200', '200']);
  });

  it('draw chance from their seed: the same each time', async () => {
    const run = async (rule: FaultRule): Promise<string> => {
      await mock.faults.clear();
      await mock.faults.add(rule);
      let text = '';
      for (let step = 0; step < 40; step++) text += (await get()).startsWith('503') ? 'x' : '.';
      return text;
    };
    const rule = { kind: 'status', status: 503, probability: 0.5 } as const;
    const first = await run(rule);
    expect(await run(rule)).toBe(first);
    expect(await run({ ...rule, seed: 2 })).not.toBe(first);
    const count = first.split('x').length - 1;
    expect(count).toBeGreaterThan(8);
    expect(count).toBeLessThan(32);
  });

  it.each([
    [{ kind: 'stauts' }, '[1].kind: must be one of status, page, redirect'],
    [{ kind: 'status' }, '[1].kind: status needs the member status; add it'],
    [{ kind: 'reset', ms: 5 }, '[1].ms: belongs to another kind, not to reset'],
    [{ kind: 'hang', operation: 'profile' }, '[1].operation: there is no "profile"; did you mean getProfile?'],
    [{ kind: 'hang', client_id: 'nobody' }, '[1].client_id: there is no "nobody"; there are example-web'],
    [{ kind: 'hang', account: 'zoe' }, '[1].account: there is no "zoe"; there are owner, alice, bob'],
    [{ kind: 'hang', probabilty: 1 }, '[1]: does not take "probabilty"; leave it out (did you mean probability?)'],
    [{ kind: 'latency', ms: 5, ms_most: 4 }, '[1].ms_most: is less than ms (5)'],
    [{ kind: 'status', status: 302 }, '[1].status: of kind status is 400 to 599'],
    [{ kind: 'redirect', status: 304, origin: 'http://a' }, '[1].status: of kind redirect is 301, 302, 303'],
    [{ kind: 'redirect' }, '[1].kind: redirect needs the member origin; add it'],
    [{ kind: 'redirect', origin: 'http://a/b' }, '[1].origin'],
    [{ kind: 'page', retry_form: 'date' }, '[1].retry_form: needs the member retry_after; add it'],
    [{ kind: 'hang', grant: 'password' }, '[1].grant: must be one of authorization_code'],
  ] as [FaultRule, string][])('that are wrong change nothing: %j', async (wrong, sentence) => {
    await expect(mock.faults.add({ kind: 'hang' }, wrong)).rejects.toThrow(`rules${sentence}`);
    expect(await mock.faults.list()).toEqual([]);
    expect(await get()).toMatch(/^200 /);
    await expect(startTestMock({ faults: [{ kind: 'hang' }, wrong] })).rejects.toThrow(`faults${sentence}`);
  });

  it('are cleared one by one or together; those of the start come back with a reset', async () => {
    const own = await startTestMock({ faults: [{ kind: 'status', status: 500 }] });
    const [added] = await own.faults.add({ kind: 'hang', after: 5 });
    expect((await own.faults.list()).map(({ id }) => id)).toEqual(['fault-1', 'fault-2']);
    await own.faults.clear(added?.id);
    await expect(own.faults.clear('fault-9')).rejects.toThrow('there is no "fault-9"; there are fault-1');
    await own.faults.clear();
    expect(await own.faults.list()).toEqual([]);
    await own.reset();
    expect(await own.faults.list()).toMatchObject([{ kind: 'status' }]);
    await own.close();
  });
});
