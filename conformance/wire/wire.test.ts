import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';

import type { Answer } from './answer.js';
import { release } from './race.js';
import { pathOf, trace } from './trace.js';
import { Wire } from './wire.js';
import type { Trace } from './trace.js';
import type { WireLimits, WireOptions } from './wire.js';

const short: WireLimits = { answer: 5000, whole: 5000, bytes: 1024, tries: 3, wait: [0, 40], silence: 6 };
const asked = { server: 'data', args: {} } as const;

const open: (Server | TcpServer | Wire)[] = [];
afterEach(() => {
  for (const one of open.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections();
    one.close();
  }
});

async function listening<S extends Server | TcpServer>(server: S, host = '127.0.0.1'): Promise<string> {
  open.push(server);
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, host, done));
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const serve = (listener: RequestListener, host?: string): Promise<string> => listening(createServer(listener), host);

function wired(options: Partial<WireOptions> = {}, limits: Partial<WireLimits> = {}) {
  const seen: Answer[] = [];
  const stop = new AbortController();
  const wire = new Wire(
    {
      budget: 100,
      perSecond: 0,
      concurrency: 16,
      signal: stop.signal,
      seen: (answer) => seen.push(answer),
      ...options,
    },
    { ...short, ...limits },
  );
  open.push(wire);
  const get = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
    wire.send({ method: 'GET', url, headers }, asked);
  return { wire, seen, stop, get };
}

/** Answers in turn as the functions say; the last one from then on. */
function inTurn(...turns: readonly ((reply: ServerResponse, request: IncomingMessage) => void)[]): RequestListener {
  let count = 0;
  return (request, reply) => {
    const turn = turns[Math.min(count, turns.length - 1)]!;
    count += 1;
    request.resume().on('end', () => turn(reply, request));
  };
}

const busy =
  (retryAfter?: string, status = 429) =>
  (reply: ServerResponse): void =>
    void reply.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
const fine = (reply: ServerResponse): void => void reply.end('{"ok":true}');

describe('content codings', () => {
  const coded =
    (coding: string, body: string | Buffer): RequestListener =>
    ({ headers }, reply) =>
      void reply.writeHead(200, { 'content-encoding': coding, asked: String(headers['accept-encoding']) }).end(body);

  it('are not asked for, and undone where one comes anyway', async () => {
    const { get } = wired();
    const answer = await get(await serve(coded('gzip', gzipSync('{"ok":true}'))));
    expect(answer).toMatchObject({ json: { ok: true }, text: '{"ok":true}', headers: { asked: 'identity' } });
  });

  it('are asked for where a request says so', async () => {
    const { get } = wired();
    expect(await get(await serve(coded('br', '')), { 'accept-encoding': 'br' })).toMatchObject({
      headers: { asked: 'br' },
    });
  });

  it.each([
    ['zstd', 'x', 'the response has Content-Encoding zstd, which the suite did not ask for and cannot decode'],
    ['gzip', gzipSync('x'.repeat(4096)), 'the response has Content-Encoding gzip and more than'],
  ])('that cannot be undone are named: %s', async (coding, body, words) => {
    const { get } = wired();
    const answer = await get(await serve(coded(coding, body)));
    expect(answer.json).toBeUndefined();
    expect(answer.problem).toContain(words);
    expect(answer.text).toBe(`(${answer.problem})`);
  });
});

