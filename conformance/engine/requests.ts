import { operationList } from '../../src/contract/index.js';
import type { LogicalOperation, Operation } from '../../src/contract/index.js';
import type { Target } from '../target/target.js';
import type { DataRequest, Fields } from './run.js';

export type Args = Readonly<Record<string, string | number | boolean>>;

/** `a=1&b=x%20y`, names and values percent-encoded, order and repetition kept. */
export const encoded = (fields: Fields): string =>
  fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

/** The operation's form that takes these arguments, and the path and query that they make. */
export function locate(
  logical: LogicalOperation,
  args: Args,
  names: Target['names'],
): { readonly operation: Operation; readonly path: string } {
  const forms = operationList.filter((operation) => operation.logical === logical);
  const queries = new Set(
    forms.flatMap(({ parameters }) => parameters.filter((one) => one.in === 'query').map(({ name }) => name)),
  );
  const inPath = Object.keys(args).filter((name) => !(queries.has(name) && !pathNames(forms).has(name)));
  // The first game's pc realm is the form without a realm (interface 4).
  const wanted = new Set(inPath.filter((name) => !(name === 'realm' && args['realm'] === 'pc')));
  const operation = forms.find((form) => {
    const taken = new Set(form.parameters.filter((one) => one.in === 'path').map(({ name }) => name));
    if (form.realm !== undefined) {
      if (form.realm !== args['realm']) return false;
      taken.add('realm');
    }
    return taken.size === wanted.size && [...wanted].every((name) => taken.has(name));
  });
  if (!operation) throw new Error(`no form of ${logical} takes ${JSON.stringify(args)}`);
  const word = (name: string): string => wire(name, args[name]!, names);
  const path = operation.path
    .replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(word(name)))
    .replace(operation.realm === 'game2' ? '/game2' : /$^/, `/${encodeURIComponent(names.game2)}`);
  const query = operation.parameters
    .filter((one) => one.in === 'query' && args[one.name] !== undefined)
    .map(({ name }) => [name, word(name)] as const);
  return { operation, path: query.length > 0 ? `${path}?${encoded(query)}` : path };
}

const pathNames = (forms: readonly Operation[]): ReadonlySet<string> =>
  new Set(
    forms.flatMap(({ realm, parameters }) => [
      ...(realm !== undefined ? ['realm'] : []),
      ...parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    ]),
  );

/** The second game's realm by the word that this server has for it. */
const wire = (name: string, value: string | number | boolean, names: Target['names']): string =>
  name === 'realm' && value === 'game2' ? names.game2 : String(value);

/** The operations with a realm in the query for which the interface names no default (K-022). */
export const withoutDefaultRealm = ['getLeagueEventLadder', 'getPvpMatch', 'getPvpMatchLadder'] as const;

/** The arguments with the realm of pc, where the interface does not say what leaving it out means. */
export function settled(logical: LogicalOperation, { args = {}, bare, query = [] }: DataRequest): Args {
  const open = (withoutDefaultRealm as readonly LogicalOperation[]).includes(logical);
  return open && !bare && !query.some(([name]) => name === 'realm') ? { realm: 'pc', ...args } : args;
}

/** Path and query of a URL that is `base`, then `path`. */
export const below = (base: string, path: string): string => base + (path.startsWith('/') ? path : `/${path}`);

/** Headers over others, names without regard to case; null leaves one out. */
export function merged(
  headers: Readonly<Record<string, string>>,
  over: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const result = new Map(Object.entries(headers));
  for (const [name, value] of Object.entries(over)) {
    if (value === null) result.delete(name.toLowerCase());
    else result.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(result);
}
