import { isObject } from '../json.js';
import type { Tree } from '../target/hooks.js';

export type ByteOrder = 'big' | 'little';

/**
 * The binary stream of a tree, by the table of the interface (2, Serialised passive tree). The suite's own writer: what
 * codecs are held against. Values are written as they are; the caller keeps them in range.
 */
export function streamOf(tree: Tree, order: ByteOrder): Buffer {
  const bytes: number[] = [];
  const u8 = (value: number): void => void bytes.push(value & 0xff);
  const u16 = (value: number): void => void bytes.push(...inOrder([value >>> 8, value & 0xff], order));
  const u32 = (value: number): void =>
    void bytes.push(...inOrder([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff], order));
  const counted = (values: readonly number[]): void => {
    u8(values.length);
    values.forEach(u16);
  };
  u32(tree.version);
  u8(tree.class);
  u8(tree.ascendancy | ((tree.bloodline ?? 0) << 2));
  if (tree.version === 4) {
    u8(tree.fullscreen ? 1 : 0);
    tree.hashes.forEach(u16);
    return Buffer.from(bytes);
  }
  counted(tree.hashes);
  counted(tree.extended ?? []);
  if (tree.version === 6) {
    const pairs = tree.mastery ?? [];
    u8(pairs.length);
    // The low half is the node, the high half the effect (rule 1).
    for (const { node, effect } of pairs) u32(((effect << 16) | node) >>> 0);
  }
  return Buffer.from(bytes);
}

const inOrder = (bytes: number[], order: ByteOrder): number[] => (order === 'big' ? bytes : bytes.toReversed());

/** Base64url without padding (RFC 4648 5). */
export const linkOf = (bytes: Buffer): string => bytes.toString('base64url');

/** The bytes behind a link, padded or not. */
export const bytesOf = (link: string): Buffer => Buffer.from(link, 'base64url');

/** Byte order by the version word, whose value is below 256 (K-062); undefined where it is neither. */
export function orderOf(bytes: Buffer): ByteOrder | undefined {
  if (bytes.length < 4) return undefined;
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0 && bytes[3] !== 0) return 'big';
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[2] === 0 && bytes[3] === 0) return 'little';
  return undefined;
}

/** A tree with every member that its version has, lists empty where they were left out. */
export function whole({
  version,
  class: charClass,
  ascendancy,
  bloodline,
  fullscreen,
  hashes,
  extended,
  mastery,
}: Tree): Tree {
  const common = { version, class: charClass, ascendancy, hashes };
  if (version === 4) return { ...common, fullscreen: fullscreen ?? false };
  if (version === 5) return { ...common, extended: extended ?? [] };
  // A codec under test may give anything for a pair: what is none stays as it is, and differs from every pair.
  const pairs = (mastery ?? []).map((pair) => (isObject(pair) ? { node: pair.node, effect: pair.effect } : pair));
  return { ...common, bloodline: bloodline ?? 0, extended: extended ?? [], mastery: pairs };
}
