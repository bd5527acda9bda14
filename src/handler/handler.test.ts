import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectMock } from '../client/index.js';
import type { FaultRule } from '../client/index.js';
import type { Mock } from '../server/mock.js';
import { startMock } from '../server/mock.js';
import type { Handler, HandlerOptions } from './index.js';
import { createHandler, SetupError } from './index.js';
import { serve } from './serve.fixture.js';

const epoch = '2026-01-01T00:00:00Z';
const origin = 'https://api.example';
const form = 'application/x-www-form-urlencoded';

const make = (options: HandlerOptions = {}) => {
  const handler = createHandler({ epoch, ...options });
  return { handler, control: connectMock(options.url ?? origin, { fetch: handler }) };
};
const ask = (handler: Handler, path: string, init: RequestInit = {}): Promise<Response> =>
  handler(new Request(origin + path, init));
const bearer = async (control: Pick<Mock, 'issueToken'>, ...scopes: string[]) => {
  const ofAccount = scopes[0]?.startsWith('account:');
  const { access_token: token } = await control.issueToken({ scopes, ...(ofAccount && { account: 'alice' }) });
  return { authorization: `Bearer ${token}` };
};

describe('the handler answers as the server does', () => {
  let mock: Mock;
  const { handler, control } = make();
  beforeAll(async () => void (mock = await startMock({ epoch })));
  afterAll(() => mock.close());

  const spell = (text: string): string => text.replaceAll(/https?:\/\/(127\.0\.0\.1:\d+|api\.example)/g, '<origin>');
  const shown = async (response: Response) => {
    const headers = Object.fromEntries(response.headers);
    for (const name of ['date', 'connection', 'keep-alive', 'content-length']) delete headers[name];
    return { status: response.status, headers, text: spell(await response.text()) };
  };

  const post = (body: string, type = form): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  it.each<[string, RequestInit, scope?: string]>([
    ['/', {}],
    ['/health', {}],
    ['/health', { method: 'OPTIONS' }],
    ['/try', { method: 'POST' }],
    ['/applications?account=nobody', {}],
    ['/.well-known/oauth-authorization-server', {}],
    ['/nowhere', {}],
    ['/ns/none/profile', {}],
    ['/league', { method: 'OPTIONS' }],
    ['/profile', {}],
    ['/profile', {}, 'account:profile'],
    ['/profile', { method: 'HEAD' }, 'account:profile'],
    ['/profile', { method: 'DELETE' }, 'account:profile'],
    ['/profile', {}, 'account:stashes'],
    ['/league?limit=0', {}, 'service:leagues'],
    ['/league/Standard', {}, 'service:leagues'],
    ['/item-filter', post('{"a":', 'application/json'), 'account:item_filter'],
    ['/item-filter', post('{}', 'application/json'), 'account:item_filter'],
    ['/item-filter', post('{}', 'text/plain'), 'account:item_filter'],
    ['/oauth/token', post('grant_type=none')],
    ['/oauth/token', post('grant_type=a&grant_type=b')],
    ['/oauth/token', post('{}', 'application/json')],
    ['/oauth/authorize?client_id=nobody', {}],
    ['/oauth/authorize', post('decision=maybe')],
    ['/__control/nothing', {}],
    ['/__control/clock', post('{"advance":-1}', 'application/json')],
    ['/__control/faults/', {}],
  ])('%s %o', async (path, init, scope) => {
    const of = async (target: Pick<Mock, 'issueToken'>): Promise<RequestInit> => ({
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(scope && (await bearer(target, scope))) },
    });
    const here = await shown(await ask(handler, path, await of(control)));
    expect(here).toEqual(await shown(await fetch(mock.url + path, await of(mock))));
  });

  it('the whole way of a user: consent, code, token, a call, another user’s view', async () => {
    const url = `${origin}/oauth/authorize?response_type=code&client_id=example-desktop&scope=account:profile&state=s&redirect_uri=http://127.0.0.1:8080/callback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`;
    const { location } = await control.consent({ url, account: 'bob' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const token = await ask(handler, '/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'example-desktop',
        code,
        redirect_uri: 'http://127.0.0.1:8080/callback',
        scope: 'account:profile',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      }),
    });
    const { access_token: access, username } = (await token.json()) as { access_token: string; username: string };
    const profile = await ask(handler, '/profile', { headers: { authorization: `Bearer ${access}` } });
    expect([token.status, profile.status]).toEqual([200, 200]);
    expect(await profile.json()).toMatchObject({ name: username });
  });
});

