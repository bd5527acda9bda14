import type { Realm } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import { change, everywhere, having, listAt } from '../../seam/json.js';
import type { DataReply, Json, Seam } from '../../seam/seam.js';
import { accountOf, realmOf } from '../../seam/who.js';

type Owner = 'stashes' | 'guildStashes';

/** The tabs of the account in another place than the one that was asked for. */
const elsewhere = (
  seam: Seam,
  of: Owner,
  when: (args: Readonly<Record<string, string>>, operation: string) => boolean,
  place: (realm: Realm, league: string) => readonly [Realm, string][],
): void =>
  seam.world((world, acted) => ({
    [of](account: string, realm: Realm, league: string) {
      const { current } = seam;
      if (!current?.route || !when(current.route.args, current.route.operation))
        return world[of](account, realm, league);
      acted();
      return place(realm, league).flatMap(([r, l]) => world[of](account, r, l));
    },
  }));

const leaguesOf = (seam: Seam, realm: Realm): readonly string[] =>
  seam.service.world.leagues(realm).map(({ league }) => league.id);

/** Changes the tab at the end of a lookup: the sub-tab, where one is asked for. */
const found = (
  seam: Seam,
  operation: 'getStash' | 'getGuildStash',
  to: (tab: Json, context: DataReply) => void,
): void =>
  seam.data(operation, (body, context) => {
    const { substash_id } = context.args;
    const tab =
      substash_id === undefined
        ? (body.stash as Json | null)
        : listAt(body, 'stash', 'children').find(({ id }) => id === substash_id);
    if (tab) to(tab, context);
  });

const flat = (tabs: readonly Json[]): Json[] => tabs.flatMap((tab) => [tab, ...flat(listAt(tab, 'children'))]);

