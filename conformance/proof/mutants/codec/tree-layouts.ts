import type { Tree } from '../../../target/hooks.js';
import { mutants, operator } from '../../mutant.js';
import { codec, decoded, encoded, layout, layoutOf, readBytes, swapPairs, writeLink } from '../../operators/codec.js';
import { bytesOf, listsOf, textOf, version, withByte, withVersion } from '../../operators/codec.js';

/** The bytes of the mastery pairs of version 6 in another order. */
const turnPairs = operator('turnPairs', (_, mask: number) =>
  layoutOf(6, (bytes) => {
    const from = listsOf(bytes)[2] + 1;
    return bytes.map((byte, index) => (index < from ? byte : bytes[from + ((index - from) ^ mask)]!));
  }),
);

/** What a tree of version 5 is in version 6. */
const asVersion6 = ({ version: number, ascendancy }: Tree) =>
  number === 5 && { version: 6, ascendancy: ascendancy & 3, bloodline: ascendancy >> 2, mastery: [] };

export const layouts = mutants({
  'TREE-V6-003: a mastery pair has its effect in the low half': () => turnPairs(2).also('TREE-V6-001'),
  'TREE-V6-003 order: mastery pairs are in the other byte order': () => turnPairs(3).also('TREE-ORDER-001'),
  'TREE-ORDER-001 extended: extended hashes are in the other byte order': () =>
    layout((bytes) => {
      const [, from, to] = listsOf(bytes);
      return version(bytes) === 4 ? bytes : swapPairs(bytes, from + 1, to);
    }).also('TREE-V5-001'),
  'TREE-ORDER-001 v4: the hashes of version 4 are in the other byte order': () =>
    layoutOf(4, (bytes) => swapPairs(bytes, 7)).also('TREE-V4-001'),
  'TREE-ORDER-001 M-TC-02: little-endian hashes stand behind a big-endian version word': () =>
    layoutOf(6, (bytes) => swapPairs(bytes, 7, listsOf(bytes)[1])).also('TREE-V6-001'),
  'TREE-ORDER-001 read: of a link in the other byte order the version word alone is read in that order': () =>
    readBytes((bytes) => bytes[0] !== 0 && [0, 0, 0, bytes[0]!, ...bytes.slice(4)]),
  'TREE-V6-004: the count of the mastery list is that of its halves': () =>
    layoutOf(
      6,
      (bytes) => withByte(bytes, listsOf(bytes)[2], (count) => 2 * count),
      (bytes) => withByte(bytes, listsOf(bytes)[2], (count) => count >> 1),
    ).also('TREE-V6-001'),
  'TREE-V6-004 read: half of the mastery pairs are read': () =>
    decoded(({ mastery }) => mastery && { mastery: mastery.slice(0, Math.ceil(mastery.length / 2)) }),
  'TREE-V6-005: a tree with a bloodline of 6.2 is written as version 62': () =>
    layout(
      (bytes, { bloodline = 0 }) => (bloodline > 3 ? withVersion(bytes, 62) : bytes),
      (bytes) => (version(bytes) === 62 ? withVersion(bytes, 6) : bytes),
    ),
  'TREE-V6-005 refined: the version word holds its refinement in its high half': () =>
    layout(
      (bytes, { bloodline }) => (bloodline ? withVersion(bytes, 6, bloodline > 3 ? 2 : 1) : bytes),
      (bytes) => (version(bytes) === 6 ? withVersion(bytes, 6) : bytes),
    ),
  'TREE-V6-006 wraps: a count of 256 is written as 0': () =>
    encoded(({ extended }) => ({ extended: extended?.slice(0, extended.length & 255) })),
  'TREE-V6-006 v5: 256 hashes of version 5 are cut to 255': () =>
    encoded((tree) => tree.version === 5 && { hashes: tree.hashes.slice(0, 255) }),
  'TREE-V6-006 sign: the count of the mastery list is read with a sign': () =>
    decoded(({ mastery = [] }) => mastery.length > 127 && { mastery: [] }),
  'TREE-V6-006 room: a stream has room for 2048 bytes': () =>
    writeLink((link) => {
      if (bytesOf(link).length > 2048) throw new Error('the tree is too long');
      return link;
    }),
  'TREE-V6-002: the extended list is left out with its count where it and the mastery list are empty': () =>
    layoutOf(
      6,
      (bytes, { extended, mastery }) => (extended?.length || mastery?.length ? bytes : bytes.slice(0, -2)),
      (bytes) => (listsOf(bytes)[1] >= bytes.length ? [...bytes, 0, 0] : bytes),
    ).also('TREE-ATLAS-001'),
  'TREE-V6-002 M-TC-06: there is no mastery count where there are no pairs': () =>
    layoutOf(
      6,
      (bytes) => (listsOf(bytes)[2] === bytes.length - 1 ? bytes.slice(0, -1) : bytes),
      (bytes) => (listsOf(bytes)[2] === bytes.length ? [...bytes, 0] : bytes),
    ).also('TREE-ATLAS-001'),
  'TREE-V4-001 end: version 4 ends with a zero hash': () =>
    layoutOf(
      4,
      (bytes) => [...bytes, 0, 0],
      (bytes) => bytes.slice(0, -2),
    ),
  'TREE-V4-001 M-TC-07: version 4 has its fullscreen byte after the hashes': () =>
    layoutOf(
      4,
      (bytes) => [...bytes.slice(0, 6), ...bytes.slice(7), bytes[6]!],
      (bytes) => [...bytes.slice(0, 6), bytes.at(-1)!, ...bytes.slice(6, -1)],
    ).also('TREE-V4-002'),
  'TREE-V4-001 M-TC-08: version 4 has a count byte': () =>
    layoutOf(
      4,
      (bytes, { hashes }) => [...bytes.slice(0, 7), hashes.length & 255, ...bytes.slice(7)],
      (bytes) => [...bytes.slice(0, 7), ...bytes.slice(8)],
    ),
  'TREE-V4-002: fullscreen is written as 255': () =>
    layoutOf(
      4,
      (bytes) => withByte(bytes, 6, (byte) => (byte === 1 ? 255 : byte)),
      (bytes) => withByte(bytes, 6, (byte) => (byte === 255 ? 1 : byte)),
    ),
  'TREE-V6-001 N-TREE-V5-001-minimal: a version 6 tree without pairs is written as version 5': () =>
    writeLink((link, { mastery }, form) => {
      const bytes = bytesOf(link);
      const isMinimal = version(bytes) === 6 && !mastery?.length;
      return isMinimal ? textOf(withVersion(bytes.slice(0, -1), 5), form) : link;
    }).also('TREE-ATLAS-001'),
  'TREE-V6-001 M-TC-04: the extended list is written before the hashes': () =>
    layoutOf(6, (bytes) => {
      const [hashes, extended, mastery] = listsOf(bytes);
      const both = [...bytes.slice(extended, mastery), ...bytes.slice(hashes, extended)];
      return [...bytes.slice(0, hashes), ...both, ...bytes.slice(mastery)];
    }),
  'TREE-VER-001: version 4 is laid out as version 5': () =>
    readBytes((bytes) => version(bytes) === 4 && withVersion(bytes, 5)).also('TREE-RT-003'),
  'TREE-VER-001 raised: a tree of version 5 is given out as one of version 6': () =>
    decoded(asVersion6).also('TREE-RT-004'),
  'TREE-VER-002 byte: only the low byte of the version is read': () =>
    readBytes((bytes) => {
      const low = bytes[0] === 0 || bytes[3]! > bytes[0]! ? bytes[3]! : bytes[0]!;
      return [4, 5, 6].includes(low) && [0, 0, 0, low, ...bytes.slice(4)];
    }),
  'TREE-VER-002 newer: a later version is read as version 6': () =>
    readBytes((bytes) => version(bytes) > 6 && withVersion(bytes, 6)),
  'TREE-VER-002 earlier: an earlier version is read as version 4': () =>
    readBytes((bytes) => version(bytes) < 4 && withVersion(bytes, 4)),
  'TREE-VER-002 written: a tree of an unknown version is written as version 6': () =>
    encoded((tree) => ![4, 5, 6].includes(tree.version) && { version: 6 }),
  'TREE-VER-002 oldest: a tree with fullscreen is written as version 4, whatever its version is': () =>
    encoded((tree) => 'fullscreen' in tree && { version: 4 }),
  'TREE-RT-004 M-AD-85: version 5 is encoded as version 6': () => encoded(asVersion6).also('TREE-V5-001'),
  'TREE-V5-002 M-AD-86: version 5 gets mastery pairs from bytes that follow it': () =>
    codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        const [, extended, end] = listsOf(bytes);
        if (version(bytes) !== 5 || extended >= bytes.length) return decode(link);
        const found = decode(textOf(bytes.slice(0, end), undefined));
        return { ...found, mastery: [{ node: found.hashes[0] ?? 1, effect: bytes.length - end }] };
      },
    })),
  'TREE-V4-003 M-TC-30: a last odd byte of version 4 is passed over': () =>
    readBytes((bytes) => version(bytes) === 4 && bytes.length % 2 === 0 && bytes.slice(0, -1)),
});
