import { branches, deref, described, isAddition, replySchemas, schemas } from '../../src/contract/index.js';
import type { EditionMark, SchemaNode } from '../../src/contract/index.js';

export type Game = 'g1' | 'g2';

/** A property of an object of the contract, by the way there: `Item.scourged`, `getLeagueLadder.league.total`. */
export interface CountedPlace {
  readonly id: string;
  /** What the run showed of it: values that were neither absent nor null, and among them `true`. */
  seen: number;
  trues: number;
}

/** A value as the contract describes it, null apart. */
export interface Shape {
  /** The JSON types that it may have, `integer` and `number` told apart. */
  readonly types: ReadonlySet<string>;
  readonly constant: unknown;
  readonly values: ReadonlySet<unknown> | undefined;
  /** Values that exist only where an edition flag is on. */
  readonly gated: ReadonlyMap<unknown, string> | undefined;
  readonly pattern: RegExp | undefined;
  readonly format: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly object: ObjectShape | undefined;
  readonly array: ArrayShape | undefined;
  /** Alternatives, where there is more than one; then nothing else is set. */
  readonly choice: readonly Slot[] | undefined;
  /** Values that were held against it. */
  seen: number;
}

/** Where a value stands: what it may be, and whether it may be null. */
export interface Slot {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** The flag without which this alternative does not exist. */
  readonly flag: string | undefined;
  /** The form that live services answer beside the description, and its flag. */
  readonly observed?: { readonly flag: string; readonly slot: Slot };
}

export interface ArrayShape {
  readonly items: Slot | undefined;
  readonly tuple: readonly Slot[] | undefined;
  readonly maximum: number | undefined;
}

export interface ObjectShape {
  /** Name of the schema, or the place of an object that is described inline. */
  readonly name: string;
  /** By their names on the wire. */
  readonly fields: Map<string, Field>;
  /** Fields that are required, in one game at least. */
  required: readonly Field[];
  /** Fields of which not all may be there. */
  apart: readonly (readonly Field[])[];
  /** The values of a dictionary, any key of which is as good as another. */
  readonly dictionary: Slot | undefined;
  readonly keys: RegExp | undefined;
  /** Any further member is as documented. */
  readonly open: boolean;
  /** Objects that were met, by their game. */
  readonly met: Record<Game | 'either', number>;
}

export interface Field {
  /** Its name on the wire. */
  readonly name: string;
  readonly place: CountedPlace;
  readonly slot: Slot;
  readonly required: boolean;
  readonly requiredIn: Game | undefined;
  /** Always true if present (interface 2, Notation). */
  readonly flag: boolean;
  readonly game: Game | undefined;
  readonly edition: EditionMark | undefined;
  /** Whether the description does not have it, and live data does. */
  readonly observed: boolean;
  /** The one operation whose replies may have it. */
  readonly only: string | undefined;
  readonly owner: ObjectShape;
}

/** Names that a target spells differently (K-041). */
export interface TargetNames {
  readonly game2: string;
  readonly livestream: string;
}

