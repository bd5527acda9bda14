import { dateTimeOf } from '../date-time.js';
import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import type { FlagState } from '../target/target.js';
import type { Departure, DepartureKind } from './departure.js';
import type { Field, ObjectShape, Shape, Slot } from './shape.js';
import type { Cursor } from './cursor.js';
import { show, uuid } from './values.js';

/** Who is told what the walk meets. */
export interface Listener {
  /** An object of the contract, before what is in it. */
  object(shape: ObjectShape, value: JsonObject, at: Cursor): void;
  departure(departure: Departure): void;
  /** A member that the contract does not describe. */
  undocumented(shape: ObjectShape, name: string): void;
  /** An integer that a double does not hold exactly. */
  unsafe(at: Cursor): void;
  /** A sign that a flag is on or off. */
  sign(flag: string, state: 'on' | 'off'): void;
  flag(flag: string): FlagState;
}

/** Deeper than any answer that makes sense; what lies below is not judged. */
const deepest = 200;

/** Fields whose values are secrets: their text stays out of reports. */
const secret = new Set(['TokenResponse.access_token', 'TokenResponse.refresh_token']);

/** Holds a value against the contract, in one pass, and tells of every departure. Any JSON value is fine. */
export class ShapeWalk {
  private depth = 0;

  constructor(private readonly listener: Listener) {}

  /** A value where the contract wants `slot`; `field` is what departures belong to. */
  value(value: unknown, slot: Slot, at: Cursor, field?: Field): void {
    if (value === null) {
      if (!slot.nullable) this.tell(at, 'null', field, slot.shape, `${nameOf(slot.shape)}, not null`, value);
      return;
    }
    this.given(value, slot, at, field);
  }

  private given(value: unknown, slot: Slot, at: Cursor, field: Field | undefined): void {
    const { shape, observed } = slot;
    if (observed && this.listener.flag(observed.flag) !== 'off' && isObserved(value, shape, observed.slot.shape)) {
      this.listener.sign(observed.flag, 'on');
      return this.given(value, observed.slot, at, field);
    }
    if (shape.choice) return this.choice(value, shape, at, field);
    shape.seen += 1;
    const wrong = departure(value, shape);
    if (wrong) return this.tell(at, wrong, field, shape, expectation(shape, wrong), value);
    if (typeof value === 'number' && shape.types.has('integer') && !Number.isSafeInteger(value))
      this.listener.unsafe(at);
    const gate = shape.gated?.get(value);
    if (gate !== undefined) this.gate(gate, value, at, field, shape);
    if (typeof value !== 'object' || this.depth >= deepest) return;
    this.depth += 1;
    if (Array.isArray(value)) this.array(value, shape, at, field);
    else if (shape.object) this.object(value as JsonObject, shape.object, at, field);
    this.depth -= 1;
  }

  private array(value: readonly unknown[], shape: Shape, at: Cursor, field: Field | undefined): void {
    const { items, tuple, maximum } = shape.array ?? {};
    if (maximum !== undefined && !tuple && value.length > maximum) {
      this.tell(at, 'bounds', field, shape, `at most ${maximum} elements`, value);
    }
    if (tuple && value.length !== tuple.length) {
      return this.tell(at, 'type', field, shape, `exactly ${tuple.length} elements`, value);
    }
    const { keys } = at;
    const last = keys.length;
    for (let index = 0; index < value.length; index += 1) {
      const slot = tuple?.[index] ?? items;
      if (!slot) return;
      if (!saysWhat(slot)) continue;
      keys.push(index);
      const element = value[index];
      // An element is not a field: where it is null it has the wrong type.
      if (element === null && !slot.nullable) this.tell(at, 'type', field, slot.shape, nameOf(slot.shape), element);
      else if (element !== null) this.given(element, slot, at, field);
      keys.length = last;
    }
  }

