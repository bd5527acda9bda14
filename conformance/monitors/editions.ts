import type { JsonObject } from '../json.js';
import { editionMarks } from '../../src/contract/index.js';
import type { DepartureKind } from './departure.js';
import { observed } from './observed.js';
import { asDescribed } from './rule.js';
import type { Listener, Rule, MonitorRow, RuleContext } from './rule.js';
import { given, own } from './values.js';

const values: readonly DepartureKind[] = ['type', 'value', 'bounds', 'gated'];

const declared = ({ flag }: RuleContext, ...flags: readonly string[]): { idle?: string } =>
  flags.every((name) => flag(name) === 'any') ? { idle: `the target does not declare ${flags.join(' or ')}` } : {};

/** One of two names for one thing, and the flag of the editions that have it, where only some do. */
interface Alternative {
  readonly name: string;
  readonly flag?: string;
}

/** A rule that of two names for one thing a run shows one only, and none that the target declares off. */
const oneName =
  (schema: string, names: readonly [Alternative, Alternative], is: (value: unknown) => boolean): Rule =>
  (setting) => {
    let first: string | undefined;
    return {
      objects: {
        [schema]: (value: JsonObject, at, findings) => {
          for (const { name, flag } of names) {
            const member = own(value, name);
            if (!is(member)) continue;
            findings.look();
            if (flag !== undefined && setting.flag(flag) === 'off')
              findings.fail(`no ${name}, since ${flag} is declared off`, at.got(member, name), at);
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
export const editions: readonly MonitorRow[] = [
  {
    id: 'ED-001',
    level: 'MUST',
    sentence: 'category.current and category.active do not both occur: one edition names it one way.',
    source: '2',
    gap: 'K-124',
    rule: oneName('LeagueCategory', [{ name: 'current' }, { name: 'active' }], given),
  },
  {
    id: 'ED-002',
    level: 'MUST',
    sentence: 'With F-LEAGUE-NAME a League has `name`; without it, id is the name and `name` is absent.',
    source: '2',
    rule: (setting): Listener => {
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
  },
  {
    id: 'ED-003',
    level: 'MUST',
    sentence: 'Fields of a feature that is declared off do not occur.',
    source: '2',
    gap: 'K-124',
    rule: ({ shapes, flag }) => ({
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
  },
  {
    id: 'ED-004',
    level: 'MUST',
    sentence: 'frameType is 0 to 13, and 12 and 13 only where the edition has them.',
    source: '2',
    rule: asDescribed(['Item.frameType'], { kinds: values }),
  },
  {
    id: 'ED-005',
    level: 'MUST',
    sentence: 'The values of recipe are of the list of oils, PrismaticOil only where the edition has it.',
    source: '2',
    rule: asDescribed(['PassiveNode.recipe'], { kinds: values }),
  },
  {
    id: 'ED-007',
    level: 'MUST',
    sentence:
      'The third key of specialisations is the same everywhere: shapeshift or set3, and not the one that is declared off.',
    source: '2',
    needs: ['game2'],
    rule: oneName(
      'Specialisations',
      [
        { name: 'shapeshift', flag: 'F-SPEC-SHAPESHIFT' },
        { name: 'set3', flag: 'F-SPEC-SET3' },
      ],
      given,
    ),
  },
  {
    id: 'ED-008',
    level: 'MUST',
    sentence:
      'alternate_ascendancy is Warden, Warlock or Primalist, or with F-ALTASC-BLOODLINE the name of any bloodline class.',
    source: '2',
    rule: (setting) => ({
      ...asDescribed(['Passives.alternate_ascendancy'], { kinds: values })(setting),
      ...declared(setting, 'F-ALTASC-BLOODLINE'),
    }),
  },
  {
    id: 'ED-009',
    level: 'MUST',
    sentence:
      'inventory and rucksack occur on characters of the second game only if the edition does not mark them G1.',
    source: '2',
    gap: 'K-059',
    rule: (setting) => ({
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
  },
  {
    id: 'ED-010',
    level: 'INFER',
    sentence: 'What only live data shows (F-OBS) is answered in the observed form where the target declares it on.',
    source: '2',
    entailed: '2: the description says one form, the target that the server has the other; one of the two holds',
    rule: observed,
  },
];
