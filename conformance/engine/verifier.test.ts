import type { ServerResponse } from 'node:http';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ledger } from '../ledger.gen.js';
import type { RowId } from '../ledger.gen.js';
import type { Hooks } from '../target/hooks.js';
import { createMonitors } from '../monitors/monitors.js';
import type { Target } from '../target/target.js';
import { trace } from '../wire/trace.js';
import type { Check, Phase } from './check.js';
import { client, meeting, targetAt } from './evidence.fixture.js';
import type { Outcome } from './outcome.js';
import type { Planned } from './plan.js';
import type { Run } from './run.js';
import { MissingCapability, PrerequisiteFailed } from '../verdict.js';
import { Verifier } from './verifier.js';
import type { VerifierOptions } from './verifier.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const rows = ledger.filter(({ how }) => how === 'check');
let next = 0;

/** A check of some row, which needs nothing. */
function planned(
  body: Check['body'],
  {
    group = 'one',
    phase = 'together',
    needs = [],
  }: { group?: string; phase?: Phase; needs?: Planned['row']['needs'] } = {},
): Planned {
  const row = { ...rows[next]!, needs };
  next += 1;
  return { row, group, lane: group, check: { row: row.id, body, phase, requests: 5 } };
}

const fine = async (run: Run): Promise<void> => run.expect.that(true, 'x', 'x');
const wrong = async (run: Run): Promise<void> => run.expect.that(false, 'right', 'all wrong');

interface Setting extends Partial<Omit<VerifierOptions, 'target'>> {
  readonly hooks?: Hooks;
  readonly target?: Partial<Target>;
}

async function server(): Promise<string> {
  let count = 0;
  const { url, close } = await meeting(({ path }, reply) => {
    count += 1;
    if (path === '/oauth/token') reply.end(`{"access_token":"token-number-${count}","token_type":"bearer","scope":""}`);
    else reply.setHeader('content-type', 'text/plain').end('{}');
  });
  closers.push(close);
  return url;
}

async function verified(plan: readonly Planned[], { hooks = {}, target = {}, ...options }: Setting = {}) {
  const tested = targetAt(await server(), target);
  const verifier = await Verifier.open({
    target: tested,
    plan,
    monitors: createMonitors(tested),
    seed: 1,
    runs: 100,
    wait: false,
    budget: 0,
    signal: new AbortController().signal,
    replay: (row) => `again ${row}`,
    open: async () => hooks,
    ...options,
  });
  const outcomes: Outcome[] = [];
  await verifier.run((outcome) => outcomes.push(outcome));
  const of = ({ row }: Planned): Outcome | undefined => outcomes.find((outcome) => outcome.row === row.id);
  return { verifier, outcomes, verdicts: plan.map((one) => of(one)?.verdict), of };
}

describe('what no sentence entails', () => {
  const loose = (): Planned => {
    const one = planned(wrong);
    return { ...one, row: { ...one.row, plausible: 'nobody says so' } };
  };

  it('warns, with the evidence of a failure', async () => {
    const one = loose();
    const { of } = await verified([one]);
    expect(of(one)).toMatchObject({
      verdict: 'warn',
      reason: 'expected right; got all wrong',
      notes: ['Merely plausible: nobody says so.'],
      failure: { expected: 'right' },
    });
  });

  it('fails where the run is strict', async () => {
    expect((await verified([loose(), planned(wrong)], { strict: true })).verdicts).toEqual(['fail', 'fail']);
    expect((await verified([planned(wrong)])).verdicts).toEqual(['fail']);
  });
});

