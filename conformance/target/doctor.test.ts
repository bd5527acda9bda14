import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { doctor } from './doctor.js';
import type { DoctorOptions } from './doctor.js';
import { unreachable } from './unreachable.js';
import { loadTarget } from './load.js';
import { plainTransport } from './plain-transport.js';
import { fakeServer } from './server.fixture.js';
import type { FakeAnswer, FakeRequest, FakeServer } from './server.fixture.js';

let server: FakeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const rows: DoctorOptions['rows'] = [
  { how: 'check', needs: [['client:service']] },
  { how: 'check', needs: [['client:service'], ['clock']] },
  { how: 'check', needs: [['codec'], ['clock']] },
  { how: 'check', needs: [['flag:F-CX']] },
  { how: 'monitor', needs: [['clock']] },
  { how: 'excluded', needs: [['clock']] },
];
const options: DoctorOptions = {
  transport: plainTransport(),
  now: () => 1_767_225_600_000,
  random: (bytes) => 'r'.repeat(bytes * 2),
  wait: false,
  rows,
};

/** A small service that does everything right, but for what is answered otherwise. */
function service(
  otherwise: (request: FakeRequest, fields: URLSearchParams) => FakeAnswer | undefined = () => undefined,
) {
  return (request: FakeRequest): FakeAnswer => {
    const fields = new URLSearchParams(request.body);
    const other = otherwise(request, fields);
    if (other) return other;
    const { headers, path, query } = request;
    if (path === '/oauth/token') {
      if (fields.get('client_secret') === 'wrong') return { status: 401, body: { error: 'invalid_client' } };
      if (fields.get('grant_type') === null) return { status: 400, body: { error: 'invalid_request' } };
      const refresh = fields.get('grant_type') === 'authorization_code' ? { refresh_token: 'r' } : {};
      return { body: { access_token: 'a', token_type: 'bearer', scope: fields.get('scope'), ...refresh } };
    }
    if (path === '/oauth/authorize') {
      const location = new URL(query.get('redirect_uri') ?? '');
      location.searchParams.set('code', 'c');
      location.searchParams.set('state', query.get('state') ?? '');
      return { status: 302, headers: { location: location.href } };
    }
    if (headers.authorization !== 'Bearer a') return { status: 401, body: {} };
    return path === '/profile' ? { body: { name: 'alice' } } : { body: { leagues: [] } };
  };
}

const client = { client_id: 'c', client_secret: 's', redirect_uri: 'https://app.example/cb', refresh: true };
const clients = {
  service: { client_id: 's', client_secret: 's', scopes: ['service:leagues', 'service:psapi'] },
  confidential: { ...client, scopes: ['account:profile'] },
};

async function examine(answer: (request: FakeRequest) => FakeAnswer, more: object = {}, its = rows) {
  server = await fakeServer(answer);
  const settings = { base_url: server.url, consent: 'auto', clients, ...more };
  const target = await loadTarget({ file: '-', env: {}, stdin: async () => JSON.stringify(settings) });
  return doctor(target, { ...options, rows: its });
}

/** What was found about something. */
async function about(name: string, ...args: Parameters<typeof examine>): Promise<string[]> {
  const { findings } = await examine(...args);
  return findings
    .filter((finding) => finding.about === name)
    .map(
      ({ state, met, remedy }) =>
        `${state}: ${met.replaceAll(server!.url, '')}${remedy === undefined ? '' : ` -> ${remedy}`}`,
    );
}

