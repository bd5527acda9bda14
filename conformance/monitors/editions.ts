import type { JsonObject } from '../json.js';
import { editionMarks } from '../../src/contract/index.js';
import type { DepartureKind } from './departure.js';
import { observed } from './observed.js';
import { asDescribed } from './rule.js';
import type { Listener, Rule, Rules, RuleContext } from './rule.js';
import { given, own } from './values.js';

const values: readonly DepartureKind[] = ['type', 'value', 'bounds', 'gated'];

const declared = ({ flag }: RuleContext, ...flags: readonly string[]): { idle?: string } =>
  flags.every((name) => flag(name) === 'any') ? { idle: `the target does not declare ${flags.join(' or ')}` } : {};

/** A rule that of two names for one thing a run shows one only. */
const oneName =
  (schema: string, names: readonly [string, string], is: (value: unknown) => boolean): Rule =>
  () => {
    let first: string | undefined;
    return {
      objects: {
        [schema]: (value: JsonObject, at, findings) => {
          for (const name of names) {
            const member = own(value, name);
            if (!is(member)) continue;
            findings.look();
            first ??= name;
            if (name !== first) {
              findings.fail(`${first} throughout the run, as elsewhere`, at.got(member, name), at);
            }
          }
        },
      },
    };
  };

/** Rows of editions (interface 2: what is marked variant; the flags are those of the target file). */
export const editions: Rules = {
  'ED-001': oneName('LeagueCategory', ['current', 'active'], given),
  'ED-002': (setting): Listener => {
    const state = setting.flag('F-LEAGUE-NAME');
    return {
      ...declared(setting, 'F-LEAGUE-NAME'),
      objects: {
        League: (league, at, findings) => {
          findings.look();
          const name = own(league, 'name');
          if (state === 'off' && given(name)) {
            findings.fail('no name, since F-LEAGUE-NAME is declared off', at.got(name, 'name'), at);
          }
          // The field is `?string` all the same, so null or absence is as documented.
          if (state === 'on' && !given(name))
            findings.warn('F-LEAGUE-NAME is declared on, and some leagues have no name.');
        },
      },
    };
  },
  'ED-003': ({ shapes, flag }) => ({
    ...(editionMarks.every((mark) => flag(mark.flag) === 'any') && { idle: 'the target declares no edition' }),
    departure({ kind, expected, got, at }, findings) {
      if (kind === 'edition') findings.warn(`Expected ${expected}; ${got} (answer ${at.reply.answer.number}).`);
    },
    exercised: () =>
      shapes.objects
        .flatMap(({ fields }) => [...fields.values()])
        .filter(({ edition }) => edition && !edition.effect && flag(edition.flag) !== 'any')
        .reduce((sum, { owner }) => sum + owner.met.g1 + owner.met.g2 + owner.met.either, 0),
  }),
  'ED-004': asDescribed(['Item.frameType'], { kinds: values }),
  'ED-005': asDescribed(['PassiveNode.recipe'], { kinds: values }),
  'ED-007': oneName('Specialisations', ['shapeshift', 'set3'], given),
  'ED-008': (setting) => ({
    ...asDescribed(['Passives.alternate_ascendancy'], { kinds: values })(setting),
    ...declared(setting, 'F-ALTASC-BLOODLINE'),
  }),
  'ED-009': (setting) => ({
    ...declared(setting, 'F-CHAR-INV-G1', 'F-CHAR-RUCK-G1'),
    objects: {
      Character: (_character, { reply }, findings) => {
        if (reply.game === 'g2') findings.look();
      },
    },
    departure({ kind, expected, got, at }, findings) {
      if (kind === 'restricted') findings.fail(expected, got, at);
    },
  }),
  'ED-010': observed,
};