describe('phases', () => {
  it('come in order: groups beside each other, then alone, then the clock', async () => {
    const log: string[] = [];
    let meet!: () => void;
    const other = new Promise<void>((done) => (meet = done));
    const step = (name: string, until?: Promise<void>, then?: () => void) => async (run: Run) => {
      log.push(`${name} starts`);
      then?.();
      await until;
      await new Promise((done) => setImmediate(done));
      log.push(`${name} ends`);
      run.expect.that(true, 'x', 'x');
    };
    const { verdicts } = await verified([
      planned(step('clock'), { phase: 'clock', group: 'a' }),
      planned(step('alone 1'), { phase: 'alone', group: 'a' }),
      // Each of the two waits for what the other group does.
      planned(step('a', other), { group: 'a' }),
      planned(step('a after'), { group: 'a' }),
      planned(
        step('b', undefined, () => meet()),
        { group: 'b' },
      ),
      planned(step('alone 2'), { phase: 'alone', group: 'b' }),
    ]);
    expect(new Set(verdicts)).toEqual(new Set(['pass']));
    const at = (line: string): number => log.indexOf(line);
    expect(at('a after starts')).toBeGreaterThan(at('a ends'));
    expect(at('b starts')).toBeLessThan(at('a ends'));
    expect(log.slice(6)).toEqual([
      'alone 1 starts',
      'alone 1 ends',
      'alone 2 starts',
      'alone 2 ends',
      'clock starts',
      'clock ends',
    ]);
  });

  it('share what is asked for once, or have it for themselves', async () => {
    let made = 0;
    const seen: [string, number][] = [];
    const ask = (phase: Phase) => async (run: Run) => {
      seen.push([phase, await run.facts.once('it', async () => (made += 1))]);
      run.expect.that(true, 'x', 'x');
    };
    const phases: readonly Phase[] = ['together', 'together', 'alone', 'alone', 'clock', 'clock'];
    await verified(phases.map((phase, index) => planned(ask(phase), { phase, group: `${index}` })));
    expect(seen).toEqual([
      ['together', 1],
      ['together', 1],
      ['alone', 2],
      ['alone', 3],
      ['clock', 4],
      ['clock', 5],
    ]);
  });

  it('try a check that could not run beside the others again by itself, and no other', async () => {
    const attempts = { disturbed: 0, missing: 0 };
    let beside = 0;
    const other = async (run: Run): Promise<void> => {
      beside += 1;
      for (let turns = 0; turns < 5; turns += 1) await new Promise((done) => setImmediate(done));
      beside -= 1;
      run.expect.that(true, 'x', 'x');
    };
    const disturbed = async (run: Run): Promise<void> => {
      attempts.disturbed += 1;
      if (beside > 0) throw new PrerequisiteFailed('its token was revoked');
      run.expect.that(true, 'x', 'x');
    };
    const missing = async (run: Run): Promise<void> => {
      attempts.missing += 1;
      run.expect.missing('a second hand');
    };
    const plan = [other, disturbed, missing].map((body, index) => planned(body, { group: `${index}` }));
    const { of } = await verified(plan);
    expect(plan.map((one) => of(one)?.verdict)).toEqual(['pass', 'pass', 'could not run']);
    expect(attempts).toEqual({ disturbed: 2, missing: 1 });
  });

  it('let the clock be moved in its own only', async () => {
    const clock = { now: async () => new Date(0), advance: async () => new Date(1) };
    const move = async (run: Run): Promise<void> => {
      await run.facts.advance(1);
      run.expect.that(true, 'x', 'x');
    };
    const phases: readonly Phase[] = ['together', 'alone', 'clock'];
    const { verdicts } = await verified(
      phases.map((phase) => planned(move, { phase })),
      { hooks: { clock } },
    );
    expect(verdicts).toEqual(['suite error', 'suite error', 'pass']);
  });

  it('begin with a reset, and end with one where the clock was moved', async () => {
    let resets = 0;
    const hooks: Hooks = { reset: async () => void (resets += 1) };
    await verified([planned(fine)], { hooks });
    expect(resets).toBe(1);
    await verified([planned(fine, { phase: 'clock' })], { hooks });
    expect(resets).toBe(3);
    const { verdicts, verifier } = await verified([planned(fine)], {
      hooks: { reset: () => Promise.reject(new PrerequisiteFailed('control, POST /reset: 404')) },
    });
    expect(verdicts).toEqual(['pass']);
    expect(verifier.observations()[0]).toBe('The reset before the run failed: control, POST /reset: 404');
  });
});

