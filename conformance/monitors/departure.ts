import type { Field, Shape } from './shape.js';
import type { Cursor } from './cursor.js';

/**
 * How a value departs from the contract: not there; null; another type; not a listed value; not of the pattern; not a
 * date-time or UUID; out of bounds; a dictionary's key; fields that exclude each other; a field of the other game; a
 * field of another operation; a field or value of a feature that is declared off; a field that the declared edition
 * keeps for the first game.
 */
export type DepartureKind =
  | 'missing'
  | 'null'
  | 'type'
  | 'value'
  | 'pattern'
  | 'format'
  | 'bounds'
  | 'key'
  | 'apart'
  | 'game'
  | 'only'
  | 'edition'
  | 'gated'
  | 'restricted';

export interface Departure {
  readonly kind: DepartureKind;
  /** The field that it belongs to: the value's own, or the one that holds the array or dictionary it is in. */
  readonly field: Field | undefined;
  /** The description that it departs from, where it is one of a value. */
  readonly shape: Shape | undefined;
  readonly expected: string;
  readonly got: string;
  readonly at: Cursor;
}
