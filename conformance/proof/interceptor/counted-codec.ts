import type { AdapterTree } from '../../target/hooks.js';

/** A codec with something planted in it, which tells whenever it answers otherwise than the one it stands before. */
export function countedCodec(honest: AdapterTree, planted: AdapterTree, acted: () => void): AdapterTree {
  const compared = <T>(right: () => T, given: () => T): T => {
    const expected = outcome(right);
    const got = outcome(given);
    if (JSON.stringify(expected) !== JSON.stringify(got)) acted();
    if ('error' in got) throw new Error(got.error);
    return got.value;
  };
  return {
    decode: (link) =>
      compared(
        () => honest.decode(link),
        () => planted.decode(link),
      ),
    encode: (tree, form) =>
      compared(
        () => honest.encode(tree, form),
        () => planted.encode(tree, form),
      ),
  };
}

function outcome<T>(step: () => T): { readonly value: T } | { readonly error: string } {
  try {
    return { value: step() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
