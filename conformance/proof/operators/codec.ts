/** Mutations of a passive-tree codec, one side or both. */
import type { AdapterTree, Tree } from '../../target/hooks.js';
import { operator } from '../mutant.js';

export type Form = Parameters<AdapterTree['encode']>[1];
export type Bytes = number[];

export interface Sides {
  readonly decode: (link: string) => Tree;
  readonly encode: (tree: Tree, form?: Form) => string;
}

/** A codec in which one side, or both, have something wrong with them. */
export const codec = operator('codec', (at, change: (correct: Sides) => Partial<Sides>) =>
  at.codec((given) => {
    const correct: Sides = {
      decode: (link) => given.decode(link) as Tree,
      encode: (tree, form) => given.encode(tree, form) as string,
    };
    return { ...correct, ...change(correct) };
  }),
);

/** A codec whose streams are laid out otherwise: `from` is the way back, for streams of its own. */
export const layout = operator(
  'layout',
  (at, to: (bytes: Bytes, tree: Tree) => Bytes, from: (bytes: Bytes) => Bytes = (bytes) => to(bytes, {} as Tree)) =>
    codec(({ decode, encode }) => ({
      encode: (tree, form) => textOf(to(bytesOf(encode(tree, form)), tree), form),
      decode: (link) => decode(textOf(from(bytesOf(link)), undefined)),
    })).apply(at),
);

export const bytesOf = (link: string): Bytes => [...Buffer.from(link, 'base64url')];

export function textOf(bytes: Bytes, form: Form): string {
  const text = Buffer.from(bytes).toString('base64url');
  return form?.padding === false ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

export const version = (bytes: Bytes): number => (bytes[0] === 0 ? bytes[3]! : bytes[0]!);

/** Where the lists of a version 6 stream begin: hashes, extended, mastery. */
export function listsOf(bytes: Bytes): readonly [number, number, number] {
  const extended = 7 + 2 * (bytes[6] ?? 0);
  return [6, extended, extended + 1 + 2 * (bytes[extended] ?? 0)];
}

export const swapPairs = (bytes: Bytes): Bytes => bytes.map((_, index) => bytes[index ^ 1] ?? 0);

export const low = (value: number): number => value & 0xffff;