/** What the rows leave freer than the contract's patterns: a difference in letter case is a warning, no failure. */
const eased: Readonly<Record<string, Partial<SchemaNode>>> = {
  'Profile.uuid': {
    pattern: '^(?:[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12})$',
  },
  'TokenResponse.token_type': { const: undefined, pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' },
};

/** The contract as the walk reads it, with its counters: one for each run. */
export class Shapes {
  readonly places = new Map<string, CountedPlace>();
  readonly objects: ObjectShape[] = [];
  readonly all: Shape[] = [];
  private readonly named = new Map<string, Shape>();
  private readonly replies = new Map<string, Slot>();

  constructor(private readonly names: TargetNames) {}

  /** The reply of an operation with a status; any other status of success is read as 200. */
  reply(operation: string, status: number): Slot | undefined {
    const byStatus = replySchemas[operation as keyof typeof replySchemas] as
      | Readonly<Record<string, SchemaNode>>
      | undefined;
    const documented = byStatus && Object.hasOwn(byStatus, String(status)) ? String(status) : '200';
    const schema = byStatus?.[documented];
    if (!schema) return undefined;
    const key = `${operation} ${documented}`;
    let slot = this.replies.get(key);
    if (!slot) this.replies.set(key, (slot = this.slot(schema, operation)));
    return slot;
  }

  /** The schema of a name. */
  schema(name: string): Slot {
    return this.slot({ $ref: `#/components/schemas/${name}` }, name);
  }

  place(id: string): CountedPlace {
    let place = this.places.get(id);
    if (!place) this.places.set(id, (place = { id, seen: 0, trues: 0 }));
    return place;
  }

  private slot(written: SchemaNode, place: string): Slot {
    const { name, schema: whole } = deref(written);
    const here = name ?? place;
    const schema = described(whole);
    if (schema !== whole) return { ...this.slot(schema, here), ...this.observed(whole, here) };
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    const alternatives = schema.anyOf ?? schema.oneOf;
    const flag = written['x-edition']?.flag ?? schema['x-edition']?.flag;
    if (!alternatives) {
      return { shape: this.shape(name, { ...schema, ...eased[place] }, here), nullable: types.includes('null'), flag };
    }
    const nullable = alternatives.some((branch) => branch.type === 'null');
    const slots = branches(schema).map((branch) => this.slot(branch, here));
    const [first] = slots;
    if (first && slots.length === 1) return { shape: first.shape, nullable: nullable || first.nullable, flag };
    return { shape: this.keep({ ...blank, types: new Set(), choice: slots, seen: 0 }), nullable, flag };
  }

  private observed(schema: SchemaNode, here: string): Pick<Slot, 'observed'> {
    const form = schema.anyOf?.find((branch) => branch['x-observed'] !== undefined);
    const flag = form?.['x-edition']?.flag;
    return form && flag !== undefined ? { observed: { flag, slot: this.slot(form, here) } } : {};
  }

  private shape(name: string | undefined, schema: SchemaNode, here: string): Shape {
    const known = name === undefined ? undefined : this.named.get(name);
    if (known) return known;
    const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])).filter(
      (type) => type !== 'null',
    );
    const gates = schema['x-enum-edition'];
    const values = schema.enum?.filter((value) => value !== null).map((value) => this.onWire(value));
    const mutable = {
      ...blank,
      types: new Set(types),
      constant: schema.const,
      values: values && new Set(values),
      gated:
        gates &&
        new Map(
          Object.entries(gates).map(([value, flag]) => [types.includes('integer') ? Number(value) : value, flag]),
        ),
      pattern: schema.pattern === undefined ? undefined : expression(schema.pattern),
      format: schema.format,
      minimum: schema.minimum as number | undefined,
      maximum: schema.maximum as number | undefined,
      object: undefined as ObjectShape | undefined,
      array: undefined as ArrayShape | undefined,
      seen: 0,
    };
    const shape = this.keep(mutable);
    // Kept before its parts are read: items hold items, tabs hold tabs.
    if (name !== undefined) this.named.set(name, shape);
    if (types.includes('object')) mutable.object = this.object(schema, here);
    if (types.includes('array')) {
      mutable.array = {
        items: schema.items ? this.slot(schema.items, `${here}[]`) : undefined,
        tuple: schema.prefixItems?.map((item, index) => this.slot(item, `${here}[${index}]`)),
        maximum: schema.maxItems as number | undefined,
      };
    }
    return shape;
  }

  private object(schema: SchemaNode, here: string): ObjectShape {
    const extra = schema.additionalProperties;
    const named = (schema as { propertyNames?: SchemaNode }).propertyNames;
    const object: ObjectShape = {
      name: here,
      fields: new Map(),
      required: [],
      apart: [],
      // Where the keys are named as well, another key is a member that nobody described (K-104).
      dictionary: typeof extra === 'object' && !schema.properties ? this.slot(extra, `${here}{}`) : undefined,
      keys: named && expression(named.pattern ?? '^[^]'),
      open: extra === true,
      met: { g1: 0, g2: 0, either: 0 },
    };
    this.objects.push(object);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const always = property['x-edition']?.effect === 'optional' || schema.required?.includes(name);
      this.field(object, name, property, always ?? false);
    }
    const fields = [...object.fields.values()];
    object.required = fields.filter((field) => field.required || field.requiredIn !== undefined);
    object.apart = apartOf(schema['not']).map((names) =>
      names.map((name) => object.fields.get(name) ?? this.field(object, name, {}, false)),
    );
    return object;
  }

  private field(owner: ObjectShape, name: string, property: SchemaNode, required: boolean): Field {
    const place = this.place(`${owner.name}.${name}`);
    const slot = this.slot(property, place.id);
    const field: Field = {
      name: name === 'livestream' ? this.names.livestream : name,
      place,
      slot,
      required,
      requiredIn: property['x-game-required'],
      flag: !required && slot.shape.constant === true,
      game: property['x-game'],
      edition: property['x-edition'],
      observed: isAddition(property),
      only: property['x-only'],
      owner,
    };
    owner.fields.set(field.name, field);
    return field;
  }

  private onWire(value: unknown): unknown {
    return value === 'game2' ? this.names.game2 : value;
  }

  private keep<S extends Shape>(shape: S): S {
    this.all.push(shape);
    return shape;
  }

  /** Whether the contract has a schema of this name. */
  static isSchema(name: string): boolean {
    return Object.hasOwn(schemas, name);
  }
}

const compiled = new Map<string, RegExp>();

/** The expression of a pattern: the contract has few, which every run shares. */
function expression(pattern: string): RegExp {
  let found = compiled.get(pattern);
  if (!found) compiled.set(pattern, (found = new RegExp(pattern, 'u')));
  return found;
}

const blank = {
  constant: undefined,
  values: undefined,
  gated: undefined,
  pattern: undefined,
  format: undefined,
  minimum: undefined,
  maximum: undefined,
  object: undefined,
  array: undefined,
  choice: undefined,
};

/** `not: { required: [a, b] }`, and alternatives of it: the contract's only use of `not`. */
function apartOf(not: unknown): readonly (readonly string[])[] {
  const node = not as { required?: readonly string[]; anyOf?: readonly { required?: readonly string[] }[] } | undefined;
  const alternatives = node?.anyOf ?? (node ? [node] : []);
  return alternatives.flatMap(({ required }) => (required ? [required] : []));
}
