import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { limits } from '../contract/index.js';
import { exchangeRaw, send, startTestMock, withToken } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';

let mock: Mock;
let leagues: { authorization: string };
let filters: { authorization: string };
let characters: { authorization: string };
let profile: { authorization: string };

beforeAll(async () => {
  mock = await startTestMock();
  leagues = await withToken(mock, 'service:leagues');
  filters = await withToken(mock, 'account:item_filter');
  characters = await withToken(mock, 'account:characters');
  profile = await withToken(mock, 'account:profile');
});
afterAll(() => mock.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Got> => send(mock.url, { path, headers });
const messageOf = (got: Got): string => got.json<{ error: { message: string } }>().error.message;
const filterCount = async (): Promise<number> =>
  (await get('/item-filter', filters)).json<{ filters: unknown[] }>().filters.length;

const json = { 'content-type': 'application/json' };
const least = { filter_name: 'Kept', realm: 'pc', filter: 'Show\n' };
const post = (body: string | Buffer, headers: Record<string, string> = json, path = '/item-filter'): Promise<Got> =>
  send(mock.url, { method: 'POST', path, headers: { ...filters, ...headers }, body });

describe('which refusal comes first (K-129)', () => {
  it('is 401 before 403, and 403 before everything else', async () => {
    expect((await get('/league?limit=abc')).status).toBe(401);
    expect((await get('/league?limit=abc', profile)).status).toBe(403);
    expect((await get('/league?limit=abc', leagues)).status).toBe(400);
    expect((await get('/item-filter/ffffffffff')).status).toBe(401);
    expect((await get('/item-filter/ffffffffff', profile)).status).toBe(403);
    expect((await get('/item-filter/ffffffffff', filters)).status).toBe(404);
    expect((await get('/league/%zz')).status).toBe(401);
  });

  it('is 401 before 403 for a body as well, which is not even read', async () => {
    const bad = { method: 'POST', path: '/item-filter', body: '{' };
    expect((await send(mock.url, bad)).status).toBe(401);
    expect((await send(mock.url, { ...bad, headers: profile })).status).toBe(403);
    expect((await send(mock.url, { ...bad, headers: { ...filters, 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await send(mock.url, { ...bad, headers: { ...filters, ...json } })).status).toBe(400);
  });

  it.each([
    ['no header', {}, 'Bearer realm="data"'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'Bearer realm="data"'],
    ['no token', { authorization: 'Bearer' }, 'Bearer realm="data", error="invalid_token"'],
    ['an unknown token', { authorization: `Bearer ${'0'.repeat(40)}` }, 'Bearer realm="data", error="invalid_token"'],
  ])('is 401 with a challenge for %s', async (_, headers, challenge) => {
    const got = await get('/profile', headers);
    expect([got.status, got.headers['www-authenticate']]).toEqual([401, challenge]);
  });

  it('names the scope that is lacking', async () => {
    const got = await get('/profile', leagues);
    expect(got.headers['www-authenticate']).toBe(
      'Bearer realm="data", error="insufficient_scope", scope="account:profile"',
    );
  });

  it('does not take a token from the query, nor a refresh token', async () => {
    expect((await get(`/profile?access_token=${profile.authorization.slice(7)}`)).status).toBe(401);
    const { refresh_token: refresh } = await mock.issueToken({
      account: 'alice',
      clientId: 'example-web',
      scopes: ['account:profile'],
    });
    expect((await get('/profile', { authorization: `Bearer ${refresh}` })).status).toBe(401);
  });

  it('takes the scheme in any case (RFC 9110 11.1)', async () => {
    expect((await get('/profile', { authorization: profile.authorization.replace('Bearer', 'bEARER') })).status).toBe(
      200,
    );
  });
});

describe('methods', () => {
  it.each([
    ['PUT', '/profile', 'GET, HEAD'],
    ['DELETE', '/item-filter', 'GET, HEAD, POST'],
    ['PATCH', '/item-filter/ffffffffff', 'GET, HEAD, POST'],
    ['POST', '/league', 'GET, HEAD'],
    ['OPTIONS', '/league', 'GET, HEAD'],
    ['OPTIONS', '/oauth/authorize', 'GET, HEAD, POST'],
    ['DELETE', '/oauth/authorize', 'GET, HEAD, POST'],
    ['GET', '/oauth/token', 'POST'],
    ['HEAD', '/oauth/token/revoke', 'POST'],
    ['GET', '/oauth/token/introspect', 'POST'],
    ['PUT', '/health', 'GET, HEAD'],
    ['DELETE', '/', 'GET, HEAD'],
  ])('%s %s is 405 and says what would do', async (method, path, allow) => {
    const got = await send(mock.url, { method, path, headers: filters });
    expect(got.status).toBe(405);
    expect(got.headers.allow?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  it('tells a page of another origin what lets it ask', async () => {
    const ask = async (cors: boolean) => {
      await using own = await startTestMock({ cors });
      const headers = { origin: 'http://app.example', 'access-control-request-method': 'DELETE' };
      const { status, text } = await send(own.url, { method: 'OPTIONS', path: '/league', headers });
      return { status, told: text.includes('gamedata mock --cors') };
    };
    expect([await ask(false), await ask(true)]).toEqual([
      { status: 405, told: true },
      { status: 405, told: false },
    ]);
    const plain = await send(mock.url, { method: 'OPTIONS', path: '/league' });
    expect(plain.text).not.toContain('cors');
  });

  it('answers a method that nobody knows', async () => {
    expect((await send(mock.url, { method: 'PROPFIND', path: '/profile' })).status).toBe(405);
  });
});

describe('paths (K-113, K-114)', () => {
  it.each([
    '/leagues',
    '/Profile',
    '/PROFILE',
    '/profile/',
    '/league/',
    '//profile',
    '/league//ladder',
    '/stash/',
    '/character/XBOX/',
    '/public-stash-tabs/xbox/',
    '/oauth/token/',
    '/oauth/Token',
    '/%70rofile',
    '/item-filter/a/b',
    '/guild/pc/stash',
    '/__proto__',
    '/constructor',
  ])('%s is not found, with an error of its server', async (path) => {
    const got = await get(path, { ...leagues });
    expect(got.status).toBe(404);
    expect(typeof got.json<{ error: unknown }>().error).toBe(path.startsWith('/oauth/') ? 'string' : 'object');
  });

  it('takes a realm word in another case for a name', async () => {
    expect((await get('/character/XBOX', characters)).json()).toEqual({ character: null });
    expect((await get('/character/Xbox/AsterOfReeds', characters)).status).toBe(400);
  });

  it('knows an hour of the exchange by its digits, and nothing else (K-020)', async () => {
    const exchange = await withToken(mock, 'service:cxapi');
    for (const path of [
      '/currency-exchange/pc',
      '/currency-exchange/XBOX',
      '/currency-exchange/1e9',
      '/currency-exchange/-1',
      '/currency-exchange/xbox/now',
    ]) {
      expect([path, (await get(path, exchange)).status]).toEqual([path, 404]);
    }
  });

  it('decodes names once, whatever characters they have', async () => {
    const odd = [...(mock.world.known.odd_names as string[]), 'Alices Garden (PL101)'];
    expect(odd.join('')).toMatch(/[ +%/?#]/);
    for (const name of odd) {
      const got = await get(`/league/${encodeURIComponent(name)}`, leagues);
      expect([name, got.json<{ league: { id: string } | null }>().league?.id]).toEqual([name, name]);
      const twice = await get(`/league/${encodeURIComponent(encodeURIComponent(name))}`, leagues);
      expect([name, twice.json()]).toEqual([name, { league: null }]);
    }
    const [first = ''] = odd;
    const everyByte = [...Buffer.from(first)].map((byte) => `%${byte.toString(16)}`).join('');
    expect((await get(`/league/${everyByte}`, leagues)).json<{ league: { id: string } }>().league.id).toBe(first);
  });

  it('takes a plus in a path for a plus, and in a query for a space', async () => {
    expect((await get('/league/A+B%20100%25', leagues)).json()).toMatchObject({ league: { id: 'A+B 100%' } });
    expect((await get('/league/Ember+League', leagues)).json()).toEqual({ league: null });
    const season = await get('/league?type=season&season=a+b', leagues);
    expect(season.json()).toEqual({ leagues: [] });
  });

  it.each([
    ['/league/%', 'league'],
    ['/league/%2', 'league'],
    ['/league/%zz', 'league'],
    ['/league/%ff', 'league'],
    ['/league/%c3%28', 'league'],
    ['/league/%ed%a0%80', 'league'],
    ['/league?season=%zz', 'season'],
    ['/league?realm=%ff', 'realm'],
    ['/league?%zz=1', 'query'],
  ])('%s is malformed, and the answer says where', async (path, where) => {
    const got = await get(path, leagues);
    expect(got.status).toBe(400);
    expect(messageOf(got)).toContain(where);
  });

  it('reads a NUL, a dot and a long name like any other', async () => {
    for (const name of ['%00', '%2e', '%2E%2E', 'a'.repeat(5000)]) {
      expect((await get(`/league/${name}`, leagues)).json()).toEqual({ league: null });
    }
  });

  it('takes an absolute request target', async () => {
    const reply = await exchangeRaw(
      mock.url,
      `GET ${mock.url}/profile HTTP/1.1\r\nhost: x\r\nauthorization: ${profile.authorization}\r\nconnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('query parameters', () => {
  it('are ignored where nobody knows them, repeated or not', async () => {
    const plain = await get('/league?limit=3', leagues);
    const more = await get('/league?x=1&limit=3&x=2&realm[]=pc&__proto__=1&constructor=2&&=&toString', leagues);
    expect(more.text).toBe(plain.text);
  });

  it('are refused where they are repeated, even with one value', async () => {
    for (const [query, name] of [
      ['limit=3&limit=3', 'limit'],
      ['realm=pc&realm=xbox', 'realm'],
      ['limit=3&li%6dit=3', 'limit'],
    ] as const) {
      const got = await get(`/league?${query}`, leagues);
      expect([got.status, messageOf(got)]).toEqual([400, expect.stringContaining(name)]);
    }
  });

  it('cannot stand in for a path parameter', async () => {
    expect((await get('/league/Standard?league=Ember', leagues)).json()).toMatchObject({ league: { id: 'Standard' } });
    expect((await get('/character/xbox?realm=sony', characters)).text).toBe(
      (await get('/character/xbox', characters)).text,
    );
  });

  it('name each one at fault', async () => {
    const got = await get('/league?limit=51&offset=-1&realm=nowhere', leagues);
    for (const name of ['limit', 'offset', 'realm']) expect(messageOf(got)).toContain(name);
  });

  it.each([
    '51',
    '0',
    '-1',
    '1.5',
    '1e1',
    '0x10',
    ' 5',
    '5 ',
    '+5',
    '',
    'NaN',
    'Infinity',
    '9007199254740993',
    '9'.repeat(400),
    '٣',
    'null',
    '[5]',
  ])('limit=%s is refused', async (limit) => {
    const got = await get(`/league?limit=${encodeURIComponent(limit)}`, leagues);
    expect([got.status, messageOf(got)]).toEqual([400, expect.stringContaining('limit')]);
  });

  it('takes an offset as far as a number goes', async () => {
    for (const offset of ['9007199254740991', '1'.repeat(40)])
      expect((await get(`/league?offset=${offset}`, leagues)).json(), offset).toEqual({ leagues: [] });
  });
});

describe('the body of a filter write', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json ; x=y',
  ])('is read as %s', async (type) => {
    expect((await post(JSON.stringify(least), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    {},
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json5' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/jsonp; application/json' },
  ] as Record<string, string>[])('is refused with 415 under %j, and nothing is created', async (headers) => {
    const before = await filterCount();
    expect((await post(JSON.stringify(least), headers)).status).toBe(415);
    expect(await filterCount()).toBe(before);
  });

  it.each([
    '',
    '{',
    '[1',
    'null',
    '7',
    '"text"',
    '[]',
    '{"filter_name":"x"}',
    '\u0000',
    '{"filter_name":"x","realm":"pc","filter":"y"} more',
    "{'filter_name':'x'}",
  ])('is refused with 400 for %j, and nothing is created', async (body) => {
    const before = await filterCount();
    expect((await post(body)).status).toBe(400);
    expect(await filterCount()).toBe(before);
  });

  it('is refused where it is not UTF-8, or packed in a way that is not read', async () => {
    const before = await filterCount();
    const latin = Buffer.from(JSON.stringify({ ...least, filter_name: 'Räuber' }), 'latin1');
    expect((await post(latin)).status).toBe(400);
    expect((await post(JSON.stringify(least), { ...json, 'content-encoding': 'zstd-like' })).status).toBe(415);
    expect((await post(JSON.stringify(least), { ...json, 'content-encoding': 'gzip' })).status).toBe(400);
    expect(await filterCount()).toBe(before);
  });

  it('keeps unknown fields out, and cannot reach a prototype', async () => {
    const got = await post(
      `{"filter_name":"x","realm":"pc","filter":"y","id":"mine","__proto__":{"public":true},"constructor":1}`,
    );
    expect(Object.keys(got.json<{ filter: object }>().filter).sort()).toEqual([
      'description',
      'filter',
      'filter_name',
      'id',
      'realm',
      'type',
      'version',
    ]);
    expect(got.json<{ filter: { id: string } }>().filter.id).not.toBe('mine');
  });

  it('is 413 above the limit, and nothing is created', async () => {
    const before = await filterCount();
    const room = limits.request_body - JSON.stringify({ ...least, filter: '' }).length;
    const tooLong = JSON.stringify({ ...least, filter: 'x'.repeat(room + 1) });
    expect((await post(tooLong)).status).toBe(413);
    expect(await filterCount()).toBe(before);
    expect((await post(JSON.stringify({ ...least, filter: 'x'.repeat(room) }))).status).toBe(200);
  });

  it('is 413 above the limit when it comes in chunks that tell no length', async () => {
    const before = await filterCount();
    const got = await send(mock.url, {
      method: 'POST',
      path: '/item-filter',
      headers: { ...filters, ...json, 'transfer-encoding': 'chunked' },
      body: JSON.stringify({ ...least, filter: 'x'.repeat(limits.request_body) }),
    });
    expect(got.status).toBe(413);
    expect(await filterCount()).toBe(before);
  });

  it('leaves no trace when it is cut off', async () => {
    const before = (await get('/item-filter', filters)).text;
    const body = JSON.stringify(least);
    const { hostname, port } = new URL(mock.url);
    await new Promise<void>((done) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /item-filter HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${filters.authorization}\r\ncontent-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`,
          () => socket.destroy(),
        );
      });
      socket.on('close', () => done());
    });
    // The server is told of the end of one connection before it reads the next one.
    expect((await get('/item-filter', filters)).text).toBe(before);
    expect((await get('/item-filter', filters)).text).toBe(before);
  });

  it('is ignored on a GET', async () => {
    const plain = await get('/league?limit=2', leagues);
    for (const body of ['{"limit":1}', '{', 'x'.repeat(2 << 20)]) {
      const got = await send(mock.url, {
        path: '/league?limit=2',
        headers: { ...leagues, ...json, connection: 'close' },
        body,
        agent: false,
      });
      expect(got.text).toBe(plain.text);
    }
  });

  it('comes back byte for byte: half a megabyte with tabs, CRLF and characters beyond the first plane', async () => {
    const line = 'Show\t# "quoted" \\ /\r\n\tBaseType "Ünïcode" \u{1f5dd}\u{2028} $& {{x}} <b>\u0007\n';
    const text = line.repeat(Math.ceil(560_000 / Buffer.byteLength(JSON.stringify(line))));
    const made = await post(
      JSON.stringify({ ...least, filter: text, description: ' trimmed? \t', filter_name: ' \u{1f409} ' }),
    );
    const { filter } = made.json<{ filter: { id: string } }>();
    const read = (await get(`/item-filter/${filter.id}`, filters)).json<{
      filter: { filter: string; description: string; filter_name: string };
    }>().filter;
    expect(read.filter === text).toBe(true);
    expect([read.description, read.filter_name]).toEqual([' trimmed? \t', ' \u{1f409} ']);
  });
});

describe('the realm of a path', () => {
  it.each([
    ['/character/nope/Anna', 'account:characters', 'realm must be one of xbox, sony, game2'],
    ['/account/leagues/nope', 'account:leagues', 'realm must be one of xbox, sony'],
    ['/account/leagues/pc', 'account:leagues', 'pc is no path realm; leave the segment out'],
    ['/currency-exchange/pc', 'service:cxapi', 'pc is no path realm; leave the segment out'],
    ['/league?realm=nope', 'service:leagues', 'realm must be one of pc, xbox, sony, game2'],
  ] as const)('that is refused, %s, is told what there is', async (path, scope, message) => {
    const said = messageOf(await get(path, await withToken(mock, scope)));
    expect(said.endsWith(message), said).toBe(true);
  });
});

describe('a value of the wrong form', () => {
  it.each([
    ['/league?type=season&season=', 'parameter season must not be empty'],
    ['/league?limit=many', 'parameter limit must be a whole number'],
  ])('is refused in our own words, %s', async (path, message) => {
    const said = messageOf(await get(path, await withToken(mock, 'service:leagues')));
    expect(said.endsWith(message), said).toBe(true);
  });
});