describe('a verdict', () => {
  it('follows from how the check ends', async () => {
    const plan = [
      planned(fine),
      planned(wrong),
      planned(async () => {}),
      planned(async (run) => run.expect.warn('odd')),
      planned(async (run) => run.expect.notExercised('no such league')),
      planned(async (run) => run.expect.notApplicable('no such edition')),
      planned(async () => {
        throw new MissingCapability('a second hand');
      }),
      planned(async () => {
        throw new PrerequisiteFailed('no grant');
      }),
      planned(async () => {
        throw new TypeError('x is not a function\n    at secret place');
      }),
      planned(() => Promise.reject('a string')),
      planned(() => {
        throw new RangeError('at once');
      }),
    ];
    const { of } = await verified(plan);
    expect(plan.map(of).map((one) => [one!.verdict, one!.reason, one!.incomplete])).toEqual([
      ['pass', undefined, undefined],
      ['fail', 'all wrong', undefined],
      ['not exercised', 'no case to judge', undefined],
      ['warn', 'odd', undefined],
      ['not exercised', 'no such league', undefined],
      ['not applicable', 'no such edition', undefined],
      ['could not run', 'needs a second hand', undefined],
      ['could not run', 'no grant', true],
      ['suite error', 'TypeError: x is not a function', undefined],
      ['suite error', 'a string', undefined],
      ['suite error', 'RangeError: at once', undefined],
    ]);
  });

  it('needs no run where the target lacks something, or there is nothing to run', async () => {
    const excluded = { row: { ...ledger.find(({ how }) => how === 'excluded')! } };
    const orphan = { row: { ...planned(fine).row } };
    const plan = [
      planned(fine, { needs: [['clock']] }),
      planned(fine, { needs: [['flag:F-CX']] }),
      planned(fine, { needs: [['clock', 'refresh:confidential']] }),
      excluded,
      orphan,
    ];
    const { of, verdicts } = await verified(plan, {
      target: { edition: { 'F-CX': 'off' }, clients: { confidential: client('web') } },
    });
    expect(verdicts).toEqual(['could not run', 'not applicable', 'pass', 'not applicable', 'suite error']);
    expect(of(plan[0]!)).toMatchObject({ reason: expect.stringMatching(/^needs clock: /) as string, exercised: 0 });
    expect(of(orphan)!.reason).toBe(`no check is registered for ${orphan.row.id}`);
  });

  it('of a monitor is what the answers showed', async () => {
    const monitor = (id: RowId): Planned => ({ row: ledger.find((row) => row.id === id)! });
    const plan = [
      monitor('GEN-001'),
      planned(async (run) => {
        await run.http.data('getProfile', { token: 'x' });
        run.expect.that(true, 'x', 'x');
      }),
    ];
    const { of } = await verified(plan);
    expect(of(plan[0]!)).toMatchObject({
      verdict: 'fail',
      failure: { expected: expect.stringContaining('application/json') as string, trace: [{ status: 200 }] },
    });
  });
});

describe('a failing check', () => {
  it('is run again on fresh state with its smallest case, and is shown by that', async () => {
    const asked: [number, number][] = [];
    let grants = 0;
    const check = planned(async (run) => {
      const grant = await run.facts.once('grant', async () => (grants += 1));
      await run.expect.property('small', fc.nat(), async (value) => {
        asked.push([grant, value]);
        const answer = await run.http.raw('GET', `/n/${value}`, { token: null });
        run.expect.that(value < 500, 'less than 500', value, answer);
      });
    });
    const { of } = await verified([check]);
    const { verdict, failure, notes } = of(check)!;
    expect({ verdict, notes }).toEqual({ verdict: 'fail', notes: [] });
    expect(failure).toMatchObject({
      expected: 'less than 500',
      got: '500',
      smallest: 'small: 500',
      seed: 1,
      paths: { 1: expect.any(String) as string },
      replay: `again ${check.row.id}`,
    });
    expect(failure!.trace.map(({ url }) => new URL(url).pathname)).toEqual(['/n/500']);
    expect(asked.filter(([grant]) => grant === 2)).toEqual([[2, 500]]);
    // The path alone leads there again.
    asked.length = 0;
    const replay = await verified([check], { paths: { [check.row.id]: failure!.paths } });
    expect(replay.of(check)!.failure!.smallest).toBe('small: 500');
    expect(new Set(asked.map(([, value]) => value))).toEqual(new Set([500]));
  });

  it('fails all the same where it passes then, or cannot be decided, and says so', async () => {
    const turns = (second: (run: Run) => Promise<void>): Planned => {
      let count = 0;
      return planned((run) => ((count += 1) === 1 ? wrong(run) : second(run)));
    };
    const plan = [turns(fine), turns(() => Promise.reject(new PrerequisiteFailed('no grant')))];
    const { of } = await verified(plan);
    expect(plan.map((one) => [of(one)!.verdict, ...of(one)!.notes])).toEqual([
      ['fail', 'It passed when re-run on fresh state, so it may depend on timing or on other requests.'],
      ['fail', 'It was undecided when re-run on fresh state (no grant).'],
    ]);
    expect(of(plan[0]!)!.failure).toMatchObject({ expected: 'right', got: 'all wrong' });
  });

  it('shows no secret', async () => {
    const secret = 'the-secret-of-the-service';
    const check = planned(async (run) => {
      const { access } = await run.oauth.clientCredentials('service');
      run.expect.note(`made with ${secret}`);
      run.expect.equal(access, `not ${secret}`, `${secret} and ${access}`);
    });
    const { of } = await verified([check], {
      target: { clients: { service: client('s', { client_secret: secret }) } },
    });
    expect(of(check)!.verdict).toBe('fail');
    expect(JSON.stringify(of(check))).not.toMatch(/the-secret-of|token-number/);
  });
});

