import { describe, expect, it } from 'vitest';

import { runOf, verdictOf } from '../run.fixture.js';

/** The verdict on a client that asks for a ladder of 300 entries at these places. */
function judge(path: string, limit: number | undefined, ...offsets: readonly number[]): string {
  const size = limit ?? 20;
  const entriesAt = (offset: number): unknown[] => Array.from({ length: Math.max(0, Math.min(size, 300 - offset)) });
  return verdictOf(
    'ADDR-OFFSET-002',
    runOf(
      offsets.map((offset) => [
        `${path}?${limit === undefined ? '' : `limit=${limit}&`}offset=${offset}`,
        { reply: { league: { total: 300, entries: entriesAt(offset) } } },
      ]),
    ),
  );
}

describe('the pages of a ladder', () => {
  it.each<[string, number | undefined, number[], string]>([
    ['one behind the other', 20, [0, 20, 40, 60], 'pass'],
    ['in another order', 100, [200, 0, 100], 'pass'],
    ['of the default size', undefined, [0, 20, 40], 'pass'],
    ['with an overlap', 50, [0, 45, 90], 'pass'],
    ['here and there', 1, [0, 100, 200], 'pass'],
    ['at unequal distances', 20, [0, 1, 200], 'not exercised'],
    ['with an entry left out, beside another page', 20, [0, 21, 42, 200], 'violated'],
    ['two of them', 20, [0, 1], 'not exercised'],
    ['the same one again', 20, [0, 0, 0], 'not exercised'],
    ['counted', 20, [0, 1, 2], 'violated'],
    ['with an entry left out', 20, [0, 21, 42], 'violated'],
    ['with an entry left out once', 20, [0, 21, 41, 61], 'violated'],
    ['with an entry left out behind the first page', 20, [0, 21, 41], 'violated'],
    ['with an entry left out between two of them', 20, [0, 21], 'violated'],
    ['with a part read before', 20, [0, 20, 40, 200, 220], 'pass'],
    ['of the default size, as if they were longer', undefined, [0, 50, 100], 'violated'],
    ['two of the default size, the second behind a larger one', undefined, [0, 50], 'violated'],
    ['two of the default size, the second anywhere', undefined, [0, 57], 'not exercised'],
    ['the first and the last of the default size', undefined, [0, 280], 'not exercised'],
    ['shorter than asked for, and behind the end', 500, [0, 500, 1000], 'pass'],
  ])('%s', (_, limit, offsets, expected) => {
    expect(judge('/league/Standard/ladder', limit, ...offsets)).toBe(expected);
  });
});

describe('the parameters of a walk', () => {
  const entries = Array.from({ length: 20 });
  it.each<[string, string[], string]>([
    ['on each page', ['sort=depth', 'sort=depth&offset=20'], 'pass'],
    ['with another limit', ['sort=depth&limit=20', 'sort=depth&offset=20'], 'pass'],
    ['of two lists', ['sort=depth', '', 'offset=20'], 'pass'],
    ['anywhere in a list', ['sort=depth', 'offset=200'], 'pass'],
    ['of a list that began before', ['sort=depth', '', 'sort=depth&offset=20'], 'pass'],
    ['added on the second page', ['', 'sort=depth&offset=20'], 'violated'],
    ['that are the defaults', ['realm=pc&sort=xp', 'offset=20'], 'pass'],
    ['left out on the second page', ['sort=depth', 'offset=20'], 'violated'],
    ['left out in part', ['sort=class&class=witch', 'sort=class&offset=20'], 'violated'],
    ['on a page alone', ['sort=depth'], 'not exercised'],
  ])('%s', (_, pages, expected) => {
    const run = runOf(pages.map((query) => [`/league/Standard/ladder?${query}`, { reply: { league: { entries } } }]));
    expect(verdictOf('ADDR-OFFSET-004', run)).toBe(expected);
  });
});

describe('a parameter', () => {
  it.each([
    ['of the operation', '/league?type=main&limit=50&offset=0', 'pass'],
    ['with what it goes with', '/league/Standard/ladder?sort=class&class=witch', 'pass'],
    ['of a season', '/league?type=season&season=Ember', 'pass'],
    ['that keeps caches away', '/league?_=1700000000123', 'pass'],
    ['of a realm, which has a row of its own', '/character?realm=xbox', 'pass'],
    ['that there is not', '/league?page=2', 'violated'],
    ['spelled otherwise', '/item-filter?Validate=true', 'violated'],
    ['without what it goes with', '/league/Standard/ladder?class=witch', 'violated'],
    ['that selects by another, which is left out', '/league/Standard/ladder?sort=class', 'violated'],
    ['with another choice', '/pvp-match?type=upcoming&league=Standard', 'violated'],
    ['left out', '/league', 'not exercised'],
  ])('%s', (_, target, expected) => {
    expect(verdictOf('ADDR-QUERY-002', runOf([[target]]))).toBe(expected);
  });
});
