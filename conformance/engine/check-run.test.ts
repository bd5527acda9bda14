import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import type { Hooks } from '../target/hooks.js';
import type { Answer } from '../wire/answer.js';
import { CheckRun } from './check-run.js';
import type { Paths } from './expect.js';
import { client, environmentAt, meeting, targetAt } from './evidence.fixture.js';
import type { Run } from './run.js';
import { Session } from './session.js';
import { canonical, shown, formatAnswer } from './format.js';
import { Deviation, MissingCapability, NotApplicable, NotExercised, PrerequisiteFailed, Stopped } from '../verdict.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Setting {
  readonly url?: string;
  readonly hooks?: Hooks;
  readonly mayMoveClock?: boolean;
  readonly runs?: number;
  readonly seed?: number;
  readonly paths?: Paths;
  readonly only?: string;
}

function running({ url = 'http://127.0.0.1:1', hooks = {}, runs = 100, seed = 1, ...rest }: Setting = {}): CheckRun {
  const target = targetAt(url, { clients: { confidential: client('web', { client_secret: 'a-secret-of-the-web' }) } });
  const env = environmentAt(target, { hooks, seed, runs });
  closers.push(() => env.wire.close());
  return new CheckRun(env, new Session(env), 'GEN-001', rest);
}

const answered = (status: number, body?: unknown, headers: Answer['headers'] = {}): Answer => ({
  number: 1,
  asked: { server: 'data', args: {} },
  request: { method: 'GET', url: 'http://127.0.0.1:1/profile', headers: { authorization: 'Bearer secret-token' } },
  status,
  headers,
  text: typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
  json: typeof body === 'string' ? undefined : body,
  ms: 1,
});

/** What a step ends with. */
async function ending(run: CheckRun, step: (run: Run) => unknown): Promise<unknown> {
  try {
    await step(run);
    return 'held';
  } catch (error) {
    return error instanceof Deviation ? `${error.expected} / ${error.got}` : error;
  }
}