describe('a run that ends early', () => {
  it('gives up a check that hangs, and goes on', async () => {
    let release!: () => void;
    const released = new Promise<void>((done) => (release = done));
    let tell!: (error: unknown) => void;
    const late = new Promise((done) => (tell = done));
    const plan = [
      planned(async (run) => {
        await released;
        await run.http.raw('GET', '/late', { token: null }).catch(tell);
      }),
      planned(fine),
      planned(
        () => {
          release();
          return new Promise(() => {});
        },
        { phase: 'alone' },
      ),
    ];
    const { of, verdicts } = await verified(plan, { timeout: 30 });
    expect(verdicts).toEqual(['could not run', 'pass', 'could not run']);
    expect(of(plan[0]!)).toMatchObject({
      incomplete: true,
      reason:
        'the check took longer than 0.03 seconds: it sent no request, so look at the hooks and the codec of the target',
    });
    expect(await late).toMatchObject({ name: 'Stopped' });
  });

  it('says what was slow about a check that it gives up', async () => {
    const slow = planned(async (run) => {
      for (const path of ['/quick', '/slow']) await run.http.raw('GET', path, { token: null });
      trace.getStore()!.slowest = { place: 'GET /slow', ms: 9800 };
      await new Promise(() => {});
    });
    const { of } = await verified([slow], { timeout: 300 });
    expect(of(slow)!.reason).toBe(
      'the check took longer than 0.3 seconds: it sent 2 requests, of which GET /slow took 9.8 seconds; ' +
        'lower --runs (now 100), or raise budget.concurrency in the target',
    );
  });

  it('waits for a check whose requests are held back', async () => {
    const held = planned(async (run) => {
      trace.getStore()!.waited = 60_000;
      await new Promise((done) => setTimeout(done, 60));
      await fine(run);
    });
    expect((await verified([held], { timeout: 30 })).verdicts).toEqual(['pass']);
  });

  it('decides nothing of what was under way or was to come', async () => {
    const stop = new AbortController();
    let ran = false;
    const plan = [
      planned(fine),
      planned(() => {
        stop.abort('the run was interrupted');
        return new Promise(() => {});
      }),
      planned(async (run) => {
        ran = true;
        await fine(run);
      }),
      planned(fine, { phase: 'clock' }),
    ];
    const { of, verdicts } = await verified(plan, { signal: stop.signal });
    expect(verdicts).toEqual(['pass', 'could not run', 'could not run', 'could not run']);
    expect(of(plan[3]!)).toMatchObject({ reason: 'the run was interrupted', incomplete: true });
    expect(ran).toBe(false);
  });

  it('keeps to its budget', async () => {
    const ask = (times: number) => async (run: Run) => {
      for (let index = 0; index < times; index += 1) await run.http.raw('GET', '/', { token: null });
      run.expect.that(true, 'x', 'x');
    };
    const plan = [planned(ask(3)), planned(ask(3))];
    // Two requests are spent on whether anything answers.
    const { verdicts, of, verifier } = await verified(plan, {
      target: { budget: { requests: 6, per_second: 0, concurrency: 16 } },
    });
    expect(verdicts).toEqual(['pass', 'could not run']);
    expect(of(plan[1]!)).toMatchObject({
      reason: 'the budget of 6 requests is spent; raise it with --budget',
      incomplete: true,
    });
    expect(verifier.wire.sent).toBe(6);
  });
});

