import type { Departure, DepartureKind } from './departure.js';
import { rowsOfFields } from './fields.js';
import type { Rule, Rules } from './rule.js';
import { timesShown } from './rule.js';
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
export const generic: Rules = {
  'GEN-005': everywhere(
    ({ kind, field, shape }) =>
      kind === 'type' && field !== undefined && shape !== undefined && !field.flag && !field.required,
    (shapes) => fieldsShown(shapes, ({ flag, required }) => !flag && !required),
  ),
  'GEN-006': everywhere(
    (departure) =>
      departure.kind === 'missing' || (departure.kind === 'null' && !departure.field?.flag)
        ? !isWrapper(departure)
        : false,
    (shapes) => fieldsShown(shapes, ({ required, requiredIn }) => required || requiredIn, timesShown),
  ),
  'GEN-007': everywhere(
    ({ kind, field }) => (field?.flag ?? false) && (kind === 'null' || wrongValue.has(kind)),
    (shapes) => fieldsShown(shapes, ({ flag }) => flag, timesShown),
  ),
  'GEN-008': everywhere(
    ({ kind, shape }) => shape !== undefined && isUint(shape) && (kind === 'type' || kind === 'bounds'),
    (shapes) => shown(shapes, isUint),
  ),
  'GEN-009': everywhere(
    ({ kind, shape }) => shape?.format === 'date-time' && (kind === 'type' || kind === 'format'),
    (shapes) => shown(shapes, ({ format }) => format === 'date-time'),
  ),
  'GEN-010': everywhere(
    ({ kind, shape, field }) =>
      (kind === 'value' && !field?.flag && typeof shape?.constant !== 'boolean') ||
      (kind === 'type' && shape?.values !== undefined),
    (shapes) => shown(shapes, ({ values, constant }) => values !== undefined || typeof constant === 'string'),
  ),
  'GEN-011': everywhere(
    // An empty array for any object is the same slip: the encoding of an empty map.
    ({ kind, shape, got }) =>
      kind === 'type' && shape?.object !== undefined && (isDictionary(shape) || got.endsWith(' is []')),
    (shapes) => shown(shapes, isDictionary),
  ),
  'GEN-012': everywhere(
    ({ kind, shape }) => shape !== undefined && isHex64(shape) && (kind === 'pattern' || kind === 'type'),
    (shapes) => shown(shapes, isHex64),
  ),
  'GEN-014': everywhere(
    ({ kind, field }) => kind === 'game' && field?.game === 'g2' && !isDisputed(field),
    (shapes) => objectsMet(shapes, hasFieldOf('g2'), ({ g1 }) => g1),
  ),
  'GEN-015': everywhere(
    ({ kind, field }) => kind === 'game' && field?.game === 'g1',
    (shapes) => objectsMet(shapes, hasFieldOf('g1'), ({ g2 }) => g2),
  ),
  'GEN-022': everywhere(
    ({ kind, expected }) => kind === 'key' && expected.includes('decimal'),
    (shapes) => objectsMet(shapes, ({ keys }) => keys?.source.includes('0-9'), metInAny),
  ),
};
