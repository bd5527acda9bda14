import type { Departure, DepartureKind } from './departure.js';
import { rowsOfFields } from './fields.js';
import type { Listener, Rule, MonitorRow } from './rule.js';
import { timesShown } from './rule.js';
import { elements, own } from './values.js';
import type { Field, Game, ObjectShape, Shape, Shapes } from './shape.js';

/** The interface does not show the fields of an Error: what the contract says of them is its own choice (K-067). */
const isOfError = ({ field }: Departure): boolean => field?.owner.name === 'Error';

/**
 * A rule about all departures of one sort in answers of the data API. A field that departs alone is the business of its
 * own row; where more than one does, or one that has no row, it is the notation that is not kept.
 */
const everywhere =
  (concerns: (departure: Departure) => boolean, exercised: (shapes: Shapes) => number): Rule =>
  ({ shapes }) => {
    const rowOf = rowsOfFields(shapes);
    const alone: Departure[] = [];
    return {
      departure(departure, findings) {
        const { answer } = departure.at.reply;
        if (answer.asked.server !== 'data' || !concerns(departure) || isOfError(departure)) return;
        const row = departure.field && rowOf.get(departure.field);
        if (findings.count === 0 && row !== undefined && alone.every(({ field }) => rowOf.get(field!) === row)) {
          if (alone.length === 0) alone.push(departure);
          return;
        }
        for (const { expected, got, at } of [...alone.splice(0), departure])
          findings.fail(expected, got, at.reply.answer);
      },
      exercised: () => exercised(shapes),
    };
  };

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

/** How often these fields were shown, as `times` counts it. */
const fieldsShown = (shapes: Shapes, is: (field: Field) => unknown, times = ({ place }: Field) => place.seen): number =>
  sum(shapes.objects.flatMap(({ fields }) => [...fields.values()].filter(is).map(times)));

/** How often objects of these shapes were met, as `times` counts it. */
const objectsMet = (
  shapes: Shapes,
  is: (shape: ObjectShape) => unknown,
  times: (met: ObjectShape['met']) => number,
): number => sum(shapes.objects.filter(is).map(({ met }) => times(met)));

/** Finds empty identifiers among the nodes that a node is connected to. What those of a crucible name is not stated. */
const connected: NonNullable<Listener['objects']>[string] = (node, at, findings) => {
  for (const side of ['out', 'in']) {
    const index = elements(own(node, side)).indexOf('');
    if (index >= 0) findings.fail('an identifier of a node, which is not empty', at.got('', side, index), at);
  }
};

const metInAny = ({ g1, g2, either }: ObjectShape['met']): number => g1 + g2 + either;

const hasFieldOf =
  (wanted: Game) =>
  ({ fields }: ObjectShape): boolean =>
    [...fields.values()].some(({ game }) => game === wanted);

const shown = (shapes: Shapes, is: (shape: Shape) => boolean): number =>
  sum(shapes.all.filter(is).map(({ seen }) => seen));

const wrongValue: ReadonlySet<DepartureKind> = new Set(['type', 'value', 'pattern', 'format', 'bounds']);

const isUint = ({ types, minimum, values }: Shape): boolean =>
  types.has('integer') && ((minimum ?? -1) >= 0 || values !== undefined);
const isDictionary = ({ object }: Shape): boolean =>
  object?.dictionary !== undefined || object?.name === 'Specialisations';
const isHex64 = ({ pattern }: Shape): boolean => pattern?.source.includes('{64}') ?? false;

/** Fields whose mark `G2` may be read as meant for another field only (K-133): their own rows say so, no general one. */
export const isDisputed = ({ place }: Field): boolean =>
  place.id === 'Item.weaponRequirements' || place.id === 'Item.supportGemRequirements';

/** Wrappers whose null or absence is the answer to an unknown name, on which the interface is silent (K-023, K-025). */
const isWrapper = ({ field, at }: Departure): boolean =>
  field?.owner.name === at.reply.operation && field.owner.fields.size === 1;

