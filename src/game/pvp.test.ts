import { describe, expect, it } from 'vitest';

import type { Params } from '../contract/index.js';
import { call, createGame, day, ok, type TestGame } from './game.fixture.js';

const ids = (game: TestGame, params: Partial<Params['listPvpMatches']> = {}): string[] =>
  ok(game, 'listPvpMatches', params).matches.map(({ id }) => id);
const match = (game: TestGame, id: string) => ok(game, 'getPvpMatch', { match: id }).match;

describe('PvP matches', () => {
  it('are listed by state, season or league', () => {
    const game = createGame();
    expect(ids(game)).toEqual(['Coming Duel']);
    expect(ids(game, { type: 'season', season: 'Spring' })).toEqual(['Past Duel', 'Coming Duel']);
    expect(ids(game, { type: 'league', league: 'Ember' })).toEqual(['Past Duel', 'Long Duel']);
    expect(ids(game, { type: 'league', league: 'Ember League' })).toEqual(['Past Duel', 'Long Duel']);
    expect(ids(game, { type: 'league', league: 'Nowhere' })).toEqual([]);
    expect(ids(game, { realm: 'xbox' })).toEqual([]);
  });

  it('cannot be listed by a season or league that is not named', () => {
    const message = (name: string) => ({
      error: { code: 2, message: `Invalid query: parameter ${name} is required with type=${name}` },
    });
    expect(call(createGame(), 'listPvpMatches', { type: 'season', league: 'Ember' })).toMatchObject({
      status: 400,
      body: message('season'),
    });
    expect(call(createGame(), 'listPvpMatches', { type: 'league' })).toMatchObject({
      status: 400,
      body: message('league'),
    });
  });

  it('carry exactly one flag of their state, which follows the clock', () => {
    const game = createGame();
    const states: string[] = [];
    for (const ms of [0, day - 1, 1, day - 1, 1]) {
      game.advance(ms);
      const { upcoming, inProgress, complete } = match(game, 'Coming Duel') ?? {};
      states.push(JSON.stringify({ upcoming, inProgress, complete }));
      expect(ids(game).includes('Coming Duel')).toBe(upcoming === true);
    }
    const [upcoming, inProgress, complete] = ['upcoming', 'inProgress', 'complete'].map((flag) =>
      JSON.stringify({ [flag]: true }),
    );
    expect(states).toEqual([upcoming, upcoming, inProgress, inProgress, complete]);
  });

  it('are looked up by name, or null', () => {
    const game = createGame();
    expect(match(game, 'Long Duel')).toMatchObject({ id: 'Long Duel', pvp: true, inProgress: true });
    expect(ok(game, 'getPvpMatch', { match: 'Nowhere' })).toEqual({ match: null });
    expect(ok(game, 'getPvpMatch', { match: 'Long Duel', realm: 'sony' })).toEqual({ match: null });
    for (const listed of ok(game, 'listPvpMatches', { type: 'season', season: 'Spring' }).matches) {
      expect(match(game, listed.id)).toEqual(listed);
    }
  });

  it('have a ladder of teams, which may be empty', () => {
    const game = createGame();
    const ladder = (params: Partial<Params['getPvpMatchLadder']>) => {
      const body = ok(game, 'getPvpMatchLadder', { match: 'Long Duel', ...params });
      return 'ladder' in body ? body.ladder : body.match;
    };
    expect(ladder({})?.entries.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(ladder({ offset: 440, limit: 200 })).toMatchObject({ total: 450, entries: { length: 10 } });
    expect(ladder({ match: 'Coming Duel' })).toEqual({ total: 0, entries: [] });
    expect(ok(game, 'getPvpMatchLadder', { match: 'Nowhere' })).toEqual({ match: null });
  });
});
