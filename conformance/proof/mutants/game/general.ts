import type { Mutant } from '../../mutant.js';
import { having, listAt } from '../../seam/json.js';
import { byDefault } from '../../seam/queries.js';
import type { Json } from '../../seam/seam.js';

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
];
