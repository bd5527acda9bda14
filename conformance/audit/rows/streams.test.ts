import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

const page = (next: string, more: Told = {}): Told => ({
  reply: { next_change_id: next, stashes: [{ id: 's' }] },
  ...more,
});
const at = (id: string): string => `/public-stash-tabs?id=${id}`;
const first = '/public-stash-tabs';
const failed: Told = { status: 500, decision: 'faulted' };

describe('the id of a page of the stream', () => {
  const judge = (...calls: readonly (readonly [string, Told?])[]): string => verdictOf('STREAM-ID-002', runOf(calls));
  it.each([
    ['from the page before', judge([first, page('aaaaaaaa1')], [at('aaaaaaaa1'), page('aaaaaaaa2')]), 'pass'],
    ['of another day', judge([at('zzzzzzzz1'), page('aaaaaaaa2')]), 'not exercised'],
    [
      'that no page gave, after one was read',
      judge([first, page('aaaaaaaa1')], [at('zzzzzzzz1'), page('a')]),
      'violated',
    ],
    ['that is no id', judge([at('0'), page('aaaaaaaa2')]), 'violated'],
    [
      'that its own reply repeats',
      judge([first, page('aaaaaaaa1')], [at('zzzzzzzz1'), page('zzzzzzzz1')], [at('zzzzzzzz1'), page('zzzzzzzz1')]),
      'violated',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the hour with which the history begins', () => {
  const hour = Date.UTC(2025, 11, 31, 22) / 1000;
  const walk = (id: number | undefined, epoch: number): ReturnType<typeof runOf> =>
    runOf(
      [
        [
          `/currency-exchange${id === undefined ? '' : `/${id}`}`,
          { reply: { next_change_id: hour + 3600, markets: [] } },
        ],
      ],
      { epoch },
    );
  const judge = (...ids: readonly (number | undefined)[]): string => {
    const [first, ...more] = ids.map((id, at) => walk(id, Date.UTC(2026, 0, 1, 0, at)));
    return verdictOf('EXCHANGE-ID-004', first!, ...more);
  };
  it.each([
    ['is none', judge(undefined, undefined), 'not exercised'],
    [
      'is the first of the history, from a configuration',
      judge(1_700_000_400 - 1200, 1_700_000_400 - 1200),
      'not exercised',
    ],
    ['goes on from world to world', judge(hour - 3600, hour), 'pass'],
    ['was computed', judge(hour, hour), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a pagination code and its realm', () => {
  const other = '/public-stash-tabs/xbox';
  const judge = (...calls: readonly (readonly [string, Told?])[]): string => verdictOf('STREAM-ID-004', runOf(calls));
  it.each([
    ['each with its own', judge([first, page('a')], [other, page('b')], [at('a')], [`${other}?id=b`]), 'pass'],
    ['from the first to the other', judge([first, page('a')], [`${other}?id=a`, { status: 400 }]), 'violated'],
    ['from the other to the first', judge([other, page('a')], [at('a'), { status: 400 }]), 'violated'],
    ['a code that both gave', judge([first, page('a')], [other, page('a')], [at('a')], [`${other}?id=a`]), 'pass'],
    ['a code of another day', judge([at('a'), page('b')]), 'not exercised'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the id of an hour', () => {
  const hour = (next: number): Told => ({ reply: { next_change_id: next, markets: [] } });
  const judge = (...calls: readonly (readonly [string, Told?])[]): string => verdictOf('EXCHANGE-ID-002', runOf(calls));
  it.each([
    [
      'from the reply before',
      judge(['/currency-exchange', hour(7200)], ['/currency-exchange/7200', hour(10800)]),
      'pass',
    ],
    ['of another day', judge(['/currency-exchange/7200', hour(10800)]), 'not exercised'],
    ['that is the begin of no hour', judge(['/currency-exchange/7261', hour(10800)]), 'violated'],
    [
      'that the client made',
      judge(['/currency-exchange', hour(7200)], ['/currency-exchange/3600', hour(0)]),
      'violated',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a page', () => {
  const judge = (...ids: readonly string[]): string =>
    verdictOf('STREAM-ID-003', runOf(ids.map((id) => [id === '' ? first : at(id), page(`${id}1`)])));
  it.each([
    ['once', judge('', 'a', 'b'), 'pass'],
    ['twice', judge('', 'a', 'a', 'b'), 'pass'],
    ['three times', judge('', 'a', 'a', 'a'), 'violated'],
    ['three times, with another between', judge('a', 'b', 'a', 'b', 'a'), 'violated'],
    ['the first, three times in a row', judge('', '', ''), 'violated'],
    ['the first, at the beginning of each walk', judge('', 'a', '', 'b', '', 'c'), 'pass'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('a second start', () => {
  const walk = [page('a1'), page('a2'), page('a3'), page('a4'), page('a5')];
  const judge = (id: string, stored?: boolean): string =>
    verdictOf(
      'STREAM-RESUME-001',
      runOf(
        [
          ...walk.map((told, index): [string, Told] => [index === 0 ? first : at(`a${index}`), told]),
          [id === '' ? first : at(id), page('b', { start: 2 })],
        ],
        {
          endings: [
            {
              how: 'exit',
              code: 0,
              signal: null,
              ms: 0,
              output: '',
              written: 0,
              ...(stored !== undefined && { stored }),
            },
          ],
        },
      ),
    );
  it.each([
    ['goes on from the last page', judge('a5'), 'pass'],
    ['reads the last page again', judge('a4'), 'pass'],
    ['begins anew', judge(''), 'violated'],
    ['goes back to the second page', judge('a1'), 'violated'],
    ['is not judged where nothing is stored', judge('', false), 'not exercised'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));

  it('reads the history on', () => {
    const calls = (id: string): readonly (readonly [string, Told])[] => [
      ['/currency-exchange', { reply: { next_change_id: 7200 } }],
      ['/currency-exchange/7200', { reply: { next_change_id: 10_800 } }],
      [`/currency-exchange${id}`, { reply: { next_change_id: 14_400 }, start: 2 }],
    ];
    expect(verdictOf('EXCHANGE-RESUME-001', runOf(calls('/10800')))).toBe('pass');
    expect(verdictOf('EXCHANGE-RESUME-001', runOf(calls('')))).toBe('violated');
  });
});

describe('an error in a stream', () => {
  const judge = (next: string): string =>
    verdictOf(
      'STREAM-RESUME-002',
      runOf([
        [first, page('a1')],
        [at('a1'), failed],
        [next, page('a2')],
      ]),
    );
  it('is followed by the same page', () => expect(judge(at('a1'))).toBe('pass'));
  it('is not followed by the beginning', () => expect(judge(first)).toBe('violated'));
});

type Asked = readonly (readonly [string, Told?])[];

describe('a page that holds fewer stashes than one before it', () => {
  const stashes = (realm: string, id: string, count: number): readonly [string, Told] => [
    `/public-stash-tabs${realm}${id === '0' ? '' : `?id=${realm}${id}`}`,
    {
      reply: {
        next_change_id: `${realm}${Number(id) + 1}`,
        stashes: Array.from({ length: count }, () => ({ id: 's' })),
      },
    },
  ];
  const walk = (realm: string, ...counts: readonly number[]): Asked =>
    counts.map((count, at) => stashes(realm, String(at), count));
  const judge = (calm: Asked, even: Asked): string =>
    verdictOf('STREAM-END-003', runOf(calm), runOf(even, { world: { id: 'even-pages' } }));
  const four = [25, 25, 25, 25];
  it.each([
    ['is the last that is read', judge(walk('', 25, 9), walk('', ...four)), 'violated'],
    ['is one of as many as ever', judge(walk('', 25, 9), walk('', 25, 25)), 'pass'],
    [
      'is the last of a realm of which never more is read',
      judge([...walk('', 25, 20, 17, 16), ...walk('/xbox', 25, 9)], [...walk('', ...four), ...walk('/xbox', 25, 25)]),
      'pass',
    ],
    [
      'is the last in one realm, and not in the other',
      judge([...walk('', 25, 9, 1, 17), ...walk('/xbox', 25, 9)], [...walk('', ...four), ...walk('/xbox', ...four)]),
      'pass',
    ],
    [
      'is the last, although one with more was not',
      judge([...walk('', 25, 20, 17, 21), ...walk('/xbox', 25, 9)], [...walk('', ...four), ...walk('/xbox', ...four)]),
      'violated',
    ],
    [
      'is asked for with another token than the one before it',
      judge(
        walk('', 25, 9, 1, 17).map(([target, told], at) => [target, { ...told, bearer: at === 0 ? 'a' : 'b' }]),
        walk('', ...four),
      ),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('an hour without markets', () => {
  /** An hour by its number in the history, the first one asked for without an id. */
  const ask = (at: number, markets: number, more: Told = {}): readonly [string, Told] => [
    `/currency-exchange${at === 0 ? '' : `/${at * 3600}`}`,
    { reply: { next_change_id: (at + 1) * 3600, markets: Array.from({ length: markets }, () => ({})) }, ...more },
  ];
  const full = [0, 1, 2, 3, 4].map((at) => ask(at, 1));
  const judge = (empty: Asked, calm: Asked = full): string =>
    verdictOf(
      'EXCHANGE-END-002',
      runOf(calm, { world: { id: 'quiet-hours' } }),
      runOf(empty, { world: { id: 'empty-hours' } }),
    );
  const on = [ask(0, 0), ask(1, 0), ask(2, 1), ask(3, 0), ask(4, 0)];
  const other = (asked: Asked): Asked =>
    asked.map(([target, told]) => [target.replace('/currency-exchange', '/currency-exchange/xbox'), told]);
  it.each([
    ['is read past', judge(on), 'pass'],
    ['is the last', judge(on.slice(0, 1)), 'violated'],
    ['is the second in a row, and the last', judge(on.slice(0, 2)), 'violated'],
    ['is the last of as many hours as ever', judge(on.slice(0, 1), full.slice(0, 1)), 'pass'],
    [
      'is read past with another token',
      judge(on.map(([target, told], at) => [target, { ...told, bearer: at === 0 ? 'a' : 'b' }])),
      'pass',
    ],
    [
      'is the last of a realm of which never more is read',
      judge([...on, ...other(on.slice(0, 2))], [...full, ...other(full.slice(0, 2))]),
      'pass',
    ],
    ['is read again and again', judge([on[0]!, on[0]!, on[0]!], full.slice(0, 2)), 'violated'],
    ['is looked at now and then', judge([on[0]!, on[0]!, on[0]!], full.slice(0, 1)), 'pass'],
    [
      'is read again and again, like the one after it',
      judge([...on.slice(0, 2), ...on.slice(0, 2), ...on.slice(0, 2)], full.slice(0, 2)),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the end of the history', () => {
  const ask = (at: number, more: Told = {}): readonly [string, Told] => [
    `/currency-exchange${at === 0 ? '' : `/${at * 3600}`}`,
    { reply: { next_change_id: Math.min(at + 1, 2) * 3600, markets: [{}] }, ...more },
  ];
  const judge = (...ats: readonly (number | readonly [number, Told])[]): string =>
    verdictOf('EXCHANGE-END-001', runOf(ats.map((at) => (typeof at === 'number' ? ask(at) : ask(...at)))));
  it.each([
    ['is the last thing asked for', judge(0, 1, 2), 'pass'],
    ['is asked for again', judge(0, 1, 2, 2), 'violated'],
    ['is followed by the beginning', judge(0, 1, 2, 0), 'violated'],
    ['is followed by the beginning, each time', judge(0, 1, 2, 0, 1, 2, 0, 1), 'violated'],
    ['is followed by a second walk to the end', judge(0, 1, 2, 0, 1, 2), 'pass'],
    ['is followed by the beginning a while later', judge(0, 1, 2, [0, { at: 5000 }]), 'pass'],
    ['is followed by the beginning of another reader', judge(0, 1, 0, 2, 1), 'pass'],
    ['is come to by a sampler and a reader', judge(0, 0, 1, 2, 0), 'pass'],
    [
      'is come to by two readers, whose token changed',
      judge(
        [0, { bearer: 'a' }],
        [0, { bearer: 'a' }],
        [1, { bearer: 'a' }],
        [1, { bearer: 'a' }],
        [2, { bearer: 'b' }],
        [2, { bearer: 'b' }],
      ),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the end of the stream', () => {
  const empty = (next: string, bearer: string): Told => ({ reply: { next_change_id: next, stashes: [] }, bearer });
  const judge = (...calls: Asked): string => verdictOf('STREAM-END-001', runOf(calls));
  it.each([
    ['is polled', judge([at('a'), empty('a', 'x')], [at('a'), page('b', { bearer: 'x' })]), 'pass'],
    ['is left for another id', judge([at('a'), empty('a', 'x')], [at('c'), page('d', { bearer: 'x' })]), 'violated'],
    [
      'is polled with another token, and left with the first one',
      judge([at('a'), empty('a', 'x')], [at('a'), page('b', { bearer: 'y' })], [at('b'), page('c', { bearer: 'x' })]),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
