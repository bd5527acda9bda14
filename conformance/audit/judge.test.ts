import { describe, expect, it } from 'vitest';

import { browserMark } from './call.js';
import { reportOf } from './report.js';
import { auditLedger, rowsNamed } from './ledger.js';
import { judge } from './judge.js';
import { notReached } from './reach.js';
import { runOf } from './run.fixture.js';
import { worlds } from './worlds.js';
import type { Ending, WorldRun } from './run.js';

const died: Ending = { how: 'exit', code: 1, signal: null, ms: 900, output: 'TypeError: nothing\n', written: 0 };
const stopped: Ending = { how: 'time', code: null, signal: null, ms: 60_000, output: '', written: 0 };
const worldOf = (id: string) => worlds.find((one) => one.id === id)!;
const options = { replay: (row: string, world: string) => `${row} in ${world}` };
const judged = (id: string, ...runs: readonly WorldRun[]) => judge(rowsNamed([id]), runs, options)[0]!;

describe('a requirement that another one explains', () => {
  const names = new Set(['What? #1']);
  const bad = (target: string): WorldRun =>
    runOf([['/league', { reply: { leagues: [{ id: 'What? #1' }] } }], [target]], {
      world: worldOf('odd-names'),
      facts: { names },
      endings: [died],
      ended: false,
    });

  it('is told as a consequence', () => {
    const { verdict, reason } = judged('READ-NAME-001', runOf([]), bad('/league/What?%20'));
    expect([verdict, reason]).toEqual([
      'could not run',
      'in the world odd-names it is a consequence of ADDR-ENCODE-002: fix that first',
    ]);
  });

  it('is told as a consequence where the exchange after an error redirect has no code', () => {
    const answer = { kind: 'answer', at: 1, code: undefined, status: 200 } as const;
    const denied = runOf(
      [['/oauth/token', { form: { grant_type: 'authorization_code', client_id: 'a', code: '' }, status: 400 }]],
      { world: worldOf('denied'), visits: [{ url: '', asked: [], callbacks: [answer] }] },
    );
    expect(judged('AUTH-ERROR-001', denied).verdict).toBe('fail');
    expect(judged('TOK-FORM-004', denied).reason).toContain('a consequence of AUTH-ERROR-001');
  });

  it('is told as a consequence where the user is asked again after a refresh with a used token', () => {
    const given = (number: number) => ({ access_token: `access-${number}`, refresh_token: `refresh-${number}` });
    const refresh = { grant_type: 'refresh_token', client_id: 'a', refresh_token: 'refresh-1' };
    const again = runOf(
      [
        ['/oauth/token', { form: { grant_type: 'authorization_code', client_id: 'a', code: 'c' }, reply: given(1) }],
        ['/oauth/token', { form: refresh, reply: given(2) }],
        ['/profile', { bearer: 'access-2', status: 401 }],
        ['/oauth/token', { form: refresh, status: 400 }],
        ['/oauth/authorize?client_id=a'],
      ],
      { world: worldOf('access-ends-twice') },
    );
    expect(judged('REFRESH-USED-001', again).verdict).toBe('fail');
    expect(judged('TOK-KEEP-007', again).reason).toContain('a consequence of REFRESH-USED-001');
  });

  it('fails by itself where nothing explains it', () => {
    expect(judged('READ-NAME-001', runOf([]), bad('/league/What%3F%20%231')).verdict).toBe('fail');
  });
});

