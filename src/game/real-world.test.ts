import { describe, expect, it } from 'vitest';

import type { Realm } from '../contract/index.js';
import { createWorld } from '../world/index.js';
import { CLASSES as classes } from '../world/ladders.js';
import { call, createGame, epoch, ok, type TestGame } from './game.fixture.js';
import type { Tab } from './tabs.js';
import { loadFixtures } from '../world/fixtures/folder.js';

const world = createWorld({
  seed: 7,
  epoch,
  flags: {},
  fixtures: loadFixtures(null),
  volume: { stashChanges: 400, exchangeHours: 72 },
});
const find = (key: string) => {
  const account = world.accounts.find((one) => one.key === key);
  if (!account) throw new Error(`the world has no account ${key}`);
  return account;
};
const alice = find('alice');
const client = world.clients[0];
const walk = (tabs: readonly Tab[]): Tab[] => tabs.flatMap((tab) => [tab, ...walk(tab.children ?? [])]);
const realms = ['pc', 'xbox', 'sony'] as const satisfies readonly Realm[];

function start(): TestGame {
  const game = createGame({}, world);
  for (const { key } of world.accounts) for (const filter of world.itemFilters(key)) game.store.putFilter(key, filter);
  return game;
}

const entries = (of: TestGame, window: { offset?: number; limit: number }) => {
  const body = ok(of, 'getLeagueLadder', { league: 'Standard', ...window });
  return ('ladder' in body ? body.ladder : body.league)?.entries ?? [];
};

