import { describe, expect, it } from 'vitest';

import { createWorld } from '../world/index.js';
import { alice, bob, carol, createGame, epoch, hex, ok, type TestGame } from './game.fixture.js';
import type { Tab } from './tabs.js';
import { loadFixtures } from '../world/fixtures/folder.js';

const idOf = (name: string): string => hex(`tab/${name}`, 10);
const walk = (tabs: readonly Tab[]): Tab[] => tabs.flatMap((tab) => [tab, ...walk(tab.children ?? [])]);

const list = (game: TestGame, account = alice, league = 'Ember'): Tab[] =>
  ok(game, 'listStashes', { league }, { account }).stashes;
const get = (game: TestGame, name: string, sub?: string, account = alice): Tab | null =>
  ok(
    game,
    'getStash',
    { league: 'Ember', stash_id: idOf(name), ...(sub ? { substash_id: idOf(sub) } : {}) },
    { account },
  ).stash;

describe('the list of stash tabs', () => {
  const names = ['Dump', 'Folder', 'Box', 'Maps', 'Tier 1', 'Tier 2', 'Uniques', 'Rings', 'Belts', 'Empty'];

  it('nests sub-tabs and tabs in folders, and holds no items', () => {
    const tabs = list(createGame());
    expect(tabs.map(({ name }) => name)).toEqual(['Dump', 'Folder', 'Uniques', 'Empty']);
    expect(walk(tabs).map(({ name }) => name)).toEqual(names);
    expect(walk(tabs).filter((tab) => 'items' in tab)).toEqual([]);
  });

  it('or has them side by side, each once', () => {
    const tabs = list(createGame({ 'stash.listForm': 'flat' }));
    expect(tabs.map(({ name }) => name)).toEqual(names);
    expect(tabs.filter((tab) => 'items' in tab || 'children' in tab)).toEqual([]);
    expect(tabs.find(({ name }) => name === 'Rings')?.parent).toBe(idOf('Uniques'));
  });

  it('is empty for leagues and accounts without tabs', () => {
    const game = createGame();
    expect(list(game, alice, 'Standard')).toEqual([]);
    expect(list(game, alice, 'Nowhere')).toEqual([]);
    expect(list(game, carol)).toEqual([]);
    expect(list(game, alice, 'Ember League')).toEqual(list(game));
  });
});

