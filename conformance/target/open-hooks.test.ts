import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { loadTarget } from './load.js';
import { openHooks } from './open-hooks.js';
import { plainTransport } from './plain-transport.js';
import { fakeServer } from './server.fixture.js';
import type { FakeAnswer, FakeRequest, FakeServer } from './server.fixture.js';

let folder: string;
let server: FakeServer | undefined;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'hooks-'))));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => server?.close());

const all = ['clock', 'consent', 'revocations', 'stash-events', 'reset'];
const id = 'ab'.repeat(32);

/** A control that works, but for the calls that are answered otherwise. */
function control(otherwise: (request: FakeRequest) => FakeAnswer | undefined = () => undefined) {
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  return (request: FakeRequest): FakeAnswer => {
    const other = otherwise(request);
    if (other) return other;
    const body = (request.body === '' ? {} : JSON.parse(request.body)) as { advance?: number };
    switch (`${request.method} ${request.path}`) {
      case 'GET /control/':
        return { body: { protocol: 1, capabilities: all } };
      case 'GET /control/clock':
      case 'POST /control/clock':
        now += (body.advance ?? 0) * 1000;
        return { body: { now: new Date(now).toISOString(), frozen: false } };
      case 'POST /control/consent':
        return { body: { status: 302, location: 'https://app.example/?code=x' } };
      case 'POST /control/stash-events':
        return { body: { id, at: new Date(now).toISOString() } };
      case 'POST /control/revocations':
      case 'POST /control/reset':
        return { status: 204 };
      default:
        return { status: 404, body: { error: 'there is no such call' } };
    }
  };
}

async function open(answer: (request: FakeRequest) => FakeAnswer, more: Record<string, string> = {}) {
  server = await fakeServer(answer);
  const target = await loadTarget({
    env: {},
    overrides: { 'base-url': server.url, 'control-url': `${server.url}/control`, 'control-token': 't0k', ...more },
  });
  return openHooks(target, plainTransport());
}

const request = { url: 'http://x/oauth/authorize', account: 'alice', decision: 'approve' } as const;