/** The rows that hold for all fields alike (interface 2, Notation). */
export const generic: readonly MonitorRow[] = [
  {
    id: 'GEN-005',
    level: 'MUST',
    sentence: 'A field typed `?T` is a T, null or absent, and nothing else.',
    source: '2',
    rule: everywhere(
      ({ kind, field, shape }) =>
        kind === 'type' && field !== undefined && shape !== undefined && !field.flag && !field.required,
      (shapes) => fieldsShown(shapes, ({ flag, required }) => !flag && !required),
    ),
  },
  {
    id: 'GEN-006',
    level: 'MUST',
    sentence:
      'A field typed without `?` is always there and never null (unlisted public stashes are the exception, see PSTASH-UNLIST).',
    source: '2',
    rule: everywhere(
      (departure) =>
        departure.kind === 'missing' || (departure.kind === 'null' && !departure.field?.flag)
          ? !isWrapper(departure)
          : false,
      (shapes) => fieldsShown(shapes, ({ required, requiredIn }) => required || requiredIn, timesShown),
    ),
  },
  {
    id: 'GEN-007',
    level: 'MUST',
    sentence:
      'A field marked \'always true if present\' or (T) is true wherever it is: never false, never null, never 1 or "true".',
    source: '2',
    gap: 'K-007',
    rule: everywhere(
      ({ kind, field }) => (field?.flag ?? false) && (kind === 'null' || wrongValue.has(kind)),
      (shapes) => fieldsShown(shapes, ({ flag }) => flag, timesShown),
    ),
  },
  {
    id: 'GEN-008',
    level: 'MUST',
    sentence: '`uint` values are JSON numbers, integral and not negative, never quoted.',
    source: '2',
    rule: everywhere(
      ({ kind, shape }) => shape !== undefined && isUint(shape) && (kind === 'type' || kind === 'bounds'),
      (shapes) => shown(shapes, isUint),
    ),
  },
  {
    id: 'GEN-009',
    level: 'MUST',
    sentence: 'Date fields are ISO 8601 date-time strings with a date and a time: no epoch numbers, no bare dates.',
    source: '2',
    gap: 'K-095',
    rule: everywhere(
      ({ kind, shape }) => shape?.format === 'date-time' && (kind === 'type' || kind === 'format'),
      (shapes) => shown(shapes, ({ format }) => format === 'date-time'),
    ),
  },
  {
    id: 'GEN-010',
    level: 'MUST',
    sentence: 'Fields with a listed value set take only listed values, in their exact case.',
    source: '2',
    gap: 'K-003',
    rule: everywhere(
      ({ kind, shape, field }) =>
        (kind === 'value' && !field?.flag && typeof shape?.constant !== 'boolean') ||
        (kind === 'type' && shape?.values !== undefined),
      (shapes) => shown(shapes, ({ values, constant }) => values !== undefined || typeof constant === 'string'),
    ),
  },
  {
    id: 'GEN-011',
    level: 'MUST',
    sentence: "Fields typed 'dictionary' are JSON objects, also when they are empty (never `[]`).",
    source: '2',
    rule: everywhere(
      // An empty array for any object is the same slip: the encoding of an empty map.
      ({ kind, shape, got }) =>
        kind === 'type' && shape?.object !== undefined && (isDictionary(shape) || got.endsWith(' is []')),
      (shapes) => shown(shapes, isDictionary),
    ),
  },
  {
    id: 'GEN-012',
    level: 'MUST',
    sentence:
      'Ids described as 64-digit hexadecimal match `^[0-9A-Fa-f]{64}$`, those of characters, items and public stash changes.',
    source: '2',
    rule: everywhere(
      ({ kind, shape }) => shape !== undefined && isHex64(shape) && (kind === 'pattern' || kind === 'type'),
      (shapes) => shown(shapes, isHex64),
    ),
  },
  {
    id: 'GEN-014',
    level: 'MUST',
    sentence:
      'Fields marked G2 never occur in answers about the first game: operations of the first game only, realms pc, xbox and sony.',
    source: '2',
    gap: 'K-133',
    rule: everywhere(
      ({ kind, field }) => kind === 'game' && field?.game === 'g2' && !isDisputed(field),
      (shapes) => objectsMet(shapes, hasFieldOf('g2'), ({ g1 }) => g1),
    ),
  },
  {
    id: 'GEN-015',
    level: 'MUST',
    sentence: 'Fields marked G1 never occur in answers about the second game.',
    source: '2',
    needs: ['game2'],
    rule: everywhere(
      ({ kind, field }) => kind === 'game' && field?.game === 'g1',
      (shapes) => objectsMet(shapes, hasFieldOf('g1'), ({ g2 }) => g2),
    ),
  },
  {
    id: 'GEN-022',
    level: 'INFER',
    sentence:
      'Dictionary keys that stand for numbers are canonical decimals (mastery_effects, jewel_data, crucible.nodes); identifiers of nodes and groups are non-empty strings.',
    source: '2',
    entailed: '2: the key is the number, or the identifier, as a string',
    rule: (setting) => ({
      ...everywhere(
        ({ kind, expected }) => kind === 'key' && expected.includes('decimal'),
        (shapes) => objectsMet(shapes, ({ keys }) => keys?.source.includes('0-9'), metInAny),
      )(setting),
      objects: { PassiveNode: connected },
    }),
  },
];