  private object(value: JsonObject, shape: ObjectShape, at: Cursor, owner: Field | undefined): void {
    const { game } = at.reply;
    shape.met[game ?? 'either'] += 1;
    this.listener.object(shape, value, at);
    for (const field of shape.required) {
      if (!field.required && (game === undefined || field.requiredIn !== game)) continue;
      if (Object.hasOwn(value, field.name)) continue;
      if (this.isLeftOut(field, owner)) continue;
      this.tell(
        at,
        'missing',
        field,
        field.slot.shape,
        `${nameOf(field.slot.shape)}, always present`,
        undefined,
        field.name,
      );
    }
    for (const fields of shape.apart) {
      if (fields.every(({ name }) => Object.hasOwn(value, name))) {
        const names = fields.map(({ name }) => name);
        const expected = names.length === 1 ? `no ${names.join()}` : `not both ${names.join(' and ')}`;
        for (const field of fields) this.tell(at, 'apart', field, undefined, expected, value[field.name], field.name);
      }
    }
    const { keys } = at;
    const last = keys.length;
    for (const name of Object.keys(value)) {
      const member = value[name];
      const field = shape.fields.get(name);
      keys.push(name);
      if (field?.observed) this.addition(member, field, shape, at);
      else if (field) this.field(member, field, at);
      else if (shape.dictionary) this.entry(name, member, shape, shape.dictionary, at, owner);
      else if (!shape.open) this.listener.undocumented(shape, name);
      keys.length = last;
    }
  }

  /** Whether live services leave a field out there, where the target does not say that it is always there. */
  private isLeftOut({ edition }: Field, owner: Field | undefined): boolean {
    if (edition?.effect !== 'optional' || edition.within !== owner?.place.id) return false;
    if (this.listener.flag(edition.flag) === 'off') return false;
    this.listener.sign(edition.flag, 'on');
    return true;
  }

  /** A member that only live data shows: nobody described it, so that no form of it is wrong, nor what is in it. */
  private addition(value: unknown, field: Field, owner: ObjectShape, at: Cursor): void {
    if (value === null) return;
    if (departure(value, field.slot.shape)) this.listener.undocumented(owner, field.name);
    else this.marks(value, field, at);
  }

  private field(value: unknown, field: Field, at: Cursor): void {
    if (value === null) {
      // A field of the other game that is null says the same as its absence.
      if (field.requiredIn && at.reply.game && field.requiredIn !== at.reply.game) return;
    } else {
      field.place.seen += 1;
      if (value === true) field.place.trues += 1;
      if (field.game || field.only || field.edition) this.marks(value, field, at);
    }
    // An empty description stands for a field that must not be here, of which `apart` tells.
    if (saysWhat(field.slot)) {
      this.value(value, field.slot, at, field);
    }
  }

  private entry(
    name: string,
    value: unknown,
    shape: ObjectShape,
    slot: Slot,
    at: Cursor,
    owner: Field | undefined,
  ): void {
    if (shape.keys && !shape.keys.test(name)) {
      const expected = shape.keys.source.includes('0-9')
        ? 'keys that are plain decimal numbers'
        : 'keys that are not empty';
      this.tell(at, 'key', owner, undefined, expected, name);
    }
    if (!saysWhat(slot)) return;
    if (value === null && !slot.nullable) this.tell(at, 'type', owner, slot.shape, nameOf(slot.shape), value);
    else if (value !== null) this.given(value, slot, at, owner);
  }

  private marks(value: unknown, field: Field, at: Cursor): void {
    const { game, operation } = at.reply;
    const wrong = (kind: DepartureKind, where: string): void =>
      this.tell(at, kind, field, undefined, `no ${field.name}${where}`, value);
    if (field.game && game && field.game !== game) wrong('game', ` in the ${game === 'g1' ? 'first' : 'second'} game`);
    if (field.only && field.only !== operation) wrong('only', ` outside of ${field.only}`);
    if (!field.edition) return;
    const { flag, state, effect } = field.edition;
    if (effect === 'deprecated' || effect === 'optional' || effect === 'meaning') return;
    if (effect === 'g1') {
      if (game !== 'g2') return;
      this.listener.sign(flag, 'off');
      if (this.listener.flag(flag) === 'on') wrong('restricted', ` in the second game, since ${flag} is declared on`);
      return;
    }
    const shown = state === 'off' ? 'off' : 'on';
    this.listener.sign(flag, shown);
    const declared = this.listener.flag(flag);
    if (declared !== 'any' && declared !== shown) wrong('edition', `, since ${flag} is declared ${declared}`);
  }

  private choice(value: unknown, shape: Shape, at: Cursor, field: Field | undefined): void {
    const slots = shape.choice ?? [];
    const fitting = slots.filter((slot) => !departure(value, slot.shape));
    const slot =
      fitting.length > 1 && isObject(value) ? fitting.find((slot) => isOfForm(value, slot.shape.object)) : fitting[0];
    if (slot) {
      if (slot.flag !== undefined) this.gate(slot.flag, value, at, field, slot.shape);
      return this.given(value, slot, at, field);
    }
    const form = fitting[0]?.shape.object && isObject(value) ? forms(fitting[0].shape.object)[0] : undefined;
    if (!form) return this.tell(at, 'type', field, shape, slots.map((slot) => nameOf(slot.shape)).join(' or '), value);
    const there = Object.hasOwn(value as JsonObject, form.name);
    const member = there ? (value as JsonObject)[form.name] : undefined;
    const kind = there ? (member === null ? 'null' : 'type') : 'missing';
    this.tell(at, kind, form, undefined, nameOf(form.slot.shape), member, form.name);
  }