describe('a stash tab', () => {
  it('comes with its items, an empty one with none', () => {
    const game = createGame();
    expect(get(game, 'Dump')?.items?.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(get(game, 'Empty')?.items).toEqual([]);
  });

  it('that holds tabs has their outline and no items', () => {
    const folder = get(createGame(), 'Folder');
    expect(folder).not.toHaveProperty('items');
    expect(walk(folder?.children ?? []).map(({ name }) => name)).toEqual(['Box', 'Maps', 'Tier 1', 'Tier 2']);
    expect(walk(folder?.children ?? []).filter((tab) => 'items' in tab)).toEqual([]);
  });

  it('can be asked for directly wherever it lies', () => {
    for (const name of ['Box', 'Tier 2', 'Rings'])
      expect(get(createGame(), name)).toMatchObject({ name, items: [{ name }] });
  });

  it('is wrapped by its parent when it is asked for as a sub-tab', () => {
    const game = createGame();
    const wrapper = get(game, 'Uniques', 'Rings');
    expect(wrapper).toMatchObject({
      id: idOf('Uniques'),
      children: [{ id: idOf('Rings'), parent: idOf('Uniques'), items: [{ name: 'Rings' }] }],
    });
    expect(wrapper?.children).toHaveLength(1);
    expect(wrapper).not.toHaveProperty('items');
    expect(get(game, 'Maps', 'Tier 1')?.children).toMatchObject([{ name: 'Tier 1', items: [{ name: 'Tier 1' }] }]);
    const all = get(createGame({ 'stash.wrapperChildren': 'all' }), 'Uniques', 'Rings');
    expect(all?.children?.map((tab) => [tab.name, 'items' in tab])).toEqual([
      ['Rings', true],
      ['Belts', false],
    ]);
  });

  it('is null under any parent but its own', () => {
    const game = createGame();
    const tabs = walk(list(game));
    for (const parent of tabs) {
      for (const inner of tabs) {
        const own = parent.children?.some(({ id }) => id === inner.id) ?? false;
        expect(get(game, parent.name, inner.name) !== null).toBe(own);
      }
    }
    expect(get(game, 'Uniques', 'nothing')).toBeNull();
  });

  it('is no sub-tab of the folder that it lies in, where folders are told from parents', () => {
    const volume = { stashChanges: 10, exchangeHours: 2 };
    const world = createWorld({
      seed: 7,
      epoch,
      flags: { 'F-TAB-FOLDER': true },
      fixtures: loadFixtures(null),
      volume,
    });
    const game = createGame({}, world);
    const account = world.accounts.find(({ key }) => key === 'alice')!;
    const { stash_league: league = '', folder_tab: folder } = world.known as Record<string, string>;
    const { stashes } = ok(game, 'listStashes', { league }, { account });
    const inner = walk(stashes).find((tab) => tab.folder === folder);
    expect(inner).toBeDefined();
    const asked = { league, stash_id: folder!, substash_id: inner!.id };
    expect(ok(game, 'getStash', asked, { account })).toEqual({ stash: null });
    expect(ok(game, 'getStash', { league, stash_id: inner!.id }, { account }).stash).toMatchObject({ folder });
  });

  it('of others, of other leagues and realms, and unknown ones are null', () => {
    const game = createGame();
    expect(get(game, "Bob's")).toBeNull();
    expect(get(game, 'Dump', undefined, bob)).toBeNull();
    expect(ok(game, 'getStash', { league: 'Standard', stash_id: idOf('Dump') })).toEqual({ stash: null });
    expect(ok(game, 'getStash', { realm: 'xbox', league: 'Ember', stash_id: idOf('Dump') })).toEqual({ stash: null });
    for (const id of ['', 'x', '__proto__'])
      expect(ok(game, 'getStash', { league: 'Ember', stash_id: id })).toEqual({ stash: null });
    expect(ok(game, 'getStash', { league: 'Ember', stash_id: idOf('Dump').toUpperCase() }).stash?.name).toBe('Dump');
  });

  it('may hold stacks over their maximum', () => {
    const sizes = get(createGame({ 'items.overstack': true }), 'Dump')?.items?.map(({ stackSize }) => stackSize);
    expect(sizes).toEqual([20, 1, 20]);
  });
});

describe('guild tabs', () => {
  const guildList = (account: typeof alice): string[] =>
    walk(ok(createGame(), 'listGuildStashes', { league: 'Ember' }, { account }).stashes).map(({ name }) => name);
  const guildTab = (name: string, account = alice, sub?: string): Tab | null =>
    ok(
      createGame(),
      'getGuildStash',
      { league: 'Ember', stash_id: idOf(name), ...(sub ? { substash_id: idOf(sub) } : {}) },
      { account },
    ).stash;

  it('are those that the account may access', () => {
    expect(guildList(alice)).toEqual(['Shared', 'Vault', 'Officers']);
    expect(guildList(bob)).toEqual(['Shared']);
    expect(guildList(carol)).toEqual([]);
    expect(guildTab('Vault')).toMatchObject({ name: 'Vault' });
    expect(guildTab('Vault', bob)).toBeNull();
    expect(guildTab('Officers', bob)).toBeNull();
    expect(guildTab('Shared', carol)).toBeNull();
  });

  it('wrap as account tabs do, and are a name space of their own', () => {
    expect(guildTab('Vault', alice, 'Officers')).toMatchObject({
      name: 'Vault',
      children: [{ name: 'Officers', items: [{}] }],
    });
    expect(guildTab('Shared', alice, 'Officers')).toBeNull();
    expect(guildTab('Dump')).toBeNull();
    expect(get(createGame(), 'Shared')).toBeNull();
  });
});

describe('with F-OBS-TABLIST on', () => {
  const namesIn = (tabs: readonly Tab[] | null | undefined): string[] => walk(tabs ?? []).map(({ name }) => name);

  it.each(['nested', 'flat'] as const)('a list (%s) has no sub-tabs, and children of folders only', (form) => {
    const tabs = list(createGame({ 'stash.listForm': form }, undefined, ['F-OBS-TABLIST']));
    expect(namesIn(tabs)).toEqual(['Dump', 'Folder', 'Box', 'Maps', 'Uniques', 'Empty']);
    expect(
      walk(tabs)
        .filter(({ children }) => children)
        .map(({ name }) => name),
    ).toEqual(form === 'nested' ? ['Folder'] : []);
  });

  it('the sub-tabs come when their tab is asked for, without items', () => {
    const game = createGame({}, undefined, ['F-OBS-TABLIST']);
    expect(namesIn(get(game, 'Uniques')?.children)).toEqual(['Rings', 'Belts']);
    expect(get(game, 'Uniques')?.children?.filter((tab) => 'items' in tab)).toEqual([]);
  });
});

describe('with F-OBS-SUBTAB on', () => {
  it('a sub-tab is answered as itself, with its items, and null for another tab', () => {
    const game = createGame({}, undefined, ['F-OBS-SUBTAB']);
    const tab = get(game, 'Uniques', 'Rings');
    expect(tab).toMatchObject({ id: idOf('Rings'), name: 'Rings', parent: idOf('Uniques') });
    expect(tab?.items).toEqual(get(createGame(), 'Uniques', 'Rings')?.children?.[0]?.items);
    expect(tab).not.toHaveProperty('children');
    expect(get(game, 'Maps', 'Rings')).toBeNull();
  });
});