describe('hooks over the control protocol', () => {
  it('make its calls, with its token', async () => {
    const hooks = await open(control());
    expect(await hooks.clock?.now()).toEqual(new Date('2026-01-01T00:00:00.000Z'));
    expect(await hooks.clock?.advance(60)).toEqual(new Date('2026-01-01T00:01:00.000Z'));
    expect(await hooks.consent?.({ ...request, scope: 'a b' })).toEqual({
      status: 302,
      location: 'https://app.example/?code=x',
    });
    await hooks.revoke?.({ by: 'user', account: 'alice', client_id: 'c' });
    expect(await hooks.stashEvent?.({ realm: 'pc', op: 'list' })).toEqual({
      id,
      at: new Date('2026-01-01T00:01:00.000Z'),
    });
    await hooks.reset?.();
    const sent = server!.requests;
    expect(sent.every(({ headers }) => headers.authorization === 'Bearer t0k')).toBe(true);
    expect(
      sent
        .filter(({ method }) => method === 'POST')
        .map(({ path, body }) => [path, body && (JSON.parse(body) as object)]),
    ).toEqual([
      ['/control/clock', { advance: 60 }],
      ['/control/consent', { ...request, scope: 'a b' }],
      ['/control/revocations', { by: 'user', account: 'alice', client_id: 'c' }],
      ['/control/stash-events', { realm: 'pc', op: 'list' }],
      ['/control/reset', ''],
    ]);
  });

  it('are those that it offers', async () => {
    const some = control(({ path }) =>
      path === '/control/' ? { body: { protocol: 1, capabilities: ['clock', 'tea'] } } : undefined,
    );
    expect(Object.keys(await open(some))).toEqual(['clock']);
    await server?.close();
    expect(Object.keys(await open(control(), { consent: 'none' }))).not.toContain('consent');
  });

  it('tell what the control said where a call fails', async () => {
    const hooks = await open(
      control(({ path }) => (path === '/control/' ? undefined : { status: 400, body: { error: 'bob is nobody' } })),
    );
    const failure = { name: 'PrerequisiteFailed', message: 'control, POST /consent: 400, "bob is nobody"' };
    await expect(hooks.consent?.(request)).rejects.toMatchObject(failure);
    await expect(hooks.reset?.()).rejects.toMatchObject({ name: 'PrerequisiteFailed' });
    await expect(hooks.clock?.now()).rejects.toThrow('control, GET /clock: 400, "bob is nobody"');
    await server?.close();
    await expect(hooks.reset?.()).rejects.toThrow(/^control, POST \/reset: no response/);
  });

  it('do not believe a clock that stands still', async () => {
    const still = control(({ path }) =>
      path === '/control/clock' ? { body: { now: '2026-01-01T00:00:00Z', frozen: true } } : undefined,
    );
    await expect((await open(still)).clock?.advance(30)).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message:
        'the clock did not advance: asked for 30 s, it went from 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:00.000Z',
    });
  });

  it('take a clock of whole seconds', async () => {
    let calls = 0;
    const whole = control(({ path }) =>
      path === '/control/clock' ? { body: { now: `2026-01-01T00:00:${calls++ === 0 ? '00' : '29'}Z` } } : undefined,
    );
    expect(await (await open(whole)).clock?.advance(30)).toEqual(new Date('2026-01-01T00:00:29Z'));
  });

  it.each<[string, FakeAnswer]>([
    ['a page', { body: '<h1>Hello</h1>' }],
    ['a list', { body: [] }],
    ['no status', { body: { location: 'https://app.example/?code=hidden&state=s' } }],
    ['a number for a place', { body: { status: 302, location: 7 } }],
  ])('refuse %s as the outcome of consent', async (_, answer) => {
    const hooks = await open(control(({ path }) => (path === '/control/consent' ? answer : undefined)));
    await expect(hooks.consent?.(request)).rejects.not.toThrow('hidden');
    await expect(hooks.consent?.(request)).rejects.toThrow(
      /^POST \/consent: returned .*, not { status, location, body }$/,
    );
  });

  it.each<[string, FakeAnswer, string]>([
    [
      'nothing there',
      { status: 404, body: 'nope' },
      'GET / returned 404, nope; the control protocol returns 200; correct control_url',
    ],
    [
      'the wrong token',
      { status: 401, body: { error: 'no' } },
      'GET / returned 401, "no"; set control_token to the token of the server',
    ],
    [
      'a page',
      { body: '<h1>Hi</h1>' },
      'GET / returned <h1>Hi</h1>; the control protocol returns {"protocol":1,"capabilities":[…]}; correct control_url',
    ],
    ['another protocol', { body: { protocol: 2, capabilities: [] } }, 'protocol 2; this suite supports protocol 1'],
  ])('are not opened where there is %s', async (_, answer, words) => {
    const error: unknown = await open(() => answer).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'SetupError', message: `control_url ${server!.url}/control: ${words}` });
  });

  it('are not opened where nobody answers', async () => {
    const target = await loadTarget({ env: {}, overrides: { 'base-url': 'http://x', 'control-url': 'http://x' } });
    await expect(openHooks(target, () => Promise.reject(new Error('refused')))).rejects.toMatchObject({
      name: 'SetupError',
      message: 'control_url http://x: no response (refused); start the server, or correct or remove control_url',
    });
  });

  it('let a run that is stopped stop', async () => {
    const target = await loadTarget({ env: {}, overrides: { 'base-url': 'http://x', 'control-url': 'http://x' } });
    const stopped = Object.assign(new Error('the budget is spent'), { name: 'Stopped' });
    await expect(openHooks(target, () => Promise.reject(stopped))).rejects.toBe(stopped);
  });
});

