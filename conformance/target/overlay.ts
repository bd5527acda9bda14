import { member } from '../wire/answer.js';
import type { EnvironmentVariables } from './document.js';
import { nearest } from '../../src/input/nearest.js';
import { shown } from './schema.js';
import { settings } from './settings.js';
import type { Setting } from './settings.js';

/** Values of flags by the flag's name, without the dashes. */
export type Overrides = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** The flag or variable that a value comes from, by the value's key path with dots. */
export type Origins = ReadonlyMap<string, string>;

export interface Overlay {
  readonly value: unknown;
  readonly origins: Origins;
  /** What is wrong with a flag or variable by itself. */
  readonly problems: readonly string[];
}

/** The file's value with the environment and then the flags over it, and where each of those values comes from. */
export function overlaid(base: unknown, env: EnvironmentVariables, overrides: Overrides): Overlay {
  const value = { top: base === undefined ? {} : withoutNothing(base) };
  const origins = new Map<string, string>();
  const problems = unknownVariables(env);
  const put = (setting: Setting, given: string | readonly string[] | boolean, origin: string): void => {
    for (const [path, part, word] of partsOf(setting, given, (words) => problems.push(`${origin}: ${words}`))) {
      if (isAnotherClient(value.top, path, part)) assign(value, ['top', ...path.slice(0, -1), 'exact_scopes'], false);
      if (!assign(value, ['top', ...path], part)) continue;
      origins.set(path.join('.'), word === undefined ? origin : `${origin} ${word}`);
    }
  };
  // The roles' own variables say more than those of a first run, so they come last.
  for (const setting of settings) {
    const given = env[setting.env];
    if (given) put(setting, given, setting.env);
  }
  for (const setting of settings) {
    const given = setting.flag === undefined ? undefined : overrides[setting.flag];
    if (given !== undefined) put(setting, given, `--${setting.flag ?? ''}`);
  }
  return { value: value.top, origins, problems };
}

/** The values that a setting puts, with their paths, and the words that say them where it puts several. */
function partsOf(
  { kind, path, value }: Setting,
  given: string | readonly string[] | boolean,
  complain: (words: string) => void,
): [path: readonly string[], value: unknown, word?: string][] {
  if (kind === 'text') return [[path, given]];
  if (kind === 'switch') {
    if (given === true || given === 'true') return [[path, true]];
    if (given === false || given === 'false') return [[path, false]];
    complain(`is ${shown(given)}; valid: true, false`);
    return [];
  }
  const words = (Array.isArray(given) ? given : [given])
    .flatMap((part) => String(part).split(/[\s,]+/))
    .filter((word) => word !== '');
  if (kind === 'words') return [[path, words]];
  return words.flatMap((word): [readonly string[], unknown, string][] => {
    const [name = '', ...rest] = word.split('=');
    if (name !== '' && rest.length === 1) return [[[...path, name], rest[0], word]];
    complain(`${shown(word)} is invalid; write it as ${value?.slice(1, -1) ?? ''}`);
    return [];
  });
}

/** Another client in the place of one in the file, of which the file does not say that its scopes are all that it has. */
function isAnotherClient(top: unknown, path: readonly string[], value: unknown): boolean {
  const [clients, role, key] = path;
  if (clients !== 'clients' || key !== 'client_id') return false;
  const before = member(member(top, clients), role!);
  return member(before, 'exact_scopes') === true && member(before, key) !== value;
}

/** Sets a value deep inside; false where a step is not a mapping, which the schema reports. */
function assign(top: Record<string, unknown>, path: readonly string[], value: unknown): boolean {
  let node = top;
  for (const step of path.slice(0, -1)) {
    const inner = Object.hasOwn(node, step) ? node[step] : (node[step] = {});
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return false;
    node = inner as Record<string, unknown>;
  }
  // An assignment would take the key __proto__ for something else.
  Object.defineProperty(node, path.at(-1) ?? '', { value, enumerable: true, writable: true, configurable: true });
  return true;
}

/** Removes keys without a value: `known:` with every fact commented out equals no `known`. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNothing(inner)]])),
  );
}

/** Misspelt variables of clients; others of the prefix may be anybody's. */
function unknownVariables(env: EnvironmentVariables): string[] {
  const names = settings.map((setting) => setting.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('GAMEDATA_CLIENT_') && !names.includes(name))
    .map((name) => {
      const near = nearest(name, names);
      const remedy = near ? `did you mean ${near}?` : 'unset it, or see gamedata help environment';
      return `${name}: no such variable; ${remedy}`;
    });
}
