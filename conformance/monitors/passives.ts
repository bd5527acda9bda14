import { isObject } from '../json.js';
import { asDescribed, objects, replies } from './rule.js';
import type { Rules } from './rule.js';
import { decimal, elements, own, show } from './values.js';

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
  'CHAR-PASS-003': objects('Passives', ({ mastery_effects, hashes, hashes_ex }, at, findings) => {
    if (!isObject(mastery_effects)) return;
    const nodes = new Set([...elements(hashes), ...elements(hashes_ex)]);
    for (const [node, effect] of Object.entries(mastery_effects)) {
      findings.look();
      const got = at.got(effect, 'mastery_effects', node);
      if (!decimal.test(node)) findings.fail('a node hash in decimal as key', got, at);
      else if (!Number.isInteger(effect)) findings.fail('an effect hash, which is an integer', got, at);
      else if (nodes.has(Number(node))) continue;
      else if (nodes.has(effect))
        findings.fail(
          'the node as key and the effect as value',
          `${got}: the value is an allocated node, the key is none`,
          at,
        );
      else
        findings.warn(`A key of mastery_effects is not among the hashes: ${got} (answer ${at.reply.answer.number}).`);
    }
  }),
  'CHAR-PASS-004': objects('Passives', ({ specialisations }, at, findings) => {
    if (!isObject(specialisations) || at.reply.game === 'g1') return;
    const keys = Object.keys(specialisations);
    // Empty like any dictionary of a character without passives.
    if (keys.length === 0) return;
    findings.look();
    const has = (name: string): boolean => Object.hasOwn(specialisations, name);
    const got = at.got(specialisations, 'specialisations');
    const fail = (expected: string): void => findings.fail(expected, got, at);
    if (has('shapeshift') && has('set3')) fail('either shapeshift or set3');
    if (!has('set1') || !has('set2') || !(has('shapeshift') || has('set3')))
      fail('keys set1, set2 and either shapeshift or set3');
    for (const key of ['set1', 'set2', 'set3', 'shapeshift'].filter(has)) {
      const list = specialisations[key];
      if (!Array.isArray(list) || !list.every(Number.isInteger)) {
        findings.fail('arrays of integers', at.got(list, 'specialisations', key), at);
      }
    }
  }),
  'CHAR-PASS-005': replies(['getCharacter'], ({ body, answer }, findings) => {
    const character = body['character'];
    const data = own(own(character, 'passives'), 'jewel_data');
    if (!isObject(data)) return;
    const jewels = own(character, 'jewels');
    // Jewels, and the places of jewels, may be left out; what is not shown contradicts nothing.
    if (!Array.isArray(jewels) || jewels.some((jewel) => typeof own(jewel, 'x') !== 'number')) return;
    const places = new Set(jewels.map((jewel) => String(own(jewel, 'x'))));
    for (const key of Object.keys(data)) {
      findings.look();
      if (places.has(key)) continue;
      findings.fail(
        'keys that are the x of a jewel in the same response',
        `$.character.passives.jewel_data has ${show(key)}, which no jewel has`,
        answer,
      );
    }
  }),
  'CHAR-PASS-006': replies(['getCharacter'], ({ body, answer }, findings) => {
    const seen = new Set<number>();
    for (const [index, jewel] of elements(own(body['character'], 'jewels')).entries()) {
      const x = own(jewel, 'x');
      if (typeof x !== 'number') continue;
      findings.look();
      if (seen.has(x)) findings.fail('jewels at different x', `$.character.jewels[${index}].x is ${x} again`, answer);
      seen.add(x);
    }
  }),
  'CHAR-PASS-011': objects('Passives', ({ skill_overrides }, at, findings, { flag }) => {
    if (!isObject(skill_overrides)) return;
    // Live services leave the edges out, which is right unless the target says otherwise.
    const isBare = (override: unknown): boolean =>
      flag('F-OBS-OVERRIDE') !== 'off' && isObject(override) && !('out' in override) && !('in' in override);
    for (const [node, override] of Object.entries(skill_overrides)) {
      findings.look();
      if (isBare(override) || (Array.isArray(own(override, 'out')) && Array.isArray(own(override, 'in')))) continue;
      findings.fail('a PassiveNode with out and in', at.got(override, 'skill_overrides', node), at);
    }
  }),
  'CHAR-PASS-012': objects('Passives', (passives, at, findings) => {
    if (at.reply.game !== 'g1') return;
    for (const name of ['hashes', 'hashes_ex']) {
      for (const [index, hash] of elements(passives[name]).entries()) {
        if (typeof hash !== 'number') continue;
        findings.look();
        if (hash > widest) findings.fail('hashes of 16 bits', at.got(hash, name, index), at);
      }
    }
  }),
};
