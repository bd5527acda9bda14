import { describe, expect, it } from 'vitest';

import { alice, bob, carol, call, createGame, ok } from './game.fixture.js';

describe('the profile', () => {
  it('has livestream for linked accounts only', () => {
    const game = createGame();
    expect(ok(game, 'getProfile')).toEqual({
      uuid: alice.uuid,
      name: 'alice#0001',
      locale: 'en_GB',
      livestream: { name: 'alice_live' },
    });
    expect(ok(game, 'getProfile', {}, { account: bob })).toEqual({ uuid: bob.uuid, name: 'bob#0001', locale: null });
    expect(ok(game, 'getProfile')).toBe(ok(game, 'getProfile'));
  });

  it('has realm and guild with F-OBS-PROFILE', () => {
    const game = createGame({}, undefined, ['F-OBS-PROFILE']);
    expect(ok(game, 'getProfile')).toMatchObject({ name: 'alice#0001', realm: 'pc', guild: { name: 'wharf' } });
    expect(ok(game, 'getProfile', {}, { account: carol })).toEqual({
      uuid: carol.uuid,
      name: 'carol#0001',
      locale: null,
      realm: 'pc',
    });
  });
});

describe('characters', () => {
  it('are listed by realm, without items and passives', () => {
    const game = createGame();
    const { characters } = ok(game, 'listCharacters');
    expect(characters.map(({ name }) => name)).toEqual(['Ash', 'Ämber', 'xbox']);
    for (const character of characters) {
      expect(Object.keys(character)).not.toEqual(expect.arrayContaining(['equipment']));
      expect(character.passives).toBeUndefined();
      expect(character.metadata).toEqual({ version: '3.4.1' });
    }
    expect(ok(game, 'listCharacters', { realm: 'game2' }).characters.map(({ realm }) => realm)).toEqual(['game2']);
    expect(ok(game, 'listCharacters', {}, { account: carol })).toEqual({ characters: [] });
  });

  it('are looked up whole, letter for letter', () => {
    const game = createGame();
    for (const listed of ok(game, 'listCharacters').characters) {
      expect(ok(game, 'getCharacter', { name: listed.name }).character).toMatchObject({
        ...listed,
        equipment: [{ name: 'Bow' }],
      });
    }
    expect(ok(game, 'getCharacter', { name: 'ash' })).toEqual({ character: null });
  });

  it('of others, of other realms, and unknown ones are null', () => {
    const game = createGame();
    expect(ok(game, 'getCharacter', { name: 'Birch' })).toEqual({ character: null });
    expect(ok(game, 'getCharacter', { name: 'Tide' })).toEqual({ character: null });
    expect(ok(game, 'getCharacter', { name: 'constructor' })).toEqual({ character: null });
    expect(ok(game, 'getCharacter', { name: 'Birch' }, { account: bob }).character?.name).toBe('Birch');
  });

  it('may have twins that differ in letter case only', () => {
    const game = createGame({ 'characters.caseTwins': true });
    const { characters } = ok(game, 'listCharacters');
    expect(characters.map(({ name }) => name)).toEqual(['Ash', 'Ämber', 'xbox', 'ASH']);
    expect(new Set(characters.map(({ id }) => id)).size).toBe(4);
    expect(characters.filter(({ current }) => current)).toHaveLength(1);
    expect(ok(game, 'getCharacter', { name: 'ASH' }).character?.name).toBe('ASH');
    expect(ok(game, 'getCharacter', { name: 'Ash' }).character?.name).toBe('Ash');
    expect(ok(game, 'listCharacters', {}, { account: carol })).toEqual({ characters: [] });
  });
});

describe('the account in a league', () => {
  it('has its atlas trees, and none where it never played', () => {
    const game = createGame();
    const trees = [{ name: 'One', hashes: [1, 2] }];
    expect(ok(game, 'getLeagueAccount', { league: 'Ember' }).league_account).toEqual({ atlas_passive_trees: trees });
    for (const league of ['Standard', 'Nowhere']) {
      expect(ok(game, 'getLeagueAccount', { league })).toEqual({ league_account: { atlas_passive_trees: [] } });
    }
    expect(
      ok(game, 'getLeagueAccount', { league: 'Ember' }, { account: bob }).league_account.atlas_passive_trees,
    ).toEqual([]);
  });
});

describe('names', () => {
  it('that are realm words exist only where the switch allows them', () => {
    expect(call(createGame(), 'getCharacter', { name: 'xbox' })).toMatchObject({
      body: { character: { name: 'xbox' } },
    });
    expect(ok(createGame({ 'paths.realmWordNames': 'refuse' }), 'getCharacter', { name: 'xbox' })).toEqual({
      character: null,
    });
  });
});
