import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Call } from './control.fixture.js';
import { controlCall, errorOf } from './control.fixture.js';
import { send, startTestMock } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';

let mock: Mock;
beforeEach(async () => {
  mock = await startTestMock();
});
afterEach(() => mock.close());

const call: Call = (...args) => controlCall(mock, ...args);

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