describe('a client that is stopped', () => {
  const refused = { status: 429, decision: 'faulted', replyHeaders: { 'retry-after': '5' } } as const;
  const after = (...calls: Parameters<typeof runOf>[0]): string =>
    judged(
      'PACE-SURVIVE-001',
      runOf([]),
      runOf([['/profile', { at: 100, ...refused }], ...calls], {
        world: worldOf('restricted-first'),
        endings: [stopped],
        ended: false,
      }),
    ).verdict;

  it('while it waits is not judged', () => expect(after()).toBe('could not run'));
  it('while it goes on has got through', () => expect(after(['/profile', { at: 50_000 }])).toBe('pass'));
  it('long after its last request has not', () => expect(after(['/profile', { at: 9000 }])).toBe('warn'));

  it.each([
    [75_000, false, 'warn'],
    [45_000, false, 'could not run'],
    // One that runs until it is stopped may ask every few minutes.
    [75_000, true, 'not exercised'],
  ])('after %s ms, long before it met what the world is about (success: %s)', (ms, ended, verdict) => {
    const hung = runOf([['/profile', { at: 100 }]], {
      world: worldOf('tight-limits'),
      endings: [{ ...stopped, ms }],
      ended,
    });
    expect(judged('PACE-SURVIVE-003', runOf([]), hung).verdict).toBe(verdict);
  });

  it('explains what it did there, and is not excused by it', () => {
    const reply = { next_change_id: '1-0000000001', stashes: [] };
    const past = runOf(
      [
        ['/public-stash-tabs', { reply }],
        ['/public-stash-tabs?id=1-00000000011', { status: 400, reply: {} }],
      ],
      { world: worldOf('end-of-stream'), endings: [died], ended: false },
    );
    expect(judged('STREAM-ID-002', runOf([]), past).verdict).toBe('fail');
    expect(judged('READ-END-001', runOf([]), past).reason).toContain('a consequence of STREAM-ID-002');
  });

  it('before it met what the world is about is not judged', () => {
    const early = runOf([], { world: worldOf('observed'), endings: [stopped], ended: false });
    const { verdict, reason } = judged('READ-OBSERVED-001', runOf([]), early);
    expect(verdict).toBe('could not run');
    expect(reason).toMatch(/^in the world observed the client was stopped after 60 s, before .*: --world observed /);
  });
});

describe('the listener of a desktop client', () => {
  const at = '/oauth/authorize?client_id=desktop';
  const told = (exposed: boolean | undefined): string =>
    judged(
      'AUTH-REDIR-004',
      runOf([[at]], {
        visits: [{ url: '', asked: [`http://127.0.0.1:1${at}`], callbacks: [], exposed }],
        facts: { clients: new Map([['desktop', { secret: null, public: true }]]) },
      }),
    ).verdict;

  it('on the loopback is right', () => expect(told(false)).toBe('pass'));
  it('on all addresses is warned of', () => expect(told(true)).toBe('warn'));
  it('is not judged where the system does not tell', () => expect(told(undefined)).toBe('not exercised'));
});

describe('a requirement that does not come up', () => {
  it.each([
    ['AUTH-PKCE-004', /a user consents/],
    ['FILTER-TYPE-001', /create and update an item filter/],
    ['STREAM-RESUME-001', /public stash stream/],
    ['READ-END-001', /to its end/],
  ])('%s says how to exercise it', (id, way) => {
    expect(judged(id, runOf([['/profile']]))).toMatchObject({ verdict: 'not exercised' });
    expect(judged(id, runOf([['/profile']])).reason).toMatch(way);
  });

  it('names the worlds that it compares, in the replay as well', () => {
    const callbacks = [{ kind: 'forged', at: 1, code: undefined, status: 200 }] as const;
    const run = (id: string, isLoggedIn: boolean): WorldRun =>
      runOf(
        [
          ['/oauth/authorize?client_id=a'],
          ...(isLoggedIn ? [['/oauth/token', { form: { grant_type: 'authorization_code' } }] as const] : []),
        ],
        { world: worldOf(id), visits: [{ url: '', asked: [], callbacks }] },
      );
    const alone = judged('AUTH-ERROR-005', run('calm', true), run('forged-error', false));
    expect(alone.reason).toBe(
      'run it in all worlds that the requirement compares: --world forged-callback,forged-error',
    );
    const both = judged('AUTH-ERROR-005', run('forged-callback', true), run('forged-error', false));
    expect(both.failure?.replay).toBe('AUTH-ERROR-005 in forged-callback,forged-error');
  });

  it('sends a client that was watched, and met one world, to what runs the others', () => {
    const watched = (...calls: Parameters<typeof runOf>[0]): WorldRun =>
      runOf(
        [['/oauth/authorize?client_id=a'], ['/oauth/token', { form: { grant_type: 'authorization_code' } }], ...calls],
        { endings: [], endedInCalm: undefined },
      );
    const reasons = ['PACE-RETRY-001', 'AUTH-ERROR-005', 'READ-CODING-001', 'STREAM-RESUME-001'].map(
      (id) => judged(id, watched(['/public-stash-tabs', { reply: { next_change_id: 'a', stashes: [] } }])).reason,
    );
    expect(reasons.join('\n')).not.toMatch(/all worlds|--world [a-z]|the plan/);
    expect(reasons[1]).toMatch(/^watch another world with --world, or let gamedata audit -- <command> run/);
    expect(reasons[3]).toMatch(/^it takes a second start: gamedata audit --again /);
  });

  it('says that a second start is wanted', () => {
    const run = runOf([['/public-stash-tabs', { reply: { next_change_id: 'a', stashes: [] } }]]);
    expect(judged('STREAM-RESUME-001', run).reason).toMatch(/--again/);
  });
});

