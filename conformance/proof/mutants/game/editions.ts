import type { Json } from '../../interceptor/interceptor.js';
import { having } from '../../interceptor/json.js';
import { mutants } from '../../mutant.js';
import { give, reply, set, unwrap } from '../../operators/replies.js';
import { refuse } from '../../operators/requests.js';

export const editions = mutants({
  'ED-001 M-ED-01: category.current and category.active both occur': () =>
    set('all', '**.category', (category: Json | string[]) =>
      !Array.isArray(category) && category.active === true ? { ...category, current: true } : category,
    ),
  'ED-002 M-ED-03: a league has a name where its id is the name': () =>
    give(
      ['listLeagues', 'getLeague', 'listAccountLeagues'],
      ['id', 'realm'],
      'name',
      (_: unknown, { id }: Json) => id,
    ).on({ flags: { 'F-LEAGUE-NAME': false } }),
  'ED-003: a field of a feature that is off occurs': () =>
    give(['listLeagues', 'getLeague'], ['id', 'category'], 'goal', 'Win.')
      .warns()
      .on({ flags: { 'F-LEAGUE-GOAL': false } }),
  'ED-005: a recipe has an oil that nobody knows': () =>
    set('getCharacter', '**.recipe', (oils: string[]) => [...oils, 'OliveOil']),
  'ED-006: the edition has a currency exchange, and the server none': () =>
    refuse('getCurrencyExchange', {}, 404).on({ flags: { 'F-CX': true } }),
  'ED-006 shape: the exchange of the edition answers a bare list': () =>
    unwrap('getCurrencyExchange', 'markets').on({ flags: { 'F-CX': true } }),
  'ED-007: both names of the third set occur': (seen = { sets: 0 }) =>
    reply('getCharacter', (body) => {
      for (const sets of having(body, 'set1')) {
        seen.sets += 1;
        delete sets.shapeshift;
        delete sets.set3;
        sets[seen.sets % 2 === 0 ? 'set3' : 'shapeshift'] = [];
      }
    }),
  'ED-007 declared: the third set has the name of the other edition': () =>
    reply('getCharacter', (body) => {
      for (const sets of having(body, 'shapeshift')) {
        sets.set3 = sets.shapeshift;
        delete sets.shapeshift;
      }
    }).on({ flags: { 'F-SPEC-SHAPESHIFT': true, 'F-SPEC-SET3': false } }),
  'ED-008: the alternate ascendancy is one of the class': () =>
    set('getCharacter', '**.alternate_ascendancy', 'Slayer').on({ flags: { 'F-ALTASC-BLOODLINE': false } }),
  'ED-008 case: the alternate ascendancy is in lower case': () =>
    set('getCharacter', '**.alternate_ascendancy', (name: string) => name.toLowerCase()).on({
      flags: { 'F-ALTASC-BLOODLINE': false },
    }),
  'ED-009 M-ED-05: characters of the second game have a rucksack in an edition that gives it to the first': () =>
    reply('getCharacter', ({ character }) => void (character && ((character as Json).rucksack ??= [])), {
      realm: 'game2',
    }).on({ flags: { 'F-CHAR-RUCK-G1': true } }),
});
