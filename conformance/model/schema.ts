import { deref, schemas } from '../../src/contract/index.js';
import type { SchemaNode } from '../../src/contract/index.js';
import type { Run } from '../engine/run.js';
import type { Answer } from '../wire/answer.js';

/** JSON types as JSON Schema names them, `integer` for whole numbers. */
function typesOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}

/** Whether a value is there: null and absent say the same of what is optional (interface 2). */
export const given = (value: unknown): boolean => value !== null && value !== undefined;

/** The first required member that is missing or of another type, in words; undefined where there is none. */
function lacking(value: unknown, node: SchemaNode, place: string): string | undefined {
  const { schema } = deref(node);
  if (schema.anyOf || schema.oneOf) return undefined;
  const types = typesOf(value);
  if (schema.type !== undefined && ![schema.type].flat().some((type) => types.includes(type))) {
    return `${place} is ${value === undefined ? 'missing' : `of type ${types[0]}`}, not ${[schema.type].flat().join(' or ')}`;
  }
  if (typeof schema.minimum === 'number' && typeof value === 'number' && value < schema.minimum) {
    return `${place} is ${value}, less than ${schema.minimum}`;
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return undefined;
    for (const [index, entry] of value.entries()) {
      const fault = lacking(entry, items, `${place}[${index}]`);
      if (fault) return fault;
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of schema.required ?? []) {
    const inner = schema.properties?.[name];
    if (!inner || inner['x-edition'] || inner['x-game']) continue;
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const fault = own === undefined ? `${place}.${name} is missing` : lacking(own, inner, `${place}.${name}`);
    if (fault) return fault;
  }
  return undefined;
}

/**
 * The value has the required members of a type of the contract, of the right JSON types. What is optional, and every
 * finer rule, is held by the monitors against all answers.
 */
export function isA(run: Run, type: string, value: unknown, answer: Answer): void {
  const fault = lacking(value, schemas[type]!, type);
  run.expect.that(fault === undefined, `the required members of ${type}`, fault, answer);
}

/** Every entry of a list is of the type. */
export function areAll(run: Run, type: string, entries: readonly unknown[], answer: Answer): void {
  for (const entry of entries) isA(run, type, entry, answer);
  run.expect.that(true, `entries of type ${type}`, entries.length, answer);
}