describe('a target that is set up', () => {
  it('has no problem, and is told what it lets run', async () => {
    const report = await examine(service());
    expect(report.findings.map(({ about, state }) => `${about} ${state}`)).toEqual([
      'base_url ok',
      'auth_url ok',
      'hooks note',
      'clock note',
      'clients.service ok',
      'clients.confidential ok',
      'tree_codec note',
    ]);
    expect(report.ready).toBe(true);
    expect(report.coverage).toEqual({
      runnable: 2,
      checks: 4,
      monitors: 1,
      unlocks: [
        { need: 'clock', rows: 2, remedy: 'offer "clock" at control_url, or export clock from the adapter' },
        { need: 'codec', rows: 1, remedy: 'set tree_codec in the target, or export tree from the adapter' },
      ],
    });
  });

  it('counts a check whose operation no client may call as one that lacks the scope', async () => {
    const { coverage } = await examine(service(), {}, [
      { how: 'check', needs: [['client:service']], pointer: '/paths/~1league/get' },
      { how: 'check', needs: [['client:service']], pointer: '/paths/~1pvp-match/get' },
      { how: 'check', needs: [['client:guild']], pointer: '/paths/~1guild~1stash~1{league}/get' },
      { how: 'check', needs: [['introspect']], check: 'oauth/introspect' },
    ]);
    expect([coverage.runnable, coverage.checks]).toEqual([1, 4]);
    expect(coverage.unlocks.map(({ need, rows }) => [need, rows])).toEqual([
      ['scope:service:pvp_matches', 1],
      ['client:guild', 1],
      ['introspect', 1],
    ]);
    expect(coverage.unlocks[0]?.remedy).toContain('add service:pvp_matches to the scopes of a client');
  });

  it('does not count what does not apply', async () => {
    const { coverage } = await examine(service(), { edition: { 'F-CX': 'off' } });
    expect([coverage.runnable, coverage.checks]).toEqual([1, 3]);
  });

  it('sends its requests as clients do', async () => {
    await examine(service());
    const exchange = server!.requests.map(({ body }) => new URLSearchParams(body)).find((fields) => fields.has('code'));
    expect(Object.fromEntries(exchange!)).toEqual({
      client_id: 'c',
      client_secret: 's',
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'https://app.example/cb',
      code_verifier: 'r'.repeat(64),
      scope: 'account:profile',
    });
    const { query } = server!.requests.find(({ path }) => path === '/oauth/authorize')!;
    expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  });
});

describe('addresses', () => {
  const at = (path: string, answer: FakeAnswer) => service((request) => (request.path === path ? answer : undefined));
  it.each<[string, string, FakeAnswer, string]>([
    [
      'base_url',
      '/profile',
      { body: '<h1>Game</h1>' },
      'problem: /profile: 200, an HTML page -> correct base_url (expected 401 without a token); this looks like a website',
    ],
    [
      'base_url',
      '/profile',
      { status: 404, body: {} },
      'problem: /profile: 404 -> correct base_url (expected 401 without a token); its path may be incomplete',
    ],
    [
      'base_url',
      '/profile',
      { status: 301, headers: { location: 'https://x/profile' } },
      'problem: /profile: 301, a redirect to https://x/profile -> set base_url to the address it redirects to',
    ],
    [
      'base_url',
      '/profile',
      { status: 503 },
      "problem: /profile: 503 -> check the server's log (expected 401 without a token)",
    ],
    [
      'auth_url',
      '/oauth/token',
      { status: 400, body: '<h1>Bad</h1>' },
      'problem: /oauth/token: 400, an HTML page -> correct auth_url (expected 400 or 401 with JSON for a request without fields); this looks like a website',
    ],
  ])('%s: what is at %s', async (name, path, answer, words) => {
    expect(await about(name, at(path, answer))).toEqual([words]);
  });

  it('may answer an error of any kind where nothing is said of it', async () => {
    expect(await about('base_url', at('/profile', { status: 401, body: '<h1>Log in</h1>' }))).toEqual([
      'ok: /profile answers in 0 ms',
    ]);
  });

  it('are told of where nobody answers, or not by HTTP', async () => {
    const report = async (base_url: string) => {
      const target = await loadTarget({ env: {}, overrides: { 'base-url': base_url } });
      const { findings, ready } = await doctor(target, options);
      expect(ready).toBe(false);
      return findings
        .filter(({ about }) => about === 'base_url')
        .map(({ met, remedy }) => `${met.replace(base_url, '')} -> ${remedy}`);
    };
    const deaf = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done));
    const url = `127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    expect(await report(`http://${url}`)).toEqual([
      expect.stringMatching(/^\/profile: the connection closed without an HTTP response \(\w+\) -> check the server/),
    ]);
    await new Promise((done) => deaf.close(done));
    expect(await report(`http://${url}`)).toEqual([
      '/profile: connection refused -> start the server, or correct the host and port of base_url',
    ]);
    server = await fakeServer(service());
    expect(await report(server.url.replace('http:', 'https:'))).toEqual([
      '/profile: the server does not speak TLS on that port -> use http:// in base_url, or the TLS port',
    ]);
  });

  it.each([
    ['ENOTFOUND', 'the name x.example does not resolve (ENOTFOUND)'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its TLS certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['EWHATEVER', 'no response (EWHATEVER)'],
  ])('are told of with %s', (code, met) => {
    const cause = Object.assign(new Error('why'), { code });
    expect(unreachable(new TypeError('fetch failed', { cause }), 'https://x.example/').met).toBe(met);
    expect(unreachable(new AggregateError([cause]), 'https://x.example/').met).toBe(met);
  });
});