  private gate(flag: string, value: unknown, at: Cursor, field: Field | undefined, shape: Shape): void {
    this.listener.sign(flag, 'on');
    if (this.listener.flag(flag) === 'off') {
      this.tell(at, 'gated', field, shape, `no ${show(value)}, since ${flag} is declared off`, value);
    }
  }

  private tell(
    at: Cursor,
    kind: DepartureKind,
    field: Field | undefined,
    shape: Shape | undefined,
    expected: string,
    value: unknown,
    ...below: string[]
  ): void {
    const hidden = field && secret.has(field.place.id) && typeof value === 'string';
    const got = at.got(hidden ? undefined : value, ...below);
    const shown = hidden ? got.replace(/absent$/, 'a secret text') : got;
    this.listener.departure({ kind, field, shape, expected, got: shown, at });
  }
}

/** Whether a value is of the observed form, and not of the described one: an object is by its required members. */
export const isObserved = (value: unknown, shape: Shape, observed: Shape): boolean =>
  observed.object
    ? isObject(value) && observed.object.required.every(({ name }) => Object.hasOwn(value, name))
    : departure(value, shape) !== undefined && departure(value, observed) === undefined;

/** Whether an object is of the form that its constant members say. */
const isOfForm = (value: JsonObject, shape: ObjectShape | undefined): boolean =>
  shape !== undefined &&
  forms(shape).every(({ name, slot }) => Object.hasOwn(value, name) && value[name] === slot.shape.constant);

/** The required members whose constant value tells one form of an object from another. */
const forms = (shape: ObjectShape): readonly Field[] =>
  shape.required.filter(({ slot }) => slot.shape.constant !== undefined);

/** Whether a schema says anything of a value: `{}` does not. */
const saysWhat = ({ shape, nullable }: Slot): boolean => shape.types.size > 0 || shape.choice !== undefined || nullable;

/** How a value, null apart, departs from a shape in itself, its members and elements apart. */
function departure(value: unknown, shape: Shape): DepartureKind | undefined {
  if (!hasType(value, shape.types)) return 'type';
  if (shape.constant !== undefined && value !== shape.constant) return 'value';
  if (shape.values && !shape.values.has(value)) return 'value';
  if (typeof value === 'number') {
    if (
      (shape.minimum !== undefined && value < shape.minimum) ||
      (shape.maximum !== undefined && value > shape.maximum)
    )
      return 'bounds';
  } else if (typeof value === 'string') {
    if (shape.pattern && !shape.pattern.test(value)) return 'pattern';
    if (shape.format === 'date-time' && !dateTimeOf(value)) return 'format';
    if (shape.format === 'uuid' && !uuid.test(value)) return 'format';
  }
  return undefined;
}

function hasType(value: unknown, types: ReadonlySet<string>): boolean {
  switch (typeof value) {
    case 'number':
      return types.has('number') || (types.has('integer') && Number.isInteger(value));
    case 'object':
      return types.has(Array.isArray(value) ? 'array' : 'object');
    default:
      return types.has(typeof value);
  }
}

/** What a shape is called in reports. */
function nameOf(shape: Shape): string {
  if (shape.choice) return shape.choice.map((slot) => nameOf(slot.shape)).join(' or ');
  if (shape.constant !== undefined) return JSON.stringify(shape.constant);
  if (shape.values) return `one of ${[...shape.values].join(', ')}`;
  if (shape.format === 'date-time') return 'an ISO 8601 date-time';
  if (shape.format === 'uuid') return 'a UUID';
  if (shape.types.has('integer')) return shape.minimum === undefined ? 'an integer' : 'an unsigned integer';
  const [type] = shape.types;
  if (type === undefined) return 'null or absent';
  return shape.object?.dictionary ? 'an object (dictionary)' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function expectation(shape: Shape, kind: DepartureKind): string {
  if (kind === 'pattern') return `text like ${shape.pattern?.source}`;
  if (kind === 'bounds') return shape.maximum === undefined ? nameOf(shape) : `${shape.minimum} to ${shape.maximum}`;
  return nameOf(shape);
}
