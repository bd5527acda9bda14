import { editionMarks, schemas } from '../contract/index.js';
import type { Making } from './making.js';

/** How one schema is cut: what to remove, and where to go on. Null stands for "nothing to do below here". */
interface Cut {
  /** Properties that the edition has not. */
  readonly drop: readonly string[];
  /** Properties that second-game objects have not in the edition. */
  readonly dropOnGame2: readonly string[];
  /** Properties whose value, or some of whose values, the edition has not. */
  readonly values: readonly { readonly property: string; readonly without: ReadonlySet<string> }[];
  readonly children: readonly {
    readonly property: string;
    readonly holds: 'one' | 'list' | 'dictionary';
    readonly cut: () => Cut | null;
  }[];
}

type Node = Record<string, unknown>;
type Mark = (typeof editionMarks)[number];

/**
 * The edition's projector: fixtures are made with every variant field, and this leaves the edition's. It is compiled
 * from the marks of the contract, a schema at a time, and walks only where there is something to remove. Values are
 * cut in place: they are freshly made.
 */
export function makeProjector(flags: Readonly<Record<string, boolean>>): Pick<Making, 'project' | 'projectAll'> {
  const gone = editionMarks.filter((mark) => isGone(mark, flags));
  const game1Only = editionMarks.filter((mark) => mark.effect === 'g1' && flags[mark.flag]);
  const cuts = new Map<string, Cut>();
  const useful = new Map<string, boolean>();

  const cutOf = (schema: string): Cut => {
    const known = cuts.get(schema);
    if (known) return known;
    const node = schemas[schema];
    if (!isNode(node)) throw new Error(`the contract has no schema ${schema}: use a name of components.schemas`);
    const ofSchema = gone.filter((mark) => mark.schema === schema);
    const dropped = ofSchema.flatMap((mark) => (mark.property && mark.value === undefined ? [mark.property] : []));
    const properties = isNode(node['properties']) ? Object.entries(node['properties']) : [];
    const children: Cut['children'][number][] = [];
    const values = ofSchema.flatMap((mark) =>
      mark.property && mark.value !== undefined ? [{ property: mark.property, without: new Set([mark.value]) }] : [],
    );
    const cut: Cut = {
      drop: dropped,
      dropOnGame2: game1Only.flatMap((mark) => (mark.schema === schema && mark.property ? [mark.property] : [])),
      values,
      children,
    };
    cuts.set(schema, cut);
    for (const [property, child] of properties) {
      const found = target(child);
      if (!found || dropped.includes(property)) continue;
      const without = gone.filter((mark) => mark.schema === found.schema && !mark.property && mark.value !== undefined);
      if (without.length > 0) values.push({ property, without: new Set(without.map((mark) => mark.value ?? '')) });
      else
        children.push({
          property,
          holds: found.holds,
          cut: () => (worksOn(found.schema) ? cutOf(found.schema) : null),
        });
    }
    return cut;
  };

  /** Whether there is anything to remove in a schema or below it. */
  const worksOn = (schema: string): boolean => {
    const known = useful.get(schema);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    const search = (name: string): boolean => {
      if (seen.has(name)) return false;
      seen.add(name);
      const cut = cutOf(name);
      if (cut.drop.length + cut.dropOnGame2.length + cut.values.length > 0) return true;
      const node = schemas[name];
      const properties = isNode(node) && isNode(node['properties']) ? Object.values(node['properties']) : [];
      return properties.some((child) => {
        const found = target(child);
        return found !== null && search(found.schema);
      });
    };
    const result = search(schema);
    useful.set(schema, result);
    return result;
  };

  const compiled = new Map<Cut, readonly Step[]>();
  const steps = (cut: Cut): readonly Step[] => {
    let known = compiled.get(cut);
    if (!known) {
      known = cut.children.flatMap(({ property, holds, cut: child }) => {
        const below = child();
        return below ? [{ property, holds, cut: below }] : [];
      });
      compiled.set(cut, known);
    }
    return known;
  };

  const apply = (value: Node, cut: Cut): void => {
    for (const property of cut.drop) if (property in value) delete value[property];
    if (cut.dropOnGame2.length > 0 && value['realm'] === 'game2')
      for (const property of cut.dropOnGame2) delete value[property];
    for (const { property, without } of cut.values) dropValues(value, property, without);
    for (const step of steps(cut)) {
      const child = value[step.property];
      if (child === undefined || child === null) continue;
      if (step.holds === 'one') applyTo(child, step.cut);
      else if (Array.isArray(child)) for (const one of child) applyTo(one, step.cut);
      else if (isNode(child)) for (const one of Object.values(child)) applyTo(one, step.cut);
    }
  };
  const applyTo = (value: unknown, cut: Cut): void => {
    if (isNode(value)) apply(value, cut);
  };

  const project = <T extends object>(value: T, schema: string): T => {
    if (worksOn(schema)) applyTo(value, cutOf(schema));
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

interface Step {
  readonly property: string;
  readonly holds: 'one' | 'list' | 'dictionary';
  readonly cut: Cut;
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
function target(node: unknown): { schema: string; holds: 'one' | 'list' | 'dictionary' } | null {
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
