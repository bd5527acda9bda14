import { asDescribed, objects } from './rule.js';
import type { Listener, MonitorRow } from './rule.js';
import { elements, own } from './values.js';

/** Rows of items and their properties (interface 2, Item and ItemProperty). */
export const items: readonly MonitorRow[] = [
  {
    id: 'XF-004',
    level: 'INFER',
    sentence: "The `socket` of a socketed item, when present, is an index into the host's sockets.",
    source: '2',
    plausible: 'what the number of a socket counts is not stated',
    rule: objects('Item', ({ sockets, socketedItems, gemSockets }, at, findings) => {
      // Gems of the second game have sockets of another kind.
      if (!Array.isArray(sockets) || Array.isArray(gemSockets)) return;
      for (const [index, item] of elements(socketedItems).entries()) {
        const socket = own(item, 'socket');
        if (typeof socket !== 'number') continue;
        findings.look();
        if (socket >= sockets.length) {
          const got = at.got(socket, 'socketedItems', index, 'socket');
          findings.fail(`an index of the host's ${sockets.length} sockets`, got, at);
        }
      }
    }),
  },
  {
    id: 'XF-005',
    level: 'INFER',
    sentence: 'The progress of incubatedItem and scourged is not above their total, when both are there.',
    source: '2',
    plausible: 'that progress ends at the total is not stated',
    rule: (): Listener => {
      const judge: NonNullable<Listener['objects']>[string] = ({ progress, total }, at, findings) => {
        if (typeof progress !== 'number' || typeof total !== 'number') return;
        findings.look();
        if (progress > total)
          findings.warn(
            `${at.got(progress, 'progress')}, more than the total of ${total} (answer ${at.reply.answer.number}).`,
          );
      };
      return { objects: { IncubatedItem: judge, Scourged: judge } };
    },
  },
  {
    id: 'XF-006',
    level: 'MUST',
    sentence: 'The entries of ItemProperty.values are exactly two long: a string and an unsigned integer.',
    source: '2',
    rule: asDescribed(['ItemProperty.values']),
  },
  {
    id: 'XF-007',
    level: 'MUST',
    sentence: 'ItemProperty.progress has at most two decimals.',
    source: '2',
    gap: 'K-097',
    rule: objects('ItemProperty', ({ progress }, at, findings) => {
      if (typeof progress !== 'number') return;
      findings.look();
      if (Math.round(progress * 100) / 100 !== progress) {
        findings.fail('at most two decimals', at.got(progress, 'progress'), at);
      }
    }),
  },
  {
    id: 'XF-009',
    level: 'MUST',
    sentence: 'scourged.tier is 1 to 3 for items and 1 to 10 for maps.',
    source: '2',
    gap: 'K-109',
    rule: asDescribed(['Item.scourged.tier']),
  },
  {
    id: 'XF-010',
    level: 'UNSPEC',
    sentence: 'How stackSize relates to maxStackSize, identified to name, and rarity to frameType is not stated.',
    source: '2',
    rule: objects('Item', ({ stackSize, maxStackSize, identified, name }, _at, findings, { observe }) => {
      if (typeof stackSize === 'number' && typeof maxStackSize === 'number') {
        findings.look();
        if (stackSize > maxStackSize) observe('Some items have a stackSize above their maxStackSize.');
      }
      if (identified === false && name !== '') observe('Some items that are not identified have a name.');
    }),
  },
];