describe('one problem', () => {
  it('is told once: a server that is down', async () => {
    server = await fakeServer(service());
    const { url } = server;
    await server.close();
    server = undefined;
    const settings = { base_url: url, control_url: `${url}/control`, clients };
    const target = await loadTarget({ file: '-', env: {}, stdin: async () => JSON.stringify(settings) });
    const { findings } = await doctor(target, options);
    expect(findings.filter(({ state }) => state === 'problem').map(({ about }) => about)).toEqual(['base_url']);
  });

  it('is told once: of several clients', async () => {
    const { findings } = await examine(
      service((_, fields) =>
        fields.has('client_id') ? { status: 401, body: { error: 'invalid_client' } } : undefined,
      ),
      { clients: { service: clients.service, operations: clients.service } },
    );
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([
      expect.objectContaining({
        about: 'clients.service, clients.operations',
        met: 'token request: 401, invalid_client',
      }),
    ]);
  });

  it('is a ready token that does not work, where there is no client', async () => {
    server = await fakeServer(service());
    const target = await loadTarget({ env: {}, overrides: { 'base-url': server.url } });
    const scopes = ['account:profile'] as const;
    const tokens = [
      { token: 'a', scopes },
      { token: 'b', scopes },
    ];
    const { findings } = await doctor({ ...target, tokens }, options);
    const told = findings.filter(({ about }) => /^(tokens|clients|auth_url)/.test(about));
    expect(told.map(({ about, state, met }) => `${state} ${about}: ${met}`)).toEqual([
      'note auth_url: not tried: no client is declared, or it offers no tokens',
      'ok tokens[0]: GET /profile with it: 200',
      'problem tokens[1]: GET /profile with it: 401',
    ]);
  });
});

