import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleWorld } from './samples.fixture.js';
import { tour } from './tour.fixture.js';
import type { World } from './world.js';

function digest(world: World): string {
  const hash = createHash('sha256');
  for (const { value } of tour(world, 20)) hash.update(JSON.stringify(value));
  return hash.update(JSON.stringify([world.accounts, world.clients, world.known])).digest('hex');
}

describe('a world', () => {
  it('is the same, byte for byte, from the same seed', () => {
    expect(digest(sampleWorld('extended', 7))).toBe(digest(sampleWorld('extended', 7)));
  });

  it('has other ids from another seed, and the same people', () => {
    const [one, other] = [sampleWorld('extended', 1), sampleWorld('extended', 2)];
    expect(other.accounts.map((account) => account.username)).toEqual(one.accounts.map((account) => account.username));
    expect(other.accounts[1]?.uuid).not.toBe(one.accounts[1]?.uuid);
    expect(other.characters('alice', 'pc')[0]?.id).not.toBe(one.characters('alice', 'pc')[0]?.id);
  });

  it('keeps what it had when there is more of it', () => {
    const small = sampleWorld();
    const big = sampleWorld('extended', 7, { volume: { stashChanges: 1_000_000, exchangeHours: 24 * 365 } });
    const { stash } = small.publicStashes('pc').changes.at(3);
    expect(big.publicStashes('pc').changes.at(3).stash).toBe(stash);
    expect(big.publicStashes('pc').snapshot(stash, 0)).toEqual(small.publicStashes('pc').snapshot(stash, 0));
    // Hours that the rule of the first hours says nothing about.
    const hour = small.exchange('pc').firstHour + 40 * 3600;
    expect(big.exchange('pc').markets(hour)).toEqual(small.exchange('pc').markets(hour));
  });

  it('finds a stash among a million changes', () => {
    const { changes, last } = sampleWorld('extended', 7, {
      volume: { stashChanges: 1_000_000, exchangeHours: 72 },
    }).publicStashes('pc');
    const seen = changes.at(765_432);
    expect(last(seen.stash)?.revision).toBeGreaterThanOrEqual(seen.revision);
  });

  it('works with streams of any length', () => {
    for (const stashChanges of [0, 1, 149, 150, 151, 299]) {
      const { changes, last } = sampleWorld('extended', 7, {
        volume: { stashChanges, exchangeHours: 0 },
      }).publicStashes('pc');
      const end = new Map<string, unknown>();
      for (let index = 0; index < changes.length; index += 1) end.set(changes.at(index).stash, changes.at(index));
      for (const [id, change] of end) expect(last(id)).toEqual(change);
    }
  });

  it('is laid out around the epoch', () => {
    const world = sampleWorld('extended', 7, { epoch: Date.parse('2030-05-05T05:05:05Z') });
    const ember = world.leagues('pc').find((one) => one.league.id === 'Ember')?.league;
    expect(ember?.startAt).toBe('2030-04-15T05:05:05Z');
    expect(world.exchange('pc').firstHour).toBe(Date.parse('2030-05-02T05:00:00Z') / 1000);
  });

  it('names leagues by identifier or by name, as the edition has it', () => {
    const of = (edition: 'base' | 'extended') =>
      sampleWorld(edition)
        .leagues('pc')
        .map((one) => one.league);
    expect(of('extended').find((league) => league.id === 'Ember')?.name).toBe('Ember League');
    expect(of('base').find((league) => league.id === 'Ember League')).not.toHaveProperty('name');
    expect(sampleWorld('base').characters('alice', 'pc')[0]?.league).toBe('Ember League');
  });

  it('lists more main leagues than one page holds, the named ones first', () => {
    const main = sampleWorld()
      .leagues('pc')
      .filter((one) => one.kind === 'main' && one.members === null);
    expect(main.length).toBeGreaterThan(50);
    expect(main.slice(0, 5).map((one) => one.league.id)).toEqual([
      'Standard',
      'Hardcore',
      'Solo',
      'Ember',
      'HardcoreEmber',
    ]);
  });

  it('keeps its listed events current for two hundred days', () => {
    const world = sampleWorld();
    const known = world.known['event_leagues'] as string[];
    expect(known.length).toBeGreaterThan(4);
    for (const { league } of world.leagues('pc').filter((one) => known.includes(one.league.id))) {
      expect(Date.parse(league.endAt ?? '')).toBeGreaterThan(world.epoch + 200 * 86_400_000);
    }
  });

  it('shows guild tabs to those who may see them', () => {
    const world = sampleWorld();
    const { alice, bob } = world.known['guild_tabs'] as Record<string, string[]>;
    expect(alice?.length).toBeGreaterThan(bob?.length ?? 0);
    for (const id of bob ?? []) expect(alice).toContain(id);
    expect(world.guildStashes('carol', 'pc', 'Ember')).toEqual([]);
  });

  it('knows every fact of the target file', () => {
    const facts = Object.keys(sampleWorld().known).sort();
    expect(facts).toEqual(
      [
        'owner',
        'livestream',
        'game2_account',
        'main_leagues',
        'event_leagues',
        'season',
        'private_league',
        'private_league_of_bob',
        'ladder_league',
        'time_league',
        'score_league',
        'event_ladder_league',
        'pvp_season',
        'pvp_league',
        'stash_league',
        'guild_league',
        'atlas_league',
        'odd_names',
        'folder_tab',
        'parent_tab',
        'sub_tab',
        'empty_tab',
        'guild_tabs',
        'good_filter',
        'bad_filter',
        'slow_filter',
        'first_hour',
        'quiet_hour',
      ].sort(),
    );
  });
});
