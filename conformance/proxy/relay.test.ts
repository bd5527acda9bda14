import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { ca, key, otherCertificate, serverCertificate } from '../wire/certificates.fixture.js';
import { proxyFor, raw, saying, taken, upstream } from './proxy.fixture.js';

const get = (path = '/profile', ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n');
const closing = (path?: string, ...headers: string[]): string => get(path, 'Connection: close', ...headers);

/** Headers that are of one connection, and what the proxy adds. */
const own = /^(connection|keep-alive|via|host): /i;
const withoutOwn = (message: string): string => {
  const [head = '', ...body] = message.split('\r\n\r\n');
  return [
    head
      .split('\r\n')
      .filter((line) => !own.test(line))
      .join('\r\n'),
    ...body,
  ].join('\r\n\r\n');
};

describe('what passes', () => {
  it.each<[name: string, reply: string | Buffer]>([
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['no reason phrase', 'HTTP/1.1 299 \r\ncontent-length: 0\r\n\r\n'],
    ['a reason of its own', 'HTTP/1.1 200 Fine by me\r\ncontent-length: 0\r\n\r\n'],
    [
      'a header twice, in their cases and order',
      'HTTP/1.1 200 OK\r\nx-B: 1\r\nA: 2\r\nX-b: 3\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n',
    ],
    [
      'bytes beyond ASCII in a header',
      Buffer.from('HTTP/1.1 200 OK\r\nx-name: \xe9\xff\r\nContent-Length: 0\r\n\r\n', 'latin1'),
    ],
    ['no date', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['304 with a length', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 1234\r\n\r\n'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/?code=1\r\nContent-Length: 0\r\n\r\n'],
    ...(['gzip', 'br', 'x-unknown'] as const).map((coding): [string, Buffer] => {
      const body = {
        gzip: gzipSync,
        br: brotliCompressSync,
        'x-unknown': (text: string) => Buffer.from([0, 255, 1, ...Buffer.from(text)]),
      }[coding]('{"a":1}');
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
      return [coding, Buffer.concat([Buffer.from(head), body])];
    }),
  ])('passes a response on byte by byte: %s', async (_, reply) => {
    await using server = await saying(reply);
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, closing());
    expect(withoutOwn(got)).toBe(withoutOwn(Buffer.from(reply).toString('latin1')));
    expect(got).toMatch(/\r\nvia: 1\.1 gamedata-proxy-[0-9a-f]{8}\r\n/i);
  });

  it('passes a request on as it is: target, headers, body and their form', async () => {
    await using server = await upstream((socket, heard) => {
      if (heard.endsWith('0\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    await using running = await proxyFor(server.url);
    const body = '5\r\na=%41\r\n0\r\n\r\n';
    const head =
      'POST /a/../b%2f//?q=%20&r HTTP/1.1\r\nX-One: 1\r\nx-one: 2\r\nAccept-Encoding: zstd\r\nTransfer-Encoding: chunked\r\n';
    await raw(
      running.url,
      `${head}Host: 127.0.0.1\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=1\r\n\r\n${body}`,
    );
    const [heard = ''] = server.heard;
    expect(heard).toContain('POST /a/../b%2f//?q=%20&r HTTP/1.1\r\n');
    expect(heard).toContain('X-One: 1\r\nX-One: 2\r\nAccept-Encoding: zstd\r\nTransfer-Encoding: chunked\r\n');
    expect(heard).toContain(`Host: ${new URL(server.url).host}\r\n`);
    expect(heard).not.toMatch(/x-hop|keep-alive: timeout/i);
    expect(heard).toMatch(/\r\nVia: 1\.1 gamedata-proxy-/);
    expect(heard.endsWith(`\r\n\r\n${body}`)).toBe(true);
  });

  it('gives a request without a body none', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await using running = await proxyFor(server.url);
    await raw(running.url, 'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(server.heard[0]).not.toMatch(/content-length|transfer-encoding/i);
  });

  it('passes HEAD on, whose response has a length and no body', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n');
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, closing().replace('GET', 'HEAD'));
    expect(withoutOwn(got)).toBe('HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n');
    await taken(running.proxy, 1);
    expect(running.proxy.report().observations[0]).toContain('the interface does not describe HEAD and OPTIONS');
  });

  it('lets the server say whether the body is wanted', async () => {
    await using server = await upstream((socket, heard) => {
      if (heard.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      else socket.end('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
    });
    await using running = await proxyFor(server.url);
    const request = http.request(`${running.url}/item-filter`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 4 },
    });
    request.flushHeaders();
    await once(request, 'continue');
    expect(server.heard[0]).not.toContain('body');
    request.end('body');
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(answer.statusCode).toBe(201);
    answer.resume();
  });

  it('passes trailers on', async () => {
    await using server = await saying(
      'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 7\r\n\r\n',
    );
    await using running = await proxyFor(server.url);
    expect(await raw(running.url, closing())).toContain('0\r\nX-Sum: 7\r\n\r\n');
  });

  it('passes a response on whose trailers have no place', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\n{}');
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, closing());
    expect(withoutOwn(got)).toBe('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  });

  it('sends no chunks to a client of HTTP/1.0', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n');
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, 'GET /profile HTTP/1.0\r\n\r\n');
    expect(withoutOwn(got)).toBe('HTTP/1.1 200 OK\r\n\r\n{}');
  });

  it('begins a response that the server has begun', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n');
    await using running = await proxyFor(server.url);
    expect(await raw(running.url, get(), '\r\n\r\n')).toContain('Content-Length: 5');
  });

  it('ignores an upgrade to HTTP/2, as servers may', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await using running = await proxyFor(server.url);
    const got = await raw(
      running.url,
      get('/profile', 'Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAA'),
    );
    expect(got).toContain('200 OK');
    expect(server.heard[0]).not.toMatch(/upgrade|http2/i);
  });
});

