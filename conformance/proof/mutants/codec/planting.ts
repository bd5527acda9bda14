import type { AdapterTree, Tree } from '../../../target/hooks.js';
import type { OldMutant as Mutant } from '../../mutant.js';

export type Form = Parameters<AdapterTree['encode']>[1];
export type Bytes = number[];

/** A codec in which one side, or both, have something wrong with them. */
export const codec =
  (change: (honest: Sides) => Partial<Sides>): Mutant['plant'] =>
  (seam) =>
    seam.codec((given) => {
      const honest: Sides = {
        decode: (link) => given.decode(link) as Tree,
        encode: (tree, form) => given.encode(tree, form) as string,
      };
      return { ...honest, ...change(honest) };
    });

export interface Sides {
  readonly decode: (link: string) => Tree;
  readonly encode: (tree: Tree, form?: Form) => string;
}

export const bytesOf = (link: string): Bytes => [...Buffer.from(link, 'base64url')];

export function textOf(bytes: Bytes, form: Form): string {
  const text = Buffer.from(bytes).toString('base64url');
  return form?.padding === false ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/** A codec whose streams are laid out otherwise: `from` is the way back, for streams of its own. */
export const layout = (to: (bytes: Bytes, tree: Tree) => Bytes, from: (bytes: Bytes) => Bytes): Mutant['plant'] =>
  codec(({ decode, encode }) => ({
    encode: (tree, form) => textOf(to(bytesOf(encode(tree, form)), tree), form),
    decode: (link) => decode(textOf(from(bytesOf(link)), undefined)),
  }));

export const version = (bytes: Bytes): number => (bytes[0] === 0 ? bytes[3]! : bytes[0]!);

/** Where the lists of a version 6 stream begin: hashes, extended, mastery. */
export function listsOf(bytes: Bytes): readonly [number, number, number] {
  const extended = 7 + 2 * (bytes[6] ?? 0);
  return [6, extended, extended + 1 + 2 * (bytes[extended] ?? 0)];
}

export const swapPairs = (bytes: Bytes): Bytes => bytes.map((_, index) => bytes[index ^ 1] ?? 0);

export const low = (value: number): number => value & 0xffff;
