import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';

export const publicStashes: readonly Mutant[] = [
  {
    id: 'N-PSTASH-006',
    bug: 'a change has an id of its own',
    rows: ['PSTASH-006'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) one.id = seam.service.authority.newId(64);
      }),
  },
  {
    id: 'N-PSTASH-UNLIST-003',
    bug: 'an unlisted stash does not say public: false',
    rows: ['PSTASH-UNLIST-003'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) if (one.public === false) delete one.public;
      }),
  },
  {
    id: 'N-PSTASH-UNLIST-004',
    bug: 'unlisting is not shown',
    rows: ['PSTASH-UNLIST-004'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        body.stashes = listAt(body, 'stashes').filter((one) => one.public !== false);
      }),
  },
  {
    id: 'N-PSTASH-LISTED-002',
    bug: 'lastCharacterName is shown to everybody',
    rows: ['PSTASH-LISTED-002'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) if (one.public === true) one.lastCharacterName = 'Somebody';
      }),
  },
  {
    id: 'N-PSTASH-LISTED-001',
    bug: 'a listed stash has no type',
    rows: ['PSTASH-LISTED-001'],
    plant: (seam) =>
      seam.data('getPublicStashTabs', (body) => {
        for (const one of listAt(body, 'stashes')) if (one.public === true) one.stashType = null;
      }),
  },
];
