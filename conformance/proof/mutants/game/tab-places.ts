import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, having, listAt } from '../../interceptor/json.js';
import type { Json } from '../../interceptor/interceptor.js';
import { accountOf, realmOf } from '../../interceptor/who.js';
import { elsewhere, leaguesOf, found } from '../../interceptor/tabs.js';

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
];
