import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Params } from '../contract/index.js';
import { call, createGame, ok, type TestGame } from './game.fixture.js';

type Ladder = Partial<Params['getLeagueLadder']>;
const page = (game: TestGame, params: Ladder) => {
  const body = ok(game, 'getLeagueLadder', { league: 'Standard', ...params });
  const found = 'ladder' in body ? body.ladder : body.league;
  if (!found) throw new Error('no ladder');
  return found;
};
const ids = (game: TestGame, params: Ladder): string[] =>
  page(game, params).entries.map(({ character }) => character.id);

describe('a ladder', () => {
  it('has 20 entries by default and 500 at most, in windows that are slices of the whole', () => {
    const game = createGame();
    expect(ids(game, {})).toHaveLength(20);
    const whole = Array.from({ length: 4 }, (_, number) => ids(game, { offset: 500 * number, limit: 500 })).flat();
    const window = fc.record({ offset: fc.nat(1400), limit: fc.integer({ min: 1, max: 500 }) });
    fc.assert(
      fc.property(window, ({ offset, limit }) => {
        expect(ids(game, { offset, limit })).toEqual(whole.slice(offset, offset + limit));
      }),
      { numRuns: 40 },
    );
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 1499 }), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(cuts, (inner) => {
        const borders = [0, ...inner.sort((a, b) => a - b), 1500];
        const parts = borders.slice(1).flatMap((end, index) => {
          const start = borders[index] ?? 0;
          const first = ids(game, { offset: start, limit: Math.min(500, end - start) });
          return [...first, ...rest(start + first.length, end)];
        });
        expect(parts).toEqual(whole.slice(0, 1500));
      }),
      { numRuns: 20 },
    );
    function rest(from: number, end: number): string[] {
      return from >= end
        ? []
        : [...ids(game, { offset: from, limit: Math.min(500, end - from) }), ...rest(from + 500, end)];
    }
  });

  it('ends at 15000: a window across the border is cut, one beyond it is empty, and total is the same everywhere', () => {
    const game = createGame();
    expect(ids(game, { offset: 14_990, limit: 50 })).toHaveLength(10);
    for (const offset of [15_000, 15_001, 15_200, 10 ** 9, Number.MAX_SAFE_INTEGER]) {
      expect(page(game, { offset, limit: 500 })).toMatchObject({ total: 15_000, entries: [] });
    }
    expect(page(game, { offset: 3 }).total).toBe(15_000);
    expect(page(createGame({ 'ladder.totalCapped': false }), { offset: 15_000 })).toMatchObject({
      total: 15_250,
      entries: [],
    });
  });

  it('keeps the order of its league unless another is asked for', () => {
    const game = createGame();
    expect(ids(game, {})).toEqual(ids(game, { sort: 'xp' }));
    expect(ids(game, { league: 'Sprint' })).toEqual(ids(game, { league: 'Sprint', sort: 'time' }));
    expect(ids(game, { sort: 'depth' })).not.toEqual(ids(game, { sort: 'xp' }));
    expect(page(game, {}).cached_since).toBe('2024-01-01T00:00:00Z');
    expect(page(game, { league: 'Ember' })).not.toHaveProperty('cached_since');
  });

  it('has a class order for each class, and needs the class for it', () => {
    const game = createGame();
    const refused = call(game, 'getLeagueLadder', { league: 'Ember', sort: 'class' });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('parameter class is required') } },
    });
    const names = ['scion', 'marauder', 'ranger', 'witch', 'duelist', 'templar', 'shadow'] as const;
    const all = names.flatMap((name) => ids(game, { league: 'Ember', sort: 'class', class: name }));
    expect(new Set(all)).toEqual(new Set(ids(game, { league: 'Ember', limit: 500 })));
    expect(all).toHaveLength(35);
    expect(ids(game, { class: 'witch' })).toEqual(ids(game, {}));
  });

  it('counts ranks on class ladders overall, or within the class', () => {
    const ranks = (game: TestGame) =>
      page(game, { league: 'Ember', sort: 'class', class: 'ranger', offset: 1, limit: 2 }).entries.map(
        ({ rank }) => rank,
      );
    expect(ranks(createGame())).toEqual([10, 17]);
    expect(ranks(createGame({ 'ladder.classRank': 'within' }))).toEqual([2, 3]);
  });

  it('shows ascendancies, or base classes', () => {
    const third = (game: TestGame) => page(game, { limit: 3 }).entries[2]?.character.class;
    expect(third(createGame())).toBe('Reedrunner');
    expect(third(createGame({ 'ladder.classNames': 'base' }))).toBe('Ranger');
  });

  it('is empty for a league that keeps none, and as the switch says for a league that does not exist', () => {
    const game = createGame();
    expect(page(game, { league: 'Old Sprint' })).toEqual({ total: 0, entries: [] });
    expect(ok(game, 'getLeagueLadder', { league: 'Nowhere' })).toEqual({ league: null });
    const empty = createGame({ 'ladder.unknown': 'empty' });
    expect(ok(empty, 'getLeagueLadder', { league: 'Nowhere' })).toEqual({ league: { total: 0, entries: [] } });
    expect(ok(empty, 'getLeagueEventLadder', { league: 'Nowhere' })).toEqual({ league: { total: 0, entries: [] } });
    const error = createGame({ 'ladder.unknown': 'error' });
    expect(call(error, 'getLeagueLadder', { league: 'Nowhere' })).toMatchObject({
      status: 404,
      body: { error: { code: 1 } },
    });
    expect(call(error, 'getPvpMatchLadder', { match: 'Nowhere' })).toMatchObject({
      status: 404,
      body: { error: { code: 1 } },
    });
  });

  it('is the same object each time it is asked for', () => {
    const game = createGame();
    expect(ok(game, 'getLeagueLadder', { league: 'Ember' })).toBe(ok(game, 'getLeagueLadder', { league: 'Ember' }));
  });
});

