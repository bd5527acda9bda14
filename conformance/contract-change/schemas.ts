import { clip } from '../text.js';
import type { Alternative } from './alternatives.js';
import { alternativesOf, paired } from './alternatives.js';
import type { ContractChange, Direction, Effect } from './change.js';
import { brokenBy } from './change.js';
import type { Json, OpenApi } from './document.js';
import { isObject } from './document.js';

/** Two descriptions, and what was found between their schemas. */
export interface SchemaComparison {
  /** Compares two schemas at a place. A named schema is compared once for each direction, under its own name. */
  compare(before: unknown, after: unknown, place: string, direction: Direction): void;
  readonly changes: readonly ContractChange[];
}

/** Keywords of which a lower, or a higher, value allows less. */
const floors = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const ceilings = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that restrict, and of which nobody can tell which of two allows less. References in them are not followed. */
const restrictions = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
];

export function schemaComparison(old: OpenApi, now: OpenApi): SchemaComparison {
  const changes: ContractChange[] = [];
  const seen = new Set<string>();

  function compare(before: unknown, after: unknown, place: string, direction: Direction): void {
    const [was, is] = [old.resolve(before), now.resolve(after)];
    const named = was.name !== undefined && was.name === is.name ? was.name : undefined;
    const key = was.name === undefined && is.name === undefined ? undefined : `${was.name} ${is.name} ${direction}`;
    if (key !== undefined && seen.has(key)) return;
    if (key !== undefined) seen.add(key);
    compareAlternatives(alternativesOf(before, old), alternativesOf(after, now), named ?? place, direction);
  }

  function compareAlternatives(
    before: readonly Alternative[],
    after: readonly Alternative[],
    place: string,
    direction: Direction,
  ): void {
    const { pairs, gone, added } = paired(before, after);
    for (const one of gone) note(place, `no longer may be ${nameOf(one)}`, 'narrower', direction);
    for (const one of added) note(place, `may be ${nameOf(one)}`, 'wider', direction);
    for (const [one, other] of pairs) {
      // A branch that has a name is a schema of its own, and compared once.
      const key = one.name === undefined ? undefined : `${one.name} ${other.name} ${one.kind} ${direction}`;
      if (before.length + after.length > 2 && key !== undefined) {
        if (seen.has(key)) continue;
        seen.add(key);
      }
      const own = one.name !== undefined && one.name === other.name ? one.name : place;
      compareShapes(one.schema, other.schema, own, direction);
    }
  }

  function compareShapes(before: Json, after: Json, place: string, direction: Direction): void {
    compareTypes(before['type'], after['type'], place, direction);
    compareValues(valuesOf(before), valuesOf(after), place, direction);
    compareBounds(before, after, place, direction);
    compareMembers(before, after, place, direction);
    if (before['items'] !== undefined || after['items'] !== undefined)
      compare(before['items'] ?? true, after['items'] ?? true, `${place}[]`, direction);
    if (before['propertyNames'] !== undefined || after['propertyNames'] !== undefined)
      compare(before['propertyNames'] ?? true, after['propertyNames'] ?? true, `names of ${place}`, direction);
    // Each of these is asked of the same value.
    const [asked, asks] = [listOf(before['allOf']), listOf(after['allOf'])];
    for (let index = 0; index < Math.max(asked.length, asks.length); index += 1)
      compare(asked[index] ?? true, asks[index] ?? true, place, direction);
    const [first, second] = [listOf(before['prefixItems']), listOf(after['prefixItems'])];
    for (let index = 0; index < Math.max(first.length, second.length); index += 1)
      compare(first[index] ?? true, second[index] ?? true, `${place}[${index}]`, direction);
  }

  function compareTypes(before: unknown, after: unknown, place: string, direction: Direction): void {
    if (before === after) return;
    const effect =
      before === undefined || (before === 'number' && after === 'integer')
        ? 'narrower'
        : after === undefined || (before === 'integer' && after === 'number')
          ? 'wider'
          : 'both';
    note(place, `type was ${shown(before ?? 'any')}, and is ${shown(after ?? 'any')}`, effect, direction);
  }

  function compareValues(
    before: readonly string[] | undefined,
    after: readonly string[] | undefined,
    place: string,
    direction: Direction,
  ): void {
    if (!before && !after) return;
    if (!before) return note(place, `has only the values ${after!.join(', ')}`, 'narrower', direction);
    if (!after) return note(place, 'may have any value, not only the listed ones', 'wider', direction);
    for (const value of before)
      if (!after.includes(value)) note(place, `no longer has the value ${value}`, 'narrower', direction);
    for (const value of after) if (!before.includes(value)) note(place, `has the value ${value}`, 'wider', direction);
  }

  function compareBounds(before: Json, after: Json, place: string, direction: Direction): void {
    for (const name of [...floors, ...ceilings, ...restrictions]) {
      const [was, is] = [before[name], after[name]];
      if (JSON.stringify(was) === JSON.stringify(is)) continue;
      const isMore = typeof was === 'number' && typeof is === 'number' ? is > was : undefined;
      const effect =
        was === undefined
          ? 'narrower'
          : is === undefined
            ? 'wider'
            : isMore === undefined || restrictions.includes(name)
              ? 'both'
              : isMore === floors.includes(name)
                ? 'narrower'
                : 'wider';
      note(place, `${name} was ${shown(was)}, and is ${shown(is)}`, effect, direction);
    }
  }

  function compareMembers(before: Json, after: Json, place: string, direction: Direction): void {
    const [was, is] = [membersOf(before), membersOf(after)];
    const [needed, needs] = [listOf(before['required']), listOf(after['required'])];
    for (const name of new Set([...Object.keys(was), ...Object.keys(is), ...needed, ...needs] as string[])) {
      const at = `${place}.${name}`;
      const [required, requires] = [needed.includes(name), needs.includes(name)];
      if (!Object.hasOwn(was, name) && Object.hasOwn(is, name))
        added(is[name], at, requires, restOf(before), direction);
      // Whoever sends or reads a member that is gone has to be changed, whether the contract still tolerates it or not.
      else if (Object.hasOwn(was, name) && !Object.hasOwn(is, name))
        changes.push({ place: at, what: 'is gone', breaks: ['clients'] });
      else if (required !== requires)
        note(at, requires ? 'is required' : 'is optional', requires ? 'narrower' : 'wider', direction);
      if (Object.hasOwn(was, name) && Object.hasOwn(is, name)) compare(was[name], is[name], at, direction);
    }
    const [rest, others] = [restOf(before), restOf(after)];
    if (rest !== true || others !== true)
      if (rest === false || others === false) {
        if (rest !== others)
          note(
            place,
            others === false ? 'has no members but those listed' : 'may have other members than those listed',
            others === false ? 'narrower' : 'wider',
            direction,
          );
      } else compare(rest, others, `${place}.*`, direction);
  }

  /** Unknown members of replies are ignored; those of requests have to be understood. Nobody sends what no contract names. */
  function added(schema: unknown, place: string, isRequired: boolean, rest: unknown, direction: Direction): void {
    // It was allowed among the others, in their form.
    if (isObject(rest)) compare(rest, schema, place, direction);
    if (isRequired) note(place, 'is new, and required', 'narrower', direction);
    else if (direction === 'request') note(place, 'is new, and optional', 'wider', direction);
    else note(place, 'is new, and optional', rest === false ? 'wider' : 'neither', direction);
  }

  function note(place: string, what: string, effect: Effect, direction: Direction): void {
    changes.push({ place, what, breaks: brokenBy(effect, direction) });
  }

  return { compare, changes };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const membersOf = ({ properties }: Json): Json => (isObject(properties) ? properties : {});

/** What members that are not listed may be: `true` is anything, `false` is none. */
function restOf({ additionalProperties, unevaluatedProperties }: Json): unknown {
  const rest = additionalProperties ?? unevaluatedProperties ?? true;
  return isObject(rest) && Object.keys(rest).length === 0 ? true : rest;
}

/** The values that a schema lists, as JSON; undefined where it lists none. */
function valuesOf(schema: Json): readonly string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)) : undefined;
}

const nameOf = ({ name, kind, schema }: Alternative): string =>
  name ??
  valuesOf(schema)?.join(', ') ??
  (kind === undefined ? 'anything' : schema['type'] === 'integer' ? 'integer' : kind);

const shown = (value: unknown): string =>
  value === undefined ? 'unset' : clip(typeof value === 'string' ? value : JSON.stringify(value), 80);
