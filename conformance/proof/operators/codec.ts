/** Mutations of a passive-tree codec, one side or both. */
import type { AdapterTree, Tree } from '../../target/hooks.js';
import { operator } from '../mutant.js';

export type LinkForm = Parameters<AdapterTree['encode']>[1];
export type Bytes = number[];

export interface Sides {
  readonly decode: (link: string) => Tree;
  readonly encode: (tree: Tree, form?: LinkForm) => string;
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
  (_, to: (bytes: Bytes, tree: Tree) => Bytes, from: (bytes: Bytes) => Bytes = (bytes) => to(bytes, {} as Tree)) =>
    codec(({ decode, encode }) => ({
      encode: (tree, form) => textOf(to(bytesOf(encode(tree, form)), tree), form),
      decode: (link) => decode(textOf(from(bytesOf(link)), undefined)),
    })),
);

export const bytesOf = (link: string): Bytes => [...Buffer.from(link, 'base64url')];

export function textOf(bytes: Bytes, form: LinkForm): string {
  const text = Buffer.from(bytes).toString('base64url');
  return form?.padding === false ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

export const version = (bytes: Bytes): number => (bytes[0] === 0 ? bytes[3]! : bytes[0]!);

/** Where the lists of a version 6 stream begin: hashes, extended, mastery. */
export function listsOf(bytes: Bytes): readonly [number, number, number] {
  const extended = 7 + 2 * (bytes[6] ?? 0);
  return [6, extended, extended + 1 + 2 * (bytes[extended] ?? 0)];
}

/** Bytes from `from` to `to`, each with its neighbour exchanged: 16-bit numbers in the other byte order. */
export const swapPairs = (bytes: Bytes, from: number, to: number = bytes.length): Bytes => [
  ...bytes.slice(0, from),
  ...bytes.slice(from, to).map((_, index, pairs) => pairs[index ^ 1] ?? 0),
  ...bytes.slice(to),
];

export const low = (value: number): number => value & 0xffff;

type Members = Partial<Tree> | false | undefined;

/** Members of a decoded tree, changed. */
export const decoded = operator('decoded', (_, change: (tree: Tree) => Members) =>
  codec(({ decode }) => ({
    decode(link) {
      const tree = decode(link);
      return { ...tree, ...change(tree) };
    },
  })),
);

/** Members of a tree, changed before it is encoded. */
export const encoded = operator('encoded', (_, change: (tree: Tree) => Members) =>
  codec(({ encode }) => ({ encode: (tree, form) => encode({ ...tree, ...change(tree) }, form) })),
);

/** Links, changed before they are decoded. */
export const readLink = operator('readLink', (_, change: (link: string) => string) =>
  codec(({ decode }) => ({ decode: (link) => decode(change(link)) })),
);

/** Streams, changed before they are decoded; undefined leaves the link as it is. */
export const readBytes = operator('readBytes', (_, change: (bytes: Bytes) => Bytes | undefined | false) =>
  readLink((link) => {
    const changed = change(bytesOf(link));
    return changed ? textOf(changed, undefined) : link;
  }),
);

/** Links that are refused although they are right. */
export const refuseLink = operator('refuseLink', (_, isRefused: (link: string) => boolean) =>
  readLink((link) => {
    if (isRefused(link)) throw new Error('the link is refused');
    return link;
  }),
);

/** Links that are refused for the tree in them although they are right. */
export const refuseTree = operator('refuseTree', (_, isRefused: (tree: Tree) => boolean) =>
  decoded((tree) => {
    if (isRefused(tree)) throw new Error('the tree is refused');
    return undefined;
  }),
);

/** A codec whose streams of one version are laid out otherwise. */
export const layoutOf = operator(
  'layoutOf',
  (
    _,
    of: number,
    to: (bytes: Bytes, tree: Tree) => Bytes,
    from: (bytes: Bytes) => Bytes = (bytes) => to(bytes, {} as Tree),
  ) =>
    layout(
      (bytes, tree) => (version(bytes) === of ? to(bytes, tree) : bytes),
      (bytes) => (version(bytes) === of ? from(bytes) : bytes),
    ),
);

/** Links, changed after they are encoded. */
export const writeLink = operator('writeLink', (_, change: (link: string, tree: Tree, form: LinkForm) => string) =>
  codec(({ encode }) => ({ encode: (tree, form) => change(encode(tree, form), tree, form) })),
);

/** A stream with another byte at a place. */
export const withByte = (bytes: Bytes, place: number, to: (byte: number) => number): Bytes =>
  bytes.map((byte, index) => (index === place ? to(byte) : byte));

/** A stream whose version word holds `to` in its low half, in the byte order that it had. */
export const withVersion = (bytes: Bytes, to: number, high: number = 0): Bytes => {
  const word = [0, high, 0, to];
  return [...(bytes[0] === 0 ? word : word.toReversed()), ...bytes.slice(4)];
};
