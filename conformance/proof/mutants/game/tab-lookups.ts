import type { Json } from '../../interceptor/interceptor.js';
import { listAt } from '../../interceptor/json.js';
import { mutants, operator } from '../../mutant.js';
import { list, put } from '../../operators/replies.js';
import { given, request } from '../../operators/requests.js';
import { flat, foundInstead, foundTab, inEveryLeague, leaguesOf, lookup, seenTabs } from '../../operators/tabs.js';

const tabOnly = { substash_id: null };
const subTab = { substash_id: given };

/** Eight digits of an id are enough. */
const begins = (id: unknown, asked: string): boolean => asked.length === 10 && String(id).startsWith(asked.slice(0, 8));

/** The league in a path is decoded twice. */
const decodedTwice = (operations: Parameters<typeof request>[0]) =>
  request(operations, (one) => void (one.path = one.path.replaceAll('%25', '%')));

/** Every ladder is a snapshot of its own. */
const asOfNow = operator('asOfNow', () => {
  let count = 0;
  return put('getLeagueLadder', 'league.cached_since', () => new Date((count += 1000)).toISOString());
});

const firstWithoutItems = operator('firstWithoutItems', () => {
  let first: string | undefined;
  return foundTab('getGuildStash', subTab, (tab, { args }) => {
    first ??= args.substash_id;
    if (first === args.substash_id) delete tab.items;
  });
});

