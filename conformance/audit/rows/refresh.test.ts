import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { findingOf, runOf, verdictOf } from '../run.fixture.js';

type Line = readonly [string, Told];
const refresh = (used: string, next: string, at: number, ms = 5): Line => [
  '/oauth/token',
  {
    at,
    ms,
    form: { grant_type: 'refresh_token', client_id: 'c', refresh_token: used },
    reply: { access_token: `access-${next}`, refresh_token: next },
  },
];
const login: Line = [
  '/oauth/token',
  {
    at: 0,
    form: { grant_type: 'authorization_code', client_id: 'c' },
    reply: { access_token: 'access-r0', refresh_token: 'r0' },
  },
];
const got = (id: string, ...lines: readonly Line[]): string | undefined =>
  findingOf(id, runOf(lines)).violations[0]?.got;

describe('a refresh token that is used twice', () => {
  it('is used at the same time', () => {
    expect(got('REFRESH-ONCE-001', login, refresh('r0', 'r1', 100, 50), refresh('r0', 'r2', 110))).toMatch(
      /^2 refreshes with the same refresh token, sent before/,
    );
  });

  it('is used one after the other', () => {
    expect(got('REFRESH-ONCE-001', login, refresh('r0', 'r1', 100, 50), refresh('r0', 'r2', 170))).toMatch(
      /again, 20 ms after the reply/,
    );
  });
});

describe('the access token after a refresh', () => {
  const refused = (bearer: string, at: number): Line => ['/profile', { at, bearer, status: 401 }];
  it('is the new one', () => {
    const lines = [login, refresh('r0', 'r1', 100), refused('access-r0', 1000), refused('access-r0', 2000)];
    expect(got('REFRESH-NEWEST-001', ...lines)).toMatch(/refused 2 times, and the new one never/);
  });

  it('of another grant is another matter', () => {
    const lines = [login, refresh('r0', 'r1', 100), refused('of the service', 1000), refused('of the service', 2000)];
    expect(verdictOf('REFRESH-NEWEST-001', runOf(lines))).toBe('pass');
  });
});

describe('a token request after a Retry-After', () => {
  const busy = (form: Told['form'], at: number, more: Told = {}): Line => [
    '/oauth/token',
    {
      at,
      form: { client_id: 'c', ...form },
      status: 503,
      decision: 'faulted',
      replyHeaders: { 'retry-after': '4' },
      ...more,
    },
  ];
  const own = (scope: string): Told['form'] => ({ grant_type: 'client_credentials', scope });
  const code = (text: string): Told['form'] => ({ grant_type: 'authorization_code', code: text });
  const held = (token: string): Told['form'] => ({ grant_type: 'refresh_token', refresh_token: token });
  const others = (count: number): Line[] =>
    Array.from({ length: count }, (_, at) => busy(own(`s${at}`), 1100 + 20 * at));
  const judge = (...lines: readonly Line[]): string => verdictOf('REFRESH-STORM-002', runOf(lines));
  it.each([
    ['comes in time', judge(busy(own('a'), 1000), busy(own('a'), 5100, { decision: 'answered' })), 'pass'],
    ['comes early', judge(busy(own('a'), 1000), busy(own('a'), 1100)), 'violated'],
    [
      'comes early, with more in its form',
      judge(busy(own('a'), 1000), busy({ ...own('a'), n: '2' }, 1100)),
      'violated',
    ],
    ['is for other scopes', judge(busy(own('a'), 1000), busy(own('b'), 1100)), 'pass'],
    ['is for the code of another login', judge(busy(code('a'), 1000), busy(code('b'), 1100)), 'pass'],
    ['is for the same code', judge(busy(code('a'), 1000), busy(code('a'), 1100)), 'violated'],
    ['is for the refresh token of another login', judge(busy(held('a'), 1000), busy(held('b'), 1100)), 'pass'],
    ['is for the same refresh token', judge(busy(held('a'), 1000), busy(held('a'), 1100)), 'violated'],
    ['is one of a storm', judge(busy(own('a'), 1000), ...others(17)), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the same filter', () => {
  const create = (more: Told = {}): Line => [
    '/item-filter',
    { method: 'POST', body: '{"filter_name":"a"}', reply: { filter: {} }, ...more },
  ];
  it.each([
    ['is created once', [create()], 'pass'],
    ['is created where it was refused before', [create({ status: 429 }), create({ status: 401 }), create()], 'pass'],
    ['is created again and again', [create(), create(), create()], 'violated'],
    ['is created again blindly', [create({ delivery: 'lost' }), create()], 'violated'],
    ['is looked for first', [create({ delivery: 'lost' }), ['/item-filter', {}] as const, create()], 'pass'],
  ])('%s', (_, lines, expected) => {
    expect(verdictOf('FILTER-REPEAT-001', runOf(lines))).toBe(expected);
  });
});

describe('a refresh token that was refused with invalid_grant', () => {
  const refused = (at: number, more: Told = {}): Line => [
    '/oauth/token',
    {
      at,
      status: 400,
      form: { grant_type: 'refresh_token', client_id: 'c', refresh_token: 'r' },
      reply: { error: 'invalid_grant' },
      ...more,
    },
  ];
  it.each([
    ['is left alone', [refused(0)], 'pass'],
    ['is presented again a second later', [refused(0), refused(1000)], 'violated'],
    ['is presented again at once, as by another process', [refused(0), refused(200)], 'pass'],
    ['is presented again by the next start', [refused(0), refused(1000, { start: 2 })], 'pass'],
    [
      'is presented again for another request that was refused',
      [refused(0), ['/profile', { at: 500, status: 401 }] as const, refused(1000)],
      'pass',
    ],
    ['is presented three times', [refused(0), refused(100), refused(200)], 'violated'],
  ])('%s', (_, lines, expected) => expect(verdictOf('REFRESH-INVALID-001', runOf(lines))).toBe(expected));
});
