import { asDescribed, objects } from './rule.js';
import type { Listener, Rules } from './rule.js';
import { elements, isObject, own, show } from './values.js';

/** Rows of items and their properties (interface 2, Item and ItemProperty). */
export const items: Rules = {
  'XF-004': objects('Item', ({ sockets, socketedItems, gemSockets }, at, sheet) => {
    // Gems of the second game have sockets of another kind.
    if (!Array.isArray(sockets) || Array.isArray(gemSockets)) return;
    for (const [index, item] of elements(socketedItems).entries()) {
      const socket = own(item, 'socket');
      if (typeof socket !== 'number') continue;
      sheet.look();
      if (socket >= sockets.length) {
        const got = at.got(socket, 'socketedItems', index, 'socket');
        sheet.fail(`an index of the host's ${sockets.length} sockets`, got, at.reply.answer);
      }
    }
  }),
  'XF-005': (): Listener => {
    const judge: NonNullable<Listener['objects']>[string] = ({ progress, total }, at, sheet) => {
      if (typeof progress !== 'number' || typeof total !== 'number') return;
      sheet.look();
      if (progress > total)
        sheet.warn(
          `${at.got(progress, 'progress')}, more than the total of ${total} (answer ${at.reply.answer.number}).`,
        );
    };
    return { objects: { IncubatedItem: judge, Scourged: judge } };
  },
  'XF-006': asDescribed(['ItemProperty.values']),
  'XF-007': objects('ItemProperty', ({ progress }, at, sheet) => {
    if (typeof progress !== 'number') return;
    sheet.look();
    if (Math.round(progress * 100) / 100 !== progress) {
      sheet.fail('at most two decimals', at.got(progress, 'progress'), at.reply.answer);
    }
  }),
  'XF-009': asDescribed(['Item.scourged.tier']),
  'XF-010': ({ observe }) => ({
    objects: {
      Item: ({ stackSize, maxStackSize, identified, name }, _at, sheet) => {
        if (typeof stackSize === 'number' && typeof maxStackSize === 'number') {
          sheet.look();
          if (stackSize > maxStackSize) observe('Some items have a stackSize above their maxStackSize.');
        }
        if (identified === false && name !== '') observe('Some items that are not identified have a name.');
      },
    },
  }),
};

/** Rows of item filters and the profile (interface 2, ItemFilter; 4.2). */
export const filters: Rules = {
  'PROFILE-002': (setting) => {
    return {
      ...asDescribed(['Profile.uuid'])(setting),
      objects: {
        Profile: ({ uuid }, at, sheet) => {
          if (typeof uuid === 'string' && uuid !== uuid.toLowerCase()) {
            sheet.warn(`The uuid has upper-case letters: ${at.got(uuid, 'uuid')}; the canonical form has none.`);
          }
        },
      },
    };
  },
  'PROFILE-003': asDescribed(['Profile.name']),
  'PROFILE-004': asDescribed(['Profile.locale']),
  'FILTER-LIST-002': objects('ItemFilterSummary', (filter, at, sheet) => {
    sheet.look();
    for (const name of ['filter', 'validation']) {
      // Null is not absent, and the interface says absent twice (K-008).
      if (Object.hasOwn(filter, name)) sheet.fail(`no ${name} in a list`, at.got(filter[name], name), at.reply.answer);
    }
  }),
  'FILTER-VALID-002': asDescribed(
    [
      'ItemFilter.validation',
      'ItemFilter.validation.valid',
      'ItemFilter.validation.version',
      'ItemFilter.validation.validated',
    ],
    { kinds: ['missing', 'null', 'type', 'format'] },
  ),
  'FILTER-PUBLIC-003': (): Listener => {
    const judge: NonNullable<Listener['objects']>[string] = (filter, at, sheet) => {
      sheet.look();
      if (Object.hasOwn(filter, 'public') && filter['public'] !== true) {
        sheet.fail('public true or absent', at.got(filter['public'], 'public'), at.reply.answer);
      }
    };
    return { objects: { ItemFilter: judge, ItemFilterSummary: judge } };
  },
  'FILTER-UPDATE-005': () => ({
    answer({ asked, status, json, ...answer }, sheet) {
      if (asked.operation !== 'updateItemFilter' || status !== 202) return;
      sheet.look();
      for (const name of ['error', 'filter']) {
        const value = own(json, name);
        if (!isObject(value))
          sheet.fail(`${name} is an object beside status 202`, `$.${name} is ${show(value)}`, {
            asked,
            status,
            json,
            ...answer,
          });
      }
    },
  }),
  'FILTER-UPDATE-006': () => ({
    answer(answer, sheet) {
      if (answer.asked.operation !== 'updateItemFilter' || answer.status !== 200) return;
      sheet.look();
      const error = own(answer.json, 'error');
      if (error !== undefined && error !== null) {
        sheet.fail('error null or absent beside status 200', `$.error is ${show(error)}`, answer);
      }
    },
  }),
};