describe('other forms of HTTP', () => {
  const text = '{"ok":true}';
  it.each([
    ['HTTP/1.0, ended by the connection', `HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${text}`],
    ['names in any case', `HTTP/1.1 200\r\ncOnTeNt-TyPe:application/json\r\nCONTENT-LENGTH:  11 \r\n\r\n${text}`],
    [
      'chunks with extensions and trailers',
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\n${text.slice(0, 4)}\r\n007\r\n${text.slice(4)}\r\n0\r\nX-Sum: 1\r\n\r\n`,
    ],
    [
      'an interim answer before',
      `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n${text}`,
    ],
  ])('are read: %s', async (_, answer) => {
    const url = await listening(createTcp((socket) => socket.once('data', () => socket.end(answer))));
    const { get, wire } = wired();
    const request = { method: 'GET', url, headers: {} };
    const [raced] = await release([request]);
    for (const one of [await get(url), wire.record(request, asked, raced!, 1)])
      expect(one).toMatchObject({ status: 200, json: { ok: true }, headers: { 'content-type': 'application/json' } });
  });
});

describe('429', () => {
  const later = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();
  it.each([
    ['seconds', '0'],
    ['more seconds than are waited for', '86400'],
    ['a date', later(1)],
    ['a date long ago', later(-5000)],
    ['rubbish', 'soon'],
    ['a negative number', '-5'],
    ['nothing', undefined],
  ])('is waited for and asked again: %s', async (_, retryAfter) => {
    const url = await serve(inTurn(busy(retryAfter), fine));
    const { wire, seen, get } = wired();
    expect((await get(url)).json).toEqual({ ok: true });
    expect(seen.map(({ status }) => status)).toEqual([429, 200]);
    expect(wire.sent).toBe(2);
  });

  it.each([
    ['two seconds', '2', 2000],
    ['a date, by the clock of the server', 'Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['rubbish: a second', 'in a while', 1000],
  ])('waits as long as it says: %s', async (_, retryAfter, ms) => {
    const url = await serve(
      inTurn(
        (reply) =>
          void reply.writeHead(429, { 'retry-after': retryAfter, date: 'Thu, 01 Jan 2026 00:00:00 GMT' }).end(),
        fine,
      ),
    );
    const { wire, stop, seen } = wired({}, { wait: [0, 30_000] });
    const started = performance.now();
    // The wait is begun, and read off the clock that the other requests have to keep too.
    const log: Trace = { answers: [] };
    const waiting = trace.run(log, () => wire.send({ method: 'GET', url, headers: {} }, asked));
    await until(() => log.waited !== undefined);
    expect(seen).toHaveLength(1);
    stop.abort('enough');
    await expect(waiting).rejects.toMatchObject({ name: 'Stopped', message: 'enough' });
    expect(wire.held + performance.now() - started).toBeGreaterThanOrEqual(ms);
    expect(wire.held).toBeLessThanOrEqual(ms);
    // Nor is the wait the check's own time.
    expect(log.waited).toBeGreaterThan(ms - 1000);
  });

  it('is waited for with --safe in parts that a timer can wait, however long it says', async () => {
    const url = await serve(inTurn(busy('99999999'), fine));
    const { wire, stop, seen } = wired({ safe: true });
    const log: Trace = { answers: [] };
    const waiting = trace.run(log, () => wire.send({ method: 'GET', url, headers: {} }, asked));
    await until(() => log.waited !== undefined);
    stop.abort('enough');
    await expect(waiting).rejects.toMatchObject({ name: 'Stopped' });
    expect([seen.length, log.waited]).toEqual([1, 2 ** 31 - 1]);
    expect(wire.held).toBeGreaterThan(99_999_000_000);
  });

  it('holds back what else is to be sent', async () => {
    const arrived: { path: string; at: number }[] = [];
    const url = await serve((request, reply) => {
      arrived.push({ path: request.url!, at: performance.now() });
      if (arrived.length === 1) busy('1')(reply);
      else fine(reply);
    });
    const { get, seen } = wired({}, { wait: [200, 200] });
    const first = get(`${url}/first`);
    await until(() => seen.length === 1);
    await Promise.all([first, get(`${url}/second`)]);
    // Both were let go at once: which of them the server sees first is not the wire's to say.
    const [refused, ...held] = arrived;
    expect(held.map(({ path }) => path).sort()).toEqual(['/first', '/second']);
    // A timer may be early by the millisecond that it counts in.
    for (const { at } of held) expect(at - refused!.at).toBeGreaterThan(198);
  });

  it.each([
    ['0', 'although Retry-After was obeyed'],
    [undefined, ', with no Retry-After to obey'],
  ])('that never ends decides nothing: Retry-After %s', async (retryAfter, words) => {
    const url = await serve(inTurn(busy(retryAfter), busy(retryAfter), busy()));
    const { get, seen } = wired();
    await expect(get(`${url}/profile?secret=x`)).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: `GET /profile returned 429 3 times${retryAfter === undefined ? '' : ' '}${words}; lower budget.per_second in the target`,
    });
    expect(seen).toHaveLength(3);
  });
});

describe('503', () => {
  it('with Retry-After is waited for and asked again', async () => {
    const { get, seen } = wired();
    expect((await get(await serve(inTurn(busy('0', 503), fine)))).json).toEqual({ ok: true });
    expect(seen.map(({ status }) => status)).toEqual([503, 200]);
  });

  it('with Retry-After that never ends decides nothing', async () => {
    const { get } = wired();
    await expect(get(`${await serve(inTurn(busy('0', 503)))}/profile`)).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message:
        'GET /profile returned 503 3 times although Retry-After was obeyed; lower budget.per_second in the target',
    });
  });

  it('without it is an answer like others', async () => {
    const { get } = wired();
    expect((await get(await serve(inTurn(busy(undefined, 503), fine)))).status).toBe(503);
  });
});

describe('what may be sent', () => {
  it('ends with the budget', async () => {
    const { wire, get } = wired({ budget: 2 });
    const url = await serve(inTurn(fine));
    await get(url);
    await wire.reserve([{ method: 'POST', url, headers: {} }]);
    await expect(get(url)).rejects.toMatchObject({
      name: 'Stopped',
      message: 'the budget of 2 requests is spent; raise it with --budget',
    });
    expect(wire.sent).toBe(2);
  });

  it('is spread over the seconds', async () => {
    const { get } = wired({ perSecond: 200 });
    const url = await serve(inTurn(fine));
    const started = performance.now();
    await Promise.all(Array.from({ length: 10 }, () => get(url)));
    // Ten slots of five milliseconds; the first one may be used at once.
    expect(performance.now() - started).toBeGreaterThan(44);
  });

  it('ends with the signal, waits and answers under way included', async () => {
    const calls = new EventEmitter();
    const url = await serve(() => void calls.emit('call'));
    const { stop, get } = wired();
    const called = new Promise((done) => calls.once('call', done));
    const pending = get(url);
    await called;
    stop.abort('the run was interrupted');
    const stopped = { name: 'Stopped', message: 'the run was interrupted' };
    await expect(pending).rejects.toMatchObject(stopped);
    await expect(get(url)).rejects.toMatchObject(stopped);
  });

  it('ends for a check that was given up, and for no other', async () => {
    const { get } = wired();
    const url = await serve(inTurn(fine));
    const given: Trace = { answers: [], stopped: 'the check took too long' };
    await expect(trace.run(given, () => get(url))).rejects.toThrow('the check took too long');
    expect((await trace.run({ answers: [] }, () => get(url))).status).toBe(200);
  });

  it('is nothing that HTTP cannot say', async () => {
    const { get } = wired();
    const url = await serve(inTurn(fine));
    await expect(get(url, { authorization: 'Bearer a\nb' })).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: expect.not.stringContaining('a\nb') as string,
    });
    await expect(get(`${url}/Ł`)).rejects.toMatchObject({ name: 'PrerequisiteFailed' });
  });
});

describe('no answer', () => {
  const refusal = async (listener: RequestListener, limits: Partial<WireLimits> = {}): Promise<string> => {
    const { get } = wired({}, limits);
    const error: unknown = await get(`${await serve(listener)}/x?code=1`).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Deviation', expected: 'a response to GET /x' });
    return (error as { got: string }).got;
  };

  it('is a refused connection', async () => {
    const url = await serve(inTurn(fine));
    const { get } = wired();
    await new Promise<void>((done) => (open[0] as Server).close(() => done()));
    await expect(get(url)).rejects.toMatchObject({ got: 'a refused connection' });
  });

  it('is a closed connection', async () => {
    expect(await refusal((request) => void request.socket.destroy())).toBe('a closed connection');
  });

  it('is what is no HTTP', async () => {
    const url = await listening(createTcp((socket) => void socket.on('error', () => {}).end('SSH-2.0-x\r\n')));
    await expect(wired().get(url)).rejects.toMatchObject({
      got: expect.stringMatching(/^a broken connection/) as string,
    });
  });

  it('is silence, an answer without end, a body that is too large or breaks off', async () => {
    expect(await refusal(() => {}, { answer: 20 })).toBe('no response within 0.02 seconds');
    expect(await refusal((_, reply) => void reply.write('a'), { whole: 30 })).toBe(
      'a response that did not end within 0.03 seconds',
    );
    expect(await refusal((_, reply) => void reply.end('a'.repeat(5000)))).toBe('a body of more than 0.0009765625 MB');
    expect(
      await refusal((_, reply) => {
        reply.writeHead(200, { 'content-length': '100' });
        reply.write('{"half":', () => reply.destroy());
      }),
    ).toMatch(/^a body that broke off/);
  });

  it('six times in a row ends the run; an answer in between does not', async () => {
    const url = await serve((request, reply) => (request.url === '/ok' ? fine(reply) : request.socket.destroy()));
    const { wire, get } = wired();
    const lost = async (times: number): Promise<void> => {
      for (let index = 0; index < times; index += 1) await get(url).catch(() => {});
    };
    await lost(5);
    await get(`${url}/ok`);
    await lost(6);
    await expect(get(`${url}/ok`)).rejects.toMatchObject({
      name: 'Stopped',
      message: expect.stringMatching(
        /^the server did not serve 6 requests in a row; the first: .*: a closed connection; the last: .*: a closed connection$/,
      ) as string,
    });
    expect(wire.sent).toBe(12);
  });

  it('stands in the trace with its reason', async () => {
    const url = await serve((request) => void request.socket.destroy());
    const log: Trace = { answers: [] };
    const { get, seen } = wired();
    await trace.run(log, () => get(url)).catch(() => {});
    expect(log.answers).toMatchObject([{ status: 0, text: '(a closed connection)' }]);
    expect(seen).toEqual([]);
  });
});

describe('kept connections', () => {
  it('that the server closes as they are used again are asked anew, once', async () => {
    const met: string[] = [];
    const url = await serve((request, reply) => {
      const used = (request.socket as { used?: boolean }).used === true;
      Object.assign(request.socket, { used: true });
      met.push(used ? 'kept' : 'new');
      if (used) request.socket.destroy();
      else fine(reply);
    });
    const { wire, get, seen } = wired();
    await get(url);
    expect((await get(url)).status).toBe(200);
    expect(met).toEqual(['new', 'kept', 'new']);
    expect(wire.sent).toBe(2);
    expect(seen).toHaveLength(2);
  });

  it('that are all closed by then do not count as no answer', async () => {
    const waiting: (() => void)[] = [];
    const url = await serve((request, reply) => {
      const used = (request.socket as { used?: boolean }).used === true;
      Object.assign(request.socket, { used: true });
      if (used) return void request.socket.destroy();
      waiting.push(() => fine(reply));
      if (request.url !== '/both' || waiting.length === 2) for (const answer of waiting.splice(0)) answer();
    });
    const { get } = wired();
    await Promise.all([get(`${url}/both`), get(`${url}/both`)]);
    expect((await get(url)).status).toBe(200);
  });

  it('that stay silent are not', async () => {
    let calls = 0;
    const url = await serve((_, reply) => {
      calls += 1;
      if (calls === 1) fine(reply);
    });
    const { get } = wired({}, { answer: 30 });
    await get(url);
    await expect(get(url)).rejects.toMatchObject({ got: 'no response within 0.03 seconds' });
    // A request that was sent again would have been there by the end of another one.
    await get(url).catch(() => {});
    expect(calls).toBe(3);
  });
});

describe('what is sent and received', () => {
  it.each(['/a/../b', '/%2e%2e/x', '//two//slashes', '/league/A%2FB%20C?x=%2e&y=+', '/;a=b/(c)', '/a?b=/../c', '/?'])(
    'is the path as written: %s',
    async (path) => {
      const url = await serve((request, reply) => void reply.end(JSON.stringify(request.url)));
      expect((await wired().get(url + path)).json).toBe(path);
    },
  );

  it('is no fragment, and a slash where there is no path', () => {
    expect(pathOf('http://host:1/a?b#c')).toBe('/a?b');
    expect(pathOf('http://host')).toBe('/');
    expect(pathOf('http://[::1]:80?x=/y')).toBe('/?x=/y');
  });

  it('is every value of a header that came more than once', async () => {
    const url = await serve(
      (_, reply) =>
        void reply
          .writeHead(
            200,
            [
              ['A', '1'],
              ['a', '2'],
              ['a', '3'],
              ['B', '4'],
            ].flat(),
          )
          .end(),
    );
    const { headers } = await wired().get(url);
    expect(headers).toMatchObject({ a: ['1', '2', '3'], b: '4' });
  });

  it('is a body with its length in bytes, and no JSON where it is none', async () => {
    const url = await serve((request, reply) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => void reply.end(`${request.headers['content-length']} ${body}`));
    });
    const { wire } = wired();
    const answer = await wire.send({ method: 'POST', url, headers: {}, body: 'Zoë' }, asked);
    expect(answer).toMatchObject({ number: 1, text: '4 Zoë', json: undefined });
  });

  it('is traced, the last ones and the beginnings of bodies', async () => {
    const url = await serve((_, reply) => void reply.end('x'.repeat(9000)));
    const { get, seen } = wired({ budget: 200 }, { bytes: 10_000 });
    const log: Trace = { answers: [] };
    await trace.run(log, async () => {
      for (let index = 0; index < 125; index += 1) await get(url);
    });
    expect(log.answers.map(({ number }) => number)).toEqual(Array.from({ length: 120 }, (_, index) => index + 6));
    expect(new Set(log.answers.map(({ text }) => text.length))).toEqual(new Set([4000]));
    expect(seen[0]!.text).toHaveLength(9000);
  });

  it('goes to IPv6 addresses', async ({ skip }) => {
    const url = await serve((request, reply) => void reply.end(request.headers.host), '::1').catch(() => skip());
    expect((await wired().get(url!)).text).toBe(new URL(url!).host);
  });

  it('is TLS where the URL says https', async () => {
    const hello = new EventEmitter();
    const url = await listening(
      createTcp((socket) => {
        socket
          .on('error', () => {})
          .once('data', (bytes) => {
            hello.emit('bytes', bytes);
            socket.destroy();
          });
      }),
    );
    const [[bytes]] = await Promise.all([
      once(hello, 'bytes') as Promise<[Buffer]>,
      wired()
        .get(`https://localhost:${new URL(url).port}/`)
        .catch(() => {}),
    ]);
    expect(bytes[0]).toBe(0x16);
    expect(bytes.includes('localhost')).toBe(true);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setImmediate(done));
}

describe('a request', () => {
  it('says who sends it, unless it says so itself', async () => {
    const url = await serve((request, reply) => void reply.end(JSON.stringify(request.headers['user-agent'])));
    const { get } = wired();
    expect((await get(url)).json).toMatch(/game-data-contract/);
    expect((await get(url, { 'user-agent': 'mine' })).json).toBe('mine');
  });
});

describe('requests at once', () => {
  it('are as many as the target allows', async () => {
    let [now, most] = [0, 0];
    const url = await serve((request, reply) => {
      now += 1;
      most = Math.max(most, now);
      request.resume().on('end', () =>
        setImmediate(() => {
          now -= 1;
          reply.end('{}');
        }),
      );
    });
    const { get } = wired({ concurrency: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(url)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });
});
