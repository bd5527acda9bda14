import type { OldMutant as Mutant } from '../../mutant.js';
import { bytesOf, codec, layout, listsOf, swapPairs, textOf, version } from './planting.js';
import type { Bytes } from './planting.js';

/** The halves of the mastery pairs of a version 6 stream in each other's place. */
function halvesTurned(bytes: Bytes): Bytes {
  if (version(bytes) !== 6) return bytes;
  const from = listsOf(bytes)[2] + 1;
  return bytes.map((byte, at) => (at < from ? byte : bytes[from + ((at - from) ^ 2)]!));
}

/** From version 5 on: the bytes of the extended hashes the other way round. */
function extendedTurned(bytes: Bytes): Bytes {
  if (version(bytes) === 4) return bytes;
  const [, from, to] = listsOf(bytes);
  return [...bytes.slice(0, from + 1), ...swapPairs(bytes.slice(from + 1, to)), ...bytes.slice(to)];
}

/** Version 4: the bytes of its hashes the other way round. */
const hashesOf4Turned = (bytes: Bytes): Bytes =>
  version(bytes) === 4 ? [...bytes.slice(0, 7), ...swapPairs(bytes.slice(7))] : bytes;

/** The pairs of a version 6 stream, each as a 32-bit number with its bytes the other way round. */
function pairsTurned(bytes: Bytes): Bytes {
  if (version(bytes) !== 6) return bytes;
  const from = listsOf(bytes)[2] + 1;
  return bytes.map((byte, at) => (at < from ? byte : bytes[from + ((at - from) ^ 3)]!));
}

/** The count of the mastery list of a version 6 stream, changed. */
const counted =
  (to: (count: number) => number) =>
  (bytes: Bytes): Bytes => {
    if (version(bytes) !== 6) return bytes;
    const at = listsOf(bytes)[2];
    return bytes.map((byte, index) => (index === at ? to(byte) & 255 : byte));
  };

/** What a stream says of the first four bytes, as a number in either order. */
const withVersion = (bytes: Bytes, word: Bytes): Bytes => [
  ...(bytes[0] === 0 ? word : word.toReversed()),
  ...bytes.slice(4),
];