describe('a server that is not there', () => {
  it('is a problem of set-up, at each address', async () => {
    const servers = [await meeting(() => {}), await meeting(() => {})];
    for (const { close } of servers) await close();
    const [base_url, auth_url] = servers.map(({ url }) => url) as [string, string];
    await expect(verified([planned(fine)], { target: { base_url, auth_url } })).rejects.toMatchObject({
      name: 'SetupError',
      problems: [
        `base_url ${base_url}: connection refused; start the server, or correct the host and port of base_url`,
        `auth_url ${auth_url}: connection refused; start the server, or correct the host and port of auth_url`,
      ],
    });
  });

  it('is one that answers, whatever it says', async () => {
    const { url, close } = await meeting((_, reply) => reply.writeHead(500).end('<p>'));
    closers.push(close);
    expect((await verified([planned(fine)], { target: { base_url: url, auth_url: url } })).verdicts).toEqual(['pass']);
  });
});

describe('a server that goes away', () => {
  it('fails no row, and leaves the run incomplete', async () => {
    const { url, close } = await meeting((_, reply) => reply.end('{}'));
    const left = planned(
      async (run) => {
        await close();
        await run.http.raw('GET', '/profile', { token: null });
      },
      { phase: 'alone' },
    );
    const { of } = await verified([left], { target: { base_url: url, auth_url: url } });
    expect(of(left)).toMatchObject({ verdict: 'could not run', incomplete: true });
  });
});

describe('a server that does not take the load', () => {
  // GEN-016 is watched, so it is no row of a check here.
  beforeEach(() => (next = rows.findIndex(({ id }) => id === 'GEN-016') + 1));

  /** Answers when nothing else can arrive; 503, or whatever `refuse` does, to whom there are too many before. */
  const weak = async (
    most: number,
    refuse: (reply: ServerResponse) => void = (reply) => void reply.writeHead(503).end('{}'),
  ) => {
    let now = 0;
    const { url, close } = await meeting(({ path }, reply) => {
      if (now === most || path === '/broken') return refuse(reply);
      now += 1;
      setTimeout(() => {
        now -= 1;
        reply.end('{}');
      }, 20);
      return undefined;
    });
    closers.push(close);
    return { base_url: url, auth_url: url, budget: { requests: 0, per_second: 0, concurrency: 32 } };
  };
  const ask =
    (path: string, times = 4) =>
    (run: Run): Promise<void> =>
      run.expect.each(
        '%s',
        Array.from({ length: times }, (_, index) => index),
        async () => {
          const answer = await run.http.raw('GET', path, { token: null });
          run.expect.that(answer.status === 200, 'status 200', answer.status, answer);
        },
      );
  const together = (path: string, count: number): Planned[] =>
    Array.from({ length: count }, (_, index) => planned(ask(path), { group: `${path} ${index}` }));

  it.each([
    ['503', undefined],
    ['closed connections', (reply: ServerResponse) => void reply.destroy()],
  ])('is judged again at a lower load, which the run goes on with, by %s', async (_, refuse) => {
    const plan = [...together('/fine', 24), planned(ask('/fine', 12), { phase: 'alone' })];
    const { verdicts, verifier, of } = await verified(plan, { target: await weak(8, refuse) });
    expect(new Set(verdicts)).toEqual(new Set(['pass']));
    expect(verifier.wire.concurrency).toBe(8);
    expect(verifier.advice()).toEqual([
      expect.stringMatching(
        /^\d+ checks \([^)]+\) met 5xx or no response while up to \d+ requests were under way\. With at most 8 under way, all of them passed\. If the server was overloaded, lower budget\.concurrency in the target to 8\. If not, its log says what failed\.$/,
      ),
    ]);
    expect(plan.flatMap((one) => of(one)!.notes)).toContainEqual(
      expect.stringMatching(
        /^It met 5xx or no response while \d+ requests were under way, and passed with at most 8\.$/,
      ),
    );
  });

  it('fails no row for what another one got and shares with it', async () => {
    const plan = Array.from({ length: 24 }, (_, index) =>
      planned(
        async (run) => {
          const status = await run.facts.once('page', async () => {
            const answers = await Promise.all(
              Array.from({ length: 12 }, () => run.http.raw('GET', '/fine', { token: null })),
            );
            return Math.max(...answers.map((answer) => answer.status));
          });
          run.expect.equal(status, 200, 'the status');
        },
        { group: `${index}` },
      ),
    );
    const { verdicts } = await verified(plan, { target: await weak(8) });
    expect(new Set(verdicts)).toEqual(new Set(['pass']));
  });

  it('fails for what it answers to one request alone, and no other row does', async () => {
    const plan = [...together('/fine', 20), ...together('/broken', 4)];
    const row = ledger.find(({ id }) => id === 'GEN-016')!;
    const monitor: Planned = { row: { ...row, needs: [] }, elsewhere: true };
    const { of, verifier } = await verified([...plan, monitor], { target: await weak(100) });
    expect(plan.map((one) => of(one)!.verdict)).toEqual([
      ...Array.from({ length: 20 }, () => 'pass'),
      ...Array.from({ length: 4 }, () => 'fail'),
    ]);
    expect(of(plan[20]!)!.failure!.trace[0]).toMatchObject({ status: 503 });
    expect(of(monitor)).toMatchObject({ verdict: 'fail' });
    expect(verifier.advice()).toEqual([]);
    expect(verifier.wire.concurrency).toBe(32);
  });

  it('is not excused for what it gave, which was too much once, under a load or not', async () => {
    let times = 0;
    const tooMuch = planned(async (run) => {
      times += 1;
      await run.http.raw('GET', '/fine', { token: null });
      run.expect.underAnyLoad(times > 1, 'one success', '2 successes');
    });
    const { of } = await verified([...together('/fine', 24), tooMuch], { target: await weak(2) });
    expect(of(tooMuch)).toMatchObject({ verdict: 'fail', failure: { got: '2 successes' } });
  });

  it('breaks no rule by what it answers to many at once', async () => {
    const row = ledger.find(({ id }) => id === 'GEN-016')!;
    const monitor: Planned = { row: { ...row, needs: [] }, elsewhere: true };
    const { of } = await verified([...together('/fine', 24), monitor], { target: await weak(8) });
    expect(of(monitor)).toBeUndefined();
  });
});

