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