describe('an expectation', () => {
  const cases: readonly (readonly [string, (run: Run) => unknown, string])[] = [
    ['status', (run) => run.expect.status(answered(204), 200, '2xx'), 'held'],
    [
      'status',
      (run) => run.expect.status(answered(404, { error: { code: 1, message: 'x' } }), '2xx'),
      'status 2xx / status 404 with error {"code":1,"message":"x"}',
    ],
    ['status', (run) => run.expect.status(answered(500), 200, 401), 'status 200 or 401 / status 500 with no body'],
    [
      'status',
      (run) => run.expect.status(answered(200, '<p>', { 'content-type': 'text/html' }), '4xx'),
      'status 4xx / status 200 with a body that is not JSON (text/html)',
    ],
    [
      'status',
      (run) => run.expect.status(answered(200, { a: 1, b: null }), 400),
      'status 400 / status 200 with an object of a, b: null',
    ],
    ['status', (run) => run.expect.status(answered(200, [1, 2]), 400), 'status 400 / status 200 with an array of 2'],
    ['that', (run) => run.expect.that(true, 'x', 1), 'held'],
    ['that', (run) => run.expect.that(false, 'a number', 'two words'), 'a number / two words'],
    ['that', (run) => run.expect.that(false, 'a number', undefined), 'a number / nothing'],
    ['equal', (run) => run.expect.equal({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }, 'it'), 'held'],
    ['equal', (run) => run.expect.equal([1, 2], [2, 1], 'the order'), 'the order: [2,1] / [1,2]'],
    ['refused', (run) => run.expect.refused(answered(400, { error: 'invalid_grant' })), 'held'],
    ['refused', (run) => run.expect.refused(answered(401, '<p>', { 'content-type': 'text/html' })), 'held'],
    [
      'refused',
      (run) => run.expect.refused(answered(400, { access_token: 'a' })),
      'a refusal without a token / status 400 with an object of access_token',
    ],
    ['refused', (run) => run.expect.refused(answered(200, {})), 'a refusal / status 200 with an empty object'],
    ['refused', (run) => run.expect.refused(answered(500)), 'a refusal / status 500 with no body'],
    ['has', (run) => run.expect.has(answered(200, { leagues: [] }), 'leagues'), 'held'],
    [
      'has',
      (run) => run.expect.has(answered(200, { league: 1 }), 'leagues'),
      'a JSON object with the member leagues / status 200 with an object of league',
    ],
    [
      'has',
      (run) => run.expect.has(answered(404, { leagues: [] }), 'leagues'),
      'status 2xx / status 404 with an object of leagues',
    ],
    ['list', (run) => run.expect.list(answered(200, { leagues: [{}] }), 'leagues'), 'held'],
    [
      'list',
      (run) => run.expect.list(answered(200, { leagues: [null] }), 'leagues'),
      'leagues: an array of objects / [null]',
    ],
  ];
  it.each(cases)('%s counts, and says what it expected and got', async (_, step, words) => {
    const run = running();
    expect(await ending(run, step)).toBe(words);
    expect(run.expect.exercised).toBeGreaterThan(0);
  });

  it('says a long value in short, on one line', () => {
    expect(shown('x'.repeat(500))).toMatch(/^"x{399} … \(502 characters\)$/);
    expect(shown({ a: 'line\nline' })).toBe('{"a":"line\\nline"}');
    expect(canonical(undefined)).toBe('nothing');
    expect(formatAnswer(answered(200, {}))).toBe('status 200 with an empty object');
  });

  it('says nothing of requests, whose headers have tokens', async () => {
    expect(String(await ending(running(), (run) => run.expect.status(answered(500, 'x'), 200)))).not.toContain(
      'secret-token',
    );
  });

  it('of a token is made on an operation that it has a scope for', async () => {
    const server = await meeting(({ headers }, reply) =>
      reply.writeHead(headers.authorization === 'Bearer good' ? 200 : 401).end('{}'),
    );
    closers.push(server.close);
    const run = running({ url: server.url });
    await run.expect.alive('good', ['account:profile']);
    await run.expect.dead('bad', ['account:profile']);
    expect(server.met.map(({ path }) => path)).toEqual(['/profile', '/profile']);
    expect(await ending(run, (one) => one.expect.alive('bad', ['account:profile']))).toMatch(
      /^status 2xx \/ status 401/,
    );
    expect(await ending(run, (one) => one.expect.dead('good', ['account:profile']))).toMatch(
      /^a refusal \/ status 200/,
    );
    expect(await ending(run, (one) => one.expect.alive('bad', []))).toBeInstanceOf(PrerequisiteFailed);
    expect(run.expect.exercised).toBe(4);
  });
});

describe('a negative', () => {
  const negative = (reply: (value: number) => number, unharmed?: () => Promise<void>) => {
    const run = running();
    const sent: number[] = [];
    const start = () =>
      run.expect.negative<number>({
        valid: () => 1,
        send: async (value) => {
          sent.push(value);
          return answered(reply(value));
        },
        refused: (answer) => run.expect.status(answer, 400),
        ...(unharmed && { unharmed }),
      });
    return { run, sent, start };
  };

  it('sends the control, then the changed request', async () => {
    const { run, sent, start } = negative((value) => (value === 1 ? 200 : 400));
    const refuse = await start();
    expect((await refuse('two', (value) => value + 1)).status).toBe(400);
    expect(sent).toEqual([1, 2]);
    expect(run.expect.exercised).toBe(1);
  });

  it('whose control fails shows nothing', async () => {
    const { run, sent, start } = negative(() => 400);
    await expect(start()).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: expect.stringMatching(/^the baseline request failed/) as string,
    });
    expect(sent).toEqual([1]);
    expect(run.expect.exercised).toBe(0);
    const own = running().expect.negative<number>({
      valid: () => 1,
      send: async () => answered(200, { error: 'x' }),
      accepted: () => {
        throw new Deviation('a token', 'none');
      },
      refused: () => {},
    });
    await expect(own).rejects.toBeInstanceOf(PrerequisiteFailed);
  });

  it('that is not refused fails, in the words of the change', async () => {
    const { start } = negative(() => 200);
    const refuse = await start();
    await expect(refuse('another verifier', (value) => value)).rejects.toMatchObject({
      name: 'Deviation',
      expected: 'another verifier: status 400',
      answer: { status: 200 },
    });
  });

  it('that does harm fails, and what else is wrong stays what it is', async () => {
    const harm = negative(
      (value) => (value === 1 ? 200 : 400),
      () => Promise.reject(new Deviation('the code still works', 'status 400')),
    );
    await expect((await harm.start())('x', () => 2)).rejects.toMatchObject({ expected: 'x: the code still works' });
    const lost = negative(
      (value) => (value === 1 ? 200 : 400),
      () => Promise.reject(new Stopped('the end')),
    );
    await expect((await lost.start())('x', () => 2)).rejects.toBeInstanceOf(Stopped);
  });
});

