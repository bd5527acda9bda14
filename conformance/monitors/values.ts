import { isObject } from '../json.js';
import { clipped } from '../wire/bounds.js';

/** A member of its own of an object, or undefined; safe for names such as `__proto__` and for values of any type. */
export const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The elements of an array, or none. */
export const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a value counts as given: where the interface writes `?`, null says the same as absence. */
export const given = (value: unknown): boolean => value !== undefined && value !== null;

const longest = 80;

/** A value in words that are short whatever the value is: no traversal, so neither depth nor size matters. */
export function show(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    const names: string[] = [];
    for (const name in value) {
      if (names.length === 4) return `an object with ${names.join(', ')} …`;
      names.push(name.length > 40 ? `${clipped(name, 40)}…` : name);
    }
    return names.length === 0 ? '{}' : `an object with ${names.join(', ')}`;
  }
  if (typeof value === 'string') {
    return value.length > longest
      ? `${JSON.stringify(value.slice(0, longest))}… (${value.length} characters)`
      : JSON.stringify(value);
  }
  return String(value);
}

/** A JSON place in the usual notation: `$.league.entries[3].character`. */
export function pathOf(keys: readonly (string | number)[]): string {
  let path = '$';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]{0,60}$/.test(key)) path += `.${key}`;
    else path += `[${JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)}]`;
  }
  return path;
}

export const uuid = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
/** A decimal without sign and without zeros in front, as keys that stand for numbers are written. */
export const decimal = /^(0|[1-9][0-9]*)$/;
