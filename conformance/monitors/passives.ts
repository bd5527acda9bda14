import { isObject } from '../json.js';
import { asDescribed, objects, replies } from './rule.js';
import type { MonitorRow } from './rule.js';
import { decimal, elements, own, show } from './values.js';

/** What hashes are in a tree link: 16 bits. */
const widest = 0xffff;

/** Rows of a character's passives (interface 2, Character). */
export const passives: readonly MonitorRow[] = [
  {
    id: 'CHAR-PASS-001',
    level: 'MUST',
    sentence: 'passives.hashes is an array of unsigned integers.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(['Passives.hashes']),
  },
  {
    id: 'CHAR-PASS-002',
    level: 'MUST',
    sentence:
      'hashes_ex, mastery_effects, bandit_choice, pantheon_major, pantheon_minor and alternate_ascendancy occur on characters of the first game only.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: asDescribed(
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
  },
  {
    id: 'CHAR-PASS-003',
    level: 'MUST',
    sentence: 'mastery_effects maps the hash of a mastery node, as a string, to the hash of the effect, an integer.',
    source: '2',
    gap: 'K-061',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: objects('Passives', ({ mastery_effects, hashes, hashes_ex }, at, findings) => {
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
      }
    }),
  },
  {
    id: 'CHAR-PASS-004',
    level: 'MUST',
    sentence:
      'specialisations has the keys set1, set2 and either shapeshift or set3, never both, with arrays of integers as values.',
    source: '2',
    needs: ['game2'],
    rule: objects('Passives', ({ specialisations }, at, findings) => {
      if (!isObject(specialisations) || at.reply.game === 'g1') return;
      const keys = Object.keys(specialisations);
      // Empty like any dictionary of a character without passives.
      if (keys.length === 0) return;
      findings.look();
      const has = (name: string): boolean => Object.hasOwn(specialisations, name);
      const got = at.got(specialisations, 'specialisations');
      const fail = (expected: string): void => findings.fail(expected, got, at);
      if (has('shapeshift') && has('set3')) fail('either shapeshift or set3');
      // A dictionary need not hold each key that it may have, so that one may be left out is a reading.
      if (!has('set1') || !has('set2') || !(has('shapeshift') || has('set3')))
        findings.warn(`${got} without one of the keys set1, set2 and either shapeshift or set3.`);
      for (const key of ['set1', 'set2', 'set3', 'shapeshift'].filter(has)) {
        const list = specialisations[key];
        if (!Array.isArray(list) || !list.every(Number.isInteger)) {
          findings.fail('arrays of integers', at.got(list, 'specialisations', key), at);
        }
      }
    }),
  },
  {
    id: 'CHAR-PASS-005',
    level: 'MUST',
    sentence: 'Every key of jewel_data is the `x`, in decimal, of an item in `jewels` of the same response.',
    source: '2',
    gap: 'K-058',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['getCharacter'], ({ body, answer }, findings) => {
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
  },
  {
    id: 'CHAR-PASS-006',
    level: 'INFER',
    sentence: 'The `x` values within `jewels` are different, so that keys of jewel_data are unambiguous.',
    source: '2',
    plausible: 'keys of jewel_data would be ambiguous; that places differ is not stated',
    gap: 'K-058',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: replies(['getCharacter'], ({ body, answer }, findings) => {
      const seen = new Set<number>();
      for (const [index, jewel] of elements(own(body['character'], 'jewels')).entries()) {
        const x = own(jewel, 'x');
        if (typeof x !== 'number') continue;
        findings.look();
        if (seen.has(x)) findings.fail('jewels at different x', `$.character.jewels[${index}].x is ${x} again`, answer);
        seen.add(x);
      }
    }),
  },
  {
    id: 'CHAR-PASS-011',
    level: 'MUST',
    sentence: 'skill_overrides maps the identifier of a replaced node to a whole PassiveNode.',
    source: '2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: objects('Passives', ({ skill_overrides }, at, findings, { flag }) => {
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
  },
  {
    id: 'CHAR-PASS-012',
    level: 'INFER',
    sentence: 'Hashes of the first game fit into 16 bits, as tree links need.',
    source: '2',
    plausible: 'links need it, but a hash of a character is a uint of any size',
    gap: 'K-060',
    needs: [['client:confidential', 'client:public'], 'consent'],
    rule: objects('Passives', (passives, at, findings) => {
      if (at.reply.game !== 'g1') return;
      for (const name of ['hashes', 'hashes_ex']) {
        for (const [index, hash] of elements(passives[name]).entries()) {
          if (typeof hash !== 'number') continue;
          findings.look();
          if (hash > widest) findings.fail('hashes of 16 bits', at.got(hash, name, index), at);
        }
      }
    }),
  },
];