describe('over the world of the mock, every reply keeps the contract', () => {
  const game = start();

  it('for leagues and their ladders', () => {
    for (const realm of realms) {
      const listed = (['main', 'event'] as const).flatMap((type) => ok(game, 'listLeagues', { realm, type }).leagues);
      expect(listed.length).toBeGreaterThan(2);
      for (const { id } of listed) {
        expect(ok(game, 'getLeague', { realm, league: id }).league?.id).toBe(id);
        for (const sort of [undefined, 'xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'] as const) {
          ok(game, 'getLeagueLadder', { realm, league: id, sort, limit: 5 });
        }
        ok(game, 'getLeagueEventLadder', { realm, league: id, limit: 5 });
      }
    }
    expect(ok(game, 'listLeagues', { realm: 'game2' }).leagues.length).toBeGreaterThan(1);
  });

  it('for ladders beyond the depth, whose last entries have rank 15000', () => {
    expect(entries(game, { offset: 14_990, limit: 500 }).map(({ rank }) => rank)).toEqual(
      Array.from({ length: 10 }, (_, index) => 14_991 + index),
    );
  });

  it('for ladders of a class, which show no place beyond the depth', () => {
    const total = classes.flatMap((name) => {
      const body = ok(game, 'getLeagueLadder', { league: 'Standard', sort: 'class', class: name, limit: 1 });
      const page = 'ladder' in body ? body.ladder : body.league;
      const { total: size = 0 } = page ?? {};
      const last = ok(game, 'getLeagueLadder', {
        league: 'Standard',
        sort: 'class',
        class: name,
        offset: size - 1,
        limit: 500,
      });
      const { entries: [entry, ...more] = [] } = ('ladder' in last ? last.ladder : last.league) ?? {};
      expect([more.length, entry!.rank <= 15_000]).toEqual([0, true]);
      return size;
    });
    expect(total.reduce((sum, size) => sum + size)).toBe(15_000);
  });

  it('lists as main leagues those that are permanent or current', () => {
    for (const realm of [...realms, 'game2'] as const)
      for (const offset of [0, 50])
        for (const { category, endAt } of ok(game, 'listLeagues', { realm, offset }).leagues)
          expect(typeof endAt !== 'string' || category?.current === true).toBe(true);
  });

  it('for ladders of base classes', () => {
    const plain = createGame({ 'ladder.classNames': 'base' }, world);
    const classes = (of: TestGame) => new Set(entries(of, { limit: 500 }).map(({ character }) => character.class));
    expect(classes(game).size).toBeGreaterThan(7);
    expect(classes(plain).size).toBe(7);
  });

  it('for PvP matches', () => {
    for (const { match } of world.pvpMatches('pc')) {
      expect(ok(game, 'getPvpMatch', { match: match.id }).match?.id).toBe(match.id);
      ok(game, 'getPvpMatchLadder', { match: match.id });
    }
    expect(ok(game, 'listPvpMatches').matches.length).toBeGreaterThan(0);
  });

  it('for everything of an account, in every realm', () => {
    for (const account of world.accounts) {
      ok(game, 'getProfile', {}, { account });
      for (const { id } of ok(game, 'listItemFilters', {}, { account }).filters)
        ok(game, 'getItemFilter', { id }, { account });
      for (const realm of [...realms, 'game2'] as const) {
        for (const { name } of ok(game, 'listCharacters', { realm }, { account }).characters) {
          expect(ok(game, 'getCharacter', { realm, name }, { account }).character?.name).toBe(name);
        }
      }
      for (const realm of realms) {
        const { leagues } = ok(game, 'listAccountLeagues', { realm }, { account });
        for (const { id: league } of leagues) {
          ok(game, 'getLeagueAccount', { realm, league }, { account });
          checkTabs(realm, league, account, 'listStashes', 'getStash');
          checkTabs(realm, league, account, 'listGuildStashes', 'getGuildStash');
        }
      }
    }
  });

  function checkTabs(
    realm: (typeof realms)[number],
    league: string,
    account: typeof alice,
    list: 'listStashes' | 'listGuildStashes',
    get: 'getStash' | 'getGuildStash',
  ): void {
    for (const tab of walk(ok(game, list, { realm, league }, { account }).stashes)) {
      expect(ok(game, get, { realm, league, stash_id: tab.id }, { account }).stash).toMatchObject({
        id: tab.id,
        name: tab.name,
      });
      for (const inner of tab.children ?? []) {
        const wrapper = ok(game, get, { realm, league, stash_id: tab.id, substash_id: inner.id }, { account }).stash;
        expect(wrapper?.children?.map(({ id }) => id)).toEqual([inner.id]);
      }
    }
  }

  it('for the public stash stream and the exchange, to their ends', () => {
    const own = start();
    for (const realm of realms) {
      let id: string | undefined;
      let seen = 0;
      for (;;) {
        const page = ok(own, 'getPublicStashTabs', { realm, id }, client ? { client } : {});
        if (page.stashes.length === 0) break;
        seen += page.stashes.length;
        id = page.next_change_id;
      }
      expect(seen).toBe(400);
    }
    for (const realm of [...realms, 'game2'] as const) {
      let hours = 0;
      for (let id: string | undefined; ; hours += 1) {
        const page = call(own, 'getCurrencyExchange', { realm, id });
        if (page.status !== 200 || String(page.body.next_change_id) === id) break;
        id = String(page.body.next_change_id);
      }
      expect(hours).toBe(72);
    }
  });
});

describe('the texts of the fixtures', () => {
  it('validate as their names promise, and a slow one makes an update answer 202', () => {
    const game = start();
    const text = (key: string): string => String(world.known[key] ?? '');
    const sent = (filter: string) => ({ filter_name: 'cx', realm: 'pc' as const, public: null, filter });
    const valid = (filter: string) => ok(game, 'createItemFilter', { validate: true }, { body: sent(filter) }).filter;
    expect(valid(text('good_filter')).validation?.valid).toBe(true);
    expect(valid(text('bad_filter')).validation?.valid).toBe(false);
    const { id } = valid('Show\n');
    const update = (filter: string) => call(game, 'updateItemFilter', { id }, { body: { filter } }).status;
    expect([update(text('good_filter')), update(text('slow_filter'))]).toEqual([200, 202]);
  });
});
