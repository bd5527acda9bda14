import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTree, encodeTree, inspectLink, type PassiveTree, type TreeV6 } from './index.js';

const word = fc.oneof(
  fc.constantFrom(0, 1, 127, 128, 255, 256, 258, 32767, 32768, 64511, 65534, 65535),
  fc.integer({ min: 0, max: 65535 }),
);
const byte = fc.oneof(fc.constantFrom(0, 1, 127, 128, 254, 255), fc.integer({ min: 0, max: 255 }));
const length = fc.oneof(fc.constantFrom(0, 1, 2, 127, 128, 254, 255), fc.integer({ min: 0, max: 40 }));
const listOf = <T>(entry: fc.Arbitrary<T>, lengths = length) =>
  lengths.chain((size) => fc.array(entry, { minLength: size, maxLength: size }));
const pair = fc.record({ node: word, effect: word });

const tree4 = fc.record({
  version: fc.constant(4 as const),
  class: byte,
  ascendancy: byte,
  fullscreen: fc.boolean(),
  hashes: listOf(word, fc.oneof(length, fc.constantFrom(256, 600, 1021, 1022, 1023, 3000))),
});
const tree5 = fc.record({
  version: fc.constant(5 as const),
  class: byte,
  ascendancy: byte,
  hashes: listOf(word),
  extended: listOf(word),
});
const tree6 = fc.record({
  version: fc.constant(6 as const),
  class: byte,
  ascendancy: fc.integer({ min: 0, max: 3 }),
  bloodline: fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 63 })),
  hashes: listOf(word),
  extended: listOf(word),
  mastery: listOf(pair),
});
const options = fc.record({ byteOrder: fc.constantFrom('big' as const, 'little' as const), padding: fc.boolean() });

/** The layouts written a second time, element by element, from the interface and not from the codec. */
function bytesOf(tree: PassiveTree, little: boolean): Buffer {
  const out: number[] = [];
  const put = (value: number, size: number) => {
    const bytes = Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
    out.push(...(little ? bytes.reverse() : bytes));
  };
  const counted = (values: number[], size: number) => {
    put(values.length, 1);
    values.forEach((value) => put(value, size));
  };
  put(tree.version, 4);
  put(tree.class, 1);
  put(tree.version === 6 ? tree.ascendancy + 4 * tree.bloodline : tree.ascendancy, 1);
  if (tree.version === 4) {
    put(tree.fullscreen ? 1 : 0, 1);
    tree.hashes.forEach((value) => put(value, 2));
  } else {
    counted(tree.hashes, 2);
    counted(tree.extended, 2);
    if (tree.version === 6)
      counted(
        tree.mastery.map(({ node, effect }) => effect * 65536 + node),
        4,
      );
  }
  return Buffer.from(out);
}

describe.each<[number, fc.Arbitrary<PassiveTree>]>([
  [4, tree4],
  [5, tree5],
  [6, tree6],
])('version %i', (_, trees) => {
  it('writes the bytes of the layout, in the alphabet, with zero pad bits and no line breaks', () => {
    fc.assert(
      fc.property(trees, options, (tree, chosen) => {
        const bytes = bytesOf(tree, chosen.byteOrder === 'little');
        const bare = bytes.toString('base64url');
        const padding = chosen.padding ? '='.repeat((4 - (bare.length % 4)) % 4) : '';
        expect(encodeTree(tree, chosen)).toBe(bare + padding);
      }),
    );
  });

  it('reads back what was written: order, duplicates and every value kept', () => {
    fc.assert(
      fc.property(trees, options, (tree, chosen) => {
        expect(decodeTree(encodeTree(tree, chosen))).toEqual(tree);
      }),
    );
  });

  it('writes back what was read, to the character', () => {
    fc.assert(
      fc.property(trees, options, (tree, chosen) => {
        const link = encodeTree(tree, chosen);
        const { tree: read, byteOrder, padded, bytes } = inspectLink(link);
        expect(encodeTree(read, { byteOrder, padding: padded })).toBe(link);
        expect(byteOrder).toBe(chosen.byteOrder);
        expect(Buffer.from(bytes)).toEqual(bytesOf(tree, byteOrder === 'little'));
      }),
    );
  });
});

const atlas: TreeV6 = { version: 6, class: 0, ascendancy: 0, bloodline: 0, hashes: [], extended: [], mastery: [] };

describe('the ascendancy byte of version 6', () => {
  it('is two bits of ascendancy and six of bloodline, for all 256 values', () => {
    for (let value = 0; value < 256; value++) {
      const link = Buffer.from([0, 0, 0, 6, 0, value, 0, 0, 0]).toString('base64url');
      const tree = { ...atlas, ascendancy: value % 4, bloodline: Math.floor(value / 4) };
      expect(decodeTree(link)).toStrictEqual(tree);
      expect(encodeTree(tree)).toBe(link);
    }
  });
});

describe('the mastery dictionary of a character', () => {
  it('survives as pairs, effect * 65536 + node, unsigned', () => {
    const effects: Record<string, number> = { 4660: 43981, 65535: 32768, 1: 65535 };
    const mastery = Object.entries(effects).map(([node, effect]) => ({ node: Number(node), effect }));
    const link = encodeTree({ ...atlas, class: 3, hashes: [9, 9, 1], extended: [65535], mastery });
    const bytes = Buffer.from(link, 'base64url');
    const words = [0, 1, 2].map((i) => bytes.readUInt32BE(bytes.length - 12 + i * 4));
    expect(words).toEqual(mastery.map(({ node, effect }) => effect * 65536 + node));
    const read = decodeTree(link) as TreeV6;
    expect(Object.fromEntries(read.mastery.map(({ node, effect }) => [node, effect]))).toEqual(effects);
  });
});

describe('work in between', () => {
  it('does not mix two trees where reading one of them encodes the other', () => {
    const other = encodeTree({ ...atlas, hashes: [1, 2, 3] });
    const seen: string[] = [];
    const tree: TreeV6 = {
      ...atlas,
      get extended() {
        seen.push(encodeTree(decodeTree(other)));
        return [5];
      },
    };
    expect(encodeTree(tree)).toBe(encodeTree({ ...atlas, extended: [5] }));
    expect(seen).toContain(other);
  });

  it('is clean after a refusal', () => {
    expect(() => encodeTree({ ...atlas, hashes: [1, -1] })).toThrow('hashes[1]');
    expect(encodeTree(atlas)).toBe('AAAABgAAAAAA');
  });
});
