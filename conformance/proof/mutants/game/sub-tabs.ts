import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, listAt } from '../../interceptor/json.js';
import type { Json } from '../../interceptor/interceptor.js';
import { accountOf, realmOf } from '../../interceptor/who.js';
import { elsewhere, leaguesOf, found } from '../../interceptor/tabs.js';

const flat = (tabs: readonly Json[]): Json[] => tabs.flatMap((tab) => [tab, ...flat(listAt(tab, 'children'))]);

export const subTabs: readonly Mutant[] = [
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