describe('the body of a request', () => {
  const { handler, control } = make();
  const streamed = (...parts: (string | Uint8Array<ArrayBuffer>)[]): RequestInit => ({
    method: 'POST',
    duplex: 'half',
    body: new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
      },
    }),
  });
  const token = async (init: RequestInit, headers = {}): Promise<[number, string]> => {
    const response = await ask(handler, '/oauth/token', { ...init, headers: { 'content-type': form, ...headers } });
    return [response.status, response.headers.get('x-mock-reason') ?? ''];
  };
  const good =
    'grant_type=client_credentials&client_id=example-service&client_secret=service-secret&scope=service:leagues';

  it('may come in parts', async () => {
    expect(await token(streamed(good.slice(0, 7), good.slice(7)))).toEqual([200, '']);
  });

  it('may be packed', async () => {
    const init = (body: Uint8Array<ArrayBuffer>): RequestInit => ({ method: 'POST', body });
    expect(await token(init(gzipSync(good)), { 'content-encoding': 'gzip' })).toEqual([200, '']);
    expect((await token(init(gzipSync(good).subarray(0, 30)), { 'content-encoding': 'gzip' }))[0]).toBe(400);
    expect((await token(init(gzipSync(Buffer.alloc(8 << 20))), { 'content-encoding': 'gzip' }))[1]).toContain('larger');
    expect((await token(init(gzipSync(good)), { 'content-encoding': 'zstd' }))[1]).toContain('not read');
  });

  it('is bounded: no more is read than may be', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1 << 16;
        controller.enqueue(new Uint8Array(1 << 16));
      },
    });
    const headers = { 'content-type': 'application/json', ...(await bearer(control, 'account:item_filter')) };
    const init = { method: 'POST', body: endless, duplex: 'half', headers } as const;
    expect((await ask(handler, '/item-filter', init)).status).toBe(413);
    expect(sent).toBeLessThan(3 << 20);
    expect(await token({ method: 'POST', body: good }, { 'content-length': String(1 << 30) })).toEqual([
      400,
      expect.stringContaining('larger'),
    ]);
  });

  it('is not read at all where nobody asks for it', async () => {
    const init = streamed('x');
    const request = new Request(`${origin}/item-filter`, init);
    expect((await handler(request)).status).toBe(401);
    expect(request.bodyUsed).toBe(false);
  });

  it('is refused where it ends early, is no UTF-8, or fails', async () => {
    expect((await token({ method: 'POST', body: good }, { 'content-length': '500' }))[1]).toContain('to its end');
    expect((await token(streamed(new Uint8Array([0xff, 0xfe]))))[1]).toContain('UTF-8');
    const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    expect((await token({ method: 'POST', duplex: 'half', body: failing }))[1]).toContain('to its end');
  });

  it('that was read before is an error that says what to do', async () => {
    const request = new Request(`${origin}/oauth/token`, { method: 'POST', body: good });
    await request.text();
    await expect(handler(request)).rejects.toThrow('request.clone()');
  });

  it('stands in the journal', async () => {
    await control.journal.start();
    await token(streamed('grant_type=', 'none'));
    const [entry] = await control.journal.list({ operation: 'issueToken' });
    expect(entry).toMatchObject({ decision: 'refused', delivery: 'sent', request: { body: { size: 15 } } });
    await control.journal.clear();
  });
});

describe('a connection that breaks', () => {
  const { handler, control } = make();
  const struck = async (rule: FaultRule, init: RequestInit = {}): Promise<Response> => {
    await control.faults.clear();
    await control.faults.add({ times: 1, ...rule });
    return ask(handler, '/profile', { headers: await bearer(control, 'account:profile'), ...init });
  };

  it.each(['reset', 'empty', 'lost-reply'] as const)('%s is a network error', async (kind) => {
    expect((await struck({ kind })).type).toBe('error');
  });

  it('in the middle of a body, the half has come', async () => {
    const response = await struck({ kind: 'incomplete' });
    const reader = response.body!.getReader();
    const { value } = (await reader.read()) as { value: Uint8Array };
    expect(value.length).toBeLessThan(Number(response.headers.get('content-length')));
    await expect(reader.read()).rejects.toThrow(TypeError);
  });

  it('never answers, until the client gives up', async () => {
    await control.journal.start();
    await control.faults.clear();
    const left = new AbortController();
    const pending = struck({ kind: 'hang' }, { signal: left.signal });
    while ((await control.faults.list())[0]?.applied !== 1) await new Promise((done) => setImmediate(done));
    left.abort();
    expect((await pending).type).toBe('error');
    expect(await control.journal.list({ operation: 'getProfile' })).toMatchObject([{ delivery: 'lost' }]);
  });

  it('was gone before it began', async () => {
    expect((await ask(handler, '/profile', { signal: AbortSignal.abort() })).type).toBe('error');
  });

  it('is slow, and whole', async () => {
    const response = await struck({ kind: 'drip', ms: 20 });
    expect(await response.json()).toMatchObject({ name: expect.any(String) });
  });

  it('streams entries of the journal until somebody leaves', async () => {
    await control.faults.clear();
    await control.journal.start();
    const entries = control.journal.stream({ operation: 'getProfile' })[Symbol.asyncIterator]();
    const first = entries.next();
    await new Promise((done) => setImmediate(done));
    await ask(handler, '/profile');
    expect((await first).value).toMatchObject({ operation: 'getProfile', decision: 'refused' });
    await entries.return?.();
  });
});

