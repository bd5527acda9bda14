import { createServer } from 'node:http';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { ownHeaders } from './identity.js';
import type { Sent } from './answer.js';
import { release } from './race.js';
import type { RaceLimits } from './race.js';

const short: RaceLimits = { open: 2000, settle: 0, answer: 5000, bytes: 10_000 };

const open: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server, host = '127.0.0.1'): Promise<string> {
  open.push(server.on('connection', (socket: Socket) => sockets.add(socket)));
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, host, done));
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

/** A server that says these bytes to whoever has sent a whole body, and closes where it is told to. */
const saying = (bytes: string, close = false): Promise<string> =>
  listening(
    createTcp((socket) => {
      let text = '';
      socket
        .on('error', () => {})
        .on('data', (part: Buffer) => {
          text += part.toString();
          if (!text.endsWith('a=1')) return;
          socket.write(bytes);
          if (close) socket.end();
        });
    }),
  );

const post = (url: string, body = 'a=1'): Sent => ({
  method: 'POST',
  url: `${url}/oauth/token`,
  headers: { accept: 'x' },
  body,
});
const times = (count: number, request: Sent): Sent[] => Array.from({ length: count }, () => request);

describe('requests of a race', () => {
  it('have all arrived but for their last byte before any of them is whole', async () => {
    const heads = new Set<Socket>();
    const waiting: (() => void)[] = [];
    const atEnd: number[] = [];
    const url = await listening(
      createTcp((socket) => {
        let text = '';
        socket.on('data', (part: Buffer) => {
          text += part.toString('latin1');
          if (text.includes('\r\n\r\n')) heads.add(socket);
          if (!text.endsWith('token=Zo\xc3\xab')) return;
          atEnd.push(heads.size);
          waiting.push(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
          if (waiting.length === 8) for (const answer of waiting) answer();
        });
      }),
    );
    const received = await release(times(8, post(url, 'token=Zoë')), { ...short, settle: 1000 });
    expect(received.map(({ status, body }) => [status, String(body)])).toEqual(
      times(8, post(url)).map(() => [200, 'ok']),
    );
    expect(atEnd).toEqual(Array.from({ length: 8 }, () => 8));
  });

  it('are ordinary HTTP: method, path as written, headers, length in bytes', async () => {
    const url = await listening(
      createServer((request, reply) => {
        let body = '';
        request.setEncoding('utf8').on('data', (part: string) => (body += part));
        request.on('end', () => {
          const {
            host,
            authorization,
            'content-length': length,
            'user-agent': agent,
            'accept-encoding': coding,
          } = request.headers;
          reply.end(JSON.stringify([request.method, request.url, host, agent, coding, authorization, length, body]));
        });
      }),
    );
    const [answer] = await release(
      [{ method: 'POST', url: `${url}//x/../y?z`, headers: { authorization: 'Bearer t' }, body: 'é' }],
      short,
    );
    expect(JSON.parse(String(answer!.body))).toEqual([
      'POST',
      '//x/../y?z',
      new URL(url).host,
      ownHeaders['user-agent'],
      'identity',
      'Bearer t',
      '2',
      'é',
    ]);
  });

  it('go to IPv6 addresses', async ({ skip }) => {
    const server = createServer(
      (request, reply) => void request.resume().on('end', () => reply.end(request.headers.host)),
    );
    const url = await listening(server, '::1').catch(() => skip());
    expect((await release([post(url!)], short))[0]!.body.toString()).toBe(new URL(url!).host);
  });
});

describe('answers of a race', () => {
  it.each([
    ['a length', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 4\r\nX: 1\r\nx: 2\r\n\r\nabcd', false, 400, 'abcd'],
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;ext=1\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n',
      false,
      200,
      'abcdef',
    ],
    [
      'chunks that look like an end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n\r\n0\r\n\r\n345678901\r\n0\r\n\r\n',
      false,
      200,
      '\r\n0\r\n\r\n345678901',
    ],
    [
      'chunks and a trailer',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\n\r\n',
      false,
      200,
      'a',
    ],
    ['nothing to come', 'HTTP/1.1 204 No Content\r\n\r\n', false, 204, ''],
    ['the end of the connection', 'HTTP/1.0 200 OK\r\n\r\nall of it', true, 200, 'all of it'],
    [
      'an interim answer first',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1',
      false,
      200,
      '1',
    ],
  ])('end with %s', async (_, bytes, close, status, text) => {
    const received = await release(times(2, post(await saying(bytes, close))), short);
    expect(received.map((one) => ({ ...one, text: String(one.body) }))).toMatchObject([
      { status, text },
      { status, text },
    ]);
    if (bytes.includes('X: 1')) expect(received[0]!.headers.x).toEqual(['1', '2']);
  });

  const lost = async (...requests: Sent[]): Promise<unknown> => {
    const left = sockets.size;
    const error: unknown = await release(requests, { ...short, answer: 60 }).catch((thrown: unknown) => thrown);
    expect(sockets.size).toBeGreaterThanOrEqual(left);
    return error;
  };

  it('are missed where the server closes early', async () => {
    for (const bytes of [
      '',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
      'SSH-2.0\r\n\r\n',
    ]) {
      expect(await lost(post(await saying(bytes, true)))).toMatchObject({
        name: 'Deviation',
        expected: 'a response to each request of a race',
        got: 'a connection closed without a complete response',
      });
    }
  });

  it('are missed where the server is silent, or does not end', async () => {
    for (const bytes of ['', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc']) {
      expect(
        await lost(post(await saying(bytes)), post(await saying('HTTP/1.1 204 No Content\r\n\r\n'))),
      ).toMatchObject({
        name: 'Deviation',
        got: 'none that ended within 0.06 seconds',
      });
    }
  });

  it('are bounded', async () => {
    expect(await lost(post(await saying(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(20_000)}`)))).toMatchObject({
      name: 'Deviation',
      got: 'more than 0.0095367431640625 MB',
    });
  });

  it('are not waited for where one connection is refused', async () => {
    const gone = await saying('');
    await new Promise<void>((done) => open[0]!.close(() => done()));
    const closed: Promise<void>[] = [];
    const there = await listening(
      createTcp((socket) => {
        closed.push(
          new Promise((done) =>
            socket
              .on('error', () => {})
              .on('close', () => done())
              .resume(),
          ),
        );
      }),
    );
    await expect(release([post(there), post(gone), post(there)], short)).rejects.toMatchObject({
      name: 'Deviation',
      expected: 'a connection for each request of a race',
      got: 'a refused connection',
    });
    // The others are let go, so that the server is not left with half a request.
    await Promise.all(closed);
  });

  it('come over TLS where the URL says https', async () => {
    let first: number | undefined;
    const url = await listening(
      createTcp((socket) =>
        socket
          .on('error', () => {})
          .once('data', ([byte]: Buffer) => {
            first = byte;
            socket.destroy();
          }),
      ),
    );
    await expect(release([post(url.replace('http:', 'https:'))], short)).rejects.toMatchObject({ name: 'Deviation' });
    expect(first).toBe(0x16);
  });
});