describe('clients', () => {
  it('are told of with a wrong secret', async () => {
    expect(
      await about('clients.service', service(), {
        clients: { service: { ...clients.service, client_secret: 'wrong' } },
      }),
    ).toEqual([
      'problem: token request: 401, invalid_client -> check clients.service.client_id and client_secret against the registration on the server',
    ]);
  });

  it('are told of the form, where a secret is encoded in it', async () => {
    const [told] = await about(
      'clients.service',
      service(() => ({ status: 401, body: { error: 'invalid_client' } })),
      { clients: { service: { ...clients.service, client_secret: 'two words' } } },
    );
    expect(told).toMatch(/on the server, and that the server decodes a form \(`\+` is a space\)$/);
  });

  it('are told which scopes are refused', async () => {
    const refuses = service((_, fields) =>
      fields.get('scope')?.includes('psapi') ? { status: 400, body: { error: 'invalid_scope' } } : undefined,
    );
    expect(await about('clients.service', refuses)).toEqual([
      'problem: is not granted service:psapi -> register the application for it, or remove it from clients.service.scopes',
    ]);
    await server?.close();
    const drops = service((_, fields) =>
      fields.has('scope') ? { body: { access_token: 'a', scope: 'service:leagues' } } : undefined,
    );
    expect(await about('clients.service', drops)).toEqual([
      'problem: logs in, but is not granted service:psapi -> register the application for it, or remove it from clients.service.scopes',
    ]);
  });

  it('are told of where the token does not work on the data API', async () => {
    const other = service(({ path, headers }) =>
      path === '/league' && headers.authorization !== undefined ? { status: 401 } : undefined,
    );
    expect(await about('clients.service', other)).toEqual([
      'problem: GET /league with the new token: 401 -> check that base_url and auth_url belong to the same service',
    ]);
  });

  it.each<[string, FakeAnswer, RegExp]>([
    [
      'JSON',
      { status: 400, body: { error: 'invalid_client' } },
      /^problem: no redirect: 400, with the body \{"error":"invalid_client"\} -> /,
    ],
    [
      'a page',
      { status: 400, body: '<style>h1{}</style><h1>Unknown redirect</h1>' },
      /^problem: no redirect: 400, a page with the text Unknown redirect -> check that client_id and https:\/\/app\.example\/cb are registered/,
    ],
    [
      'an error',
      { status: 302, headers: { location: 'https://app.example/cb?error=invalid_scope&error_description=not+yours' } },
      /^problem: refused: invalid_scope \(not yours\) -> register the application for these scopes/,
    ],
    [
      'another place',
      { status: 302, headers: { location: 'https://login.example/?x=1' } },
      /^problem: a redirect to https:\/\/login\.example\/, not to https:\/\/app\.example\/cb -> register/,
    ],
    [
      'no code',
      { status: 302, headers: { location: 'https://app.example/cb' } },
      /^problem: a redirect without a code/,
    ],
    [
      'another state',
      { status: 302, headers: { location: 'https://app.example/cb?code=c&state=x' } },
      /^note: a redirect with a different state/,
    ],
  ])('are told of where consent ends with %s', async (_, answer, words) => {
    const [found] = await about(
      'clients.confidential',
      service(({ path }) => (path === '/oauth/authorize' ? answer : undefined)),
    );
    expect(found).toMatch(words);
  });

  it('are told of refresh tokens, names and every redirect URI', async () => {
    const confidential = { ...clients.confidential, redirect_uris: ['https://app.example/cb?x=1'] };
    const without = service((_, fields) => (fields.has('code') ? { body: { access_token: 'a' } } : undefined));
    expect(await about('clients.confidential', without)).toEqual([
      'problem: logs in, but gets no refresh token -> enable refresh tokens for the application, or set clients.confidential.refresh to false',
    ]);
    await server?.close();
    expect(await about('clients.confidential.redirect_uris', service(), { clients: { confidential } })).toEqual([
      'ok: https://app.example/cb?x=1: logs in as alice, with a refresh token',
    ]);
    await server?.close();
    expect(await about('clients.confidential', service(), { accounts: { alice: { username: 'Alys' } } })).toEqual([
      `problem: GET /profile with the new token: the account's name is alice, not Alys -> correct accounts.alice.username, or check which account consent uses`,
    ]);
  });

  it('are not tried where no user can decide, and are missed where there are none', async () => {
    const page = service(({ path }) =>
      path === '/oauth/authorize' ? { status: 200, body: '<p>Log in</p>' } : undefined,
    );
    expect(await about('clients.confidential', page)).toEqual([
      expect.stringMatching(
        /^problem: no redirect: 200, .*Log in.* -> consent: auto is for a server that redirects at once; .* set consent to form,/,
      ),
    ]);
    await server?.close();
    expect(await about('clients.confidential', service(), { consent: 'none' })).toEqual([
      'note: not tried: no user can decide -> set consent to how a user decides on this server',
    ]);
    await server?.close();
    expect(await about('clients', service(), { clients: {} })).toEqual([
      'problem: none is declared -> declare at least clients.service, or use --client-id and the related flags',
    ]);
  });

  it('keep their secrets', async () => {
    const report = await examine(service(), {
      clients: {
        service: { ...clients.service, client_secret: 'wrong' },
        confidential: { ...client, client_secret: 'wrong', scopes: ['account:profile'] },
      },
    });
    expect(JSON.stringify(report)).not.toContain('wrong');
  });
});