describe('hooks of an adapter', () => {
  const adapter = (name: string, text: string): string => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, text);
    return path;
  };

  it('win over the control, and may be some', async () => {
    const hooks = await open(control(), {
      adapter: adapter(
        'some',
        `let at = 0;
        export const consent = ({ account, decision, scope }) => ({ status: 303, location: account + decision + scope });
        export const clock = ({ advance }) => ({ now: new Date((at += advance * 1000)) });
        export async function revoke(input) { if (JSON.stringify(input) !== '{"by":"application","client_id":"c","clientId":"c"}') throw new Error(JSON.stringify(input)); }
        export const helper = 1;`,
      ),
    });
    expect(await hooks.consent?.(request)).toEqual({ status: 303, location: 'aliceapproveundefined' });
    expect(await hooks.clock?.advance(5)).toEqual(new Date(5000));
    await hooks.revoke?.({ by: 'application', client_id: 'c' });
    expect((await hooks.stashEvent?.({ realm: 'pc', op: 'list' }))?.id).toBe(id);
  });

  it('may show the consent page', async () => {
    const path = adapter(
      'page',
      `export const page = ({ url, account }) => account === 'bob' ? 7 : { status: 200, body: url + account };`,
    );
    for (const consent of ['control', 'form']) {
      const { page } = await open(control(), { adapter: path, consent });
      expect(await page?.({ url: 'u', account: 'alice' })).toEqual({ status: 200, text: 'ualice' });
      await expect(page?.({ url: 'u', account: 'bob' })).rejects.toThrow(
        "the adapter's page: returned 7, not { status, body }",
      );
      await server?.close();
    }
  });

  it('tell what they throw', async () => {
    const path = adapter(
      'throws',
      `export const reset = () => { throw new Error('no way'); };\nexport const consent = () => 7;\nexport const clock = () => {};`,
    );
    const hooks = await open(control(), { adapter: path });
    await expect(hooks.reset?.()).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: `adapter ${path}: reset: no way`,
    });
    await expect(hooks.consent?.(request)).rejects.toThrow(
      "the adapter's consent: returned 7, not { status, location, body }",
    );
    await expect(hooks.clock?.now()).rejects.toThrow(
      `the adapter's clock: returned nothing, without a date-time "now"`,
    );
  });

  it.each([
    ['undefined', 'nothing'],
    ['7n', '7n'],
    ['Object.create(null)', '{}'],
    ['{ why: "so" }', '{"why":"so"}'],
    ['Symbol("s")', 'Symbol(s)'],
    ['((ring) => (ring.ring = ring))({})', '<ref *1> { ring: [Circular *1] }'],
  ])('may throw %s', async (thrown, words) => {
    const name = `throws-${words.replaceAll(/\W/g, '')}`;
    const path = adapter(
      name,
      `export const reset = () => { throw ${thrown}; };\nexport const consent = () => (${thrown});`,
    );
    const hooks = await open(control(), { adapter: path });
    await expect(hooks.reset?.()).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: `adapter ${path}: reset: threw ${words}, which is not an Error`,
    });
    await expect(hooks.consent?.(request)).rejects.toMatchObject({ name: 'PrerequisiteFailed' });
    const broken = adapter(`${name}-at-once`, `throw ${thrown};`);
    await server?.close();
    await expect(open(control(), { adapter: broken })).rejects.toMatchObject({
      name: 'SetupError',
      message: `adapter ${broken}: cannot be loaded (threw ${words}, which is not an Error); name an ES module, such as adapter.mjs`,
    });
  });

  it('are refused where the module is not what it should be', async () => {
    const broken = async (text: string) => {
      const path = adapter(`broken-${text.length}`, text);
      await server?.close();
      return open(control(), { adapter: path }).catch(
        (error: Error) => `${error.name}: ${error.message.replaceAll(path, 'a.mjs')}`,
      );
    };
    expect(await broken('export const a = 1;')).toBe(
      'SetupError: adapter a.mjs: exports no hook; export any of consent, page, clock, revoke, stashEvent, reset, tree',
    );
    expect(await broken('export const consents = () => 1; export const clock = 7; export const tree = {};')).toBe(
      [
        'SetupError: adapter a.mjs: clock is not a function; export one',
        'adapter a.mjs: consents is not a hook; did you mean consent?',
        'adapter a.mjs: tree lacks decode or encode; export both',
      ].join('\n'),
    );
    expect(await broken('export const = 1')).toMatch(
      /^SetupError: adapter a\.mjs: cannot be loaded \(.*\); name an ES module/s,
    );
    await server?.close();
    await expect(open(control(), { adapter: join(folder, 'none.mjs') })).rejects.toMatchObject({ name: 'SetupError' });
  });
});

describe('consent that comes by itself', () => {
  const at = (answer: FakeAnswer) =>
    open((request) => (request.path === '/oauth/authorize' ? answer : control()(request)), { consent: 'auto' });

  it('is the redirect of the authorization endpoint', async () => {
    const hooks = await at({ status: 307, headers: { location: 'https://app.example/?code=1' } });
    const url = `${server!.url}/oauth/authorize?a=1`;
    expect(await hooks.consent?.({ ...request, url })).toEqual({
      status: 307,
      location: 'https://app.example/?code=1',
    });
    expect(server!.requests.at(-1)?.query.get('a')).toBe('1');
    await expect(hooks.consent?.({ ...request, url, decision: 'deny' })).rejects.toMatchObject({
      name: 'MissingCapability',
    });
    await expect(hooks.consent?.({ ...request, url, scope: 'a' })).rejects.toMatchObject({ name: 'MissingCapability' });
  });

  it('may be a page', async () => {
    const hooks = await at({ status: 400, body: 'no' });
    expect(await hooks.consent?.({ ...request, url: `${server!.url}/oauth/authorize` })).toEqual({
      status: 400,
      location: null,
      body: 'no',
    });
  });
});
