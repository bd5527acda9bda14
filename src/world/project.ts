import { editionMarks, schemas } from '../contract/index.js';
import type { Making } from './making.js';

/** How the objects of one schema are cut. */
interface Cut {
  /** Properties that the edition has not. */
  readonly drop: readonly string[];
  /** Properties that second-game objects have not in the edition. */
  readonly dropOnGame2: readonly string[];
  /** Properties whose value, or some of whose values, the edition has not. */
  readonly values: readonly { readonly property: string; readonly without: ReadonlySet<string> }[];
  /** Where there is something to remove further down. */
  readonly below: () => readonly Below[];
}

interface Below {
  readonly property: string;
  readonly holds: Holding;
  readonly cut: Cut;
}

type Holding = 'one' | 'list' | 'dictionary';

/** A property that holds objects of a named schema. */
interface Child {
  readonly property: string;
  readonly holds: Holding;
  readonly schema: string;
}

type Node = Record<string, unknown>;
type Mark = (typeof editionMarks)[number];

/**
 * The edition's projector: fixtures are made with every variant field, and this leaves the edition's. It is compiled
 * from the marks of the contract, a schema at a time, and walks only where there is something to remove. Values are
 * cut in place: they are freshly made.
 */
export function makeProjector(flags: Readonly<Record<string, boolean>>): Pick<Making, 'project' | 'projectAll'> {
  const cuts = new Cuts(flags);
  const project = <T extends object>(value: T, schema: string): T => {
    const cut = cuts.of(schema);
    if (cut) cutTo(value, cut);
    return value;
  };
  return {
    project,
    projectAll: (values, schema) => {
      for (const value of values) project(value, schema);
      return values;
    },
  };
}

/** The cuts of an edition, each made when it is first asked for. */
class Cuts {
  /** What the edition has not. */
  readonly #gone: readonly Mark[];
  /** What second-game objects have not in it. */
  readonly #game1Only: readonly Mark[];
  readonly #made = new Map<string, Cut>();
  readonly #isUseful = new Map<string, boolean>();

  constructor(flags: Readonly<Record<string, boolean>>) {
    this.#gone = editionMarks.filter((mark) => isGone(mark, flags));
    this.#game1Only = editionMarks.filter((mark) => mark.effect === 'g1' && flags[mark.flag]);
  }

  /** Null where there is nothing to remove in a schema or below it. */
  of(schema: string): Cut | null {
    let useful = this.#isUseful.get(schema);
    if (useful === undefined) {
      useful = this.#removes(schema, new Set());
      this.#isUseful.set(schema, useful);
    }
    return useful ? this.#cut(schema) : null;
  }

  #removes(schema: string, seen: Set<string>): boolean {
    if (seen.has(schema)) return false;
    seen.add(schema);
    const { drop, dropOnGame2, values } = this.#cut(schema);
    if (drop.length + dropOnGame2.length + values.length > 0) return true;
    return propertiesOf(schema).some(([, property]) => {
      const found = target(property);
      return found !== null && this.#removes(found.schema, seen);
    });
  }

  #cut(schema: string): Cut {
    const known = this.#made.get(schema);
    if (known) return known;
    const own = this.#gone.filter((mark) => mark.schema === schema && mark.property);
    const drop = own.flatMap(({ property, value }) => (property && value === undefined ? [property] : []));
    const values = own.flatMap(({ property, value }) =>
      property && value !== undefined ? [{ property, without: new Set([value]) }] : [],
    );
    const children: Child[] = [];
    for (const [property, node] of propertiesOf(schema)) {
      const found = target(node);
      if (!found || drop.includes(property)) continue;
      const without = this.#valuesGone(found.schema);
      if (without.size > 0) values.push({ property, without });
      else children.push({ property, holds: found.holds, schema: found.schema });
    }
    const cut: Cut = {
      drop,
      dropOnGame2: this.#game1Only.flatMap((mark) => (mark.schema === schema && mark.property ? [mark.property] : [])),
      values,
      below: memoized(() => children.flatMap((child) => this.#below(child))),
    };
    this.#made.set(schema, cut);
    return cut;
  }

  /** Values of a named enumeration that the edition has not. */
  #valuesGone(schema: string): Set<string> {
    const marks = this.#gone.filter((mark) => mark.schema === schema && !mark.property);
    return new Set(marks.flatMap(({ value }) => (value === undefined ? [] : [value])));
  }

  #below({ property, holds, schema }: Child): Below[] {
    const cut = this.of(schema);
    return cut ? [{ property, holds, cut }] : [];
  }
}

function propertiesOf(schema: string): [string, unknown][] {
  const node = schemas[schema];
  if (!isNode(node)) throw new Error(`the contract has no schema ${schema}: use a name of components.schemas`);
  return isNode(node['properties']) ? Object.entries(node['properties']) : [];
}

/** Schemas refer to each other in circles, so what is below one is looked up when it is first walked. */
function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function cutTo(value: unknown, cut: Cut): void {
  if (!isNode(value)) return;
  for (const property of cut.drop) if (property in value) delete value[property];
  if (cut.dropOnGame2.length > 0 && value['realm'] === 'game2')
    for (const property of cut.dropOnGame2) delete value[property];
  for (const { property, without } of cut.values) dropValues(value, property, without);
  for (const { property, holds, cut: child } of cut.below()) {
    const held = value[property];
    if (held === undefined || held === null) continue;
    if (holds === 'one') cutTo(held, child);
    else if (Array.isArray(held)) for (const one of held) cutTo(one, child);
    else if (isNode(held)) for (const one of Object.values(held)) cutTo(one, child);
  }
}

function isGone(mark: Mark, flags: Readonly<Record<string, boolean>>): boolean {
  if (mark.effect) return false;
  // A mark inside a property's schema loosens its values; the generator heeds the flag.
  const whole = mark.value !== undefined || mark.target.endsWith(`.properties.${mark.property ?? ''}`);
  return whole && (mark.state === 'off' ? Boolean(flags[mark.flag]) : !flags[mark.flag]);
}

function dropValues(value: Node, property: string, without: ReadonlySet<string>): void {
  const held = value[property];
  if (held === undefined || held === null) return;
  if (Array.isArray(held)) {
    if (held.some((one) => without.has(String(one)))) value[property] = held.filter((one) => !without.has(String(one)));
  } else if (without.has(String(held))) delete value[property];
}

/** The named schema that a property's schema leads to, if it leads to one. */
function target(node: unknown): Omit<Child, 'property'> | null {
  if (!isNode(node)) return null;
  if (typeof node['$ref'] === 'string') return { schema: node['$ref'].split('/').at(-1) ?? '', holds: 'one' };
  const options = node['anyOf'];
  if (Array.isArray(options)) return options.map(target).find((found) => found !== null) ?? null;
  const items = target(node['items']);
  if (items) return { ...items, holds: 'list' };
  const entries = target(node['additionalProperties']);
  return entries ? { ...entries, holds: 'dictionary' } : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
