import { isObject } from '../json.js';
import { member } from '../wire/answer.js';
import { PrerequisiteFailed } from '../verdict.js';
import { shown } from './control.js';
import type { AdapterTree, Codec, Tree } from './hooks.js';

/**
 * The codec that an adapter exports. It may answer as the pipe does, `{ ok, tree }` or `{ ok: false, error }`, or with
 * the tree or link itself, and throw what is wrong with its input.
 */
export function codecOfTree(tree: AdapterTree, timeout: number): Codec {
  const ask = async (what: string, call: () => unknown): Promise<HookResult> => {
    let late: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      late = setTimeout(() => {
        reject(new PrerequisiteFailed(`the adapter's tree.${what}: no response within ${timeout / 1000} s`));
      }, timeout);
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
      if (isObject(found)) return { tree: found as unknown as Tree };
      return { error: `the adapter's tree.decode: returned ${shown(found)}, not a tree` };
    },
    async encode(given, form) {
      const outcome = outcomeOf(await ask('encode', () => tree.encode(given, form)));
      if ('error' in outcome) return { error: outcome.error };
      const link = member(outcome.value, 'link') ?? outcome.value;
      if (typeof link === 'string') return { link };
      return { error: `the adapter's tree.encode: returned ${shown(link)}, not a link` };
    },
    close: async () => {},
  };
}

type HookResult = { readonly value: unknown } | { readonly error: string };

function outcomeOf(outcome: HookResult): HookResult {
  if ('error' in outcome) return outcome;
  const error = member(outcome.value, 'error');
  if (member(outcome.value, 'ok') === false || error !== undefined)
    return { error: typeof error === 'string' ? error : 'no reason given' };
  return outcome;
}
