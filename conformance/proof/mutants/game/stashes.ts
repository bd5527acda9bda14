import type { DataReply, Json } from '../../interceptor/interceptor.js';
import { listAt } from '../../interceptor/json.js';
import { mutants } from '../../mutant.js';
import { foundToken } from '../../operators/tokens.js';
import { drop, refuseUnknown, rename, set, unwrap } from '../../operators/replies.js';
import { given } from '../../operators/requests.js';
import { foundInstead, lookup, seenTabs } from '../../operators/tabs.js';

const withTabs = ['listStashes', 'listGuildStashes', 'getStash', 'getGuildStash'] as const;

/** The wrapped tab in place of its wrapper. */
const inner = (operation: 'getStash' | 'getGuildStash') =>
  set(operation, 'stash', (tab: Json | null) => listAt(tab, 'children')[0] ?? tab, { substash_id: given });

/** Metadata that say nothing, written otherwise. */
const bareMetadata = (to: unknown) =>
  set(withTabs, '**.metadata', (all: Json) => (all.public === undefined && all.folder === undefined ? to : all));

export const stashes = mutants({
  'TAB-FIELD-metadata M-ST-13: metadata is left out when there is nothing in it': () => bareMetadata(undefined),
  'TAB-FIELD-metadata M-ST-13-list: metadata is an empty list when there is nothing in it': () => bareMetadata([]),
  'GUILD-GET-001 M-AD-76: a guild tab has no wrapper': () => unwrap('getGuildStash', 'stash'),
  'GUILD-GET-002 M-AD-76-404: an unknown guild tab is answered with 404 and no wrapper': () =>
    refuseUnknown('getGuildStash', 'stash'),
  "GUILD-ISO-001 M-ST-18: the guild's endpoints serve personal tabs": () =>
    seenTabs('guildStashes', 'all', {}, (where, world) => world.stashes(...where)),
  'GUILD-LIST-001 unknown: a list for an unknown league has a name where tabs should be': () =>
    set('listGuildStashes', 'stashes', (tabs: readonly Json[]) => (tabs.length > 0 ? tabs : ['none'])),
  "GUILD-LIST-001 M-AD-75-wrapper: the list of the guild's tabs is wrapped in guild_stashes": () =>
    rename('listGuildStashes', 'stashes', 'guild_stashes'),
  "GUILD-LIST-002: the list of the guild's tabs has those of every rank": () =>
    seenTabs('guildStashes', 'all', {}, ([, ...place], world) => world.guildStashes('alice', ...place)),
  "GUILD-LIST-003 M-AD-75: the list of the guild's tabs has no sub-tabs": () => drop('listGuildStashes', '**.children'),
  'GUILD-SCOPE-001 M-ST-17: account:stashes opens guild stashes': () =>
    foundToken(({ scopes }, { current }) =>
      /Guild/.test(current?.operation ?? '') &&
      scopes.includes('account:stashes') &&
      !scopes.includes('account:guild:stashes')
        ? { scopes: [...scopes, 'account:guild:stashes'] }
        : null,
    ),
  "GUILD-SUB-001 M-AD-76-sub: a guild's sub-tab comes without its parent": () => inner('getGuildStash'),
  'LACC-001 M-ST-19: a league account has no wrapper': () => unwrap('getLeagueAccount', 'league_account'),
  'LACC-002 M-ST-19-null: atlas_passive_trees is null': () => set('getLeagueAccount', '**.atlas_passive_trees', null),
  'STASH-GET-001 M-AD-72: a tab is looked up by its name in place of its id': () =>
    lookup('getStash', {}, (asked) => asked.tabs().find(({ name }) => name === asked.id)),
  'STASH-GET-002 M-ST-10: a single tab has no items': () => set('getStash', 'stash.items', []),
  'STASH-GET-003 M-ST-08: an unknown tab is answered with 404 and no wrapper': () =>
    refuseUnknown('getStash', 'stash').also('ERR-002'),
  'STASH-LIST-001 unknown: a list for an unknown league has a name where tabs should be': () =>
    set('listStashes', 'stashes', (tabs: readonly Json[]) => (tabs.length > 0 ? tabs : ['none'])),
  'STASH-LIST-001 M-AD-71: the list of tabs is a dictionary by id': () =>
    set('listStashes', 'stashes', (tabs: Json[]) => Object.fromEntries(tabs.map((tab) => [tab.id, tab]))),
  'STASH-LIST-002 M-ST-06: the list of tabs leaves out those in folders': () =>
    set('listStashes', 'stashes[].children', (children: Json[], { metadata }: Json) =>
      (metadata as Json).folder === true ? undefined : children,
    ),
  'STASH-LIST-002 none: the list of tabs is empty, whatever there is': () => set('listStashes', 'stashes', []),
  'STASH-SUB-001 M-ST-01: a sub-tab comes without its parent': () => inner('getStash'),
  'STASH-SUB-001 M-ST-02: the wrapper of a sub-tab is empty': () =>
    drop('getStash', 'stash.children', { substash_id: given }),
  "STASH-SUB-001 M-ST-04: the wrapper has the sub-tab's id": () =>
    set('getStash', 'stash.id', (_: string, __: Json, { args }: DataReply) => args.substash_id, { substash_id: given }),
  'STASH-SUB-002: a wrapped sub-tab has no items': () => drop('getStash', '**.items', { substash_id: given }),
  'STASH-SUB-004 M-ST-05: a sub-tab is found under any parent': () =>
    foundInstead('getStash', { substash_id: given }, (asked) => {
      const parent = asked.tabs().find(({ id }) => id === asked.id);
      const child = asked.tabs().find(({ id, parent: held }) => id === asked.sub && held !== undefined);
      return parent && child && { ...parent, items: undefined, children: [child] };
    }),
  'STASH-SUB-004 league: a sub-tab of another league is found under any tab': () =>
    foundInstead('getStash', { substash_id: given }, (asked) => {
      const parent = asked.tabs().find(({ id }) => id === asked.id);
      const child = asked.inPc().find(({ id, parent: held }) => id === asked.sub && held !== undefined);
      const isHere = asked.tabs().some(({ id }) => id === asked.sub);
      return parent && child && !isHere ? { ...parent, items: undefined, children: [child] } : undefined;
    }).inCase('in another league'),
});
