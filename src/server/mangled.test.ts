import { Agent } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';

import type { Call } from './call.fixture.js';
import { callsOf } from './calls.fixture.js';
import { exchangeRaw, send, startTestMock } from './mock.fixture.js';
import type { Mock } from './mock.js';

/** Requests in all, and how many of them are on their way at once. */
const total = 10_000;
const atOnce = 50;
const mayGrow = 8 << 20;

const seed = Number(process.env.MANGLED_SEED ?? Date.now() % 2 ** 31);

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
type Mangle = (request: Request) => Request;

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

let mock: Mock;
let calls: readonly Call[];
const log: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

beforeAll(async () => {
  mock = await startTestMock({ log: (line) => log.push(line) });
  calls = await callsOf(mock);
});
afterAll(async () => {
  agent.destroy();
  await mock.close();
});

const replaceAt = (text: string, place: number, by: string): string => {
  const at = text.length === 0 ? 0 : place % text.length;
  return text.slice(0, at) + by + text.slice(at + 1);
};

const place = fc.nat(10_000);
/** Printable ASCII without a space: what may stand in a request target. */
const graphic = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 12,
});
const junk = fc.oneof(
  fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%00',
    '%ff',
    '%2F',
    '%2e%2e',
    '%25',
    '%ed%a0%80',
    '..',
    '/',
    '//',
    '?',
    '#',
    '&',
    '=',
    ';',
    '+',
    '\\',
    '{',
    '}',
    '[]',
    ':',
    '*',
    '~',
    '|',
    '__proto__',
    'constructor',
    'null',
    '-1',
    '1e999',
    'xbox',
    'game2',
  ),
  graphic,
  fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
  fc.nat(3000).map((length) => 'a'.repeat(length)),
);
const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    ',',
    'x',
    '*/*',
    'application/json',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=utf-7',
    'text/plain',
    'Bearer',
    'Bearer  ',
    'Bearer a b',
    'Basic',
    'Basic %',
    'Basic YTpi',
    'basic ====',
    'gzip',
    'deflate',
    'br',
    'identity',
    'http://evil.example',
    'null',
    'cross-site',
    '0',
    '-1',
    'chunked',
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 30 }),
);

