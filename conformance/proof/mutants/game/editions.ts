import type { OldMutant as Mutant } from '../../mutant.js';
import { everywhere, having } from '../../interceptor/json.js';
import { hours, operation } from '../../interceptor/hours.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { Json } from '../../interceptor/interceptor.js';

export const editions: readonly Mutant[] = [
  {
    id: 'M-ED-01',
    bug: 'category.current and category.active both occur',
    rows: ['ED-001'],
    plant: (seam) =>
      seam.data('all', (body) =>
        everywhere(body, 'category', (category: Json | string[]) =>
          !Array.isArray(category) && category.active === true ? { ...category, current: true } : category,
        ),
      ),
  },
  {
    id: 'M-ED-03',
    bug: 'a league has a name where its id is the name',
    rows: ['ED-002'],
    flags: { 'F-LEAGUE-NAME': false },
    plant: (seam) =>
      seam.data(['listLeagues', 'getLeague', 'listAccountLeagues'], (body) => {
        for (const league of having(body, 'id', 'realm')) league.name = league.id;
      }),
  },
  {
    id: 'M-ED-05',
    bug: 'characters of the second game have a rucksack in an edition that gives it to the first',
    rows: ['ED-009'],
    flags: { 'F-CHAR-RUCK-G1': true },
    plant: (seam) =>
      seam.data('getCharacter', (body, { request }) => {
        const { character } = body as { character: Json | null };
        if (character && request.path.startsWith('/character/game2/')) character.rucksack ??= [];
      }),
  },
  {
    id: 'N-ED-003',
    bug: 'a field of a feature that is off occurs',
    rows: ['ED-003'],
    noticed: 'warn',
    flags: { 'F-LEAGUE-GOAL': false },
    plant: (seam) =>
      seam.data(['listLeagues', 'getLeague'], (body) => {
        for (const league of having(body, 'id', 'category')) league.goal = 'Win.';
      }),
  },
  {
    id: 'N-ED-005',
    bug: 'a recipe has an oil that nobody knows',
    rows: ['ED-005'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => everywhere(body, 'recipe', (oils: string[]) => [...oils, 'OliveOil'])),
  },
  {
    id: 'N-ED-006',
    bug: 'the edition has a currency exchange, and the server none',
    rows: ['ED-006'],
    flags: { 'F-CX': true },
    plant: (seam) =>
      seam.request((request) => (request.operation === operation ? answerOf(404, { error: { code: 1 } }) : undefined)),
  },
  {
    id: 'N-ED-006-shape',
    bug: 'the exchange of the edition answers a bare list',
    rows: ['ED-006'],
    flags: { 'F-CX': true },
    plant: (seam) => hours(seam, (body) => body.markets),
  },
  {
    id: 'N-ED-008',
    bug: 'the alternate ascendancy is one of the class',
    rows: ['ED-008'],
    flags: { 'F-ALTASC-BLOODLINE': false },
    plant: (seam) => seam.data('getCharacter', (body) => everywhere(body, 'alternate_ascendancy', () => 'Slayer')),
  },
  {
    id: 'N-ED-008-case',
    bug: 'the alternate ascendancy is in lower case',
    rows: ['ED-008'],
    flags: { 'F-ALTASC-BLOODLINE': false },
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'alternate_ascendancy', (name: string) => name.toLowerCase()),
      ),
  },
  {
    id: 'N-ED-007',
    bug: 'both names of the third set occur',
    rows: ['ED-007'],
    plant(seam) {
      let turn = 0;
      seam.data('getCharacter', (body) => {
        for (const sets of having(body, 'set1')) {
          turn += 1;
          delete sets.shapeshift;
          delete sets.set3;
          sets[turn % 2 === 0 ? 'set3' : 'shapeshift'] = [];
        }
      });
    },
  },
];