export const tabLookups = mutants({
  'GEN-017 stash-twice: the league in a path of stashes is decoded twice': () =>
    decodedTwice(['listStashes', 'getStash']),
  'GEN-017 accounts: the league in a path of league accounts is decoded twice': () => decodedTwice('getLeagueAccount'),
  'GEN-017 ladders: the league in a path of ladders is decoded twice': () =>
    decodedTwice(['getLeagueLadder', 'getLeagueEventLadder', 'getPvpMatchLadder']),
  'GEN-017 ladder-now: the league in the path of a ladder, which is as of now, is decoded twice': () =>
    decodedTwice('getLeagueLadder').on({ precondition: asOfNow() }),
  'GUILD-GET-002 prefix: eight digits of the id of a guild tab are enough': () =>
    foundInstead('getGuildStash', tabOnly, (asked) => asked.among(asked.tabs(), begins)),
  'GUILD-GET-003 outsider: guild tabs can be read by whoever is in no guild': () =>
    foundInstead('getGuildStash', {}, (asked) =>
      asked.tabs().length === 0 ? asked.among(asked.tabs({ account: 'alice' })) : undefined,
    ).inCase('a tab that the list leaves out'),
  'GUILD-SUB-001 absent: some sub-tabs of guild tabs have no items, not even an empty list': () =>
    firstWithoutItems().warns(),
  'GUILD-SUB-001 items: a wrapped sub-tab of a guild tab has no items': () =>
    foundTab('getGuildStash', subTab, (tab) => void delete tab.items),
  'GUILD-SUB-002: an unknown sub-tab of a guild tab gives its parent': () =>
    foundInstead('getGuildStash', subTab, (asked) => asked.tabs().find(({ id }) => id === asked.id)),
  "STASH-GET-003 bob: bob finds alice's tabs by their ids": () =>
    foundInstead('getStash', tabOnly, (asked) =>
      asked.account === 'bob' ? asked.among(asked.tabs({ account: 'alice' })) : undefined,
    ),
  "STASH-GET-003 sony: in realm sony everybody finds alice's tabs by their ids": () =>
    foundInstead('getStash', { realm: 'sony' }, (asked) =>
      asked.account === 'alice' ? undefined : asked.among(asked.tabs({ account: 'alice' })),
    ),
  'STASH-GET-003 prefix: eight digits of the id of a tab are enough': () =>
    foundInstead('getStash', tabOnly, (asked) => asked.among(asked.tabs(), begins)),
  'STASH-GET-003 part: a tab is found without the last digit of its id': () =>
    foundInstead('getStash', tabOnly, (asked) =>
      asked.tabs().find(({ id }) => asked.id?.length === 9 && String(id).startsWith(asked.id)),
    ),
  'STASH-GET-004 wrapper: the wrapper of a sub-tab has the name of the sub-tab': () =>
    foundTab('getStash', subTab, (tab, _, wrapper) => void (wrapper.name = tab.name)),
  'STASH-GET-004 inner: a wrapped sub-tab has the type of a tab without sub-tabs': () =>
    foundTab('getStash', subTab, (tab) => void (tab.type = 'NormalStash')),
  'STASH-GET-005 sub: a sub-tab is found under every league of the realm': () =>
    seenTabs('stashes', 'getStash', subTab, inEveryLeague('stashes')),
  'STASH-GET-005 unknown: tabs are found under a league that does not exist': () =>
    foundInstead('getStash', {}, (asked) =>
      leaguesOf(asked.at, 'pc').includes(asked.league) ? undefined : asked.among(asked.inPc()),
    ),
  'STASH-GET-005 bare: tabs are found under leagues in which the account has none': () =>
    foundInstead('getStash', {}, (asked) => (asked.tabs().length > 0 ? undefined : asked.among(asked.inPc()))),
  'STASH-SUB-001 N-STASH-LIST-002-swap: the sub-tabs of two tabs are exchanged in the list': () =>
    list('listStashes', 'stashes', (tabs) => {
      const hasSubTabs = (tab: Json) => listAt(tab, 'children').length > 0 && !(tab.metadata as Json).folder;
      const [one, other] = flat(tabs).filter(hasSubTabs);
      if (!one || !other) return tabs;
      [one.children, other.children] = [other.children, one.children];
      for (const parent of [one, other])
        for (const child of listAt(parent, 'children')) if ('parent' in child) child.parent = parent.id;
      return tabs;
    }),
  'STASH-SUB-002 same: every sub-tab has the items of the first': (items = new Map<unknown, unknown>()) =>
    foundTab('getStash', subTab, (tab, { args }) => {
      if (!items.has(args.stash_id)) items.set(args.stash_id, tab.items);
      tab.items = items.get(args.stash_id);
    }).exercise('STASH-SUB-001', 'STASH-SUB-002'),
  'STASH-SUB-003 N-STASH-SUB-001-parent: a wrapped sub-tab names itself as parent': () =>
    foundTab('getStash', subTab, (tab) => void (tab.parent = tab.id)).exercise('STASH-SUB-001'),
  "STASH-SUB-004 bob: bob finds alice's sub-tabs by both ids": () =>
    foundInstead('getStash', subTab, (asked) =>
      asked.account === 'bob' ? asked.among(asked.tabs({ account: 'alice' })) : undefined,
    ),
  'STASH-SUB-004 prefix: eight digits of the ids of a sub-tab and its parent are enough': () =>
    foundInstead('getStash', subTab, (asked) => asked.among(asked.tabs(), begins)),
  'STASH-SUB-004 empty: an unknown sub-tab gives its parent with nothing in it': () =>
    foundInstead('getStash', subTab, (asked) => {
      const parent = asked.tabs().find(({ id }) => id === asked.id);
      return parent && { ...parent, children: [], items: [] };
    }),
  'STASH-SUB-004 orphan: a sub-tab is found under a parent that nobody has': () =>
    foundInstead('getStash', subTab, (asked) => {
      const tabs = asked.tabs();
      const parent = tabs.find((tab) => listAt(tab, 'children').some(({ id }) => id === asked.sub));
      if (!parent || tabs.some(({ id }) => id === asked.id)) return undefined;
      return { ...parent, children: listAt(parent, 'children').filter(({ id }) => id === asked.sub) };
    }),
  'STASH-SUB-006: the wrapper has all its sub-tabs': () =>
    lookup('getStash', subTab, (asked, found) => {
      const parent = asked.tabs().find(({ id }) => id === asked.id);
      const others = listAt(parent, 'children').filter(({ id }) => id !== asked.sub);
      return found && { ...found, children: [...listAt(found, 'children'), ...others] };
    }).exercise('STASH-SUB-001'),
});