const mangles: fc.Arbitrary<Mangle> = fc.oneof(
  fc
    .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'SEARCH')
    .map((method): Mangle => (request) => ({ ...request, method })),
  fc.tuple(place, junk).map(([at, by]): Mangle => (request) => ({
    ...request,
    target: `/${replaceAt(request.target.slice(1), at, by)}`,
  })),
  fc.tuple(place, junk).map(([at, by]): Mangle => (request) => {
    const segments = request.target.split('/');
    return { ...request, target: ['', ...segments.slice(1).with(at % (segments.length - 1), by)].join('/') };
  }),
  fc.tuple(junk, junk).map(([name, value]): Mangle => (request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}${name}=${value}`,
  })),
  fc
    .tuple(
      fc.constantFrom(
        'limit',
        'offset',
        'realm',
        'type',
        'sort',
        'class',
        'id',
        'validate',
        'scope',
        'state',
        'client_id',
        'redirect_uri',
      ),
      junk,
    )
    .map(([name, value]): Mangle => (request) => ({
      ...request,
      target: `${request.target}${request.target.includes('?') ? '&' : '?'}${name}=${value}`,
    })),
  fc
    .tuple(
      fc.constantFrom(
        'authorization',
        'content-type',
        'content-encoding',
        'accept',
        'accept-encoding',
        'origin',
        'sec-fetch-site',
        'cookie',
        'range',
        'if-none-match',
        'prefer',
        'x-http-method-override',
        'forwarded',
        'expect',
      ),
      headerValue,
    )
    .map(([name, value]): Mangle => (request) => ({ ...request, headers: { ...request.headers, [name]: value } })),
  fc.constantFrom('authorization', 'content-type').map((name): Mangle => (request) => {
    const { [name]: _gone, ...headers } = request.headers;
    return { ...request, headers };
  }),
  fc.tuple(place, junk).map(([at, by]): Mangle => (request) => ({
    ...request,
    body: replaceAt(request.body ?? '', at, by),
  })),
  place.map((at): Mangle => (request) => ({ ...request, body: (request.body ?? '').slice(0, at) })),
  fc
    .oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom(
        '['.repeat(50_000),
        '{"a":'.repeat(5000),
        '{"__proto__":null}',
        'grant_type=refresh_token&refresh_token=%',
        'token=a&token=b',
        'client_id=%ff',
        '=&=&&',
      ),
    )
    .map((body): Mangle => (request) => ({ ...request, body })),
  fc
    .dictionary(
      fc.constantFrom('filter_name', 'realm', 'filter', 'public', 'type', 'version', 'description', 'id'),
      fc.jsonValue(),
    )
    .map((body): Mangle => (request) => ({ ...request, body: JSON.stringify(body) })),
);

const others = [
  '/',
  '/applications',
  '/applications?account=alice',
  '/.well-known/oauth-authorization-server',
  '/openapi.json',
  '/nowhere',
];

const requests: fc.Arbitrary<Request> = fc
  .tuple(fc.nat(), fc.array(mangles, { minLength: 1, maxLength: 4 }))
  .map(([number, list]) => list.reduce((request, mangle) => mangle(request), originalOf(number)));

function originalOf(number: number): Request {
  const at = number % (calls.length + others.length);
  const call = calls[at];
  if (!call) return { method: 'GET', target: others[at - calls.length] ?? '/', headers: {} };
  return {
    method: call.operation.method,
    target: call.target,
    headers: call.headers,
    ...(call.body !== undefined && { body: call.body }),
  };
}

/** Requests that no client library would let out: their very lines and headers are broken. */
const broken = fc.tuple(
  fc.nat(),
  fc.array(
    fc.tuple(
      place,
      fc.constantFrom(
        ' ',
        '\r\n',
        '\n',
        '\0',
        ':',
        'ÿ',
        '\t',
        'HTTP/9.9',
        'Transfer-Encoding: chunked\r\n',
        'Content-Length: -1\r\n',
        'x'.repeat(20_000),
      ),
    ),
    { minLength: 1, maxLength: 3 },
  ),
);

async function sendBroken([number, changes]: [number, [number, string][]]): Promise<Reply> {
  const { method, target, headers, body = '' } = originalOf(number);
  const lines = Object.entries({
    host: 'localhost',
    connection: 'close',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  });
  const sound = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
  const text = await exchangeRaw(
    mock.url,
    changes.reduce((whole, [at, by]) => replaceAt(whole, at, by), sound),
  ).catch(() => '');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0),
    type: /content-type: (.*)/i.exec(head)?.[1] ?? '',
    text: rest.join('\r\n\r\n'),
  };
}

async function sendMangled({ method, target, headers, body }: Request): Promise<Reply> {
  const got = await send(mock.url, { method, path: target, headers, body, agent });
  return { status: got.status, type: got.headers['content-type'] ?? '', text: method === 'HEAD' ? '' : got.text };
}

/** What is wrong with a reply, whatever the request was. */
function faultOf({ status, type, text }: Reply, isOAuth: boolean): string | undefined {
  if (status >= 500) return 'a fault of the mock';
  if (/^\s+at .+:\d+/m.test(text) || /node_modules|file:\/\/|\.[jt]s:\d+/.test(text)) return 'a stack in the body';
  if (status < 400 || text === '' || type.startsWith('text/html')) return undefined;
  const { error } = JSON.parse(text) as { error?: string | { code?: unknown; message?: unknown } };
  if (isOAuth) return typeof error === 'string' ? undefined : 'no OAuth error';
  return typeof error === 'object' && Number.isInteger(error.code) && typeof error.message === 'string'
    ? undefined
    : 'no data error';
}

async function judged(reply: Reply, target: string, name: string): Promise<void> {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  const fault = faultOf(reply, path.startsWith('/oauth/'));
  if (fault) throw new Error(`${fault}: ${name}\n-> ${reply.status} ${reply.type} ${reply.text.slice(0, 500)}`);
}

it('survives ten thousand mangled requests: no fault, no stack, the right errors, no leak', async () => {
  onTestFailed(() => console.error(`replay with MANGLED_SEED=${seed} npx vitest run src/server/mangled.test.ts`));
  for (const { operation, target, headers, body } of calls)
    await send(mock.url, { method: operation.method, path: target, headers, body, agent });
  const before = heap();
  const batch = fc.array(requests, { minLength: atOnce - 5, maxLength: atOnce - 5 });
  await fc.assert(
    fc.asyncProperty(batch, fc.array(broken, { minLength: 5, maxLength: 5 }), async (list, raw) => {
      await Promise.all([
        ...list.map(async (request) =>
          judged(await sendMangled(request), request.target, JSON.stringify(request).slice(0, 1500)),
        ),
        // The path of such a request is anybody's guess, so that only faults and stacks are looked for.
        ...raw.map(async (one) =>
          judged({ ...(await sendBroken(one)), type: 'text/html' }, '/', JSON.stringify(one).slice(0, 1500)),
        ),
      ]);
    }),
    { seed, numRuns: total / atOnce, endOnFailure: true },
  );
  expect(log).toEqual([]);
  const [first] = calls;
  if (!first) throw new Error('no calls');
  expect((await send(mock.url, { path: first.target, headers: first.headers })).status).toBe(first.status);
  expect(heap() - before).toBeLessThan(mayGrow);
}, 60_000);
