import { pathToFileURL } from 'node:url';

import { PrerequisiteFailed } from '../verdict.js';
import { instantOf, outcomeOf, pageOf, shown, stashChangeOf, steppingClock, toldTime } from './control.js';
import type { AdapterCall, AdapterTree, Hooks } from './hooks.js';
import { nearest } from '../../src/input/nearest.js';
import { SetupError } from '../../src/input/setup-error.js';

type Hook = (input: unknown) => unknown;
const names = ['consent', 'page', 'clock', 'revoke', 'stashEvent', 'reset', 'tree'] as const;

/**
 * The hooks that an adapter module exports (control protocol, section 1). What they throw becomes a PrerequisiteFailed with
 * their words.
 *
 * @param path absolute
 * @param told is told of every call, for it is not on the wire
 * @throws SetupError where the module cannot be loaded, or an export is not what it must be
 */
export async function adapterHooks(path: string, told: (call: AdapterCall) => void = () => {}): Promise<Hooks> {
  const called = caller(path, told);
  const { consent, page, clock, revoke, stashEvent, reset, tree } = exportsOf(path, await loaded(path));
  return {
    ...(consent && {
      consent: async (request) => outcomeOf("the adapter's consent", await called('consent', consent, { ...request })),
    }),
    ...(page && {
      page: async (request) => pageOf("the adapter's page", await called('page', page, { ...request })),
    }),
    ...(clock && {
      clock: steppingClock(
        async () => instantOf("the adapter's clock", await called('clock', clock, { advance: 0 }), 'now'),
        async (seconds) => toldTime(await called('clock', clock, { advance: seconds })),
      ),
    }),
    ...(revoke && {
      revoke: async (revocation) =>
        void (await called('revoke', revoke, { ...revocation, clientId: revocation.client_id })),
    }),
    ...(stashEvent && {
      stashEvent: async (event) =>
        stashChangeOf("the adapter's stashEvent", await called('stashEvent', stashEvent, { ...event })),
    }),
    ...(reset && { reset: async () => void (await called('reset', reset, undefined)) }),
    ...(tree && { tree }),
  };
}

async function loaded(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    throw new SetupError(
      `adapter ${path}: cannot be loaded (${messageOf(error)}); name an ES module, such as adapter.mjs`,
    );
  }
}

type Exports = Readonly<Partial<Record<Exclude<(typeof names)[number], 'tree'>, Hook>>> & {
  readonly tree?: AdapterTree;
};

function exportsOf(path: string, module: Readonly<Record<string, unknown>>): Exports {
  const given = Object.entries(module)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const problems = given.flatMap(([name, value]) => {
    if (name === 'tree') return isTree(value) ? [] : [`adapter ${path}: tree lacks decode or encode; export both`];
    if (names.some((known) => known === name))
      return typeof value === 'function' ? [] : [`adapter ${path}: ${name} is not a function; export one`];
    const near = nearest(name, names);
    return near === undefined ? [] : [`adapter ${path}: ${name} is not a hook; did you mean ${near}?`];
  });
  if (!given.some(([name]) => names.some((known) => known === name)))
    problems.push(`adapter ${path}: exports no hook; export any of ${names.join(', ')}`);
  if (problems.length > 0) throw new SetupError(...problems);
  return Object.fromEntries(given) as Exports;
}

function isTree(value: unknown): value is AdapterTree {
  if (typeof value !== 'object' || value === null) return false;
  const { decode, encode } = value as Record<string, unknown>;
  return typeof decode === 'function' && typeof encode === 'function';
}

const caller =
  (path: string, told: (call: AdapterCall) => void) =>
  async (name: string, hook: Hook, input: unknown): Promise<unknown> => {
    try {
      const output = await hook(input);
      told({ hook: name, input, output });
      return output;
    } catch (error) {
      told({ hook: name, input, error: messageOf(error) });
      throw new PrerequisiteFailed(`adapter ${path}: ${name}: ${messageOf(error)}`);
    }
  };

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : `threw ${shown(error)}, which is not an Error`;