describe('a property of a check', () => {
  const values = async (setting: Setting, share = 1): Promise<number[][]> => {
    const run = running(setting);
    const lists: number[][] = [];
    for (let index = 0; index < 2; index += 1) {
      const list: number[] = [];
      lists.push(list);
      await run.expect.property('any', fc.nat(), { share }, async (value) => void list.push(value));
    }
    return lists;
  };

  it('has values of its own, the same for the same seed', async () => {
    const [first, second] = await values({ seed: 4 });
    expect(first).toHaveLength(100);
    expect(first).not.toEqual(second);
    expect(await values({ seed: 4 })).toEqual([first, second]);
    expect(await values({ seed: 5 })).not.toEqual([first, second]);
  });

  it('has its share of the runs, at least one', async () => {
    expect((await values({ runs: 50 }, 0.1)).map(({ length }) => length)).toEqual([5, 5]);
    expect((await values({ runs: 2 }, 0.1)).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('tells its smallest case, and runs it again alone', async () => {
    const body = async (run: Run): Promise<void> => {
      await run.expect.property('first', fc.nat(), async () => run.expect.that(true, 'x', 'y'));
      await run.expect.property('second', fc.nat(), async (value) =>
        run.expect.that(value < 1000, 'below 1000', value),
      );
    };
    const run = running();
    expect(await ending(run, body)).toBe('below 1000 / 1000');
    const { ordinal, path, value } = run.expect.counterexample!;
    expect({ ordinal, value }).toEqual({ ordinal: '2', value: 'second: 1000' });
    const again = running({ paths: { [ordinal]: path }, only: ordinal });
    expect(await ending(again, body)).toBe('below 1000 / 1000');
    expect(again.expect.exercised).toBe(1);
  });
});

describe('a case', () => {
  it('is named by its failure, and gives what it found', async () => {
    const wrong = async (run: Run): Promise<void> => run.expect.that(false, 'right', 'wrong');
    expect(await ending(running(), (run) => run.case('one', () => wrong(run)))).toBe('one: right / "wrong"');
    const both = (run: Run): Promise<unknown> => run.case('two', () => run.case('of them', () => wrong(run)));
    expect(await ending(running(), both)).toBe('two: of them: right / "wrong"');
    expect(await running().case('three', () => Promise.resolve(3))).toBe(3);
    const gone = new MissingCapability('clock');
    expect(await ending(running(), (run) => run.case('four', () => Promise.reject(gone)))).toBe(gone);
  });
});

describe.each([{ atOnce: false }, { atOnce: true }])('each, %j', (options) => {
  const each = (run: Run, fails: (value: number) => unknown) =>
    run.expect.each(
      'case %s',
      [1, 2, 3, 4, 5, 6, 7],
      async (value) => {
        // At once, the first ones take longest.
        for (let turns = 7; turns > value; turns -= 1) await new Promise((done) => setImmediate(done));
        const error = fails(value);
        if (error !== undefined) throw error;
      },
      options,
    );
  const wrong = (value: number): Deviation => new Deviation('right', `wrong ${value}`, answered(200));

  it('tells all that fail', async () => {
    expect(await ending(running(), (run) => each(run, () => undefined))).toBe('held');
    expect(await ending(running(), (run) => each(run, (value) => (value === 2 ? wrong(2) : undefined)))).toBe(
      'case 2: right / wrong 2',
    );
    expect(await ending(running(), (run) => each(run, wrong))).toBe(
      'case 1: right; case 2: right; case 3: right; case 4: right; case 5: right; and 2 more / wrong 1; wrong 2; wrong 3; wrong 4; wrong 5',
    );
  });

  it('is undecided where a case is, unless another one fails', async () => {
    const missing = new MissingCapability('x');
    expect(await ending(running(), (run) => each(run, (value) => (value === 2 ? missing : undefined)))).toBe(missing);
    for (const [undecided, failing] of [
      [2, 5],
      [5, 2],
    ]) {
      const fails = (value: number): unknown =>
        value === undecided ? new NotExercised('x') : value === failing ? wrong(value) : undefined;
      expect(await ending(running(), (run) => each(run, fails))).toBe(`case ${failing}: right / wrong ${failing}`);
    }
  });

  it('ends where nothing more can be sent', async () => {
    const seen: number[] = [];
    const stopped = new Stopped('the end');
    const fails = (value: number): unknown => {
      seen.push(value);
      return value === 3 ? stopped : undefined;
    };
    expect(await ending(running(), (run) => each(run, fails))).toBe(stopped);
    expect(seen).toEqual(options.atOnce ? [7, 6, 5, 4, 3, 2, 1] : [1, 2, 3]);
  });
});

describe('what is no failure', () => {
  it('is told, counted, or ends the check', async () => {
    const run = running();
    run.expect.warn('a surprise', answered(200, {}));
    expect(run.expect.exercised).toBe(0);
    run.expect.note('worth reading');
    expect(run.expect.exercised).toBe(1);
    expect([run.expect.warnings, run.expect.notes]).toEqual([
      ['a surprise (status 200 with an empty object)'],
      ['worth reading'],
    ]);
    expect(() => run.expect.notExercised('a')).toThrow(NotExercised);
    expect(() => run.expect.notApplicable('b')).toThrow(NotApplicable);
    expect(() => run.expect.missing('c')).toThrow(MissingCapability);
    expect(() => run.facts.known('season')).toThrow('known.season in the target');
    expect(() => run.oauth.client('guild')).toThrow('declare clients.guild in the target');
  });
});

describe('the clock', () => {
  const clock = { now: async () => new Date(5000), advance: async (seconds: number) => new Date(seconds) };

  it('is moved by checks of its phase only, where there is one', async () => {
    await expect(running({ hooks: { clock } }).facts.advance(5)).rejects.toThrow(
      'GEN-001 moves the clock, so its phase is clock',
    );
    await expect(running({ mayMoveClock: true }).facts.advance(5)).rejects.toBeInstanceOf(MissingCapability);
    await running({ hooks: { clock }, mayMoveClock: true }).facts.advance(5);
  });

  it("is the server's, by hook or by its Date header", async () => {
    expect(await running({ hooks: { clock } }).facts.now()).toBe(5);
    const server = await meeting((_, reply) => reply.writeHead(401, { date: 'Thu, 01 Jan 1970 00:01:00 GMT' }).end());
    closers.push(server.close);
    expect(await running({ url: server.url }).facts.now()).toBe(60);
  });
});

describe('what a check builds upon', () => {
  it('is asked for once, and a failure is a prerequisite of everybody', async () => {
    const run = running();
    let made = 0;
    const make = async (): Promise<number> => (made += 1);
    expect(
      await Promise.all([run.facts.once('a', make), run.facts.once('a', make), run.facts.once('b', make)]),
    ).toEqual([1, 1, 2]);
    const fail = (): Promise<never> => Promise.reject(new Deviation('x', 'y'));
    await expect(run.facts.once('c', fail)).rejects.toMatchObject({
      name: 'PrerequisiteFailed',
      message: 'expected x; got y',
    });
    await expect(run.facts.once('c', make)).rejects.toBeInstanceOf(PrerequisiteFailed);
  });

  it('has the first consent of an account to a client given alone, and later ones side by side', async () => {
    let under = 0;
    const most: number[] = [];
    const consent = async (): Promise<{ status: number; location: string }> => {
      under += 1;
      most.push(under);
      await new Promise(setImmediate);
      under -= 1;
      return { status: 302, location: 'https://app.example/callback?code=c' };
    };
    const run = running({ hooks: { consent } });
    const both = (): Promise<unknown> =>
      Promise.all([1, 2].map(() => run.oauth.authorize([['client_id', 'web']], { account: 'alice' })));
    await both();
    expect(most).toEqual([1, 1]);
    await both();
    expect(most).toEqual([1, 1, 1, 2]);
  });

  it('blames nobody where a grant does not work, and shows no secret', async () => {
    const server = await meeting(({ path }, reply) => {
      if (path.startsWith('/oauth/token')) reply.writeHead(400).end('{"error":"invalid_client"}');
      else reply.end();
    });
    closers.push(server.close);
    const consent = async () => ({ status: 302, location: 'https://app.example/cb?code=abc&state=x' });
    const run = running({ url: server.url, hooks: { consent } });
    const error: unknown = await run.oauth.token(['account:profile']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'PrerequisiteFailed',
      message:
        'POST /oauth/token (authorization_code, client confidential) answered 400 invalid_client instead of a token',
    });
    await expect(run.oauth.clientCredentials('operations')).rejects.toBeInstanceOf(MissingCapability);
    await expect(running({ url: server.url }).oauth.grant('confidential')).rejects.toBeInstanceOf(MissingCapability);
  });

  it('is no race where a server limits its rate', async () => {
    const server = await meeting((_, reply) => reply.writeHead(429).end());
    closers.push(server.close);
    await expect(
      running({ url: server.url }).http.race([{ path: '/oauth/token', fields: [['a', 'b']] }]),
    ).rejects.toBeInstanceOf(NotExercised);
  });
});
