import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import fc from 'fast-check';

import { gPlan, lookBack, play, reuse } from '../../../conformance/histories/callers.js';
import { drawText } from '../../../conformance/histories/draw.js';
import { Recorder } from '../../../conformance/histories/recorder.js';
import { trialOf } from '../../../conformance/histories/trial.js';
import { connectMock } from '../../client/index.js';
import type { Mock, MockOptions } from '../mock.js';
import { startMock } from '../mock.js';
import type { RawRequest } from '../mock.fixture.js';
import { bearerFor, epoch, send } from '../mock.fixture.js';
import type { TestEngine } from './engine.fixture.js';
import { noEngine, startEngine } from './engine.fixture.js';
import type { MockProcess } from './process.fixture.js';
import { startProcess } from './process.fixture.js';
import { caller, codeForm, codeFrom, operationsToken, race, refreshForm, tokenRequest } from './race.fixture.js';

describe('replicas', () => {
  let engine!: TestEngine;
  let running: { close(): Promise<void> }[] = [];
  let heard: string[] = [];

  beforeEach(async ({ skip }) => {
    if (noEngine) skip(noEngine);
    engine = await startEngine();
  });
  afterEach(async () => {
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
  async function inProcess(...options: string[]): Promise<MockProcess> {
    const child = await startProcess(['--port', '0', '--store', engine.url, '--epoch', epoch, ...options]);
    running.push({ close: async () => void child.process.kill('SIGKILL') });
    return child;
  }
  const profile = async (mock: { url: string }, authorization: string): Promise<number> =>
    (await send(mock.url, { path: '/profile', headers: { authorization } })).status;
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) await new Promise((done) => setTimeout(done, 20));
  };

  it('know each token that one of them has answered, and each revocation', async () => {
    const [one, two] = [await replica(), await replica()];
    for (let times = 0; times < 20; times++) {
      const { access_token: token } = await one.issueToken({ account: 'alice', scopes: ['account:profile'] });
      expect(await profile(two, `Bearer ${token}`)).toBe(200);
      await two.revokeToken(token);
      expect(await profile(one, `Bearer ${token}`)).toBe(401);
    }
  });

  it('have one clock', async () => {
    const [one, two] = [await replica(), await replica()];
    const authorization = await bearerFor(one, 'account:profile');
    await one.clock.freeze();
    expect(await two.clock.now()).toEqual(await one.clock.now());
    await two.clock.advance({ days: 29 });
    expect(await one.clock.now()).toEqual(await two.clock.now());
    expect(await profile(one, authorization)).toBe(401);
    expect(await profile(two, authorization)).toBe(401);
  });

  it('count a limit together', async () => {
    const window = { hits: 10, period: 60, restriction: 60 };
    const policy = { name: 'all', operations: '*', rules: [{ rule: 'client', windows: [window] }] } as const;
    const limits = { policies: [policy] };
    const mocks = [await replica({ limits }), await replica({ limits }), await replica({ limits })];
    const authorization = await bearerFor(mocks[0]!, 'account:profile');
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, at) => profile(mocks[at % 3]!, authorization)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('let one of four win a code and a refresh token, while others are killed and paused', async () => {
    const mocks = [await inProcess(), await inProcess(), await inProcess(), await inProcess()];
    const urls = mocks.map(({ url }) => url);
    let won = 0;
    for (let round = 0; round < 12; round++) {
      const code = await codeFrom(urls[0]!);
      const other = await tokenRequest(urls[0]!, codeForm((await codeFrom(urls[2]!))!));
      const { refresh_token: token } = JSON.parse(other.text) as { refresh_token: string };
      const racing = Promise.all([race(urls, codeForm(code!)), race(urls, refreshForm(token))]);
      if (round === 4) mocks[1]!.process.kill('SIGSTOP');
      if (round === 4) setTimeout(() => mocks[1]!.process.kill('SIGCONT'), 300);
      if (round === 8) mocks[3]!.process.kill('SIGKILL');
      for (const { winners, statuses } of await racing) {
        const heard = statuses.every((status) => status === 200 || status === 400);
        // Who won may be one that was killed, or had to say 503, before it could say so; nobody else has won then.
        expect(winners.length).toBeLessThanOrEqual(1);
        if (heard) expect(winners).toHaveLength(1);
        won += winners.length;
      }
    }
    expect(won).toBeGreaterThan(12);
  });

  it('answer every grant as one server does, while one is killed, one is paused and the engine starts again', async () => {
    const mocks = [await inProcess(), await inProcess(), await inProcess()];
    const bearer = await operationsToken(mocks[0]!.url);
    const plans = fc.sample(gPlan(['exchange', 'refresh', 'refresh old', 'revoke refresh', 'use', 'introspect']), {
      seed: 1,
      numRuns: 12,
    });
    for (const [round, plan] of plans.entries()) {
      let turn = 0;
      const recorder = new Recorder(caller(() => mocks[(turn += 1) % mocks.length]!.url, bearer));
      const playing = play(plan, recorder);
      if (round === 3) mocks[1]!.process.kill('SIGSTOP');
      if (round === 3) setTimeout(() => mocks[1]!.process.kill('SIGCONT'), 200);
      if (round === 6) await engine.stop('SIGKILL').then(() => engine.start());
      if (round === 9) mocks[2]!.process.kill('SIGKILL');
      await playing;
      await lookBack(recorder, { introspects: true });
      await reuse(recorder);
      const { verdict, core } = trialOf(recorder.history, { allowed: 0 });
      expect(verdict.kind, `round ${round}\n${core ? drawText(core) : ''}`).toBe('explained');
    }
  });

  it('lose no token that was answered when one is killed, or when the engine is killed and started again', async () => {
    const [one, two] = [await inProcess(), await replica()];
    const answered: string[] = [];
    const issuing = (async () => {
      for (;;) {
        const { status, text } = await tokenRequest(one.url, {
          client_id: 'example-service',
          client_secret: 'service-secret',
          grant_type: 'client_credentials',
          scope: 'service:leagues',
        });
        if (status !== 200) return;
        answered.push((JSON.parse(text) as { access_token: string }).access_token);
      }
    })();
    await until(() => answered.length > 20);
    await one.kill('SIGKILL');
    await issuing;
    const known = async (mock: Mock): Promise<number[]> =>
      Promise.all(
        answered.map(async (token) => {
          const headers = { authorization: `Bearer ${token}` };
          return (await send(mock.url, { path: '/league', headers })).status;
        }),
      );
    expect(new Set(await known(two))).toEqual(new Set([200]));
    await engine.stop('SIGKILL');
    await engine.start();
    const third = await replica();
    await until(async () => (await send(two.url, { path: '/league' })).status === 401);
    expect(new Set([...(await known(two)), ...(await known(third))])).toEqual(new Set([200]));
  });

  it('answer 503 with Retry-After while the engine is down, say so once, and recover by themselves', async () => {
    const mock = await replica();
    const authorization = await bearerFor(mock, 'account:profile');
    await engine.stop();
    const asked: RawRequest[] = [
      { path: '/profile', headers: { authorization } },
      { path: '/oauth/token', method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { path: '/__control/clock' },
      { path: '/__control/reset', method: 'POST' },
    ];
    for (const request of asked) {
      const { status, headers } = await send(mock.url, request);
      expect([request.path, status, headers['retry-after']]).toEqual([request.path, 503, '1']);
    }
    await engine.start();
    await until(async () => (await profile(mock, authorization)) === 200);
    expect(heard.filter((line) => line.includes('cannot be used'))).toHaveLength(1);
    expect(heard.filter((line) => line.includes('can be used again'))).toHaveLength(1);
  });

  it('answer 503 while the engine is paused, and never with what it was before', async () => {
    const [one, two] = [await replica(), await replica()];
    const authorization = await bearerFor(one, 'account:profile');
    engine.process.kill('SIGSTOP');
    const answers = await Promise.all([profile(one, authorization), two.clock.freeze().catch(() => 503)]);
    expect(answers).toEqual([503, 503]);
    engine.process.kill('SIGCONT');
    await until(async () => (await profile(one, authorization)) === 200);
  });

  it('answer changes with 503 while the engine is full, reads as ever, and recover', async () => {
    const mock = await replica();
    const authorization = await bearerFor(mock, 'account:profile');
    await engine.ask('CONFIG SET maxmemory 1');
    const body = { path: '/__control/tokens', method: 'POST', headers: { 'content-type': 'application/json' } };
    const wish = JSON.stringify({ account: 'alice', scopes: ['account:profile'] });
    expect((await send(mock.url, { ...body, body: wish })).status).toBe(503);
    expect(await profile(mock, authorization)).toBe(200);
    expect(heard.filter((line) => line.includes('OOM'))).toHaveLength(1);
    await engine.ask('CONFIG SET maxmemory 0');
    expect((await send(mock.url, { ...body, body: wish })).status).toBe(201);
  });

  it('answer 503 once the engine wants another password', async () => {
    const mock = await replica();
    const authorization = await bearerFor(mock, 'account:profile');
    await engine.stop();
    await engine.start('--requirepass', 'another');
    await until(() => heard.some((line) => line.includes('NOAUTH')));
    expect(await profile(mock, authorization)).toBe(503);
    await engine.stop();
    await engine.start();
    await until(async () => (await profile(mock, authorization)) === 200);
  });

  it('are as at their start when the engine has lost its data, all of them', async () => {
    const [one, two] = [await replica(), await replica()];
    const authorization = await bearerFor(one, 'account:profile');
    expect(await profile(two, authorization)).toBe(200);
    await engine.ask('FLUSHALL');
    expect([await profile(one, authorization), await profile(two, authorization)]).toEqual([401, 401]);
    const fresh = await bearerFor(one, 'account:profile');
    expect(await profile(two, fresh)).toBe(200);
    expect(heard.filter((line) => line.includes('lost its data'))).not.toHaveLength(0);
  });

  it('go on from a snapshot, to the last digit, when the log before it is gone', async () => {
    const entries = async (): Promise<string[]> =>
      (await engine.ask('XRANGE gamedata:{mock}:log - + COUNT 1')).match(/\d+-\d+/g) ?? [];
    const windows = [{ hits: 1_000_000, period: 60, restriction: 60 }];
    const policy = { name: 'all', operations: '*', rules: [{ rule: 'client', windows }] } as const;
    const options = { journal: true, limits: { policies: [policy] } };
    const one = await replica(options);
    const lasting = await one.issueToken({ account: 'alice', scopes: ['account:profile'] });
    await one.snapshots.save('before');
    await one.namespace('other').then((other) => other.clock.freeze());
    const form = { grant_type: 'client_credentials', client_id: 'example-service', client_secret: 'service-secret' };
    const burst = () => Promise.all(Array.from({ length: 64 }, () => tokenRequest(one.url, form)));
    const authorization = await bearerFor(one, 'account:item_filter');
    const headers = { authorization, 'content-type': 'application/json' };
    const text = 'Show\n'.padEnd(900_000, '# a filter of nearly a megabyte\n');
    const filter = JSON.stringify({ filter_name: 'large', realm: 'pc', filter: text });
    // A snapshot comes with so many bytes of the log, and the one before goes with what led to it.
    const [first] = await entries();
    for (let turn = 0; (await entries())[0] === first; turn += 1) {
      if (turn % 40 === 0) await burst();
      await send(one.url, { method: 'POST', path: '/item-filter', headers, body: filter });
    }
    await burst();
    const two = await replica(options);
    expect(await profile(two, `Bearer ${lasting.access_token}`)).toBe(200);
    const [mine, theirs] = await Promise.all(
      [one, two].map(async (mock) => ({
        tokens: await mock.tokens(),
        snapshots: await mock.snapshots.list(),
        limits: await mock.limits.get(),
        journal: (await mock.journal.list()).map(({ number, target, credential }) => [number, target, credential]),
        frozen: (await send(mock.url, { path: '/ns/other/__control/clock' })).text,
      })),
    );
    expect(theirs).toEqual(mine);
  });

  it('are told apart by name, and refuse to be started differently', async () => {
    const one = await replica({ controlToken: 'first' });
    const { access_token: token } = await one.issueToken({ account: 'alice', scopes: ['account:profile'] });
    await expect(replica({ seed: 2, controlToken: 'other' })).rejects.toThrow(
      /another seed \(1 there, 2 here\), control-token/,
    );
    const elsewhere = await replica({ seed: 2, store: `${engine.url}?name=elsewhere` });
    expect(await profile(elsewhere, `Bearer ${token}`)).toBe(401);
  });

  it('say at the start that an engine cannot be reached, refuses the password, or keeps nothing', async () => {
    const refused = (store: string) => startMock({ store, log: (line) => heard.push(line) });
    await expect(refused('redis://127.0.0.1:1')).rejects.toThrow(
      /^store redis:\/\/127\.0\.0\.1:1: cannot .*ECONNREFUSED/,
    );
    await expect(refused('http://127.0.0.1')).rejects.toThrow(/no address of Redis/);
    await engine.stop();
    await engine.start('--requirepass', 'secret', '--appendonly', 'no');
    const error = await refused(engine.url.replace('//', '//:wrong@')).catch((reason: Error) => reason);
    expect(String(error)).toMatch(/password \(WRONGPASS/);
    expect(String(error)).not.toContain('wrong@');
    await replica({ store: engine.url.replace('//', '//:secret@') });
    expect(heard.join()).toMatch(/keeps no append-only file/);
  });

  it('exit with 2 and one line where there is no engine', async () => {
    await expect(startProcess(['--port', '0', '--store', 'redis://127.0.0.1:1'])).rejects.toThrow(
      /^gamedata mock ended: gamedata: store redis:\/\/127\.0\.0\.1:1: cannot be reached \(ECONNREFUSED\)[^\n]*\n$/,
    );
  });

  it('are one mock to who connects to any of them', async () => {
    const [one, two] = [
      await replica({ publicUrl: 'http://mock.example' }),
      await replica({ publicUrl: 'http://mock.example' }),
    ];
    const texts = await Promise.all(
      [one, two].map(({ url }) => send(url, { path: '/.well-known/oauth-authorization-server' })),
    );
    expect(texts[0]!.json<{ issuer: string }>().issuer).toBe('http://mock.example');
    expect(texts[1]!.text).toBe(texts[0]!.text);
    expect((await connectMock(two.url).tokens()).length).toBe(0);
  });
});
