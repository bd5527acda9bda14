import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Mock } from './mock.js';
import { exchangeRaw, send, startTestMock } from './mock.fixture.js';

let mock: Mock;
const warnings: Error[] = [];
const note = (warning: Error): void => void warnings.push(warning);
beforeAll(async () => {
  process.on('warning', note);
  mock = await startTestMock();
});
afterAll(async () => {
  process.off('warning', note);
  await mock.close();
});

const parts = (text: string): { status: number; head: string; body: unknown } => {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  expect(head).toMatch(/\r\ncontent-type: application\/json/i);
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
};

/** A reply to what is written before the other side closes the connection: `connect` sends no end. */
const answered = (bytes: string): Promise<string> =>
  new Promise((done, fail) => {
    const socket = connect(mock.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.on('error', fail);
    socket.on('close', () => done(text));
  });

const host = 'Host: localhost\r\nConnection: close\r\n';
const refused: [string, string, number, RegExp][] = [
  ['no HTTP', 'hello\r\n\r\n', 400, /is not HTTP .*check its first line/],
  ['a header that is none', `GET /league HTTP/1.1\r\n${host}a b: c\r\n\r\n`, 400, /is not HTTP/],
  ['two lengths', `POST /league HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, /is not HTTP/],
  ['no Host', 'GET /league HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /no Host header; send one/],
  [
    'headers too large',
    `GET /league HTTP/1.1\r\n${host}a: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    /larger than 16 KiB.*send fewer/,
  ],
  ['another expectation', `GET /league HTTP/1.1\r\n${host}Expect: cake\r\n\r\n`, 417, /100-continue; send that/],
];

describe('what HTTP itself refuses', () => {
  it.each(refused)('says why in the form of the data API: %s', async (_, bytes, status, message) => {
    const got = parts(await answered(bytes));
    expect([got.status, got.body]).toEqual([
      status,
      { error: { code: expect.any(Number), message: expect.stringMatching(message) } },
    ]);
  });

  it('says why in the form of OAuth at the authorization server', async () => {
    for (const bytes of [
      `POST /oauth/token HTTP/1.1\r\n${host}a b: c\r\n\r\n`,
      `POST https://x/oauth/token HTTP/1.1\r\n${host}a b: c\r\n\r\n`,
      `POST /oauth/token HTTP/1.1\r\n${host}Expect: cake\r\n\r\n`,
    ])
      expect(parts(await answered(bytes)).body).toMatchObject({
        error: 'invalid_request',
        error_description: expect.any(String),
      });
  });

  it('says why in the form of the control protocol to one of its calls', async () => {
    const chunks = `Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`;
    const got = parts(await answered(`POST /__control/clock HTTP/1.1\r\n${host}${chunks}`));
    expect([got.status, got.body]).toEqual([
      413,
      { error: expect.stringMatching(/extensions of the chunks.*send none/) },
    ]);
  });

  it('answers CONNECT, and goes on', async () => {
    const got = parts(await answered('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'));
    expect([got.status, got.head]).toEqual([405, expect.stringMatching(/\r\nallow: GET/i)]);
    expect((await send(mock.url, { path: '/league' })).status).toBe(401);
  });

  it.each([
    'https://localhost:1*',
    'http://localhost:99999/league',
    'foo://localhost/league',
    'http://localhost/league#x',
  ])('reads %s as a target in absolute form without a warning', async (target) => {
    const text = await exchangeRaw(mock.url, `GET ${target} HTTP/1.1\r\n${host}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 40[0134] /);
    await new Promise((done) => setImmediate(done));
    expect(warnings).toEqual([]);
  });

  it('takes the authority of a target for the Host (RFC 9112 3.2.2)', async () => {
    const [foreign, own] = ['foo://evil.example', 'foo://localhost'].map((origin) =>
      exchangeRaw(mock.url, `GET ${origin}/__control/clock HTTP/1.1\r\n${host}\r\n`),
    );
    expect(await foreign).toMatch(/^HTTP\/1\.1 403 [^]*does not answer to the Host evil\.example/);
    expect(await own).toMatch(/^HTTP\/1\.1 200 /);
  });
});
