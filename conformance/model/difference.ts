import { isObject } from '../json.js';
import { canonical } from '../engine/format.js';
import { described } from './described.js';
import { given } from './schema.js';

/** A value as text in which null is as good as absent. */
export const bare = (value: unknown): string =>
  JSON.stringify(JSON.parse(canonical(value), (_, inner: unknown) => inner ?? undefined)) ?? 'nothing';

/** A value whose lists are in one order, whatever order they came in (K-032). */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map(settled).map((entry) => ({ entry, text: bare(entry) }));
    return entries.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ entry }) => entry);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settled(inner)]));
}

const show = (value: unknown): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const text = canonical(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

function first(got: unknown, expected: unknown, place: string): string | undefined {
  if (!given(got) && !given(expected)) return undefined;
  if (Array.isArray(got) && Array.isArray(expected)) {
    if (got.length !== expected.length) return `${place} has ${got.length} entries, not ${expected.length}`;
    return search(got.keys(), (index) => first(got[index], expected[index], `${place}[]`));
  }
  if (isObject(got) && isObject(expected)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return search(names, (name) => first(got[name], expected[name], `${place}.${name}`));
  }
  return canonical(got) === canonical(expected) ? undefined : `${place} is ${show(got)}, not ${show(expected)}`;
}

function search<T>(values: Iterable<T>, find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Where two answers first say something else in what the contract describes, in words; undefined where they say the same.
 * The order of lists makes no difference (K-032), and null is as good as absent.
 */
export const difference = (got: unknown, expected: unknown, place = '$'): string | undefined =>
  first(settled(described(got)), settled(described(expected)), place);

/**
 * The first of these members in which two descriptions of one thing contradict each other. What either leaves out or
 * gives as null says nothing.
 */
export const contradiction = (
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined =>
  names.find((name) => given(one[name]) && given(other[name]) && difference(one[name], other[name]) !== undefined);