describe('with F-OBS-LADDER on', () => {
  const game = createGame({}, undefined, ['F-OBS-LADDER']);

  it('a ladder stands beside its league or match', () => {
    const { league } = ok(game, 'getLeague', { league: 'Standard' });
    const { match } = ok(game, 'getPvpMatch', { match: 'Long Duel' });
    expect(ok(game, 'getLeagueLadder', { league: 'Standard', limit: 3 })).toEqual({
      league,
      ladder: page(createGame(), { limit: 3 }),
    });
    expect(ok(game, 'getLeagueEventLadder', { league: 'Sprint', limit: 3 })).toMatchObject({
      league: { id: 'Sprint' },
      ladder: { entries: { length: 3 } },
    });
    expect(ok(game, 'getPvpMatchLadder', { match: 'Long Duel' })).toMatchObject({ match, ladder: { total: 450 } });
  });

  it('the ladder of what does not exist is as the switch says', () => {
    expect(ok(game, 'getLeagueLadder', { league: 'Nowhere' })).toEqual({ league: null });
    const empty = createGame({ 'ladder.unknown': 'empty' }, undefined, ['F-OBS-LADDER']);
    const nobody = { total: 0, entries: [] };
    expect(ok(empty, 'getLeagueLadder', { league: 'Nowhere' })).toEqual({ league: null, ladder: nobody });
    expect(ok(empty, 'getPvpMatchLadder', { match: 'Nowhere' })).toEqual({ match: null, ladder: nobody });
  });
});

describe('an event ladder', () => {
  it('lists private leagues, in windows of the top 15000', () => {
    const game = createGame();
    const of = (params: Partial<Params['getLeagueEventLadder']>) => {
      const body = ok(game, 'getLeagueEventLadder', { league: 'Sprint', ...params });
      return 'ladder' in body ? body.ladder : body.league;
    };
    expect(of({})?.entries).toHaveLength(20);
    expect(of({})?.entries[0]).toMatchObject({ rank: 1, private_league: { name: 'PL0' } });
    expect(of({ offset: 14_999, limit: 500 })).toMatchObject({ total: 15_000, entries: [{ rank: 15_000 }] });
    expect(of({ offset: 15_001 })).toEqual({ total: 15_000, entries: [] });
    expect(ok(game, 'getLeagueEventLadder', { league: 'Standard' }).league).toEqual({ total: 0, entries: [] });
    expect(ok(game, 'getLeagueEventLadder', { league: 'Nowhere' })).toEqual({ league: null });
  });
});