describe('a world', () => {
  const missed = { name: 'a reset', applied: 0, missed: 'the client sent one data request' };
  it('that was not reached says what the client did not do', () => {
    expect(notReached(runOf([], { obstacles: [missed] }))).toBe('the client sent one data request');
    expect(notReached(runOf([], { obstacles: [missed, { name: 'a limit', applied: 1 }] }))).toBeUndefined();
  });
});

describe('the headline', () => {
  const headline = (...runs: readonly WorldRun[]) =>
    reportOf({ name: 'a client' }, auditLedger, runs, { started: new Date(), obstacle: undefined, interrupted: false });

  it('counts warnings, and what was judged', () => {
    const { summary, exitCode } = headline(runOf([['/profile', { headers: { 'user-agent': 'node' } }]]));
    expect(summary).toMatch(
      /^Conformant, with 1 warning: \d+ of \d+ judged requirements passed\. Not judged: \d+ not exercised\.$/,
    );
    expect(exitCode).toBe(0);
  });

  it('counts one as one', () => {
    const row = auditLedger.filter(({ id }) => id === 'TOK-BEARER-001');
    const { summary, target } = reportOf({ name: 'a client' }, row, [runOf([['/profile', { bearer: undefined }]])], {
      started: new Date(),
      obstacle: undefined,
      interrupted: false,
    });
    expect(summary).toMatch(/ 1 of 1 judged requirement (violated|passed)\./);
    expect(target.base_url).toBe('1 world of the mock');
  });

  it('begins with the remedy where the calm world fails', () => {
    const run = runOf([['/profile', { status: 400, reply: { error: 'bad' } }]], {
      endings: [died],
      ended: false,
      endedInCalm: false,
    });
    const { summary, exitCode, rows } = headline(run);
    const ways = rows.filter(({ verdict }) => verdict === 'not exercised').map(({ reason }) => reason);
    expect(new Set(ways)).toEqual(new Set(['have the client get through the calm world']));
    expect(summary).toMatch(
      /^No verdict\. Fix what stopped the client, or name its exit code if that is success \(--success 1\): in the calm world, exit code 1, with: TypeError: nothing; before that, GET \/profile was answered with 400 \(bad\)\./,
    );
    expect(exitCode).toBe(3);
  });

  it('begins with the authorization request where the client waits for a user who was turned away', () => {
    const refused = {
      headers: { [browserMark]: '1' },
      status: 400,
      reason: "redirect_uri 'http://127.0.0.1:9/cb' is not registered",
    };
    const { summary } = headline(
      runOf([['/oauth/authorize', refused]], { endings: [stopped], ended: false, endedInCalm: false }),
    );
    expect(summary).toMatch(
      /Fix the request that the user is sent with: .*; before that, GET \/oauth\/authorize was answered with 400 \(redirect_uri .* is not registered\)/,
    );
  });
});

describe('an empty field', () => {
  it('is shown as it was sent', () => {
    const refresh = (fields: Record<string, string>) =>
      judged(
        'TOK-FORM-004',
        runOf([['/oauth/token', { form: { grant_type: 'refresh_token', client_id: 'a', ...fields } }]]),
      );
    expect(refresh({ refresh_token: 'undefined' }).failure?.got).toBe(
      '"undefined" as refresh_token, what a language writes where there is no value',
    );
    const exchange = runOf([
      ['/oauth/token', { form: { grant_type: 'authorization_code', client_id: 'a', code: 'b' } }],
    ]);
    expect(judged('TOK-FORM-004', exchange).failure?.got).toBe('no redirect_uri, no code_verifier');
  });
});