describe('options', () => {
  it('an address from elsewhere gets no reasons, and no control without the token', async () => {
    const remote = make({ address: (request) => request.headers.get('x-from') ?? '' });
    const headers = { 'x-from': '203.0.113.7' };
    expect((await ask(remote.handler, '/__control/clock', { headers })).status).toBe(403);
    expect((await ask(remote.handler, '/profile', { headers })).headers.has('x-mock-reason')).toBe(false);
    const wrong = '/oauth/authorize?client_id=example-desktop&redirect_uri=https://elsewhere.example/';
    const [away, here] = [await ask(remote.handler, wrong, { headers }), await ask(make().handler, wrong)];
    expect([away.status, await away.text()]).toEqual([
      400,
      expect.stringMatching(/^(?![^]*registered:)[^]*The request lacks a required parameter/),
    ]);
    expect(await here.text()).toContain('registered: http://127.0.0.1');
    const { handler } = make({ controlToken: 's3cret' });
    expect((await ask(handler, '/__control/clock')).status).toBe(401);
    const authorization = 'Bearer s3cret';
    expect((await ask(handler, '/__control/clock', { headers: { authorization } })).status).toBe(200);
  });

  it('an address below a path has everything there, links and namespaces too', async () => {
    const { handler, control } = make({ url: `${origin}/mock/` });
    expect((await ask(handler, '/profile')).status).toBe(404);
    expect((await ask(handler, '/mock/profile')).status).toBe(401);
    expect(await (await ask(handler, '/mock')).text()).toContain('href="/mock/try"');
    const metadata = await (await ask(handler, '/mock/.well-known/oauth-authorization-server')).json();
    expect(metadata).toMatchObject({ issuer: `${origin}/mock`, token_endpoint: `${origin}/mock/oauth/token` });
    const own = await connectMock(`${origin}/mock`, { fetch: handler }).namespace('own');
    expect(own.url).toBe(`${origin}/mock/ns/own`);
    expect((await own.clock.now()).toISOString()).toMatch(/^2026/);
    expect((await control.clock.now()).toISOString()).toMatch(/^2026/);
  });

  it('files are shown where there are some', async () => {
    const none = make();
    expect((await ask(none.handler, '/openapi.json')).status).toBe(404);
    const preferring = { headers: { prefer: 'code=200' } };
    expect((await ask(none.handler, '/profile', preferring)).headers.get('x-mock-reason')).toContain('no examples');
    const { packageFiles } = await import('../server/package-files.js');
    const { handler } = make({ files: packageFiles });
    expect(await (await ask(handler, '/openapi.json')).json()).toHaveProperty('openapi');
    expect((await ask(handler, '/profile', preferring)).headers.get('preference-applied')).toBe('code=200');
  });

  it('a redirect URI of one’s own is as good as the client’s', async () => {
    const uri = 'https://docs.example/try/redirect';
    const { control } = make({ redirectUris: { 'example-desktop': [uri] } });
    const url = `${origin}/oauth/authorize?response_type=code&client_id=example-desktop&scope=account:profile&state=s&redirect_uri=${uri}&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`;
    expect((await control.consent({ url, account: 'alice' })).location).toMatch(
      /^https:\/\/docs\.example\/try\/redirect\?code=/,
    );
  });

  it('wrong ones say what is wrong', () => {
    expect(() => make({ url: 'nowhere' })).toThrow(SetupError);
    expect(() => make({ controlToken: '' })).toThrow('the control token: it is empty');
    expect(() => make({ switches: { none: true } })).toThrow('switch none');
    expect(() => make({ journal: { entries: 0 } as never })).toThrow('journal');
  });

  it('two handlers never meet', async () => {
    const [one, two] = [make(), make()];
    const headers = await bearer(one.control, 'account:profile');
    expect((await ask(one.handler, '/profile', { headers })).status).toBe(200);
    expect((await ask(two.handler, '/profile', { headers })).status).toBe(401);
  });
});

it('serves on a port of Node, broken connections included', async () => {
  const server = serve(createHandler());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mock = connectMock(url);
  const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${url}/profile`, { headers })).status).toBe(200);
  await mock.faults.add({ kind: 'reset', times: 1 });
  await expect(fetch(`${url}/profile`, { headers })).rejects.toThrow('fetch failed');
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
