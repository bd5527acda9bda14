import type { Json, OpenApi } from './document.js';
import { isObject } from './document.js';

/** One of the shapes that a schema allows. */
export interface Alternative {
  /** Of the named schema that it is; undefined where it is written in place. */
  readonly name: string | undefined;
  readonly schema: Json;
  /** Its type, `integer` as the `number` that it is; undefined for any. */
  readonly kind: string | undefined;
}

/**
 * The shapes that a schema allows: of `anyOf`, `oneOf` and a list of types one each, with what stands beside them. A
 * schema that is `false` allows none; `true` and no schema allow anything.
 */
export function alternativesOf(given: unknown, document: OpenApi, depth = 0): readonly Alternative[] {
  if (given === false) return [];
  const { name, value: schema } = document.resolve(given);
  const { anyOf, oneOf, type: only, nullable, ...rest } = schema;
  // OpenAPI 3.0 writes it so.
  const type = nullable === true && typeof only === 'string' ? [only, 'null'] : only;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches) && depth < 8)
    return branches.flatMap((branch: unknown) =>
      alternativesOf(branch, document, depth + 1).map((one) => ({
        ...one,
        schema: { ...(type !== undefined && { type }), ...rest, ...one.schema },
        kind: one.kind ?? kindOf(type),
      })),
    );
  if (Array.isArray(type) && type.length > 0)
    return type.map((each: unknown) => ({ name, schema: { ...rest, type: each }, kind: kindOf(each) }));
  return [{ name, schema, kind: kindOf(type) }];
}

const kindOf = (type: unknown): string | undefined =>
  typeof type !== 'string' ? undefined : type === 'integer' ? 'number' : type;

/** What of the one is the same thing in the other, and what is left on both sides. */
export interface Pairs {
  readonly pairs: readonly (readonly [before: Alternative, after: Alternative])[];
  readonly gone: readonly Alternative[];
  readonly added: readonly Alternative[];
}

/** Whether two alternatives are the same thing, from the surest sign to the vaguest. */
const signs: readonly ((one: Alternative, other: Alternative) => boolean)[] = [
  (one, other) => one.name !== undefined && one.name === other.name && one.kind === other.kind,
  (one, other) => JSON.stringify(one.schema) === JSON.stringify(other.schema),
  (one, other) => one.kind === other.kind && sharedMarks(one.schema, other.schema),
  (one, other) => one.kind === other.kind && (one.name === undefined || other.name === undefined),
  (one, other) => one.kind === other.kind,
  (one, other) => one.kind === undefined || other.kind === undefined,
];

/** Whether two objects have a member with the same fixed value, as `grant_type` of a token request. */
function sharedMarks(one: Json, other: Json): boolean {
  const { properties: before } = one;
  const { properties: after } = other;
  if (!isObject(before) || !isObject(after)) return false;
  return Object.entries(before).some(([name, schema]) => {
    const same = after[name];
    return isObject(schema) && isObject(same) && schema['const'] !== undefined && schema['const'] === same['const'];
  });
}

export function paired(before: readonly Alternative[], after: readonly Alternative[]): Pairs {
  const pairs: (readonly [Alternative, Alternative])[] = [];
  let gone = before;
  const added = [...after];
  for (const isSame of signs)
    gone = gone.filter((one) => {
      const at = added.findIndex((other) => isSame(one, other));
      const [other] = at < 0 ? [] : added.splice(at, 1);
      if (other) pairs.push([one, other]);
      return other === undefined;
    });
  return { pairs, gone, added };
}
