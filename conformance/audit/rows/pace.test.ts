import { describe, expect, it } from 'vitest';

import { isNameless } from './agent.js';
import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

const refused: Told = { at: 1000, status: 429, replyHeaders: { 'retry-after': '3' }, decision: 'faulted' };

describe('the wait after a 429', () => {
  const judge = (...later: readonly (readonly [string, Told])[]): string =>
    verdictOf('PACE-RETRY-001', runOf([['/profile', { at: 500 }], ['/character', refused], ...later]));

  it.each([
    ['is kept', judge(['/character', { at: 4100 }]), 'pass'],
    [
      'is not kept by a repetition that keeps caches away',
      judge(['/character?_=1700000000', { at: 1006 }]),
      'violated',
    ],
    ['is kept by one that keeps caches away', judge(['/character?ts=1700000000', { at: 4100 }]), 'pass'],
    ['is not kept by a repetition right after the reply', judge(['/character', { at: 1006 }]), 'violated'],
    ['is not kept by a repetition before its end', judge(['/character', { at: 3000 }]), 'violated'],
    [
      'is not kept by a repetition that is repeated in time',
      judge(['/character', { at: 1006 }], ['/character', { at: 4100 }]),
      'violated',
    ],
    ['does not bind requests that were sent before', judge(['/character', { at: 1001 }]), 'not exercised'],
    ['is not shown by a client that quits', judge(), 'not exercised'],
    [
      'is not shown by a client that goes on to something else',
      judge(['/account/leagues', { at: 1010 }]),
      'not exercised',
    ],
  ])('%s', (_, got, expected) => {
    expect(got).toBe(expected);
  });

  it('is each worker’s own, where several want the same', () => {
    const run = runOf([
      ['/profile', { at: 900, ms: 300 }],
      ['/character', refused],
      ['/character', { at: 1500 }],
      ['/character', { at: 4100 }],
    ]);
    expect(verdictOf('PACE-RETRY-001', run)).toBe('pass');
  });
});

type Asked = readonly (readonly [string, Told])[];

