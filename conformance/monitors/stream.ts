import { isDisputed } from './generic.js';
import { asDescribed, objects } from './rule.js';
import type { Rules } from './rule.js';
import { given, own } from './values.js';

/** Rows of the public stash stream (interface 2, PublicStashChange; 4.2, Public stashes). */
export const stream: Rules = {
  'PSTASH-UNLIST-001': objects('UnlistedStash', (change, at, sheet) => {
    sheet.look();
    for (const name of ['accountName', 'lastCharacterName', 'stash', 'league']) {
      const value = own(change, name);
      if (given(value)) sheet.fail(`${name} null or absent on an unlisted stash`, at.got(value, name), at.reply.answer);
    }
  }),
  'PSTASH-UNLIST-002': objects('UnlistedStash', ({ items }, at, sheet) => {
    sheet.look();
    if (given(items) && !(Array.isArray(items) && items.length === 0)) {
      sheet.fail('no items on an unlisted stash', at.got(items, 'items'), at.reply.answer);
    }
  }),
  // Without `public` a change is neither listed nor unlisted: the walk tells of it at the forms' first.
  'PSTASH-UNLIST-003': (setting) => {
    const unlisted = asDescribed(['UnlistedStash.id'])(setting);
    return {
      exercised: () => unlisted.exercised?.() ?? 0,
      finding({ kind, field, expected, got, at }, sheet) {
        const place = field?.place.id;
        if (place === 'UnlistedStash.id' || (place === 'ListedStash.public' && kind === 'missing')) {
          sheet.fail(expected, got, at.reply.answer);
        }
      },
    };
  },
  'PSTASH-LISTED-001': asDescribed(['ListedStash.stashType', 'ListedStash.items'], {
    kinds: ['missing', 'null', 'type'],
  }),
  'PSTASH-LISTED-002': ({ flag }) => ({
    ...(flag('F-PSC-LASTCHAR') === 'on' && { idle: 'F-PSC-LASTCHAR is declared on: the client has extra permissions' }),
    objects: {
      ListedStash: (change, at, sheet) => {
        sheet.look();
        const name = own(change, 'lastCharacterName');
        if (given(name))
          sheet.fail('no lastCharacterName by default', at.got(name, 'lastCharacterName'), at.reply.answer);
      },
    },
  }),
  'PSTASH-EXT-001': asDescribed(
    [
      'Item.extended',
      'ItemExtended.prefixes',
      'ItemExtended.suffixes',
      'ItemExtended.category',
      'ItemExtended.subcategories',
    ],
    { kinds: ['only', 'type', 'bounds'] },
  ),
  'PSTASH-G1-001': () => ({
    objects: {
      Item: (_item, { reply }, sheet) => {
        if (reply.operation === 'getPublicStashTabs') sheet.look();
      },
    },
    finding({ kind, field, expected, got, at }, sheet) {
      if (kind !== 'game' || field?.game !== 'g2' || isDisputed(field) || at.reply.operation !== 'getPublicStashTabs')
        return;
      sheet.fail(expected, got, at.reply.answer);
    },
  }),
};
