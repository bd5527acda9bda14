import { placePath } from '../../src/contract/index.js';
import { Shapes } from './shape.js';
import type { Field, ObjectShape, Slot } from './shape.js';

/** Schemas that are one object of the interface: a list shows filters without two of their fields (K-008). */
const kin: Readonly<Record<string, readonly string[]>> = { ItemFilter: ['ItemFilter', 'ItemFilterSummary'] };

/** Places that were looked up, by the shapes of a run: several rules ask for the fields of every row. */
const lookedUp = new WeakMap<Shapes, Map<string, readonly Field[]>>();

/**
 * The fields at a place as the ledger writes it, `League.category.current` or `getLeagueLadder.league.total`: from a
 * schema or an operation's reply along its properties, `[]` into an array. More than one where an object has forms.
 */
export function fieldsAt(shapes: Shapes, place: string): readonly Field[] {
  const known = lookedUp.get(shapes) ?? new Map<string, readonly Field[]>();
  lookedUp.set(shapes, known);
  const fields = known.get(place) ?? fieldsOf(shapes, place);
  known.set(place, fields);
  return fields;
}

function fieldsOf(shapes: Shapes, place: string): readonly Field[] {
  const { head, steps } = placePath(place);
  const names = kin[head] ?? [head];
  const slots = Shapes.isSchema(head) ? names.map((name) => shapes.schema(name)) : [shapes.reply(head, 200)];
  let fields: readonly Field[] = [];
  let here = slots.filter((slot) => slot !== undefined);
  for (const { name, depth } of steps) {
    fields = here.flatMap(objectsIn).flatMap((object) => named(object, name));
    here = fields.map(({ slot }) => slot);
    for (let left = depth; left > 0; left -= 1)
      here = here.map(({ shape }) => shape.array?.items).filter((slot) => slot !== undefined);
  }
  if (fields.length === 0)
    throw new Error(`${place}: no such place in the contract; a schema or operation, then properties`);
  return fields;
}

function objectsIn({ shape }: Slot): readonly ObjectShape[] {
  if (shape.choice) return shape.choice.flatMap(objectsIn);
  return shape.object ? [shape.object] : [];
}

/** A field by its name in the contract, which a target may spell differently on the wire. */
function named({ fields, name: owner }: ObjectShape, name: string): readonly Field[] {
  const field = fields.get(name) ?? [...fields.values()].find(({ place }) => place.id === `${owner}.${name}`);
  return field ? [field] : [];
}
