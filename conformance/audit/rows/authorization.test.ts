import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

describe('the list of scopes', () => {
  const judge = (scope: string): string =>
    verdictOf('AUTH-SCOPE-002', runOf([[`/oauth/authorize?scope=${scope}`, { bearer: '' }]]));
  it.each([
    ['has one space between two', judge('account:profile+account:characters'), 'pass'],
    ['has one scope', judge('account:profile'), 'pass'],
    ['has two spaces between two', judge('account:profile++account:characters'), 'violated'],
    ['has a space behind the last', judge('account:profile%20'), 'violated'],
    ['has a space before the first', judge('+account:profile'), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a refused code', () => {
  const send = (at: number, status: number, more: Told = {}): readonly [string, Told] => [
    '/oauth/token',
    {
      at,
      status,
      form: { grant_type: 'authorization_code', client_id: 'c', code: 'k' },
      reply: status === 200 ? { access_token: 't' } : { error: 'invalid_grant' },
      ...more,
    },
  ];
  const judge = (...calls: readonly (readonly [string, Told])[]): string => verdictOf('AUTH-CODE-002', runOf(calls));
  it.each([
    ['is left alone', judge(send(100, 400)), 'pass'],
    ['is tried again', judge(send(100, 400), send(300, 400)), 'violated'],
    ['is tried again at once', judge(send(100, 400, { ms: 1.5 }), send(101, 400)), 'violated'],
    ['has been used by an exchange that began later', judge(send(100, 400, { ms: 40 }), send(101, 200)), 'pass'],
    ['has been used by one that began at the same moment', judge(send(100, 400, { ms: 0.5 }), send(100, 200)), 'pass'],
    ['is refused twice at the same time', judge(send(100, 400, { ms: 40 }), send(101, 400)), 'pass'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a code', () => {
  const send = (at: number, more: Told = {}): readonly [string, Told] => [
    '/oauth/token',
    { at, form: { grant_type: 'authorization_code', client_id: 'c', code: 'k' }, ...more },
  ];
  const busy = (wait?: number): Told => ({
    status: 503,
    decision: 'faulted',
    ...(wait !== undefined && { replyHeaders: { 'Retry-After': String(wait) } }),
  });
  const judge = (...calls: readonly (readonly [string, Told])[]): string =>
    verdictOf(
      'AUTH-CODE-003',
      runOf(calls, {
        visits: [{ url: '/', asked: [], callbacks: [{ kind: 'answer', at: 1000, code: 'k', status: 200 }] }],
      }),
    );
  it.each([
    ['is exchanged in time', judge(send(1100)), 'pass'],
    ['is exchanged too late', judge(send(31_100)), 'violated'],
    ['is exchanged again in time', judge(send(1100, busy(4)), send(5200)), 'pass'],
    ['is exchanged again too late', judge(send(1100, busy(4)), send(33_200)), 'violated'],
    ['is exchanged again when Retry-After allows it, too late', judge(send(1100, busy(40)), send(41_200)), 'pass'],
    [
      'is exchanged again after a reply that came too late',
      judge(send(1100, { ...busy(), ms: 30_500 }), send(31_700)),
      'pass',
    ],
    [
      'is exchanged again where no reply came',
      judge(send(1100, { status: null, delivery: 'lost' }), send(36_000)),
      'pass',
    ],
    [
      'is another one',
      judge(['/oauth/token', { at: 40_000, form: { grant_type: 'authorization_code', code: 'x' } }]),
      'not exercised',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
