import type { OldMutant as Mutant } from '../../mutant.js';
import { everywhere, having, listAt } from '../../interceptor/json.js';
import { byDefault } from '../../interceptor/queries.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';

/** What is a server error that should be none. */
const failing = (seam: Interceptor, when: (request: Inbound) => boolean): void =>
  seam.request((request) =>
    request.route && when(request) ? answerOf(500, { error: { code: 9, message: 'Internal error' } }) : undefined,
  );

const isWriting = (operation: string | undefined): boolean =>
  operation === 'createItemFilter' || operation === 'updateItemFilter';

export const general: readonly Mutant[] = [
  {
    id: 'N-GEN-001',
    bug: 'JSON goes out as text/html',
    rows: ['GEN-001'],
    plant: (seam) => seam.data('all', (_, { reply }) => void (reply.headers['content-type'] = 'text/html')),
  },
  {
    id: 'N-GEN-005',
    bug: 'optional texts that are absent are false',
    rows: ['GEN-005'],
    plant: (seam) =>
      seam.data('all', (body) => {
        for (const league of having(body, 'id', 'category')) league.description ??= false;
      }),
  },
  {
    id: 'N-GEN-013',
    bug: 'all items have the same id',
    rows: ['GEN-013'],
    plant: (seam) =>
      seam.data(['getCharacter', 'getStash'], (body) => {
        for (const item of having(body, 'id', 'frameType')) item.id = 'a'.repeat(64);
      }),
  },
  {
    id: 'N-XF-007',
    bug: 'progress of a property is not rounded',
    rows: ['XF-007'],
    plant: (seam) =>
      seam.data(['getCharacter', 'getStash'], (body) => {
        for (const property of having(body, 'values', 'progress')) property.progress = 0.123456;
      }),
  },
  {
    id: 'N-REALM-PATH-001',
    bug: 'without a realm the characters of all realms are listed',
    rows: ['REALM-PATH-001'],
    plant: (seam) =>
      seam.data('listCharacters', (body, { request }) => {
        if (request.path !== '/character') return;
        const [first] = seam.service.world.characters('alice', 'xbox');
        const { id, name, realm, class: kind, level, experience } = (first ?? {}) as Json;
        if (first) listAt(body, 'characters').push({ id, name, realm, class: kind, level, experience });
      }),
  },
  {
    id: 'N-REALM-QUERY-001',
    bug: 'leagues default to xbox',
    rows: ['REALM-QUERY-001'],
    plant: byDefault('listLeagues', 'realm', 'xbox'),
  },
  {
    id: 'N-REALM-QUERY-001-lookup',
    bug: 'the lookup of a league defaults to xbox',
    rows: ['REALM-QUERY-001'],
    plant: byDefault('getLeague', 'realm', 'xbox'),
  },
  {
    id: 'N-GEN-016-null',
    bug: 'an update with the body null is a server error',
    rows: ['GEN-016'],
    plant: (seam) => failing(seam, ({ operation, body }) => operation === 'updateItemFilter' && body.trim() === 'null'),
  },
  {
    id: 'N-GEN-016-list',
    bug: 'a body that is a list is a server error',
    rows: ['GEN-016'],
    plant: (seam) => failing(seam, ({ operation, json }) => isWriting(operation) && Array.isArray(json)),
  },
  {
    id: 'N-GEN-016-twice',
    bug: 'a query parameter that occurs twice is a server error',
    rows: ['GEN-016'],
    plant: (seam) =>
      failing(seam, ({ operation, query }) => {
        const names = [...query.keys()];
        return operation === 'listLeagues' && new Set(names).size < names.length;
      }),
  },
  {
    id: 'N-GEN-016-big',
    bug: 'an offset of more than 64 bits is a server error',
    rows: ['GEN-016'],
    plant: (seam) =>
      failing(seam, ({ operation, query }) => operation === 'listLeagues' && Number(query.get('offset')) > 2 ** 63),
  },
  {
    id: 'N-GEN-016-planes',
    bug: 'a name of a character with characters outside the basic plane is a server error',
    rows: ['GEN-016'],
    plant: (seam) =>
      failing(
        seam,
        ({ operation, route }) =>
          operation === 'getCharacter' && /[\u{10000}-\u{10FFFF}]/u.test(route?.args.name ?? ''),
      ),
  },
  {
    id: 'N-GEN-016-percent',
    bug: 'a percent sign in a name of a league is a server error',
    rows: ['GEN-016'],
    plant: (seam) =>
      failing(
        seam,
        ({ operation, route }) => operation === 'getLeague' && /%(?![0-9a-f]{2})/i.test(route?.args.league ?? ''),
      ),
  },
  {
    id: 'N-GEN-016-long',
    bug: 'a name of more than 255 characters is a server error',
    rows: ['GEN-016'],
    plant: (seam) => failing(seam, ({ route }) => Object.values(route?.args ?? {}).some((value) => value.length > 255)),
  },
  {
    id: 'N-GEN-016-quote',
    bug: 'a single quote in a name is a server error',
    rows: ['GEN-016'],
    plant: (seam) =>
      failing(seam, ({ route }) => Object.values(route?.args ?? {}).some((value) => value.includes("'"))),
  },
  {
    id: 'N-GEN-016-tab',
    bug: 'the id of a tab that is no hexadecimal number is a server error',
    rows: ['STASH-GET-003'],
    plant: (seam) => failing(seam, ({ route }) => /[^0-9a-f]/i.test(route?.args.stash_id ?? '')),
  },
  {
    id: 'N-XF-001',
    bug: 'more challenges are completed than there are',
    rows: ['XF-001'],
    beside: ['LADDER-001'],
    plant: (seam) =>
      seam.data('getLeagueLadder', (body) =>
        everywhere(body, 'challenges', (all: Json | null) => all && { ...all, completed: Number(all.max) + 1 }),
      ),
  },
  {
    id: 'N-XF-003',
    bug: 'the guild of an account has another tag in every entry',
    rows: ['XF-003'],
    noticed: 'warn',
    beside: ['PVPLADDER-001', 'LADDER-001'],
    plant(seam) {
      let count = 0;
      seam.data(['getPvpMatchLadder', 'getLeagueLadder'], (body) => {
        for (const account of having(body, 'name', 'guild')) {
          account.name = 'Same';
          account.guild = { id: 7, name: 'One', tag: `T${(count += 1)}` };
        }
      });
    },
  },
  {
    id: 'N-XF-002',
    bug: 'a lookup gives a name in capital letters for the id that the list has',
    rows: ['XF-002'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        const { character } = body as { character: Json | null };
        if (character) character.name = String(character.name).toUpperCase();
      }),
  },
];
