import { isDisputed } from './generic.js';
import { asDescribed, objects } from './rule.js';
import type { MonitorRow } from './rule.js';
import { given, own } from './values.js';

/** Rows of the public stash stream (interface 2, PublicStashChange; 4.2, Public stashes). */
export const stream: readonly MonitorRow[] = [
  {
    id: 'PSTASH-UNLIST-001',
    level: 'MUST',
    sentence: 'With public false, accountName, lastCharacterName, stash and league are null or absent.',
    source: '2',
    gap: 'K-002',
    needs: ['client:service'],
    rule: objects('UnlistedStash', (change, at, findings, { flag }) => {
      findings.look();
      for (const name of ['accountName', 'lastCharacterName', 'stash', 'league']) {
        const value = own(change, name);
        // Live services have kept the league, which is right where the target says so, and wrong where it says otherwise.
        const state = name === 'league' && typeof value === 'string' ? flag('F-OBS-UNLISTED') : 'off';
        if (state === 'any') findings.warn('Unlisted stashes keep their league, as live services have done.');
        if (state !== 'off') continue;
        if (given(value)) findings.fail(`${name} null or absent on an unlisted stash`, at.got(value, name), at);
      }
    }),
  },
  {
    id: 'PSTASH-UNLIST-002',
    level: 'MUST',
    sentence: 'With public false no items are given: items is absent, null or empty.',
    source: '2',
    gap: 'K-002',
    needs: ['client:service'],
    rule: objects('UnlistedStash', ({ items }, at, findings) => {
      findings.look();
      if (given(items) && !(Array.isArray(items) && items.length === 0)) {
        findings.fail('no items on an unlisted stash', at.got(items, 'items'), at);
      }
    }),
  },
  // Without `public` a change is neither listed nor unlisted: the walk tells of it at the forms' first.
  {
    id: 'PSTASH-UNLIST-003',
    level: 'MUST',
    sentence: 'With public false id and public are still there.',
    source: '2',
    gap: 'K-002',
    needs: ['client:service'],
    rule: (setting) => {
      const unlisted = asDescribed(['UnlistedStash.id'])(setting);
      return {
        exercised: () => unlisted.exercised?.() ?? 0,
        departure({ kind, field, expected, got, at }, findings) {
          const place = field?.place.id;
          if (place === 'UnlistedStash.id' || (place === 'ListedStash.public' && kind === 'missing')) {
            findings.fail(expected, got, at);
          }
        },
      };
    },
  },
  {
    id: 'PSTASH-LISTED-001',
    level: 'MUST',
    sentence: 'With public true stashType is a string and items an array.',
    source: '2',
    needs: ['client:service'],
    rule: asDescribed(['ListedStash.stashType', 'ListedStash.items'], {
      kinds: ['missing', 'null', 'type'],
    }),
  },
  {
    id: 'PSTASH-LISTED-002',
    level: 'MUST',
    sentence: 'lastCharacterName is not included by default.',
    source: '2',
    gap: 'K-119',
    needs: ['client:service'],
    rule: ({ flag }) => ({
      ...(flag('F-PSC-LASTCHAR') === 'on' && {
        idle: 'F-PSC-LASTCHAR is declared on: the client has extra permissions',
      }),
      objects: {
        ListedStash: (change, at, findings) => {
          findings.look();
          const name = own(change, 'lastCharacterName');
          if (!given(name)) return;
          // Whether the client has extra permissions is for the target to say.
          if (flag('F-PSC-LASTCHAR') === 'off')
            findings.fail('no lastCharacterName by default', at.got(name, 'lastCharacterName'), at);
          else
            findings.warn(
              'lastCharacterName is shown, which needs extra permissions; declare F-PSC-LASTCHAR on where the client has them, else off.',
            );
        },
      },
    }),
  },
  {
    id: 'PSTASH-EXT-001',
    level: 'MUST',
    sentence:
      'Item.extended occurs in the stream only; its prefixes and suffixes are unsigned integers, its subcategories strings.',
    source: '2',
    needs: ['client:service'],
    rule: asDescribed(
      [
        'Item.extended',
        'ItemExtended.prefixes',
        'ItemExtended.suffixes',
        'ItemExtended.category',
        'ItemExtended.subcategories',
      ],
      { kinds: ['only', 'type', 'bounds'] },
    ),
  },
  {
    id: 'PSTASH-G1-001',
    level: 'MUST',
    sentence: 'The stream has no item fields of the second game.',
    source: '2,4.2',
    needs: ['client:service'],
    rule: () => ({
      objects: {
        Item: (_item, { reply }, findings) => {
          if (reply.operation === 'getPublicStashTabs') findings.look();
        },
      },
      departure({ kind, field, expected, got, at }, findings) {
        if (kind !== 'game' || field?.game !== 'g2' || isDisputed(field) || at.reply.operation !== 'getPublicStashTabs')
          return;
        findings.fail(expected, got, at);
      },
    }),
  },
];
