import { asDescribed, objects, replies } from './rule.js';
import type { Rules } from './rule.js';
import { decimal, elements, isObject, own, show } from './values.js';

/** What hashes are in a tree link: 16 bits. */
const widest = 0xffff;

/** Rows of a character's passives (interface 2, Character). */
export const passives: Rules = {
  'CHAR-PASS-001': asDescribed(['Passives.hashes']),
  'CHAR-PASS-002': asDescribed(
    [
      'Passives.hashes_ex',
      'Passives.mastery_effects',
      'Passives.bandit_choice',
      'Passives.pantheon_major',
      'Passives.pantheon_minor',
      'Passives.alternate_ascendancy',
    ],
    { kinds: ['game'] },
  ),
  'CHAR-PASS-003': objects('Passives', ({ mastery_effects, hashes, hashes_ex }, at, sheet) => {
    if (!isObject(mastery_effects)) return;
    const nodes = new Set([...elements(hashes), ...elements(hashes_ex)]);
    for (const [node, effect] of Object.entries(mastery_effects)) {
      sheet.look();
      const got = at.got(effect, 'mastery_effects', node);
      if (!decimal.test(node)) sheet.fail('a node hash in decimal as key', got, at.reply.answer);
      else if (!Number.isInteger(effect)) sheet.fail('an effect hash, which is an integer', got, at.reply.answer);
      else if (nodes.has(Number(node))) continue;
      else if (nodes.has(effect))
        sheet.fail(
          'the node as key and the effect as value',
          `${got}: the value is an allocated node, the key is none`,
          at.reply.answer,
        );
      else sheet.warn(`A key of mastery_effects is not among the hashes: ${got} (answer ${at.reply.answer.number}).`);
    }
  }),
  'CHAR-PASS-004': objects('Passives', ({ specialisations }, at, sheet) => {
    if (!isObject(specialisations) || at.reply.game === 'g1') return;
    const keys = Object.keys(specialisations);
    // Empty like any dictionary of a character without passives.
    if (keys.length === 0) return;
    sheet.look();
    const has = (name: string): boolean => Object.hasOwn(specialisations, name);
    const got = at.got(specialisations, 'specialisations');
    const fail = (expected: string): void => sheet.fail(expected, got, at.reply.answer);
    if (has('shapeshift') && has('set3')) fail('either shapeshift or set3');
    if (!has('set1') || !has('set2') || !(has('shapeshift') || has('set3')))
      fail('keys set1, set2 and either shapeshift or set3');
    for (const key of ['set1', 'set2', 'set3', 'shapeshift'].filter(has)) {
      const list = specialisations[key];
      if (!Array.isArray(list) || !list.every(Number.isInteger)) {
        sheet.fail('arrays of integers', at.got(list, 'specialisations', key), at.reply.answer);
      }
    }
  }),
  'CHAR-PASS-005': replies(['getCharacter'], ({ body, answer }, sheet) => {
    const character = body['character'];
    const data = own(own(character, 'passives'), 'jewel_data');
    if (!isObject(data)) return;
    const jewels = own(character, 'jewels');
    // Jewels, and the places of jewels, may be left out; what is not shown contradicts nothing.
    if (!Array.isArray(jewels) || jewels.some((jewel) => typeof own(jewel, 'x') !== 'number')) return;
    const places = new Set(jewels.map((jewel) => String(own(jewel, 'x'))));
    for (const key of Object.keys(data)) {
      sheet.look();
      if (places.has(key)) continue;
      sheet.fail(
        'keys that are the x of a jewel in the same response',
        `$.character.passives.jewel_data has ${show(key)}, which no jewel has`,
        answer,
      );
    }
  }),
  'CHAR-PASS-006': replies(['getCharacter'], ({ body, answer }, sheet) => {
    const seen = new Set<number>();
    for (const [index, jewel] of elements(own(body['character'], 'jewels')).entries()) {
      const x = own(jewel, 'x');
      if (typeof x !== 'number') continue;
      sheet.look();
      if (seen.has(x)) sheet.fail('jewels at different x', `$.character.jewels[${index}].x is ${x} again`, answer);
      seen.add(x);
    }
  }),
  'CHAR-PASS-011': ({ flag }) => ({
    objects: {
      Passives: ({ skill_overrides }, at, sheet) => {
        if (!isObject(skill_overrides)) return;
        // Live services leave the edges out, which is right unless the target says otherwise.
        const isBare = (override: unknown): boolean =>
          flag('F-OBS-OVERRIDE') !== 'off' && isObject(override) && !('out' in override) && !('in' in override);
        for (const [node, override] of Object.entries(skill_overrides)) {
          sheet.look();
          if (isBare(override) || (Array.isArray(own(override, 'out')) && Array.isArray(own(override, 'in')))) continue;
          sheet.fail('a PassiveNode with out and in', at.got(override, 'skill_overrides', node), at.reply.answer);
        }
      },
    },
  }),
  'CHAR-PASS-012': objects('Passives', (passives, at, sheet) => {
    if (at.reply.game !== 'g1') return;
    for (const name of ['hashes', 'hashes_ex']) {
      for (const [index, hash] of elements(passives[name]).entries()) {
        if (typeof hash !== 'number') continue;
        sheet.look();
        if (hash > widest) sheet.fail('hashes of 16 bits', at.got(hash, name, index), at.reply.answer);
      }
    }
  }),
};
