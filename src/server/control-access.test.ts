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
    { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
    { 'sec-fetch-site': 'none', origin: 'null' },
  ] as Record<string, string>[])('no page of another site: %j', async (headers) => {
    const got = await reset(headers);
    expect([got.status, errorOf(got)]).toEqual([403, expect.stringContaining('browser')]);
    expect(got.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('the mock’s own pages, in browsers with Sec-Fetch-Site and without', async () => {
    const origin = mock.url;
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', origin },
      { origin },
    ])
      expect([headers, (await reset(headers as Record<string, string>)).status]).toEqual([headers, 204]);
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
    expect(await knock({ authorization: 'Bearer s3cret', host: 'mock.test:4010' })).toBe(403);
    expect(await knock({ authorization: 'Bearer s3cret', origin: 'http://evil.example' })).toBe(403);
    expect(await knock({ 'sec-fetch-site': 'same-origin' })).toBe(401);
    expect(await knock({ 'sec-fetch-site': 'same-origin', authorization: 'Bearer s3cret' })).toBe(200);
    expect((await guarded.clock.now()).getTime()).toBeGreaterThan(0);
    await guarded.close();
  });

  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
  it.skipIf(own === undefined)('not another machine, unless there is a token', async () => {
    const reached = { host: '0.0.0.0', allowHosts: [own!] };
    const open = await startTestMock(reached);
    const guarded = await startTestMock({ ...reached, controlToken: 's3cret' });
    const from = (one: Mock): string => `http://${own}:${one.port}`;
    expect((await send(from(open), { path: '/__control/clock', headers: { host: 'localhost' } })).status).toBe(403);
    const front = async (one: Mock): Promise<string> => (await send(from(one), { path: '/' })).text;
    expect(await front(open)).not.toContain('id="dashboard"');
    expect(await front(guarded)).toContain('id="dashboard"');
    expect(
      (await send(from(guarded), { path: '/__control/clock', headers: { authorization: 'Bearer s3cret' } })).status,
    ).toBe(200);
    await Promise.all([open.close(), guarded.close()]);
  });
});