export const tabPlaces: readonly Mutant[] = [
  {
    id: 'N-STASH-LIST-007',
    bug: 'the list of tabs has those of every league of the realm',
    rows: ['STASH-LIST-007'],
    plant: (seam) =>
      elsewhere(
        seam,
        'stashes',
        (_, operation) => operation === 'listStashes',
        (realm) => leaguesOf(seam, realm).map((league) => [realm, league] as [Realm, string]),
      ),
  },
  {
    id: 'N-STASH-LIST-003',
    bug: 'the tabs of sony are those of xbox',
    rows: ['REALM-ISO-001', 'STASH-LIST-003'],
    plant: (seam) =>
      elsewhere(
        seam,
        'stashes',
        () => true,
        (realm, league) => [[realm === 'sony' ? 'xbox' : realm, league]],
      ),
  },
  {
    id: 'N-STASH-GET-005',
    bug: 'a tab is found under every league of the realm',
    rows: ['STASH-GET-005'],
    plant: (seam) =>
      elsewhere(
        seam,
        'stashes',
        ({ substash_id }, operation) => operation === 'getStash' && substash_id === undefined,
        (realm) => leaguesOf(seam, realm).map((league) => [realm, league] as [Realm, string]),
      ),
  },
  {
    id: 'N-STASH-GET-005-realm',
    bug: 'a tab of pc is found in xbox',
    rows: ['STASH-GET-005'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        if (body.stash !== null || realmOf(context) === 'pc') return;
        const account = accountOf(seam, context);
        const all = leaguesOf(seam, 'pc').flatMap((league) => seam.service.world.stashes(account, 'pc', league));
        body.stash = all.find(({ id }) => id === context.args.stash_id) ?? null;
      }),
  },
  {
    id: 'N-STASH-GET-005-sub',
    bug: 'a sub-tab is found under every league of the realm',
    rows: ['STASH-GET-005'],
    plant: (seam) =>
      elsewhere(
        seam,
        'stashes',
        ({ substash_id }, operation) => operation === 'getStash' && substash_id !== undefined,
        (realm) => leaguesOf(seam, realm).map((league) => [realm, league] as [Realm, string]),
      ),
  },
  {
    id: 'N-STASH-SUB-004-empty',
    bug: 'an unknown sub-tab gives its parent with nothing in it',
    rows: ['STASH-SUB-004'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        const { stash_id, substash_id, league = '' } = context.args;
        if (body.stash !== null || substash_id === undefined) return;
        const all = seam.service.world.stashes(accountOf(seam, context), realmOf(context), league);
        const parent = flat(all as unknown as Json[]).find(({ id }) => id === stash_id);
        if (parent) body.stash = { ...parent, children: [], items: [] };
      }),
  },
  {
    id: 'N-STASH-SUB-004-orphan',
    bug: 'a sub-tab is found under a parent that nobody has',
    rows: ['STASH-SUB-004'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        const { stash_id, substash_id, league = '' } = context.args;
        if (body.stash !== null || substash_id === undefined) return;
        const all = flat(
          seam.service.world.stashes(accountOf(seam, context), realmOf(context), league) as unknown as Json[],
        );
        if (all.some(({ id }) => id === stash_id)) return;
        const parent = all.find((tab) => listAt(tab, 'children').some(({ id }) => id === substash_id));
        if (parent)
          body.stash = { ...parent, children: listAt(parent, 'children').filter(({ id }) => id === substash_id) };
      }),
  },
  {
    id: 'N-STASH-SUB-001-parent',
    bug: 'a wrapped sub-tab names itself as parent',
    rows: ['STASH-SUB-003'],
    beside: ['STASH-SUB-001'],
    plant: (seam) =>
      found(seam, 'getStash', (tab, { args }) => {
        if (args.substash_id !== undefined) tab.parent = tab.id;
      }),
  },
  {
    id: 'N-STASH-SUB-006',
    bug: 'the wrapper has all its sub-tabs',
    rows: ['STASH-SUB-006'],
    beside: ['STASH-SUB-001'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        const { stash_id, substash_id, league = '' } = context.args;
        if (!body.stash || substash_id === undefined) return;
        const all = flat(
          seam.service.world.stashes(accountOf(seam, context), realmOf(context), league) as unknown as Json[],
        );
        const parent = all.find(({ id }) => id === stash_id);
        const children = listAt(body, 'stash', 'children');
        children.push(...listAt(parent, 'children').filter(({ id }) => id !== substash_id));
      }),
  },
  {
    id: 'N-STASH-SUB-002-same',
    bug: 'every sub-tab has the items of the first',
    rows: ['STASH-SUB-002'],
    beside: ['STASH-SUB-001', 'STASH-SUB-002'],
    plant(seam) {
      const items = new Map<unknown, unknown>();
      found(seam, 'getStash', (tab, { args }) => {
        if (args.substash_id === undefined) return;
        if (!items.has(args.stash_id)) items.set(args.stash_id, tab.items);
        tab.items = items.get(args.stash_id);
      });
    },
  },
  {
    id: 'N-STASH-GET-002-twice',
    bug: 'a tab has the items of the tab that was asked for before, too',
    rows: ['STASH-GET-002'],
    beside: ['STASH-GET-001', 'STASH-GET-002'],
    plant(seam) {
      const before = new Map<string, readonly Json[]>();
      found(seam, 'getStash', (tab, context) => {
        const account = accountOf(seam, context);
        const items = listAt(tab, 'items');
        const more = before.get(account) ?? [];
        if (items.length === 0) return;
        before.set(account, [...items]);
        const known = new Set(items.map(({ id }) => id));
        items.push(...more.filter(({ id }) => !known.has(id)));
      });
    },
  },
  {
    id: 'N-STASH-GET-004',
    bug: 'a lookup tells the name of a tab in capital letters',
    rows: ['STASH-GET-004'],
    plant: (seam) =>
      seam.data('getStash', (body) => {
        if (body.stash) change(body.stash as Json, 'name', (name: string) => name.toUpperCase());
      }),
  },
  {
    id: 'N-STASH-GET-004-colour',
    bug: 'a lookup tells another colour of a tab than the list',
    rows: ['STASH-GET-004'],
    plant: (seam) => seam.data('getStash', (body) => everywhere(body, 'colour', () => '000000')),
  },
  {
    id: 'N-STASH-GET-001-xbox',
    bug: 'no tab is found in realms xbox and sony',
    rows: ['REALM-PATH-002'],
    plant: (seam) => seam.data('getStash', (body, context) => void (realmOf(context) !== 'pc' && (body.stash = null))),
  },
  {
    id: 'N-STASH-GET-001-xbox-null',
    bug: 'a tab in realm sony is the one that is first in the list',
    rows: ['REALM-PATH-002'],
    plant: (seam) =>
      seam.data('getStash', (body, context) => {
        if (realmOf(context) === 'sony' && body.stash) (body.stash as Json).id = '0000000000';
      }),
  },
  {
    id: 'N-STASH-LIST-004',
    bug: 'tabs in folders are listed beside their folder as well',
    rows: ['STASH-LIST-004'],
    beside: ['STASH-LIST-002'],
    plant: (seam) =>
      seam.data('listStashes', (body) => {
        const tabs = listAt(body, 'stashes');
        const inner = tabs.flatMap((tab) => ((tab.metadata as Json).folder ? listAt(tab, 'children') : []));
        tabs.push(...inner);
      }),
  },
  {
    id: 'N-STASH-LIST-004-parent',
    bug: 'a tab at top level names a root as its parent',
    rows: ['STASH-LIST-004'],
    beside: ['STASH-LIST-002'],
    plant: (seam) =>
      seam.data('listStashes', (body) => {
        for (const tab of listAt(body, 'stashes')) tab.parent ??= '0000000000';
      }),
  },
  {
    id: 'N-STASH-LIST-005',
    bug: 'folders do not say that they are',
    rows: ['STASH-LIST-005'],
    beside: ['STASH-LIST-002'],
    plant: (seam) =>
      seam.data('listStashes', (body) => {
        for (const metadata of having(body, 'folder')) if (metadata.folder === true) delete metadata.folder;
      }),
  },
  {
    id: 'N-STASH-LIST-002-swap',
    bug: 'the sub-tabs of two tabs are exchanged in the list',
    rows: ['STASH-SUB-001'],
    plant: (seam) =>
      seam.data('listStashes', (body) => {
        const parents = flat(listAt(body, 'stashes')).filter(
          (tab) => listAt(tab, 'children').length > 0 && !(tab.metadata as Json).folder,
        );
        if (parents.length < 2) return;
        const [one, other] = parents as [Json, Json];
        [one.children, other.children] = [other.children, one.children];
        for (const parent of [one, other])
          for (const child of listAt(parent, 'children')) change(child, 'parent', () => parent.id);
      }),
  },
  {
    id: 'N-GUILD-ISO-001-league',
    bug: 'a guild tab is found under every league',
    rows: ['GUILD-ISO-001'],
    plant: (seam) =>
      elsewhere(
        seam,
        'guildStashes',
        (_, operation) => operation === 'getGuildStash',
        (realm) => leaguesOf(seam, realm).map((league) => [realm, league] as [Realm, string]),
      ),
  },
  {
    id: 'N-GUILD-SUB-002',
    bug: 'an unknown sub-tab of a guild tab gives its parent',
    rows: ['GUILD-SUB-002'],
    plant: (seam) =>
      seam.data('getGuildStash', (body, context) => {
        const { stash_id, substash_id, league = '' } = context.args;
        if (body.stash !== null || substash_id === undefined) return;
        const all = seam.service.world.guildStashes(accountOf(seam, context), realmOf(context), league);
        body.stash = flat(all as unknown as Json[]).find(({ id }) => id === stash_id) ?? null;
      }),
  },
  {
    id: 'N-GUILD-SUB-001-items',
    bug: 'a wrapped sub-tab of a guild tab has no items',
    rows: ['GUILD-SUB-001'],
    plant: (seam) =>
      found(seam, 'getGuildStash', (tab, { args }) => {
        if (args.substash_id !== undefined) delete tab.items;
      }),
  },
  {
    id: 'N-GUILD-GET-001-items',
    bug: 'guild tabs have no items',
    rows: ['GUILD-GET-001'],
    plant: (seam) => found(seam, 'getGuildStash', (tab) => void (tab.items = [])),
  },
  {
    id: 'N-GUILD-LIST-002-own',
    bug: "the list of the guild's tabs has the account's own tabs too",
    rows: ['GUILD-LIST-002'],
    plant: (seam) =>
      seam.world((world, acted) => ({
        guildStashes(account, realm, league) {
          acted();
          return [...world.guildStashes(account, realm, league), ...world.stashes(account, realm, league)];
        },
      })),
  },
  {
    id: 'N-REALM-PATH-003',
    bug: "the guild's tabs of xbox are those of pc",
    rows: ['REALM-PATH-003'],
    plant: (seam) =>
      elsewhere(
        seam,
        'guildStashes',
        () => true,
        (_, league) => [['pc', league]],
      ),
  },
  {
    id: 'N-LACC-003',
    bug: 'atlas_passives is a list',
    rows: ['LACC-003'],
    beside: ['LACC-001'],
    plant: (seam) =>
      seam.data('getLeagueAccount', (body) => everywhere(body, 'atlas_passives', ({ hashes }: Json) => hashes)),
  },
  {
    id: 'N-LACC-002-name',
    bug: 'the trees of the atlas are keyed by name',
    rows: ['LACC-002'],
    beside: ['LACC-001'],
    plant: (seam) =>
      seam.data('getLeagueAccount', (body) =>
        everywhere(body, 'atlas_passive_trees', (trees: Json[]) =>
          Object.fromEntries(trees.map(({ name, hashes }) => [name, hashes])),
        ),
      ),
  },
  {
    id: 'N-LACC-001-null',
    bug: 'the atlas of a league is null for everybody',
    rows: ['LACC-001', 'LACC-004'],
    plant: (seam) => seam.data('getLeagueAccount', (body) => void (body.league_account = null)),
  },
  {
    id: 'N-STASH-GET-004-wrapper',
    bug: 'the wrapper of a sub-tab has the name of the sub-tab',
    rows: ['STASH-GET-004'],
    plant: (seam) =>
      found(seam, 'getStash', (tab, { args, reply }) => {
        if (args.substash_id !== undefined) ((reply.json as Json).stash as Json).name = tab.name;
      }),
  },
  {
    id: 'N-STASH-GET-004-inner',
    bug: 'a wrapped sub-tab has the type of a tab without sub-tabs',
    rows: ['STASH-GET-004'],
    plant: (seam) =>
      found(seam, 'getStash', (tab, { args }) => {
        if (args.substash_id !== undefined) tab.type = 'NormalStash';
      }),
  },
];
