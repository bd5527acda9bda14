import { describe, expect, it } from 'vitest';

import { lanesOf } from '../copy-lanes.js';
import { judge } from '../judge.js';
import { copyMark } from '../owner.js';
import { auditLedger } from '../ledger.js';
import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';
import type { CopyEnd, WorldRun } from '../run.js';
import type { Copies } from '../scenario.js';

type Line = readonly [string, Told];

const token = (grant: string, used: string, next: string | undefined, more: Told): Line => [
  '/oauth/token',
  {
    form: { grant_type: grant, client_id: 'c', ...(grant === 'refresh_token' ? { refresh_token: used } : {}) },
    status: next === undefined ? 400 : 200,
    reply:
      next === undefined
        ? { error: 'invalid_grant' }
        : { access_token: `access-${next}`, refresh_token: next, expires_in: 36_000 },
    ...more,
  },
];
const login = token('authorization_code', '', 'r0', { start: 1 });
const refresh = (copy: number, used: string, next?: string, start = 2): Line =>
  token('refresh_token', used, next, { copy, start });
const data = (copy: number, access: string, status = 200, start = 2): Line => [
  '/profile',
  { bearer: `access-${access}`, copy, start, status },
];
const asks = (copy: number, start = 2, state = `${copy}${start}`): Line => [
  `/oauth/authorize?state=${state}`,
  { copy, start },
];

const end = (start: number, copy: number, more: Partial<CopyEnd['ending']> = {}, killed = false): CopyEnd => {
  const ending = { how: 'exit', code: 0, signal: null, ms: 1, output: '', written: 0, ...more } as const;
  return { ending, start, copy, ended: ending.code === 0, killed };
};
const whole = [end(1, 1), end(2, 1), end(2, 2), end(3, 1)];
const world = (lines: readonly Line[], ends: readonly CopyEnd[] = whole, copies: Copies = { count: 2 }): WorldRun =>
  runOf([login, ...lines], { world: { id: 'two-at-once', copies }, copies: ends });

/** One copy refreshes; the other is refused, and adopts what the first one stored. */
const adopting = [refresh(1, 'r0', 'r1'), refresh(2, 'r0'), data(1, 'r1'), data(2, 'r1'), refresh(1, 'r1', 'r2', 3)];

const rows = ['USED', 'STORED', 'CONSENT', 'THROUGH', 'NEED', 'STORM'].map((name) => `COPY-${name}-001`);
const blamed = (run: WorldRun): string[] => rows.filter((id) => verdictOf(id, run) === 'violated');

describe('two copies', () => {
  it.each<readonly [string, readonly Line[]]>([
    ['adopt what another one stored', adopting],
    ['share one refresh', [data(1, 'r0', 401), data(2, 'r0', 401), refresh(1, 'r0', 'r1'), data(2, 'r1')]],
    ['have a login for each', [asks(2), token('authorization_code', '', 's0', { copy: 2, start: 2 }), data(2, 's0')]],
  ])('that %s are not blamed', (_, lines) => {
    expect(blamed(world(lines))).toEqual([]);
  });

  it.each<readonly [string, string, readonly Line[]]>([
    ['COPY-CONSENT-001', 'asks the user', [refresh(1, 'r0', 'r1'), refresh(2, 'r0'), asks(2)]],
    ['COPY-USED-001', 'sends a token that it has used', [refresh(1, 'r0', 'r1'), data(1, 'r1'), refresh(1, 'r0')]],
    ['COPY-USED-001', 'stores an old token', [refresh(1, 'r0', 'r1'), data(1, 'r1'), refresh(1, 'r0', undefined, 3)]],
    ['COPY-NEED-001', 'refreshes once more', [refresh(1, 'r0', 'r1'), refresh(2, 'r1', 'r2')]],
    ['COPY-STORED-001', 'throws the login away', [refresh(1, 'r0', 'r1'), refresh(2, 'r0'), asks(1, 3)]],
    [
      'COPY-STORM-001',
      'tries again and again',
      [refresh(1, 'r0', 'r1'), ...Array.from({ length: 4 }, () => refresh(2, 'r0'))],
    ],
  ])('%s blames one that %s', (row, _, lines) => {
    expect(blamed(world(lines))).toEqual([row]);
  });

  it('may ask once where one of them was killed with what it had got', () => {
    const ends = [end(1, 1), end(2, 1, { how: 'signal', code: null }, true), end(2, 2), end(3, 1)];
    const lines = [refresh(1, 'r0', 'r1'), refresh(2, 'r0'), asks(2)];
    expect(blamed(world(lines, ends, { count: 2, loss: 'killed' }))).toEqual([]);
    expect(blamed(world([...lines, asks(2, 2, 'again')], ends, { count: 2, loss: 'killed' }))).toEqual([
      'COPY-CONSENT-001',
    ]);
  });

  it('may ask as often as it likes where it is killed, since it cannot store what it gets', () => {
    const ends = [end(1, 1), end(2, 1, { how: 'signal', code: null }, true), end(2, 2), end(3, 1)];
    const lines = [refresh(1, 'r0', 'r1'), refresh(1, 'r0'), asks(1), asks(1, 2, 'again'), refresh(2, 'r0'), asks(2)];
    expect(blamed(world(lines, ends, { count: 2, loss: 'torn' }))).toEqual([]);
  });

  it('may log in for the first time after another one has lost its login, which the last start then asks for', () => {
    const own = (copy: number): Line[] => [
      asks(copy),
      token('authorization_code', '', `s${copy}`, { copy, start: 2 }),
      data(copy, `s${copy}`),
    ];
    const lines = [data(1, 'r0', 401), refresh(1, 'r0'), ...own(2), ...own(3)];
    const revoked = { count: 3, loss: 'revoked' } as const;
    expect(blamed(world([...lines, asks(1, 3)], whole, revoked))).toEqual([]);
    const regained = [data(2, 'r0', 401), ...lines, asks(1, 3)];
    expect(blamed(world(regained, whole, revoked))).toContain('COPY-STORED-001');
  });
});