describe('what does not pass', () => {
  it.each<[name: string, request: string, status: number, words: string]>([
    [
      'an upgrade',
      closing('/', 'Connection: Upgrade', 'Upgrade: websocket'),
      501,
      'upgrades are not passed on, and websocket was asked for',
    ],
    ['CONNECT', 'CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n\r\n', 501, 'CONNECT is not passed on'],
    [
      'another host',
      'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      421,
      'does not answer to the host evil.example',
    ],
    [
      'the URL of another server',
      'GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\nConnection: close\r\n\r\n',
      421,
      'host 10.0.0.1',
    ],
    ['what is no HTTP', 'hello\r\n\r\n', 400, 'the request is not HTTP'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'not HTTP that can be passed on',
    ],
  ])('refuses %s in words', async (_, request, status, words) => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, request);
    expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(got).toContain(words);
    expect(server.heard).toEqual([]);
  });

  it('tells that nobody is there', async () => {
    const server = await saying('');
    await server[Symbol.asyncDispose]();
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, closing('/profile?token=secret-of-mine'));
    expect(got).toMatch(/^HTTP\/1.1 502 /);
    expect(got).toContain('connection refused; start the server');
    expect(got).toMatch(/proxy-status: gamedata-proxy-[0-9a-f]+; error=connection_refused/);
    await taken(running.proxy, 1);
    const { observations, exitCode } = running.proxy.report();
    expect(observations).toEqual([
      'Not judged: 1 exchange, because the server gave no response: connection refused: getProfile (1).',
    ]);
    expect(exitCode).toBe(3);
  });

  it('gives up where nothing comes', async () => {
    await using server = await upstream(() => {});
    await using running = await proxyFor(server.url, { idle: 50 });
    expect(await raw(running.url, closing())).toMatch(/^HTTP\/1.1 504 [^]*nothing came for 0.05 seconds/);
  });

  it('says so once where the connection ends behind its own answer', async () => {
    await using server = await upstream(() => {});
    await using running = await proxyFor(server.url, { idle: 50 });
    const got = await raw(running.url, get(), 'seconds');
    for (const socket of server.sockets) await once(socket, 'close');
    expect(got.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it.each([
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"a"'],
    ['half of its chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n'],
  ])('leaves %s half', async (_, reply) => {
    await using server = await upstream((socket) => void socket.end(reply));
    await using running = await proxyFor(server.url);
    const got = await raw(running.url, get());
    expect(withoutOwn(got)).toBe(reply);
    await taken(running.proxy, 1);
    expect(running.proxy.report().observations[0]).toContain('the response ended before its end: getProfile');
  });

  it('ends the exchange of a client that goes away', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{');
    await using running = await proxyFor(server.url);
    await raw(running.url, get(), '{');
    await taken(running.proxy, 1);
    for (const socket of server.sockets) await once(socket, 'close');
    expect(running.proxy.report().observations[0]).toContain('the client went away before the response ended');
  });

  it('notices that it asks itself', async () => {
    await using server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await using running = await proxyFor(server.url);
    const [head = ''] = /gamedata-proxy-\w+/.exec(await raw(running.url, closing())) ?? [];
    expect(await raw(running.url, closing('/', `Via: 1.1 other, 1.1 ${head}`))).toMatch(/^HTTP\/1.1 508 /);
  });

  it('sends a request again whose kept connection was closed', async () => {
    let closes = true;
    await using server = await upstream((socket, heard) => {
      const isSecond = heard.split('HTTP/1.1').length > 2;
      if (isSecond && closes) {
        closes = false;
        return void socket.destroy();
      }
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    await using running = await proxyFor(server.url);
    const agent = new http.Agent({ keepAlive: true });
    for (let times = 0; times < 3; times += 1) {
      const [answer] = (await once(http.get(`${running.url}/profile`, { agent }), 'response')) as [
        http.IncomingMessage,
      ];
      expect(answer.statusCode).toBe(200);
      answer.resume();
      await once(answer, 'close');
    }
    agent.destroy();
    expect(server.heard).toHaveLength(2);
  });
});

it('passes on a body that is longer than what is judged, and says so', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const chunks = 40;
  const hash = createHash('sha256');
  const server = http.createServer(async (_, res) => {
    res.setHeader('content-length', chunk.length * chunks);
    for (let index = 0; index < chunks; index += 1) if (!res.write(chunk)) await once(res, 'drain');
    res.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await using running = await proxyFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [answer] = (await once(http.get(`${running.url}/profile`), 'response')) as [http.IncomingMessage];
  for await (const part of answer) hash.update(part as Buffer);
  server.close();
  const wanted = createHash('sha256');
  for (let index = 0; index < chunks; index += 1) wanted.update(chunk);
  expect(hash.digest('hex')).toBe(wanted.digest('hex'));
  await taken(running.proxy, 1);
  expect(running.proxy.report().observations[0]).toContain('the body of the response has more than 16 MB: getProfile');
});

describe('https', () => {
  const secure = async (cert: string) => {
    const server = createSecure({ key, cert }, (_, res) => void res.end('{}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  it('passes on to a server with a certificate of a private authority', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gamedata-proxy-'));
    writeFileSync(join(folder, 'ca.pem'), ca);
    const { server, url } = await secure(serverCertificate);
    await using running = await proxyFor(url, {}, { ca: join(folder, 'ca.pem') });
    expect(await raw(running.url, closing())).toMatch(/^HTTP\/1.1 200 OK/);
    server.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['an unknown authority', serverCertificate, 'its TLS certificate is not trusted'],
    ['another host', otherCertificate, 'TLS certificate'],
  ])('tells of a certificate of %s', async (_, cert, words) => {
    const { server, url } = await secure(cert);
    await using running = await proxyFor(url);
    const got = await raw(running.url, closing());
    server.close();
    expect(got).toMatch(/^HTTP\/1.1 502 /);
    expect(got).toContain(words);
  });

  it('tells of a server without TLS', async () => {
    await using server = await upstream((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await using running = await proxyFor(server.url.replace('http:', 'https:'));
    expect(await raw(running.url, closing())).toMatch(/^HTTP\/1.1 502 /);
  });
});

describe('--rewrite', () => {
  const metadata = (url: string): string =>
    JSON.stringify({ issuer: url, token_endpoint: `${url}/oauth/token`, other: 'http://other.example/' });

  it.each([true, false])('puts its own address in Location and metadata: %s', async (rewrite) => {
    const server = http.createServer((req, res) => {
      const url = `http://${req.headers.host}`;
      if (req.url === '/moved') res.writeHead(301, { location: `${url}/profile?a=1` }).end();
      else
        res
          .writeHead(200, { 'content-type': 'application/json', 'content-length': metadata(url).length })
          .end(metadata(url));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using running = await proxyFor(origin, { rewrite });
    const shown = rewrite ? running.url : origin;
    const moved = await fetch(`${running.url}/moved`, { redirect: 'manual' });
    expect(moved.headers.get('location')).toBe(`${shown}/profile?a=1`);
    const found = await fetch(`${running.url}/.well-known/oauth-authorization-server`);
    expect(await found.text()).toBe(metadata(shown));
    const other = await fetch(`${running.url}/profile`);
    expect(await other.text()).toBe(metadata(origin));
    server.close();
  });
});
