import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, having, listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const itemReplies = ['getCharacter', 'getStash', 'getGuildStash', 'getPublicStashTabs'] as const;

/** Changes every item of the replies that carry items. */
const items = (seam: Interceptor, to: (item: Json) => void): void =>
  seam.data(itemReplies, (body) => {
    for (const item of having(body, 'typeLine', 'frameType')) to(item);
  });

/** Changes the items that sit in sockets of others. */
const socketed = (seam: Interceptor, to: (item: Json, host: Json) => void): void =>
  items(seam, (host) => {
    for (const item of listAt(host, 'socketedItems')) to(item, host);
  });

export const itemBugs: readonly Mutant[] = [
  {
    id: 'N-XF-004',
    bug: 'sockets are counted from 1',
    rows: ['XF-004'],
    beside: ['CHAR-GET-001', 'STASH-GET-001'],
    plant: (seam) => socketed(seam, (item) => change(item, 'socket', (socket: number) => socket + 1)),
  },
  {
    id: 'N-XF-005',
    bug: 'an incubated item has progressed past its total',
    rows: ['XF-005'],
    noticed: 'warn',
    beside: ['CHAR-GET-001', 'STASH-GET-001'],
    plant: (seam) =>
      items(seam, (item) =>
        change(item, 'incubatedItem', (all: Json | null) => all && { ...all, progress: Number(all.total) + 1 }),
      ),
  },
  {
    id: 'N-XF-008',
    bug: 'edges of crucible trees count from 1, nodes from 0',
    rows: ['XF-008'],
    beside: ['CHAR-GET-001', 'STASH-GET-001'],
    plant: (seam) =>
      seam.data(itemReplies, (body) =>
        everywhere(body, 'crucible', (crucible: Json) => {
          for (const node of Object.values(crucible.nodes as Json) as Json[]) {
            change(node, 'out', (out: string[]) => out.map((id) => String(Number(id) + 1000)));
          }
          return crucible;
        }),
      ),
  },
  {
    id: 'N-XF-009',
    bug: 'the tier of a scourged item is counted from 0',
    rows: ['XF-009'],
    beside: ['CHAR-GET-001', 'STASH-GET-001', 'STASH-SUB-001'],
    plant: (seam) => items(seam, (item) => change(item, 'scourged', (all: Json | null) => all && { ...all, tier: 0 })),
  },
  {
    id: 'N-XF-009-high',
    bug: 'the tier of a scourged map goes to 16',
    rows: ['XF-009'],
    beside: ['CHAR-GET-001', 'STASH-GET-001', 'STASH-SUB-001'],
    plant: (seam) => items(seam, (item) => change(item, 'scourged', (all: Json | null) => all && { ...all, tier: 16 })),
  },
  {
    id: 'N-CHAR-EXT-001-inner',
    bug: 'extended is shown for items in sockets',
    rows: ['CHAR-EXT-001'],
    beside: ['CHAR-GET-001'],
    plant: (seam) => socketed(seam, (item) => void (item.extended = { prefixes: 1 })),
  },
  {
    id: 'N-GEN-014-inner',
    bug: 'items in sockets have the sockets of a second-game gem',
    rows: ['GEN-014'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) =>
      socketed(seam, (item, host) => {
        if (host.realm === undefined) item.gemSockets = ['W'];
      }),
  },
  {
    id: 'N-GEN-006-inner',
    bug: 'items in sockets have no baseType',
    rows: ['GEN-006'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) => socketed(seam, (item) => void delete item.baseType),
  },
  {
    id: 'N-GEN-007-one',
    bug: 'corrupted is 1',
    rows: ['GEN-007'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) => items(seam, (item) => change(item, 'corrupted', () => 1)),
  },
  {
    id: 'N-GEN-012-short',
    bug: 'ids of items in sockets have 63 digits',
    rows: ['GEN-012'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) =>
      socketed(seam, (item) =>
        change(item, 'id', (id: unknown) => (typeof id === 'string' ? id.replace(/^0+/, '').slice(0, 63) : id)),
      ),
  },
  {
    id: 'N-GEN-013-inner',
    bug: 'items in the sockets of one host share their id',
    rows: ['GEN-013'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) =>
      items(seam, (host) => {
        const inside = listAt(host, 'socketedItems');
        for (const item of inside) item.id = inside[0]?.id;
      }),
  },
  {
    id: 'N-GEN-022',
    bug: 'the nodes of crucible trees have keys with a zero before',
    rows: ['GEN-022'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) =>
      seam.data(itemReplies, (body) =>
        everywhere(body, 'crucible', (crucible: Json) => ({
          ...crucible,
          nodes: Object.fromEntries(Object.entries(crucible.nodes as Json).map(([key, node]) => [`0${key}`, node])),
        })),
      ),
  },
  {
    id: 'N-REALM-ITEM-001-pc',
    bug: 'items of the first game have the realm of the second',
    rows: ['REALM-ITEM-001'],
    beside: ['STASH-GET-001', 'CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getStash', (body) => {
        for (const item of having(body, 'typeLine', 'frameType')) item.realm = 'game2';
      }),
  },
];
