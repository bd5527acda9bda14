import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { send, startTestMock } from './mock.fixture.js';
import type { Mock } from './mock.js';
import { startMock } from './mock.js';

let mock: Mock;
beforeAll(async () => {
  mock = await startTestMock({ cors: true, allowHosts: ['Mock.Test', 'fe80::7', '192.168.1.5'] });
});
afterAll(() => mock.close());

const status = async (host: string, path = '/'): Promise<number> =>
  (await send(mock.url, { path, headers: { host } })).status;

/** Sends a request as text, and gives the status line and what follows it. */
const raw = (text: string): Promise<string> =>
  new Promise((done, fail) => {
    const socket = connect(mock.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (part) => (answer += part.toString()));
    socket.on('error', fail);
    socket.on('close', () => done(answer));
  });

describe('the names that a mock answers to', () => {
  it.each([
    'localhost',
    'LocalHost:1',
    'localhost:65535',
    '127.0.0.1',
    '127.8.9.1:4010',
    '[::1]',
    '[::1]:80',
    'mock.test',
    'MOCK.test:8080',
    '[fe80::7]:80',
    '192.168.1.5:4010',
  ])('%s', async (host) => {
    expect(await status(host)).toBe(200);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:80',
    'mock.test.',
    'sub.mock.test',
    '0.0.0.0',
    '192.168.1.6',
    '[::2]',
    '127.0.0.1@evil.example',
    'localhost:',
    '2130706433',
    '127.1',
    '127.999.999.999',
    '127.0.0.256',
  ])('not %j, which may have been rebound to this machine', async (host) => {
    expect(await status(host)).toBe(403);
  });

  it('are the same for everything that is served', async () => {
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    const requests = [
      ['GET', '/'],
      ['GET', '/applications'],
      ['POST', '/applications'],
      ['GET', '/docs'],
      ['GET', '/openapi.yaml'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/profile'],
      ['OPTIONS', '/profile'],
      ['GET', '/nowhere'],
      ['GET', '/oauth/authorize'],
      ['POST', '/oauth/authorize'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/token/revoke'],
      ['GET', '/__control/clock'],
      ['POST', '/__control/reset'],
    ] as const;
    for (const [method, path] of requests) {
      const headers = {
        host: 'evil.example',
        authorization: `Bearer ${token}`,
        'access-control-request-method': 'GET',
      };
      const got = await send(mock.url, { method, path, headers });
      expect([method, path, got.status]).toEqual([method, path, 403]);
      expect(got.headers['content-type']).toContain('application/json');
      expect(got.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect((await send(mock.url, { path: '/profile', headers: { authorization: `Bearer ${token}` } })).status).toBe(
      200,
    );
  });

  it('are refused in the shape of the surface, with the remedy', async () => {
    const refusal = async (path: string): Promise<unknown> =>
      (await send(mock.url, { path, headers: { host: 'evil.example:4010' } })).json();
    const sentence: unknown = expect.stringContaining('--allow-host evil.example to allow it');
    expect(await refusal('/profile')).toEqual({ error: { code: 6, message: sentence } });
    expect(await refusal('/__control')).toEqual({ error: sentence });
    expect(await refusal('/oauth/token')).toMatchObject({ error: 'invalid_request' });
    const { headers } = await send(mock.url, { path: '/oauth/token', headers: { host: 'evil.example' } });
    expect(headers['x-mock-reason']).toEqual(sentence);
  });

  it('stand in the target where that is in absolute form', async () => {
    const get = (target: string) => raw(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    expect(await get('http://localhost/openapi.yaml')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('http://evil.example/openapi.yaml')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ['none', 'GET / HTTP/1.1\r\n'],
    ['two', 'GET / HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\n'],
    ['two that differ', 'GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n'],
  ])('stand in one Host header: %s is a bad request', async (_, head) => {
    expect(await raw(`${head}connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('must be given with HTTP/1.0 too', async () => {
    expect(await raw('GET / HTTP/1.0\r\nhost:\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw('GET / HTTP/1.0\r\nhost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('do not run out however many ways there are to write them', async () => {
    for (let n = 0; n < 250; n += 1) expect(await status(`127.0.0.${n}:${4000 + n}`)).toBe(200);
    expect(await status('evil.example')).toBe(403);
  });

  it.each(['http://mock.test', 'mock.test:4010', 'mock test', '', '127.0.0.256', 'bücher.example', '[::1'])(
    'cannot be added as %j',
    async (name) => {
      const started = startMock({ allowHosts: [name] }).then((one) => one.close());
      await expect(started).rejects.toThrow(`allow-host ${name}: not a host name`);
    },
  );

  it('are those of the address that it listens on', async () => {
    const own = await startTestMock({ host: '0.0.0.0' });
    expect((await send(own.url, { path: '/', headers: { host: `0.0.0.0:${own.port}` } })).status).toBe(200);
    await own.close();
  });
});