describe('the exchanges of failures', () => {
  it('are the authorization URL and what came of it, where a redirect violates a row', async () => {
    const row = ledger.find(({ id }) => id === 'AUTH-STATE-003')!;
    const plan: Planned[] = [
      { row: { ...row, needs: [] } },
      planned(async (run) => {
        await run.oauth.authorize(run.oauth.authorizationRequest('confidential').fields, { decision: 'approve' });
        run.expect.that(true, 'x', 'x');
      }),
    ];
    const { of } = await verified(plan, {
      target: { consent: 'adapter', clients: { confidential: client('web') } },
      hooks: { consent: async () => ({ status: 302, location: 'https://app.example/cb?code=code-without-state' }) },
    });
    expect(of(plan[0]!)).toMatchObject({
      verdict: 'fail',
      failure: {
        trace: [
          {
            method: 'GET',
            url: expect.stringContaining('/oauth/authorize?client_id=web&') as string,
            status: 302,
            responseHeaders: { location: 'https://app.example/cb?code=${CODE_1}' },
            by: 'adapter',
            note: 'alice approves',
          },
        ],
      },
    });
  });

  it('are fewer once those of the failures before fill the reports', async () => {
    next = 0;
    const plan = Array.from({ length: 24 }, () =>
      planned(async (run) => {
        for (const path of ['/first', '/second'])
          await run.http.raw('POST', path, { body: 'x'.repeat(240_000), token: null });
        await wrong(run);
      }),
    );
    const { outcomes } = await verified(plan);
    const shown = outcomes.map(({ failure }) => failure!.trace.map(({ url }) => url.replace(/.*\//, '')));
    // 8 million characters are 17 failures.
    expect(shown.filter((urls) => urls.join() === 'first,second')).toHaveLength(17);
    expect(shown.filter((urls) => urls.join() === 'second')).toHaveLength(7);
  });
});