describe('operations', () => {
  it('are told of that answer 404 to whoever may call them, and their facts are not', async () => {
    const absent = service(({ path }) => (path.startsWith('/pvp-match') ? { status: 404 } : undefined));
    const scopes = ['service:leagues', 'service:pvp_matches', 'service:psapi'];
    const more = { clients: { service: { ...clients.service, scopes } }, known: { pvp_season: 'S' } };
    const { findings } = await examine(absent, more);
    expect(findings.filter(({ about }) => /not_offered|known/.test(about))).toEqual([
      {
        about: 'not_offered',
        state: 'note',
        met: 'GET /pvp-match: 404',
        remedy: 'if the server does not offer this operation, write not_offered: [listPvpMatches] in the target',
      },
    ]);
  });
});

describe('operations of the second game', () => {
  it('are asked for by the name that the target has for it', async () => {
    const asked: string[] = [];
    const renamed = service(({ path }) => {
      if (path.startsWith('/currency-exchange')) asked.push(path);
      return undefined;
    });
    const more = { clients: { service: { ...clients.service, scopes: ['service:cxapi'] } }, names: { game2: 'G2' } };
    await examine(renamed, more);
    expect(asked).toContain('/currency-exchange/G2');
    expect(asked).not.toContain('/currency-exchange/game2');
  });
});

describe('hooks, clock and codec', () => {
  it('are looked at', async () => {
    const control = service(({ path }) => {
      if (path === '/control/') return { body: { protocol: 1, capabilities: ['clock'] } };
      return path === '/control/clock' ? { body: { now: '2026-01-03T00:00:00Z' } } : undefined;
    });
    server = await fakeServer(control);
    const target = await loadTarget({
      env: {},
      overrides: { 'base-url': server.url, 'control-url': `${server.url}/control`, 'tree-codec': 'exit 3' },
    });
    const { findings } = await doctor(target, options);
    expect(findings.filter(({ about }) => !/url$|clients/.test(about))).toEqual([
      {
        about: 'consent',
        state: 'problem',
        met: 'is control, which offers no consent hook',
        remedy: 'set consent to adapter, form, auto or none',
      },
      { about: 'clock', state: 'ok', met: 'can be advanced; it is 2 days ahead of ours' },
      {
        about: 'tree_codec',
        state: 'problem',
        met: 'ended (exit code 3)',
        remedy: 'run the command by hand and fix it',
      },
    ]);
  });

  it.each([
    ['auto', 'ok: offers clock; consent by auto'],
    ['form', 'ok: offers clock; consent by form'],
    ['control', 'ok: offers clock, consent'],
    ['none', 'ok: offers clock'],
  ])('of the control are named apart from consent by %s', async (consent, met) => {
    const control = service(({ path }) => {
      if (path === '/control/') return { body: { protocol: 1, capabilities: ['clock', 'consent'] } };
      return path === '/control/clock' ? { body: { now: '2026-01-03T00:00:00Z' } } : undefined;
    });
    server = await fakeServer(control);
    const settings = { base_url: server.url, control_url: `${server.url}/control`, consent };
    const target = await loadTarget({ file: '-', env: {}, stdin: async () => JSON.stringify(settings) });
    const { findings } = await doctor(target, options);
    const found = findings.filter(({ about }) => about === 'control_url' || about === 'consent');
    expect(found.map(({ state, met }) => `${state}: ${met}`)).toEqual([met]);
  });

  it.each([
    ['control_url', { control_url: 'http://127.0.0.1:9/nothing', consent: 'auto' }],
    ['adapter', { adapter: '/nothing/adapter.mjs', consent: 'adapter' }],
  ])('are not said to be missing where %s is not right', async (key, more) => {
    const { findings } = await examine(service(), more);
    const told = findings.filter(({ state }) => state !== 'ok');
    expect(told.map(({ about, met, remedy }) => [about, met, remedy])).toEqual([
      [key, expect.any(String), expect.any(String)],
      ['clients.confidential', `not tried until ${key} is right`, undefined],
    ]);
  });

  it('are told of where the control is not there', async () => {
    server = await fakeServer(service());
    const target = await loadTarget({
      env: {},
      overrides: { 'base-url': server.url, 'control-url': `${server.url}/x` },
    });
    const { findings } = await doctor(target, options);
    expect(findings.find(({ about }) => about === 'control_url')).toEqual({
      about: 'control_url',
      state: 'problem',
      met: `${server.url}/x: GET / returned 401, {}`,
      remedy: 'set control_token to the token of the server',
    });
  });
});
