import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Params } from '../contract/index.js';
import { alice, bob, call, createGame, day, ok } from './game.fixture.js';

const ids = (game: ReturnType<typeof createGame>, params: Partial<Params['listLeagues']>): string[] =>
  ok(game, 'listLeagues', params).leagues.map(({ id }) => id);

describe('the league list', () => {
  it('has permanent and current challenge leagues by default, without events, seasons and private leagues', () => {
    const game = createGame();
    const main = [...ids(game, {}), ...ids(game, { offset: 50 })];
    expect(main).toEqual([
      'Standard',
      'Ember',
      'xbox',
      ...Array.from({ length: 60 }, (_, number) => `Trial ${number}`),
    ]);
    expect(ids(game, { type: 'main' })).toEqual(ids(game, {}));
  });

  it('drops an event and a challenge league at the instant at which they end', () => {
    const game = createGame();
    expect(ids(game, { type: 'event' })).toEqual(['Sprint']);
    game.advance(2 * day - 1);
    expect(ids(game, { type: 'event' })).toEqual(['Sprint']);
    game.advance(1);
    expect(ids(game, { type: 'event' })).toEqual([]);
    game.advance(28 * day);
    expect(ids(game, {})).not.toContain('Ember');
  });

  it('has all leagues of a season, and none of a season that is not known', () => {
    expect(ids(createGame(), { type: 'season', season: 'Spring' })).toEqual(['Spring One', 'Spring Two']);
    expect(ids(createGame(), { type: 'season', season: 'Winter' })).toEqual([]);
  });

  it('refuses a season without a name, and one of the second game', () => {
    const nameless = call(createGame(), 'listLeagues', { type: 'season' });
    expect(nameless).toMatchObject({
      status: 400,
      body: { error: { code: 2, message: expect.stringContaining('season is required') } },
    });
    const second = call(createGame(), 'listLeagues', { type: 'season', season: 'Spring', realm: 'game2' });
    expect(second).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('realm game2') } } });
  });

  it('is cut into windows that are slices of the whole, in any order of the list', () => {
    for (const order of ['stable', 'shuffled'] as const) {
      const game = createGame({ 'lists.order': order });
      const whole = [...ids(game, { limit: 50 }), ...ids(game, { offset: 50 })];
      expect(new Set(whole).size).toBe(63);
      const window = fc.record({ offset: fc.nat(80), limit: fc.integer({ min: 1, max: 50 }) });
      fc.assert(
        fc.property(window, ({ offset, limit }) => {
          expect(ids(game, { offset, limit })).toEqual(whole.slice(offset, offset + limit));
        }),
      );
    }
  });

  it('takes a new order at each start where it is shuffled', () => {
    const first = createGame({ 'lists.order': 'shuffled' });
    const second = createGame({ 'lists.order': 'shuffled' }, { ...first.world });
    second.newId(1);
    expect(ids(second, {})).not.toEqual(ids(first, {}));
  });

  it('answers the same question with the same object until something changes', () => {
    const game = createGame();
    expect(ok(game, 'listLeagues')).toBe(ok(game, 'listLeagues'));
    const before = ok(game, 'listLeagues');
    game.advance(31 * day);
    expect(ok(game, 'listLeagues')).not.toBe(before);
  });
});

describe('the lookup of a league', () => {
  it('finds a league by id, and by name unless told otherwise', () => {
    expect(ok(createGame(), 'getLeague', { league: 'Ember' }).league?.id).toBe('Ember');
    expect(ok(createGame(), 'getLeague', { league: 'Ember League' }).league?.id).toBe('Ember');
    expect(ok(createGame({ 'league.lookupBy': 'id' }), 'getLeague', { league: 'Ember League' })).toEqual({
      league: null,
    });
  });

  it('is null for what is unknown or in another realm only, and finds private leagues', () => {
    const game = createGame();
    expect(ok(game, 'getLeague', { league: 'Nowhere' })).toEqual({ league: null });
    expect(ok(game, 'getLeague', { league: 'ember' })).toEqual({ league: null });
    expect(ok(game, 'getLeague', { league: 'Couch' })).toEqual({ league: null });
    expect(ok(game, 'getLeague', { league: 'Couch', realm: 'xbox' }).league?.id).toBe('Couch');
    expect(ok(game, 'getLeague', { league: 'Garden (PL1)' }).league?.id).toBe('Garden (PL1)');
  });

  it('takes a realm word as a name unless told to refuse it', () => {
    expect(ok(createGame(), 'getLeague', { league: 'xbox' }).league?.id).toBe('xbox');
    expect(ok(createGame({ 'paths.realmWordNames': 'refuse' }), 'getLeague', { league: 'xbox' })).toEqual({
      league: null,
    });
  });

  it('takes the mark of an active challenge league off when the league is over', () => {
    const game = createGame();
    expect(ok(game, 'getLeague', { league: 'Ember' }).league?.category).toEqual({ id: 'Ember', current: true });
    game.advance(30 * day);
    expect(ok(game, 'getLeague', { league: 'Ember' }).league?.category).toEqual({ id: 'Ember' });
  });

  it('finds every listed league', () => {
    const game = createGame();
    for (const id of [
      ...ids(game, {}),
      ...ids(game, { type: 'event' }),
      ...ids(game, { type: 'season', season: 'Spring' }),
    ]) {
      expect(ok(game, 'getLeague', { league: id }).league?.id).toBe(id);
    }
  });
});

describe('the leagues of an account', () => {
  const own = (account: typeof alice, realm: 'pc' | 'xbox' = 'pc'): string[] =>
    ok(createGame(), 'listAccountLeagues', { realm }, { account }).leagues.map(({ id }) => id);

  it('are the public ones that run now and its private ones', () => {
    expect(own(alice)).toContain('Garden (PL1)');
    expect(own(bob)).not.toContain('Garden (PL1)');
    expect(own(bob)).toEqual(expect.arrayContaining(['Standard', 'Ember', 'Sprint', 'Spring Two']));
    expect(own(bob)).not.toContain('Old Sprint');
    expect(own(alice, 'xbox')).toEqual(['Standard', 'Couch']);
  });
});
