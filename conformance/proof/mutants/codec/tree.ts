import type { OldMutant as Mutant } from '../../mutant.js';
import { bytesOf, codec, layout, listsOf, low, swapPairs, textOf, version } from './planting.js';
import type { Bytes } from './planting.js';

/** The hashes of a version 6 stream with their bytes the other way round. */
function turned(bytes: Bytes): Bytes {
  if (version(bytes) !== 6) return bytes;
  const [, extended] = listsOf(bytes);
  return [...bytes.slice(0, 7), ...swapPairs(bytes.slice(7, extended)), ...bytes.slice(extended)];
}

/** The first two lists of a version 6 stream in each other's place. */
function exchanged(bytes: Bytes): Bytes {
  if (version(bytes) !== 6) return bytes;
  const [hashes, extended, mastery] = listsOf(bytes);
  return [
    ...bytes.slice(0, hashes),
    ...bytes.slice(extended, mastery),
    ...bytes.slice(hashes, extended),
    ...bytes.slice(mastery),
  ];
}

export const tree: readonly Mutant[] = [
  {
    id: 'M-AD-83',
    bug: 'the extended list is lost in decoding',
    rows: ['TREE-RT-001', 'TREE-RT-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const found = decode(link);
        return found.extended ? { ...found, extended: [] } : found;
      },
    })),
  },
  {
    id: 'M-AD-84',
    bug: 'the fullscreen flag is lost',
    rows: ['TREE-RT-003'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const found = decode(link);
        return found.fullscreen === undefined ? found : { ...found, fullscreen: false };
      },
    })),
  },
  {
    id: 'M-AD-85',
    bug: 'version 5 is encoded as version 6',
    rows: ['TREE-RT-004', 'TREE-V5-001'],
    plant: codec(({ encode }) => ({
      encode: (given, form) =>
        given.version === 5
          ? encode(
              { ...given, version: 6, ascendancy: given.ascendancy & 3, bloodline: given.ascendancy >> 2, mastery: [] },
              form,
            )
          : encode(given, form),
    })),
  },
  {
    id: 'M-AD-86',
    bug: 'version 5 gets mastery pairs from bytes that follow it',
    rows: ['TREE-V5-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        if (version(bytes) !== 5) return decode(link);
        const [, extended, end] = listsOf(bytes);
        if (extended >= bytes.length) return decode(link);
        const found = decode(textOf(bytes.slice(0, end), undefined));
        const left = bytes.slice(end);
        return { ...found, mastery: [{ node: found.hashes[0] ?? 1, effect: left.length }] };
      },
    })),
  },
  {
    id: 'M-TC-02',
    bug: 'little-endian hashes stand behind a big-endian version word',
    rows: ['TREE-ORDER-001', 'TREE-V6-001'],
    plant: layout(turned, turned),
  },
  {
    id: 'M-TC-04',
    bug: 'the extended list is written before the hashes',
    rows: ['TREE-V6-001'],
    plant: layout(exchanged, exchanged),
  },
  {
    id: 'M-TC-06',
    bug: 'there is no mastery count where there are no pairs',
    rows: ['TREE-V6-002', 'TREE-ATLAS-001'],
    plant: layout(
      (bytes) => (version(bytes) === 6 && listsOf(bytes)[2] === bytes.length - 1 ? bytes.slice(0, -1) : bytes),
      (bytes) => (version(bytes) === 6 && listsOf(bytes)[2] === bytes.length ? [...bytes, 0] : bytes),
    ),
  },
  {
    id: 'M-TC-07',
    bug: 'version 4 has its fullscreen byte after the hashes',
    rows: ['TREE-V4-001', 'TREE-V4-002'],
    plant: layout(
      (bytes) => (version(bytes) === 4 ? [...bytes.slice(0, 6), ...bytes.slice(7), bytes[6]!] : bytes),
      (bytes) => (version(bytes) === 4 ? [...bytes.slice(0, 6), bytes.at(-1)!, ...bytes.slice(6, -1)] : bytes),
    ),
  },
  {
    id: 'M-TC-08',
    bug: 'version 4 has a count byte',
    rows: ['TREE-V4-001'],
    plant: layout(
      (bytes, given) =>
        version(bytes) === 4 ? [...bytes.slice(0, 7), given.hashes.length & 255, ...bytes.slice(7)] : bytes,
      (bytes) => (version(bytes) === 4 ? [...bytes.slice(0, 7), ...bytes.slice(8)] : bytes),
    ),
  },
  {
    id: 'M-TC-09',
    bug: 'version 4 has room for 255 hashes only',
    rows: ['TREE-V4-004'],
    plant: codec(({ encode }) => ({
      encode(given, form) {
        if (given.version === 4 && given.hashes.length > 255) throw new Error('hashes: at most 255');
        return encode(given, form);
      },
    })),
  },
  {
    id: 'M-TC-13',
    bug: 'the bloodline has two bits only',
    rows: ['TREE-ASC-002'],
    plant: codec(({ decode, encode }) => ({
      decode(link) {
        const found = decode(link);
        return found.bloodline === undefined ? found : { ...found, bloodline: found.bloodline & 3 };
      },
      encode: (given, form) =>
        encode(given.bloodline === undefined ? given : { ...given, bloodline: given.bloodline & 3 }, form),
    })),
  },
  {
    id: 'M-TC-15',
    bug: 'the ascendancy has three bits',
    rows: ['TREE-ASC-001'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const found = decode(link);
        if (found.bloodline === undefined) return found;
        const byte = found.ascendancy | (found.bloodline << 2);
        return { ...found, ascendancy: byte & 7, bloodline: byte >> 3 };
      },
    })),
  },
  {
    id: 'M-TC-19',
    bug: 'only the standard alphabet is read',
    rows: ['TREE-B64-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        if (/[-_]/.test(link)) throw new Error('not base64');
        return decode(link.replaceAll('+', '-').replaceAll('/', '_'));
      },
    })),
  },
  {
    id: 'M-TC-20',
    bug: 'padded text is refused',
    rows: ['TREE-B64-003'],
    plant: codec(({ decode }) => ({
      decode(link) {
        if (link.endsWith('=')) throw new Error('padding is not allowed');
        return decode(link);
      },
    })),
  },
  {
    id: 'M-TC-21',
    bug: 'characters outside the alphabet are passed over',
    rows: ['TREE-B64-005'],
    plant: codec(({ decode }) => ({ decode: (link) => decode(textOf(bytesOf(link), undefined)) })),
  },
  {
    id: 'M-TC-22',
    bug: 'the bits left over are not zero',
    rows: ['TREE-B64-004'],
    plant: codec(({ encode, decode }) => ({
      encode(given, form) {
        const text = encode(given, form);
        const bare = text.replace(/=+$/, '');
        if (bare.length % 4 === 0) return text;
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        const last = alphabet[alphabet.indexOf(bare.at(-1)!) | 1]!;
        return bare.slice(0, -1) + last + text.slice(bare.length);
      },
      decode: (link) => decode(textOf(bytesOf(link), undefined)),
    })),
  },
  {
    id: 'M-TC-24',
    bug: 'a hash above 65535 is cut',
    rows: ['TREE-V6-007'],
    plant: codec(({ encode }) => ({
      encode: (given, form) => encode({ ...given, hashes: given.hashes.map(low) }, form),
    })),
  },
  {
    id: 'M-TC-25',
    bug: 'numbers are read with a sign',
    rows: ['TREE-V6-008', 'TREE-V6-007'],
    plant: codec(({ decode }) => {
      const signed = (value: number): number => (value > 32_767 ? value - 65_536 : value);
      return {
        decode(link) {
          const found = decode(link);
          return {
            ...found,
            hashes: found.hashes.map(signed),
            ...(found.mastery && {
              mastery: found.mastery.map(({ node, effect }) => ({ node, effect: signed(effect) })),
            }),
          };
        },
      };
    }),
  },
  {
    id: 'M-TC-30',
    bug: 'a last odd byte of version 4 is passed over',
    rows: ['TREE-V4-003'],
    plant: codec(({ decode }) => ({
      decode(link) {
        const bytes = bytesOf(link);
        const odd = version(bytes) === 4 && bytes.length % 2 === 0;
        return decode(odd ? textOf(bytes.slice(0, -1), undefined) : link);
      },
    })),
  },
];
