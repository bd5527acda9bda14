import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Journal } from '../journal/journal.js';
import type { Mock, MockOptions } from '../mock.js';
import { startMock } from '../mock.js';
import { bearerFor, epoch, exchangeRaw, send } from '../mock.fixture.js';
import type { TestEngine } from './engine.fixture.js';
import { noEngine, startEngine } from './engine.fixture.js';

describe('replicas', () => {
  let engine!: TestEngine;
  let running: Mock[] = [];
  let heard: string[] = [];

  beforeEach(async ({ skip }) => {
    if (noEngine) skip(noEngine);
    engine = await startEngine();
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await Promise.all(running.map((one) => one.close()));
    running = [];
    heard = [];
    await engine?.remove();
  });

  async function replica(options: MockOptions = {}): Promise<Mock> {
    const mock = await startMock({ store: engine.url, epoch, log: (line) => heard.push(line), ...options });
    running.push(mock);
    return mock;
  }
  const profile = async (mock: Mock, authorization: string): Promise<number> =>
    (await send(mock.url, { path: '/profile', headers: { authorization } })).status;
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) await new Promise((done) => setTimeout(done, 20));
  };
  const post = (mock: Mock, path: string, body: object = {}) =>
    send(mock.url, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each([
    'foo://127.0.0.1/__control/journal/stream',
    'https://127.0.0.1/__control/journal/wait?timeout=60',
    '/__control\\journal\\stream#',
    'foo://127.0.0.1?x',
    'foo://127.0.0.1/ns/none/__control/journal/stream',
    '*',
  ])('serve on after a request whose target is %s', async (target) => {
    const [one, two] = [await replica({ journal: true }), await replica({ journal: true })];
    const asked = send(one.url, { path: target, agent: false }).catch(() => null);
    const authorization = await bearerFor(two, 'account:profile');
    expect(await profile(one, authorization)).toBe(200);
    expect(await profile(await replica({ journal: true }), authorization)).toBe(200);
    // A stream, or a wait, ends with the mock.
    await Promise.all(running.splice(0).map((mock) => mock.close()));
    await asked;
  });

  it('pass over a request that is not done in time, say so, and serve on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const mock = await replica();
    vi.spyOn(Journal.prototype, 'start').mockReturnValueOnce(new Promise(() => {}));
    const stuck = post(mock, '/__control/journal', { recording: true });
    await until(() => vi.mocked(Journal.prototype.start).mock.calls.length > 0);
    await vi.advanceTimersByTimeAsync(12_000);
    expect((await stuck).status).toBe(503);
    expect(
      heard.filter((line) => /request 1 of the entry \d+-\d+ \(POST\) is not carried out/.test(line)),
    ).toHaveLength(1);
    expect((await post(mock, '/__control/reset')).status).toBe(204);
  });

  const foreign: [string, string][] = [
    ['an entry', `XADD gamedata:{mock}:log * from someone batch '{"seed":"x","items":[{"method":"GET","url":7}]}'`],
    ['an entry that is no JSON', 'XADD gamedata:{mock}:log * from someone batch garbage'],
    ['a log of another type', 'SET gamedata:{mock}:log text'],
  ];
  it.each(foreign)('refuse in one sentence, once, where somebody else wrote %s', async (_, command) => {
    const mock = await replica();
    const authorization = await bearerFor(mock, 'account:profile');
    await engine.ask(command);
    await until(async () => (await profile(mock, authorization)) === 503);
    for (let times = 0; times < 20; times++) expect((await post(mock, '/__control/reset')).status).toBe(503);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(
      /^store redis:\S+: .* is not what a replica of this mock has written; choose another name \(\?name=\.\.\.\), or delete the keys gamedata:\{mock\}:\* to begin anew; until then requests are answered with 503$/,
    );
    await expect(replica()).rejects.toThrow(/^store redis:\S+: .* is not what a replica of this mock has written/);
    await engine.ask('DEL gamedata:{mock}:log gamedata:{mock}:begin gamedata:{mock}:snapshot');
    await until(async () => (await post(mock, '/__control/reset')).status === 204);
  });

  it.each([
    ['secret', 'SET gamedata:{mock}:secret short'],
    ['secret', 'LPUSH gamedata:{mock}:secret x'],
    ['begin', 'HSET gamedata:{mock}:begin id 1-1 settings text'],
    ['snapshot', `HSET gamedata:{mock}:snapshot id $ from begin state '{"clock":7}'`],
  ])('do not start where somebody else wrote the %s (%s)', async (key, command) => {
    const mock = await replica();
    await post(mock, '/__control/reset');
    await mock.close();
    running = [];
    const [id = ''] = /\d+-\d+/.exec(await engine.ask('HGET gamedata:{mock}:begin id')) ?? [];
    if (key === 'secret') await engine.ask('DEL gamedata:{mock}:secret');
    await engine.ask(command.replace('1-1', id).replace('$', id));
    const error = await replica().catch((reason: Error) => reason);
    expect(String(error)).toMatch(
      /store redis:\S+: .* is not what a replica of this mock has written; choose another name/,
    );
  });

  it('read a body of an import where an import is allowed, and no other as large', async () => {
    const mock = await replica({ controlToken: 'secret' });
    const body = Buffer.alloc(3 << 20, 0x20);
    const asked = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await send(mock.url, { method: 'POST', path, headers, body })).status;
    const own = { authorization: 'Bearer secret' };
    expect(await asked('/league/x/snapshots/imports')).toBe(404);
    expect(await asked('/__control/snapshots/imports')).toBe(401);
    expect(await asked('/__control/snapshots/imports', own)).toBe(400); // no JSON, and read to its end
    expect(await asked('/__control/snapshots', own)).toBe(413);
    const log = Number(/:(\d+)/.exec(await engine.ask('MEMORY USAGE gamedata:{mock}:log SAMPLES 0'))?.[1]);
    expect(log).toBeLessThan(5.5e6);
  });

  describe('with a full engine', () => {
    const text = 'Show\n'.padEnd(900_000, '# a filter of nearly a megabyte\n');
    const putFilter = (mock: Mock, authorization: string, name: string): Promise<number> => {
      const headers = { authorization, 'content-type': 'application/json' };
      const filter = { filter_name: name, realm: 'pc', version: '1', type: 'Normal', public: true, filter: text };
      return send(mock.url, { method: 'POST', path: '/item-filter', headers, body: JSON.stringify(filter) }).then(
        ({ status }) => status,
      );
    };

    it('trim the log before they refuse a change', async () => {
      await engine.ask('CONFIG SET maxmemory 24mb');
      const mock = await replica();
      const authorization = await bearerFor(mock, 'account:profile');
      for (let times = 0; times < 60; times++) {
        const { status } = await post(mock, '/__control/snapshots', { name: 'x', more: text });
        expect(status).toBe(400);
      }
      expect(await profile(mock, authorization)).toBe(200);
      expect(heard).toEqual([]);
    });

    it('refuse changes, start, take a reset, and have room again without a restart', async () => {
      await engine.ask('CONFIG SET maxmemory 16mb');
      const mock = await replica();
      const authorization = await bearerFor(mock, 'account:item_filter');
      const statuses: number[] = [];
      for (let times = 0; times < 40 && statuses.at(-1) !== 503; times++)
        statuses.push(await putFilter(mock, authorization, `filter ${times}`));
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(8);
      expect(statuses.at(-1)).toBe(503);
      expect(heard.filter((line) => line.includes('OOM'))).toHaveLength(1);

      const second = await replica();
      const read = await send(second.url, { path: '/item-filter', headers: { authorization } });
      expect(read.status).toBe(200);
      expect((await post(second, '/__control/reset')).status).toBe(204);
      const fresh = await bearerFor(mock, 'account:item_filter');
      expect(await putFilter(mock, fresh, 'again')).toBe(200);
      expect(heard.filter((line) => line.includes('takes changes again')).length).toBeGreaterThan(0);
    });
  });

  it('answer a request line that is no HTTP as a mock alone does', async () => {
    const mock = await replica();
    expect(await exchangeRaw(mock.url, 'GET /league HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });
});
