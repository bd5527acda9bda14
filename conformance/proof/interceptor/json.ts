import type { Json } from './interceptor.js';

/** What a change of a member gives where the member is to go. */
export const gone = Symbol('gone');

/** Every object within a value, outermost first. */
function* objects(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objects(inner);
}

/** Changes a member of an object where it is there; with `gone` it is removed. */
export function change(holder: Json, name: string, to: (value: never) => unknown): void {
  if (!Object.hasOwn(holder, name)) return;
  const changed = to(holder[name] as never);
  if (changed === gone) delete holder[name];
  else holder[name] = changed;
}

/** Objects within a value that have all of these members. */
export const having = (value: unknown, ...names: readonly string[]): Json[] =>
  [...objects(value)].filter((holder) => names.every((name) => Object.hasOwn(holder, name)));

/** The list at the end of a path of members; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): Json[] {
  const end = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Json)[name] : undefined),
    value,
  );
  return Array.isArray(end) ? (end as Json[]) : [];
}

export function rename(holder: Json, from: string, to: string): void {
  if (!Object.hasOwn(holder, from)) return;
  holder[to] = holder[from];
  delete holder[from];
}