describe('the end of a copy', () => {
  const ends = (more: Partial<CopyEnd['ending']>): CopyEnd[] => [end(1, 1), end(2, 1), end(2, 2, more), end(3, 1)];
  it.each([
    ['a clear message', { code: 1, output: 'another copy is at work; try again\n' }, []],
    ['nothing', { code: 1 }, ['COPY-THROUGH-001']],
    ['a crash', { code: 1, output: 'SyntaxError: Unexpected end of JSON input\n' }, ['COPY-THROUGH-001']],
    ['a hang', { how: 'time' as const, code: null }, ['COPY-THROUGH-001']],
  ])('with %s', (_, more, expected) => {
    expect(blamed(world(adopting, ends(more)))).toEqual(expected);
  });
});

describe('the lanes of a world', () => {
  const shown = (run: WorldRun): string[] => {
    const { lanes, calls } = lanesOf(run, auditLedger, (text) => text)!;
    return calls.map(({ lane, text, isWrong }) => `${lanes[lane]!.name} ${text}${isWrong ? ' !' : ''}`);
  };

  it('tell the calls of each copy and of the last start', () => {
    expect(shown(world(adopting))).toEqual([
      'copy 1 refresh 200',
      'copy 2 refresh 400',
      'copy 1 GET /profile 200',
      'copy 2 GET /profile 200',
      'last start refresh 200',
    ]);
    expect(lanesOf(world(adopting), auditLedger, (text) => text)?.lanes).toEqual([
      { name: 'copy 1', end: 'code 0' },
      { name: 'copy 2', end: 'code 0' },
      { name: 'last start', end: 'code 0' },
    ]);
  });

  it('mark the evidence of a row, and name the row', () => {
    const run = world([refresh(1, 'r0', 'r1'), refresh(2, 'r0'), asks(2)]);
    expect(shown(run)).toEqual(['copy 1 refresh 200', 'copy 2 refresh 400 !', 'copy 2 authorize 200 !']);
    expect(lanesOf(run, auditLedger, (text) => text)?.blamed).toEqual(['COPY-CONSENT-001']);
  });

  it('name the copy of each request of the evidence, and show no header that we added', () => {
    const run = world([refresh(1, 'r0', 'r1'), refresh(2, 'r0'), asks(2)]);
    const rows = auditLedger.filter(({ id }) => id === 'COPY-CONSENT-001');
    const [result] = judge(rows, [run], { replay: () => '' });
    expect(result?.failure?.got).toBe(
      '1 authorization request of copy 2, the first after a refresh of copy 2 was refused',
    );
    expect(result?.failure?.trace.map(({ note }) => note)).toEqual(['copy 2', 'copy 2']);
    for (const { headers } of result!.failure!.trace) expect(Object.keys(headers)).not.toContain(copyMark);
  });

  it('tell data requests that worked as one, and at most nine steps', () => {
    expect(shown(world([data(1, 'r0'), data(1, 'r0'), data(1, 'r0', 401), data(1, 'r1')]))).toEqual([
      'copy 1 2 × data 200',
      'copy 1 GET /profile 401',
      'copy 1 GET /profile 200',
    ]);
    const many = Array.from({ length: 20 }, () => data(1, 'r0', 401));
    expect(shown(world(many)).at(-1)).toBe('copy 1 12 more');
  });

  it('have a lane of their own for requests of which the copy is not known', () => {
    const unknown: Line = ['/profile', { start: 2 }];
    expect(shown(world([unknown, data(1, 'r0')]))).toEqual(['a copy GET /profile 200', 'copy 1 GET /profile 200']);
  });
});

describe('a world without copies', () => {
  it('is not judged by their rows', () => {
    expect(rows.map((id) => verdictOf(id, runOf([login])))).toEqual(rows.map(() => 'not exercised'));
  });
});
