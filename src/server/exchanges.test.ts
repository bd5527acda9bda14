import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ExchangeRecord } from './exchange-record.js';
import { epoch, exchangeRaw, send, startTestMock, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';

let mock: Mock;
let records: ExchangeRecord[];
beforeEach(async () => {
  mock = await startTestMock();
  records = [];
  mock.exchanges.subscribe((record) => records.push(record));
});
afterEach(() => mock.close());

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

describe('the records of exchanges', () => {
  it('hold what came, who sent it, what was answered, and when', async () => {
    const headers = await withToken(mock, 'account:profile');
    const got = await send(mock.url, { path: '/profile?a=b', headers });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      number: 1,
      method: 'GET',
      target: '/profile?a=b',
      operationId: 'getProfile',
      logical: 'getProfile',
      address: '127.0.0.1',
      account: 'alice',
      decision: 'answered',
      reason: undefined,
      reply: { status: 200, body: { content: got.text, size: got.bytes.length } },
      delivery: 'sent',
    });
    const [record] = records;
    expect(record?.clientId).toMatch(/./);
    expect(record?.requestHeaders).toContain(headers.authorization);
    expect(record!.at - Date.parse(epoch)).toBeLessThan(60_000);
    expect(record!.elapsed).toBeGreaterThan(0);
  });

  it('name the reason of a refusal, and whose token it was', async () => {
    const headers = await withToken(mock, 'account:profile');
    await mock.clock.advance({ days: 28 });
    await send(mock.url, { path: '/profile', headers });
    await send(mock.url, { path: '/profile', headers });
    await send(mock.url, { path: '/nowhere' });
    await send(mock.url, { path: '/league?limit=x', headers: await withToken(mock, 'service:leagues') });
    expect(records.map(({ decision, reply, reason }) => [decision, reply?.status, reason])).toEqual([
      ['refused', 401, expect.stringMatching(/expired 0 s ago/)],
      ['refused', 401, expect.stringMatching(/expired 0 s ago/)],
      ['refused', 404, expect.stringContaining('there is no /nowhere')],
      ['refused', 400, expect.stringContaining('parameter limit')],
    ]);
    expect(records[0]).toMatchObject({ account: 'alice', credential: records[1]?.credential });
    expect(records[0]?.credential).toMatch(/^[0-9a-f]{12}$/);
  });

  it('hold the body of a request, and the client and account of a token request', async () => {
    const credentials = { client_id: 'example-service', client_secret: 'service-secret' };
    const wish = form({ grant_type: 'client_credentials', scope: 'service:leagues', ...credentials });
    expect((await send(mock.url, wish)).status).toBe(200);
    await send(mock.url, form({ grant_type: 'refresh_token', refresh_token: 'x', ...credentials }));
    expect(records.map(({ clientId, operationId, decision }) => [clientId, operationId, decision])).toEqual([
      ['example-service', 'issueToken', 'answered'],
      ['example-service', 'issueToken', 'refused'],
    ]);
    expect(records[0]?.requestBody.content.toString()).toBe(wish.body);
    expect(records[0]?.account).toBe(mock.world.clients.find(({ id }) => id === 'example-service')?.owner);
    await send(mock.url, form({ grant_type: 'client_credentials', ...credentials, client_secret: 'wrong' }));
    // It is not the client that it says it is: no account asked.
    expect(records[2]).toMatchObject({ clientId: 'example-service', account: undefined, decision: 'refused' });
  });

  it('hold the body of a request that was refused before its body was read', async () => {
    const body = '{"a":1}';
    await send(mock.url, {
      method: 'POST',
      path: '/item-filter',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(records[0]).toMatchObject({ decision: 'refused', reply: { status: 401 }, requestBody: { size: 7 } });
    expect(records[0]?.requestBody.content.toString()).toBe(body);
  });

  it('say that a client went away before there was a reply', async () => {
    const { port } = new URL(mock.url);
    const over = new Promise<ExchangeRecord>((done) => mock.exchanges.subscribe(done));
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n');
      socket.write('Content-Type: application/x-www-form-urlencoded\r\n\r\nabc', () => socket.destroy());
    });
    expect(await over).toMatchObject({
      decision: 'abandoned',
      reply: null,
      delivery: 'lost',
      requestBody: { size: 3 },
    });
  });

  it('hold requests that only the guard of names meets, and pages', async () => {
    await exchangeRaw(mock.url, 'GET /profile HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    await send(mock.url, { path: '/' });
    expect(
      records.map(({ target, operationId, decision, reply }) => [target, operationId, decision, reply?.status]),
    ).toEqual([
      ['/profile', undefined, 'refused', 403],
      ['/', undefined, 'answered', 200],
    ]);
  });

  it('leave control calls out, and go to nobody who has left', async () => {
    const mine: ExchangeRecord[] = [];
    const leave = mock.exchanges.subscribe((record) => mine.push(record));
    await mock.clock.now();
    await send(mock.url, { path: '/' });
    leave();
    await send(mock.url, { path: '/' });
    expect([mine.length, records.length]).toEqual([1, 2]);
  });

  it('are numbered in order of arrival, and survive a listener that throws', async () => {
    const lines: string[] = [];
    const own = await startTestMock({ log: (line) => lines.push(line) });
    own.exchanges.subscribe(() => {
      throw new Error('not mine');
    });
    const numbers: number[] = [];
    own.exchanges.subscribe(({ number }) => numbers.push(number));
    for (let step = 0; step < 3; step++) expect((await send(own.url, { path: '/' })).status).toBe(200);
    expect(numbers).toEqual([1, 2, 3]);
    expect(lines[0]).toContain('not mine');
    await own.close();
  });
});
