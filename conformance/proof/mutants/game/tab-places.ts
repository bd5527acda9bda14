import type { Json } from '../../interceptor/interceptor.js';
import { listAt } from '../../interceptor/json.js';
import { accountOf } from '../../interceptor/who.js';
import { mutants, operator } from '../../mutant.js';
import { list, put, set } from '../../operators/replies.js';
import { given } from '../../operators/requests.js';
import { flat, foundInstead, foundTab, inEveryLeague, isAtTop, seenTabs } from '../../operators/tabs.js';

const withItemsOfLast = operator('withItemsOfLast', (at) => {
  const before = new Map<string, readonly Json[]>();
  return foundTab('getStash', {}, (tab, context) => {
    const account = accountOf(at, context);
    const items = listAt(tab, 'items');
    if (items.length === 0) return;
    const more = before.get(account) ?? [];
    before.set(account, items);
    tab.items = [...items, ...more.filter(({ id }) => items.every((item) => item.id !== id))];
  });
});

/** A list that shows one tab of each folder. */
const firstOfEach = operator('firstOfEach', (_, of: 'listStashes' | 'listGuildStashes') =>
  set(of, '**.children', (children: Json[], { metadata }: Json) =>
    (metadata as Json).folder === true ? children.slice(0, 1) : children,
  ),
);

export const tabPlaces = mutants({
  'GUILD-GET-001 items: guild tabs have no items': () => foundTab('getGuildStash', {}, (tab) => void (tab.items = [])),
  'GUILD-GET-004: a guild tab has another name when it is looked up': () =>
    foundTab('getGuildStash', {}, (tab) => void (tab.name = `${String(tab.name)} `)),
  'GUILD-GET-005: a tab of the guild in pc is found in every realm': () =>
    foundInstead('getGuildStash', { realm: given }, (asked) =>
      asked.inPc().find((tab) => tab.id === asked.id && isAtTop(tab)),
    ),
  'GUILD-ISO-001 league: a guild tab is found under every league': () =>
    seenTabs('guildStashes', 'getGuildStash', {}, inEveryLeague('guildStashes')),
  "GUILD-LIST-002 own: the list of the guild's tabs has the account's own tabs too": () =>
    seenTabs('guildStashes', 'all', {}, (where, world) => [
      ...world.guildStashes(...where),
      ...world.stashes(...where),
    ]),
  'LACC-001 null: the atlas of a league is null for everybody': () =>
    set('getLeagueAccount', 'league_account', null).also('LACC-004'),
  'LACC-002 name: the trees of the atlas are keyed by name': () =>
    set('getLeagueAccount', '**.atlas_passive_trees', (trees: Json[]) =>
      Object.fromEntries(trees.map(({ name, hashes }) => [name, hashes])),
    ).exercise('LACC-001'),
  'LACC-003: atlas_passives is a list': () =>
    set('getLeagueAccount', '**.atlas_passives', ({ hashes }: Json) => hashes).exercise('LACC-001'),
  'REALM-ISO-001 N-STASH-LIST-003: the tabs of sony are those of xbox': () =>
    seenTabs('stashes', 'all', { realm: 'sony' }, ([account, , league], world) =>
      world.stashes(account, 'xbox', league),
    ).also('STASH-LIST-003'),
  'REALM-PATH-002 N-STASH-GET-001-xbox: no tab is found in realms xbox and sony': () =>
    set('getStash', 'stash', null, { realm: ['xbox', 'sony'] }),
  'REALM-PATH-002 N-STASH-GET-001-xbox-null: a tab in realm sony is the one that is first in the list': () =>
    set('getStash', 'stash.id', '0000000000', { realm: 'sony' }),
  "REALM-PATH-003: the guild's tabs of xbox are those of pc": () =>
    seenTabs('guildStashes', 'all', {}, ([account, , league], world) => world.guildStashes(account, 'pc', league)),
  'STASH-GET-002 twice: a tab has the items of the tab that was asked for before, too': () =>
    withItemsOfLast().exercise('STASH-GET-001', 'STASH-GET-002'),
  'STASH-GET-004: a lookup tells the name of a tab in capital letters': () =>
    set('getStash', 'stash.name', (name: string) => name.toUpperCase()),
  'STASH-GET-004 colour: a lookup tells another colour of a tab than the list': () =>
    set('getStash', '**.colour', '000000'),
  'STASH-GET-005: a tab is found under every league of the realm': () =>
    seenTabs('stashes', 'getStash', { substash_id: null }, inEveryLeague('stashes')),
  'STASH-GET-005 realm: a tab of pc is found in xbox': () =>
    foundInstead('getStash', { realm: given }, (asked) =>
      asked.inPc().find((tab) => tab.id === asked.id && isAtTop(tab)),
    ),
  'STASH-LIST-004: tabs in folders are listed beside their folder as well': () =>
    list('listStashes', 'stashes', (tabs) => [
      ...tabs,
      ...tabs.flatMap((tab) => ((tab.metadata as Json).folder ? listAt(tab, 'children') : [])),
    ]).exercise('STASH-LIST-002'),
  'STASH-LIST-004 parent: a tab at top level names a root as its parent': () =>
    put('listStashes', 'stashes[].parent', (parent: string | undefined) => parent ?? '0000000000').exercise(
      'STASH-LIST-002',
    ),
  'STASH-LIST-002 part: the list shows the first tab of each folder alone': () =>
    firstOfEach('listStashes').inCase('what lookups show'),
  "GUILD-LIST-003 part: the list of the guild's tabs shows the first of each folder alone": () =>
    firstOfEach('listGuildStashes').inCase('what lookups show'),
  'STASH-LIST-002 second: of the tabs that have sub-tabs the list shows those of one': () =>
    list('listStashes', 'stashes', (tabs) => {
      const [, ...others] = flat(tabs).filter(
        (tab) => listAt(tab, 'children').length > 0 && !(tab.metadata as Json).folder,
      );
      for (const tab of others) delete tab.children;
      return tabs;
    }).inCase('what lookups show'),
  'STASH-LIST-005: folders do not say that they are': () =>
    set('listStashes', '**.folder', (folder: unknown) => (folder === true ? undefined : folder))
      .exercise('STASH-LIST-002')
      .warns(),
  'STASH-LIST-007: the list of tabs has those of every league of the realm': () =>
    seenTabs('stashes', 'listStashes', {}, inEveryLeague('stashes')),
});