export const layouts: readonly Mutant[] = [
  {
    id: 'N-TREE-V6-003',
    bug: 'a mastery pair has its effect in the low half',
    rows: ['TREE-V6-003', 'TREE-V6-001'],
    plant: layout(halvesTurned, halvesTurned),
  },
  {
    id: 'N-TREE-V6-003-order',
    bug: 'mastery pairs are in the other byte order',
    rows: ['TREE-V6-003', 'TREE-ORDER-001'],
    plant: layout(pairsTurned, pairsTurned),
  },
  {
    id: 'N-TREE-ORDER-001-extended',
    bug: 'extended hashes are in the other byte order',
    rows: ['TREE-ORDER-001', 'TREE-V5-001'],
    plant: layout(extendedTurned, extendedTurned),
  },
  {
    id: 'N-TREE-ORDER-001-v4',
    bug: 'the hashes of version 4 are in the other byte order',
    rows: ['TREE-ORDER-001', 'TREE-V4-001'],
    plant: layout(hashesOf4Turned, hashesOf4Turned),
  },
  {
    id: 'N-TREE-V6-004',
    bug: 'the count of the mastery list is that of its halves',
    rows: ['TREE-V6-004', 'TREE-V6-001'],
    plant: layout(
      counted((count) => 2 * count),
      counted((count) => count >> 1),
    ),
  },
  {
    id: 'N-TREE-V6-004-read',
    bug: 'half of the mastery pairs are read',
    rows: ['TREE-V6-004'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const found = decode(link);
        return found.mastery
          ? { ...found, mastery: found.mastery.slice(0, Math.ceil(found.mastery.length / 2)) }
          : found;
      },
    })),
  },
  {
    id: 'N-TREE-V6-005',
    bug: 'a tree with a bloodline of 6.2 is written as version 62',
    rows: ['TREE-V6-005'],
    plant: layout(
      (bytes, tree) => ((tree.bloodline ?? 0) > 3 ? withVersion(bytes, [0, 0, 0, 62]) : bytes),
      (bytes) => (version(bytes) === 62 ? withVersion(bytes, [0, 0, 0, 6]) : bytes),
    ),
  },
  {
    id: 'N-TREE-V6-005-refined',
    bug: 'the version word holds its refinement in its high half',
    rows: ['TREE-V6-005'],
    plant: layout(
      (bytes, tree) => (tree.bloodline ? withVersion(bytes, [0, tree.bloodline > 3 ? 2 : 1, 0, 6]) : bytes),
      (bytes) => (version(bytes) === 6 ? withVersion(bytes, [0, 0, 0, 6]) : bytes),
    ),
  },
  {
    id: 'N-TREE-V6-006-wraps',
    bug: 'a count of 256 is written as 0',
    rows: ['TREE-V6-006'],
    plant: codec(({ encode }) => ({
      encode: (given, form) =>
        encode({ ...given, extended: given.extended?.slice(0, given.extended.length & 255) }, form),
    })),
  },
  {
    id: 'N-TREE-V6-006-v5',
    bug: '256 hashes of version 5 are cut to 255',
    rows: ['TREE-V6-006'],
    plant: codec(({ encode }) => ({
      encode: (given, form) =>
        given.version === 5 ? encode({ ...given, hashes: given.hashes.slice(0, 255) }, form) : encode(given, form),
    })),
  },
  {
    id: 'N-TREE-V6-006-sign',
    bug: 'the count of the mastery list is read with a sign',
    rows: ['TREE-V6-006'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const found = decode(link);
        return (found.mastery?.length ?? 0) > 127 ? { ...found, mastery: [] } : found;
      },
    })),
  },
  {
    id: 'N-TREE-V6-006-room',
    bug: 'a stream has room for 2048 bytes',
    rows: ['TREE-V6-006'],
    plant: codec(({ encode }) => ({
      encode(given, form) {
        const text = encode(given, form);
        if (bytesOf(text).length > 2048) throw new Error('the tree is too long');
        return text;
      },
    })),
  },
  {
    id: 'N-TREE-V6-002',
    bug: 'the extended list is left out with its count where it and the mastery list are empty',
    rows: ['TREE-V6-002', 'TREE-ATLAS-001'],
    plant: layout(
      (bytes, { extended, mastery }) =>
        version(bytes) === 6 && !extended?.length && !mastery?.length ? bytes.slice(0, -2) : bytes,
      (bytes) => (version(bytes) === 6 && listsOf(bytes)[1] >= bytes.length ? [...bytes, 0, 0] : bytes),
    ),
  },
  {
    id: 'N-TREE-V4-001-end',
    bug: 'version 4 ends with a zero hash',
    rows: ['TREE-V4-001'],
    plant: layout(
      (bytes) => (version(bytes) === 4 ? [...bytes, 0, 0] : bytes),
      (bytes) => (version(bytes) === 4 ? bytes.slice(0, -2) : bytes),
    ),
  },
  {
    id: 'N-TREE-V4-002',
    bug: 'fullscreen is written as 255',
    rows: ['TREE-V4-002'],
    plant: layout(
      (bytes) => (version(bytes) === 4 ? bytes.map((byte, at) => (at === 6 && byte === 1 ? 255 : byte)) : bytes),
      (bytes) => (version(bytes) === 4 ? bytes.map((byte, at) => (at === 6 && byte === 255 ? 1 : byte)) : bytes),
    ),
  },
  {
    id: 'N-TREE-V5-001-minimal',
    bug: 'a version 6 tree without pairs is written as version 5',
    rows: ['TREE-V6-001', 'TREE-ATLAS-001'],
    plant: codec(({ encode, decode }) => ({
      encode(given, form) {
        const text = encode(given, form);
        const bytes = bytesOf(text);
        if (version(bytes) !== 6 || given.mastery?.length) return text;
        return textOf(withVersion(bytes.slice(0, -1), [0, 0, 0, 5]), form);
      },
      decode,
    })),
  },
  {
    id: 'N-TREE-VER-001',
    bug: 'version 4 is laid out as version 5',
    rows: ['TREE-VER-001', 'TREE-RT-003'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        return decode(version(bytes) === 4 ? textOf(withVersion(bytes, [0, 0, 0, 5]), undefined) : link);
      },
    })),
  },
  {
    id: 'N-TREE-VER-001-raised',
    bug: 'a tree of version 5 is given out as one of version 6',
    rows: ['TREE-VER-001', 'TREE-RT-004'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const found = decode(link);
        if (found.version !== 5) return found;
        return {
          ...found,
          version: 6,
          ascendancy: found.ascendancy & 3,
          bloodline: found.ascendancy >> 2,
          mastery: [],
        };
      },
    })),
  },
  {
    id: 'N-TREE-VER-002-byte',
    bug: 'only the low byte of the version is read',
    rows: ['TREE-VER-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        const low = bytes[0] === 0 || bytes[3]! > bytes[0]! ? bytes[3]! : bytes[0]!;
        return decode([4, 5, 6].includes(low) ? textOf([0, 0, 0, low, ...bytes.slice(4)], undefined) : link);
      },
    })),
  },
  {
    id: 'N-TREE-VER-002-newer',
    bug: 'a later version is read as version 6',
    rows: ['TREE-VER-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        return decode(version(bytes) > 6 ? textOf(withVersion(bytes, [0, 0, 0, 6]), undefined) : link);
      },
    })),
  },
  {
    id: 'N-TREE-VER-002-earlier',
    bug: 'an earlier version is read as version 4',
    rows: ['TREE-VER-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        return decode(version(bytes) < 4 ? textOf(withVersion(bytes, [0, 0, 0, 4]), undefined) : link);
      },
    })),
  },
  {
    id: 'N-TREE-VER-002-written',
    bug: 'a tree of an unknown version is written as version 6',
    rows: ['TREE-VER-002'],
    plant: codec(({ encode }) => ({
      encode: (given, form) => encode([4, 5, 6].includes(given.version) ? given : { ...given, version: 6 }, form),
    })),
  },
];