describe('filters of several texts', () => {
  const send = (body: string, at: number, status: number): readonly [string, Told] => [
    '/item-filter',
    { method: 'POST', body, at, status, decision: 'faulted', replyHeaders: { 'retry-after': '3' } },
  ];
  const judge = (id: string, ...calls: Asked): string => verdictOf(id, runOf([['/profile', { at: 0 }], ...calls]));
  const bodies = ['a', 'b', 'c', 'd', 'e', 'f'];
  it.each([
    ['wait each', judge('PACE-RETRY-001', send('a', 1000, 429), send('b', 1010, 429), send('a', 4100, 200)), 'pass'],
    ['do not wait', judge('PACE-RETRY-001', send('a', 1000, 429), send('a', 1010, 429)), 'violated'],
    ['wait each for a 503', judge('PACE-RETRY-002', send('a', 1000, 503), send('b', 1010, 503)), 'not exercised'],
    [
      'are forbidden each',
      judge('PACE-FORBIDDEN-001', send('a', 100, 403), send('b', 200, 403), send('c', 300, 403)),
      'pass',
    ],
    [
      'are not each repeated when they are forbidden',
      judge('PACE-FORBIDDEN-001', send('a', 100, 403), send('a', 200, 403), send('a', 300, 403)),
      'violated',
    ],
    [
      'fail each',
      judge('PACE-BACKOFF-001', ...[...bodies, ...bodies].map((body, at) => send(body, 20 * at, 500))),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a request with a parameter that keeps caches away', () => {
  const ask = (at: number, more: Told = {}): readonly [string, Told] => [
    `/profile?_=${1_700_000_000 + at}`,
    { at, ...more },
  ];
  const times = (count: number, more: Told): Asked => Array.from({ length: count }, (_, at) => ask(100 * at, more));
  it.each([
    ['is forbidden', 'PACE-FORBIDDEN-001', times(3, { status: 403 }), 'violated'],
    ['keeps failing', 'PACE-BACKOFF-001', times(6, { status: 500, decision: 'faulted' }), 'violated'],
    ['comes in a burst', 'PACE-SAME-001', times(9, {}), 'violated'],
    ['comes now and then', 'PACE-SAME-001', times(3, {}), 'pass'],
    [
      'is no page of a list',
      'PACE-SAME-001',
      Array.from({ length: 9 }, (_, at) => [`/league?offset=${at}`, { at: 20 * at }] as const),
      'pass',
    ],
    [
      'is no page of the stash stream, whose ids are long numbers',
      'PACE-SAME-001',
      Array.from({ length: 9 }, (_, at) => [`/public-stash-tabs?id=${1_700_000_000 + at}`, { at: 20 * at }] as const),
      'pass',
    ],
  ] as const)('%s', (_, id, calls, expected) => expect(verdictOf(id, runOf(calls))).toBe(expected));
});

describe('a service that is down', () => {
  const judge = (...at: readonly number[]): string =>
    verdictOf('PACE-BACKOFF-001', runOf(at.map((one) => ['/profile', { at: one, status: 500, decision: 'faulted' }])));

  it.each([
    ['is not judged by a single try', judge(0), 'not exercised'],
    ['is asked again after longer and longer waits', judge(0, 200, 600, 1400, 3000), 'pass'],
    ['is not asked again and again at one pace', judge(0, 500, 1000, 1500, 2000), 'violated'],
    ['may be asked at a slow pace', judge(0, 2500, 5000, 7500, 10_000), 'pass'],
  ])('%s', (_, got, expected) => {
    expect(got).toBe(expected);
  });
});

describe('announced windows', () => {
  const headers = { 'x-rate-limit-client': '2:2:2' };
  const counted = (at: number): readonly [string, Told] => ['/profile', { at, replyHeaders: headers }];
  const limited = (at: number, wait = 2): readonly [string, Told] => [
    '/profile',
    { at, status: 429, decision: 'limited', replyHeaders: { ...headers, 'retry-after': String(wait) } },
  ];
  const judge = (calls: readonly (readonly [string, Told])[], stall = 0): string =>
    verdictOf(
      'PACE-WINDOW-001',
      runOf(calls, {
        stall,
        world: { limit: { windows: [{ hits: 2, period: 2, restriction: 2 }] } },
      }),
    );

  it('are not kept by who fills them again and again', () => {
    const rounds = [0, 3000, 6000].flatMap((at) => [counted(at), counted(at + 100), limited(at + 200)]);
    expect(judge(rounds)).toBe('violated');
  });

  it('are not kept by who does not wait for Retry-After', () => {
    expect(judge([counted(0), counted(100), limited(200), limited(300), limited(400)])).toBe('violated');
  });

  it('may end later than announced', () => {
    const rounds = [0, 5000, 10_000].flatMap((at) => [counted(at), counted(at + 500), limited(at + 2001)]);
    expect(judge(rounds)).toBe('pass');
  });

  it('are kept by whose requests came together because we stood still', () => {
    const rounds = [0, 5000, 10_000].flatMap((at) => [counted(at), counted(at + 300), limited(at + 1600)]);
    expect(judge(rounds)).toBe('violated');
    expect(judge(rounds, 300)).toBe('violated');
    expect(judge(rounds, 500)).toBe('pass');
  });

  it('may be full still when Retry-After is over', () => {
    expect(judge([counted(0), counted(100), limited(200, 1), limited(1300, 1), limited(2400, 1), counted(3600)])).toBe(
      'pass',
    );
  });

  it('are not kept by who heard that others had filled them, and are by who could not know', () => {
    const shared = (
      state: (own: number) => string,
      ms = 5,
      connections: readonly string[] = [],
      last: readonly (readonly [string, Told])[] = [['/profile', { at: 12_000 }]],
    ) => {
      const said = (own: number): Told => ({
        replyHeaders: { 'x-rate-limit-client': '6:2:2', 'x-rate-limit-client-state': state(own) },
      });
      const by = (own: number): Told =>
        connections.length === 0 ? {} : { connection: connections[own % connections.length]! };
      const rounds = [0, 4000, 8000].flatMap((at): (readonly [string, Told])[] => [
        ...[1, 2, 3].map((own) => ['/profile', { at: at + 100 * own, ms, ...said(own), ...by(own) }] as const),
        [
          '/profile',
          { ...limited(at + 400)[1], ...by(4), replyHeaders: { ...said(3).replyHeaders, 'retry-after': '2' } },
        ],
      ]);
      const world = { limit: { windows: [{ hits: 6, period: 2, restriction: 2 }], others: 1 } };
      return verdictOf('PACE-WINDOW-001', runOf([...rounds, ...last], { world }));
    };
    expect(shared((own) => `${2 * own}:2:0`)).toBe('violated');
    expect(shared((own) => `${own}:2:0`)).toBe('pass');
    // Several workers: one has sent before another had its reply, or before it could know of it.
    expect(shared((own) => `${2 * own}:2:0`, 150)).toBe('pass');
    expect(shared((own) => `${2 * own}:2:0`, 5, ['one', 'other'])).toBe('pass');
    expect(shared((own) => `${2 * own}:2:0`, 5, ['one'])).toBe('violated');
    // Its workers show at the end alone, where two of their requests meet.
    const meet = [12_000, 12_010].map((at) => ['/profile', { at, ms: 50 }] as const);
    expect(shared((own) => `${2 * own}:2:0`, 5, [], meet)).toBe('pass');
  });

  it('are not shown by a client that quits at the first refusal', () => {
    expect(judge([counted(0), counted(100), limited(200)])).toBe('not exercised');
  });
});

describe('a User-Agent', () => {
  it.each([
    undefined,
    '',
    'node',
    'axios/1.7.2',
    'oauth4webapi/',
    'python-requests/2.32.3',
    'Python/3.11 aiohttp/3.9.1',
    'got (https://github.com/sindresorhus/got)',
    'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
    'Apache-HttpClient/4.5.13 (Java/11.0.9)',
    'Symfony HttpClient/Curl',
    'rest-client/2.1.0 (linux x86_64) ruby/3.2.2p53',
    'Dart/3.1 (dart:io)',
    'Wget/1.21.3 (linux-gnu)',
    'colly - https://github.com/gocolly/colly',
    'Go-http-client/1.1',
    'openid-client/v6.9.0 (https://github.com/panva/openid-client)',
    'Authlib/1.9.10 (+https://authlib.org/)',
    'Google-HTTP-Java-Client/1.43.3 (gzip)',
  ])('%s names a library at most', (agent) => {
    expect(isNameless(agent)).toBe(true);
  });

  it.each([
    'OAuth example/1.0 (contact: a@example.com)',
    'my-lib/2.0 (+https://example.com/my-lib)',
    'python-httpx/0.27 (+https://example.com)',
    'axios/1.7.2 stash-viewer/3.1',
    'got (a@example.com)',
    'gotcha/1.0',
    'got/stash-viewer (a@example.com)',
    'node-red-stash/1.0',
    'stash-viewer/1.0 node-fetch/3.3',
  ])('%s names an application', (agent) => {
    expect(isNameless(agent)).toBe(false);
  });
});
