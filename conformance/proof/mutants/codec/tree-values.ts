import { mutants, operator, together } from '../../mutant.js';
import {
  decoded,
  encoded,
  layout,
  layoutOf,
  readBytes,
  readLink,
  refuseLink,
  refuseTree,
} from '../../operators/codec.js';
import { listsOf, low, swapPairs, version, withByte } from '../../operators/codec.js';
import type { Bytes } from '../../operators/codec.js';

/** Streams that may lack their last bytes, which are taken for zeros. */
const mayLack = operator('mayLack', (_, bytes: number, when: (stream: Bytes) => boolean) =>
  readBytes((stream) => when(stream) && [...stream, ...Array<number>(bytes).fill(0)]),
);

const unique = (values: readonly number[]): number[] => [...new Set(values)];
const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const signed = (value: number): number => (value > 32_767 ? value - 65_536 : value);

export const values = mutants({
  'TREE-V6-003 null: the last mastery is null': () =>
    decoded(({ mastery = [] }) => mastery.length > 0 && { mastery: [...mastery.slice(0, -1), null as never] }),
  'TREE-ASC-003: a wildwood ascendancy of 6.1 is no bloodline': () =>
    decoded(({ bloodline = 0 }) => bloodline > 0 && bloodline < 4 && { bloodline: 0 }).also('TREE-ASC-002'),
  'TREE-ASC-003 alone: a wildwood ascendancy without an ascendancy of the class is lost': () =>
    decoded(({ bloodline = 0, ascendancy }) => bloodline > 0 && ascendancy === 0 && { bloodline: 0 }).also(
      'TREE-ASC-002',
    ),
  'TREE-ASC-003 third: the third wildwood ascendancy with the third ascendancy is refused': () =>
    refuseTree(({ bloodline, ascendancy }) => bloodline === 3 && ascendancy === 3).also('TREE-ASC-001'),
  'TREE-ASC-004: without a bloodline the ascendancy stands for one': () =>
    decoded(({ bloodline, ascendancy }) => bloodline === 0 && ascendancy > 0 && { bloodline: 1 }).also('TREE-ASC-002'),
  'TREE-ASC-004 plain: plain links of version 6 are refused': () =>
    refuseTree((tree) => tree.version === 6 && tree.bloodline === 0 && tree.ascendancy > 0),
  'TREE-ASC-002 high: the bloodline stands in the high bits, the ascendancy in the low four': () =>
    layoutOf(
      6,
      (bytes) => withByte(bytes, 5, (byte) => ((byte >> 2) << 4) | (byte & 3)),
      (bytes) => withByte(bytes, 5, (byte) => ((byte >> 4) << 2) | (byte & 3)),
    ).also('TREE-ASC-003'),
  'TREE-ASC-002 M-TC-13: the bloodline has two bits only': () =>
    together(
      decoded(({ bloodline }) => bloodline !== undefined && { bloodline: bloodline & 3 }),
      encoded(({ bloodline }) => bloodline !== undefined && { bloodline: bloodline & 3 }),
    ),
  'TREE-ASC-001 class: class and ascendancy are exchanged': () =>
    layout((bytes) => (bytes.length > 5 ? swapPairs(bytes, 4, 6) : bytes)).also('TREE-V6-001'),
  'TREE-ASC-001 M-TC-15: the ascendancy has three bits': () =>
    decoded(({ ascendancy, bloodline }) => {
      const byte = ascendancy | ((bloodline ?? 0) << 2);
      return bloodline !== undefined && { ascendancy: byte & 7, bloodline: byte >> 3 };
    }),
  'TREE-DUP-001 sorted: hashes are sorted in encoding': () =>
    encoded(({ hashes }) => ({ hashes: sorted(hashes) })).also('TREE-V6-001'),
  'TREE-DUP-001 extended: extended hashes are a set in decoding': () =>
    decoded(({ extended }) => extended && { extended: unique(extended) }),
  'TREE-DUP-001 mastery: a node has one effect, the last': () =>
    decoded(({ mastery }) => mastery && { mastery: [...new Map(mastery.map((pair) => [pair.node, pair])).values()] }),
  'TREE-DUP-001 both: an extended hash that is among the hashes is left out': () =>
    encoded(({ hashes, extended }) => extended && { extended: extended.filter((hash) => !hashes.includes(hash)) }),
  'TREE-DUP-001 v4: hashes of version 4 are a set': () =>
    decoded((tree) => tree.version === 4 && { hashes: unique(tree.hashes) }),
  'TREE-DUP-001 v5: extended hashes of version 5 are sorted': () =>
    encoded((tree) => tree.version === 5 && tree.extended && { extended: sorted(tree.extended) }).also('TREE-RT-002'),
  'TREE-DUP-001 N-TREE-CHAR-001: mastery pairs come in the order of their nodes': () =>
    decoded(({ mastery }) => mastery && { mastery: mastery.toSorted((a, b) => a.node - b.node) }).also('TREE-RT-001'),
  'TREE-RT-001 zero: a hash of 0 is dropped': () =>
    decoded(({ hashes }) => ({ hashes: hashes.filter((hash) => hash !== 0) })).also('TREE-RT-003', 'TREE-V6-007'),
  'TREE-RT-001 class: the class has a sign': () => decoded((tree) => tree.class > 127 && { class: tree.class - 256 }),
  'TREE-RT-001 M-AD-83: the extended list is lost in decoding': () =>
    decoded(({ extended }) => extended && { extended: [] }).also('TREE-RT-002'),
  'TREE-RT-002 both: an extended list that is empty takes the place of the hashes in version 5': () =>
    encoded((tree) => tree.version === 5 && tree.extended?.length === 0 && { hashes: [] }).also('TREE-V5-001'),
  'TREE-V6-007 N-TREE-RT-001-effect: a mastery pair with effect 0 is dropped': () =>
    decoded(({ mastery }) => mastery && { mastery: mastery.filter(({ effect }) => effect !== 0) }),
  'TREE-V6-007 v4: a hash above 65535 is cut in version 4': () =>
    encoded((tree) => tree.version === 4 && { hashes: tree.hashes.map(low) }),
  'TREE-V6-007 v5: an extended hash above 65535 is cut in version 5': () =>
    encoded((tree) => tree.version === 5 && { extended: tree.extended?.map(low) }),
  'TREE-V6-007 negative: an effect below 0 is taken for one above 65535': () =>
    encoded(({ mastery }) => ({
      mastery: mastery?.map(({ node, effect }) => ({ node, effect: effect < 0 ? low(effect) : effect })),
    })),
  'TREE-V6-007 M-TC-24: a hash above 65535 is cut': () => encoded(({ hashes }) => ({ hashes: hashes.map(low) })),
  'TREE-V6-007 first: of several hashes the first is cut to 16 bits': () =>
    encoded(({ hashes }) => hashes.length > 1 && { hashes: hashes.map((hash, at) => (at === 0 ? low(hash) : hash)) }),
  'TREE-V5-002 written: masteries are dropped when version 5 is encoded': () =>
    encoded((tree) => tree.version === 5 && { mastery: undefined }).warns(),
  'TREE-V4-002 read: fullscreen is always read as true': () =>
    decoded((tree) => tree.version === 4 && { fullscreen: true }).also('TREE-RT-003'),
  'TREE-TRUNC-001 count: a version 6 stream may end before its mastery list': () =>
    mayLack(1, (bytes) => version(bytes) === 6 && bytes.length === listsOf(bytes)[2]),
  'TREE-TRUNC-001 v5: a version 5 stream may end before its extended list': () =>
    mayLack(1, (bytes) => version(bytes) === 5 && bytes.length === listsOf(bytes)[1]),
  'TREE-TRUNC-001 half: the last half of a mastery pair may be missing': () =>
    mayLack(2, (bytes) => {
      const count = listsOf(bytes)[2];
      return version(bytes) === 6 && bytes.length === count - 1 + 4 * (bytes[count] ?? 0);
    }),
  'TREE-TRUNC-001 v4: version 4 may end before its fullscreen byte': () =>
    mayLack(1, (bytes) => version(bytes) === 4 && bytes.length === 6),
  'TREE-TRUNC-001 empty: an empty text is an empty tree': () => readLink((link) => link || 'AAAABgAAAAAA'),
  'TREE-ATLAS-001: class 0 is refused': () => refuseTree((tree) => tree.class === 0),
  'TREE-RT-003 M-AD-84: the fullscreen flag is lost': () =>
    decoded(({ fullscreen }) => fullscreen !== undefined && { fullscreen: false }),
  'TREE-V4-004 room: a link of more than 2 KB is refused': () => refuseLink((link) => link.length > 2732),
  'TREE-V4-004 M-TC-09: version 4 has room for 255 hashes only': () =>
    encoded((given) => {
      if (given.version === 4 && given.hashes.length > 255) throw new Error('hashes: at most 255');
      return undefined;
    }),
  'TREE-V6-008 M-TC-25: numbers are read with a sign': () =>
    decoded(({ hashes, mastery }) => ({
      hashes: hashes.map(signed),
      ...(mastery && { mastery: mastery.map(({ node, effect }) => ({ node, effect: signed(effect) })) }),
    })).also('TREE-V6-007'),
});
