import { PrerequisiteFailed } from '../verdict.js';
import { shown } from './control.js';
import type { AdapterTree, Codec, Tree } from './hooks.js';

/**
 * The codec that an adapter exports. It may answer as the pipe does, `{ ok, tree }` or `{ ok: false, error }`, or with
 * the tree or link itself, and throw what is wrong with its input.
 */
export function codecOfTree(tree: AdapterTree, patience: number): Codec {
  const ask = async (what: string, call: () => unknown): Promise<Outcome> => {
    let late: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      late = setTimeout(() => {
        reject(new PrerequisiteFailed(`the adapter's tree.${what}: no response within ${patience / 1000} s`));
      }, patience);
    });
    const answer = (async () => ({ value: await call() }))().catch((error: unknown) => ({
      error: error instanceof Error ? error.message : shown(error),
    }));
    try {
      return await Promise.race([answer, limit]);
    } finally {
      clearTimeout(late);
    }
  };
  return {
    async decode(link) {
      const outcome = outcomeOf(await ask('decode', () => tree.decode(link)));
      if ('error' in outcome) return { error: outcome.error };
      const found = member(outcome.value, 'tree') ?? outcome.value;
      if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { tree: found as Tree };
      throw new PrerequisiteFailed(`the adapter's tree.decode: returned ${shown(found)}, not a tree`);
    },
    async encode(given, form) {
      const outcome = outcomeOf(await ask('encode', () => tree.encode(given, form)));
      if ('error' in outcome) return { error: outcome.error };
      const link = member(outcome.value, 'link') ?? outcome.value;
      if (typeof link === 'string') return { link };
      throw new PrerequisiteFailed(`the adapter's tree.encode: returned ${shown(link)}, not a link`);
    },
    close: async () => {},
  };
}

type Outcome = { readonly value: unknown } | { readonly error: string };

function outcomeOf(outcome: Outcome): Outcome {
  if ('error' in outcome) return outcome;
  const error = member(outcome.value, 'error');
  if (member(outcome.value, 'ok') === false || error !== undefined)
    return { error: typeof error === 'string' ? error : 'no reason given' };
  return outcome;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
