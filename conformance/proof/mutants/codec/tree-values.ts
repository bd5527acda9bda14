import type { Tree } from '../../../target/hooks.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { bytesOf, codec, listsOf, low, textOf, version } from './planting.js';
import type { Bytes } from './planting.js';

/** The tree that is given out is changed. */
const given = (change: (tree: Tree, link: string) => Tree): Mutant['plant'] =>
  codec(({ decode }) => ({ decode: (link) => change(decode(link), link) }));

/** The tree that is to be written is changed. */
const taken = (change: (tree: Tree) => Tree): Mutant['plant'] =>
  codec(({ encode }) => ({ encode: (tree, form) => encode(change(tree), form) }));

/** A decoder that takes what is missing at the end for zeros. */
const filled = (needs: (bytes: Bytes) => number): Mutant['plant'] =>
  codec(({ decode }) => ({
    decode(link) {
      const bytes = bytesOf(link);
      const length = Math.max(needs(bytes), bytes.length);
      return decode(
        length === bytes.length ? link : textOf([...bytes, ...Array(length - bytes.length).fill(0)], undefined),
      );
    },
  }));

const unique = (values: readonly number[]): number[] => [...new Set(values)];

export const values: readonly Mutant[] = [
  {
    id: 'N-TREE-ASC-003',
    bug: 'a wildwood ascendancy of 6.1 is no bloodline',
    rows: ['TREE-ASC-003', 'TREE-ASC-002'],
    plant: given((tree) => (tree.bloodline && tree.bloodline < 4 ? { ...tree, bloodline: 0 } : tree)),
  },
  {
    id: 'N-TREE-ASC-003-alone',
    bug: 'a wildwood ascendancy without an ascendancy of the class is lost',
    rows: ['TREE-ASC-003', 'TREE-ASC-002'],
    plant: given((tree) => (tree.bloodline && tree.ascendancy === 0 ? { ...tree, bloodline: 0 } : tree)),
  },
  {
    id: 'N-TREE-ASC-003-third',
    bug: 'the third wildwood ascendancy with the third ascendancy is refused',
    rows: ['TREE-ASC-003', 'TREE-ASC-001'],
    plant: given((tree) => {
      if (tree.bloodline === 3 && tree.ascendancy === 3) throw new Error('ascendancy byte 15');
      return tree;
    }),
  },
  {
    id: 'N-TREE-ASC-004',
    bug: 'without a bloodline the ascendancy stands for one',
    rows: ['TREE-ASC-004', 'TREE-ASC-002'],
    plant: given((tree) => (tree.bloodline === 0 && tree.ascendancy > 0 ? { ...tree, bloodline: 1 } : tree)),
  },
  {
    id: 'N-TREE-ASC-004-plain',
    bug: 'plain links of version 6 are refused',
    rows: ['TREE-ASC-004'],
    plant: given((tree) => {
      if (tree.version === 6 && tree.bloodline === 0 && tree.ascendancy > 0) throw new Error('before 6.1');
      return tree;
    }),
  },
  {
    id: 'N-TREE-ASC-002-high',
    bug: 'the bloodline stands in the high bits, the ascendancy in the low four',
    rows: ['TREE-ASC-002', 'TREE-ASC-003'],
    plant: codec(({ decode, encode }) => {
      const moved = (link: string, to: (byte: number) => number): string => {
        const bytes = bytesOf(link);
        if (version(bytes) !== 6) return link;
        return textOf(
          bytes.map((byte, at) => (at === 5 ? to(byte) : byte)),
          undefined,
        );
      };
      return {
        encode: (tree, form) => moved(encode(tree, form), (byte) => ((byte >> 2) << 4) | (byte & 3)),
        decode: (link) => decode(moved(link, (byte) => ((byte >> 4) << 2) | (byte & 3))),
      };
    }),
  },
  {
    id: 'N-TREE-ASC-001-class',
    bug: 'class and ascendancy are exchanged',
    rows: ['TREE-ASC-001', 'TREE-V6-001'],
    plant: codec(({ decode, encode }) => {
      const turned = (link: string): string => {
        const bytes = bytesOf(link);
        return textOf([...bytes.slice(0, 4), bytes[5]!, bytes[4]!, ...bytes.slice(6)], undefined);
      };
      return {
        encode: (tree, form) => turned(encode(tree, form)),
        decode: (link) => decode(bytesOf(link).length > 5 ? turned(link) : link),
      };
    }),
  },
  {
    id: 'N-TREE-DUP-001-sorted',
    bug: 'hashes are sorted in encoding',
    rows: ['TREE-DUP-001', 'TREE-V6-001'],
    plant: taken((tree) => ({ ...tree, hashes: tree.hashes.toSorted((a, b) => a - b) })),
  },
  {
    id: 'N-TREE-DUP-001-extended',
    bug: 'extended hashes are a set in decoding',
    rows: ['TREE-DUP-001'],
    plant: given((tree) => (tree.extended ? { ...tree, extended: unique(tree.extended) } : tree)),
  },
  {
    id: 'N-TREE-DUP-001-mastery',
    bug: 'a node has one effect, the last',
    rows: ['TREE-DUP-001'],
    plant: given((tree) =>
      tree.mastery
        ? {
            ...tree,
            mastery: [...new Map(tree.mastery.map(({ node, effect }) => [node, effect]))].map(([node, effect]) => ({
              node,
              effect,
            })),
          }
        : tree,
    ),
  },
  {
    id: 'N-TREE-DUP-001-both',
    bug: 'an extended hash that is among the hashes is left out',
    rows: ['TREE-DUP-001'],
    plant: taken((tree) =>
      tree.extended ? { ...tree, extended: tree.extended.filter((hash) => !tree.hashes.includes(hash)) } : tree,
    ),
  },
  {
    id: 'N-TREE-DUP-001-v4',
    bug: 'hashes of version 4 are a set',
    rows: ['TREE-DUP-001'],
    plant: given((tree) => (tree.version === 4 ? { ...tree, hashes: unique(tree.hashes) } : tree)),
  },
  {
    id: 'N-TREE-DUP-001-v5',
    bug: 'extended hashes of version 5 are sorted',
    rows: ['TREE-DUP-001', 'TREE-RT-002'],
    plant: taken((tree) =>
      tree.version === 5 && tree.extended ? { ...tree, extended: tree.extended.toSorted((a, b) => a - b) } : tree,
    ),
  },
  {
    id: 'N-TREE-RT-001-zero',
    bug: 'a hash of 0 is dropped',
    rows: ['TREE-RT-001', 'TREE-RT-003', 'TREE-V6-007'],
    plant: given((tree) => ({ ...tree, hashes: tree.hashes.filter((hash) => hash !== 0) })),
  },
  {
    id: 'N-TREE-RT-001-effect',
    bug: 'a mastery pair with effect 0 is dropped',
    rows: ['TREE-V6-007'],
    plant: given((tree) =>
      tree.mastery ? { ...tree, mastery: tree.mastery.filter(({ effect }) => effect !== 0) } : tree,
    ),
  },
  {
    id: 'N-TREE-RT-002-both',
    bug: 'an extended list that is empty takes the place of the hashes in version 5',
    rows: ['TREE-RT-002', 'TREE-V5-001'],
    plant: taken((tree) => (tree.version === 5 && tree.extended?.length === 0 ? { ...tree, hashes: [] } : tree)),
  },
  {
    id: 'N-TREE-RT-001-class',
    bug: 'the class has a sign',
    rows: ['TREE-RT-001'],
    plant: given((tree) => (tree.class > 127 ? { ...tree, class: tree.class - 256 } : tree)),
  },
  {
    id: 'N-TREE-V6-007-v4',
    bug: 'a hash above 65535 is cut in version 4',
    rows: ['TREE-V6-007'],
    plant: taken((tree) => (tree.version === 4 ? { ...tree, hashes: tree.hashes.map(low) } : tree)),
  },
  {
    id: 'N-TREE-V6-007-v5',
    bug: 'an extended hash above 65535 is cut in version 5',
    rows: ['TREE-V6-007'],
    plant: taken((tree) => (tree.version === 5 ? { ...tree, extended: tree.extended?.map(low) } : tree)),
  },
  {
    id: 'N-TREE-V6-007-negative',
    bug: 'an effect below 0 is taken for one above 65535',
    rows: ['TREE-V6-007'],
    plant: taken((tree) => ({
      ...tree,
      mastery: tree.mastery?.map(({ node, effect }) => ({ node, effect: effect < 0 ? low(effect) : effect })),
    })),
  },
  {
    id: 'N-TREE-V5-002-written',
    bug: 'masteries are dropped when version 5 is encoded',
    rows: ['TREE-V5-002'],
    noticed: 'warn',
    plant: taken((tree) => (tree.version === 5 ? { ...tree, mastery: undefined } : tree)),
  },
  {
    id: 'N-TREE-V4-002-read',
    bug: 'fullscreen is always read as true',
    rows: ['TREE-V4-002', 'TREE-RT-003'],
    plant: given((tree) => (tree.version === 4 ? { ...tree, fullscreen: true } : tree)),
  },
  {
    id: 'N-TREE-TRUNC-001-count',
    bug: 'a version 6 stream may end before its mastery list',
    rows: ['TREE-TRUNC-001'],
    plant: filled((bytes) => (version(bytes) === 6 && bytes.length === listsOf(bytes)[2] ? bytes.length + 1 : 0)),
  },
  {
    id: 'N-TREE-TRUNC-001-v5',
    bug: 'a version 5 stream may end before its extended list',
    rows: ['TREE-TRUNC-001'],
    plant: filled((bytes) => (version(bytes) === 5 && bytes.length === listsOf(bytes)[1] ? bytes.length + 1 : 0)),
  },
  {
    id: 'N-TREE-TRUNC-001-half',
    bug: 'the last half of a mastery pair may be missing',
    rows: ['TREE-TRUNC-001'],
    plant: filled((bytes) => {
      if (version(bytes) !== 6) return 0;
      const at = listsOf(bytes)[2];
      const whole = at + 1 + 4 * (bytes[at] ?? 0);
      return bytes.length === whole - 2 ? whole : 0;
    }),
  },
  {
    id: 'N-TREE-TRUNC-001-v4',
    bug: 'version 4 may end before its fullscreen byte',
    rows: ['TREE-TRUNC-001'],
    plant: filled((bytes) => (version(bytes) === 4 && bytes.length === 6 ? 7 : 0)),
  },
  {
    id: 'N-TREE-TRUNC-001-empty',
    bug: 'an empty text is an empty tree',
    rows: ['TREE-TRUNC-001'],
    plant: codec(({ decode }) => ({ decode: (link) => decode(link === '' ? 'AAAABgAAAAAA' : link) })),
  },
  {
    id: 'N-TREE-ATLAS-001',
    bug: 'class 0 is refused',
    rows: ['TREE-ATLAS-001'],
    plant: given((tree) => {
      if (tree.class === 0) throw new Error('class 0');
      return tree;
    }),
  },
  {
    id: 'N-TREE-CHAR-001',
    bug: 'mastery pairs come in the order of their nodes',
    rows: ['TREE-DUP-001', 'TREE-RT-001'],
    plant: given((tree) =>
      tree.mastery ? { ...tree, mastery: tree.mastery.toSorted((a, b) => a.node - b.node) } : tree,
    ),
  },
];
