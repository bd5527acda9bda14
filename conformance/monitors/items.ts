import { asDescribed, objects } from './rule.js';
import type { Listener, Rules } from './rule.js';
import { elements, own } from './values.js';

/** Rows of items and their properties (interface 2, Item and ItemProperty). */
export const items: Rules = {
  'XF-004': objects('Item', ({ sockets, socketedItems, gemSockets }, at, findings) => {
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
  'XF-005': (): Listener => {
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
  'XF-006': asDescribed(['ItemProperty.values']),
  'XF-007': objects('ItemProperty', ({ progress }, at, findings) => {
    if (typeof progress !== 'number') return;
    findings.look();
    if (Math.round(progress * 100) / 100 !== progress) {
      findings.fail('at most two decimals', at.got(progress, 'progress'), at);
    }
  }),
  'XF-009': asDescribed(['Item.scourged.tier']),
  'XF-010': objects('Item', ({ stackSize, maxStackSize, identified, name }, _at, findings, { observe }) => {
    if (typeof stackSize === 'number' && typeof maxStackSize === 'number') {
      findings.look();
      if (stackSize > maxStackSize) observe('Some items have a stackSize above their maxStackSize.');
    }
    if (identified === false && name !== '') observe('Some items that are not identified have a name.');
  }),
};
