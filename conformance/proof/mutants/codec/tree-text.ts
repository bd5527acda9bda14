import type { OldMutant as Mutant } from '../../mutant.js';
import { bytesOf, codec, textOf, version } from './planting.js';

/** The text that is written is changed; the decoder reads it all the same. */
const written = (change: (text: string) => string): Mutant['plant'] =>
  codec(({ encode, decode }) => ({
    encode: (tree, form) => change(encode(tree, form)),
    decode: (link) => decode(link),
  }));

/** A text is changed before it is read. */
const read = (change: (text: string) => string): Mutant['plant'] =>
  codec(({ decode }) => ({ decode: (link) => decode(change(link)) }));

/** What a lenient decoder makes of a text. */
const lenient = (link: string): string => textOf(bytesOf(link), undefined);

export const text: readonly Mutant[] = [
  {
    id: 'N-TREE-B64-001',
    bug: 'links are in the standard alphabet',
    rows: ['TREE-B64-001', 'TREE-B64-004'],
    plant: written((link) => link.replaceAll('-', '+').replaceAll('_', '/')),
  },
  {
    id: 'N-TREE-B64-001-slash',
    bug: '"/" is written for 63',
    rows: ['TREE-B64-001'],
    plant: written((link) => link.replaceAll('_', '/')),
  },
  {
    id: 'N-TREE-B64-001-padding',
    bug: 'one "=" is written wherever padding is due',
    rows: ['TREE-B64-001'],
    plant: written((link) => link.replace(/=+$/, '=')),
  },
  {
    id: 'N-TREE-B64-001-url',
    bug: 'links are whole addresses',
    rows: ['TREE-B64-001'],
    plant: written((link) => `/passive-tree/${link}`),
  },
  {
    id: 'N-TREE-B64-001-escaped',
    bug: 'padding is percent-encoded',
    rows: ['TREE-B64-001'],
    plant: written((link) => link.replaceAll('=', '%3D')),
  },
  {
    id: 'N-TREE-B64-002-order',
    bug: '"-" and "_" are exchanged',
    rows: ['TREE-B64-002'],
    plant: codec(({ encode, decode }) => {
      const exchanged = (link: string): string => link.replace(/[-_]/g, (one) => (one === '-' ? '_' : '-'));
      return { encode: (tree, form) => exchanged(encode(tree, form)), decode: (link) => decode(exchanged(link)) };
    }),
  },
  {
    id: 'N-TREE-B64-002-case',
    bug: 'the alphabet begins with small letters',
    rows: ['TREE-B64-002'],
    plant: codec(({ encode, decode }) => {
      const turned = (link: string): string =>
        link.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));
      // The version word begins with the same character in both, so that its order is still seen.
      return { encode: (tree, form) => encode(tree, form), decode: (link) => decode(turned(link)) };
    }),
  },
  {
    id: 'N-TREE-B64-003-unpadded',
    bug: 'text without padding is refused',
    rows: ['TREE-B64-003', 'TREE-B64-002'],
    plant: codec(({ decode }) => ({
      decode(link) {
        if (link.length % 4 !== 0) throw new Error('incorrect padding');
        return decode(link);
      },
    })),
  },
  {
    id: 'N-TREE-B64-003-two',
    bug: 'text that lacks two "=" is refused',
    rows: ['TREE-B64-003'],
    plant: codec(({ decode }) => ({
      decode(link) {
        if (link.length % 4 === 2) throw new Error('incorrect padding');
        return decode(link);
      },
    })),
  },
  {
    id: 'N-TREE-B64-004-lines',
    bug: 'lines break after 76 characters',
    rows: ['TREE-B64-004', 'TREE-B64-001'],
    plant: written((link) => link.replace(/(.{76})(?=.)/g, '$1\r\n')),
  },
  {
    id: 'N-TREE-B64-004-newline',
    bug: 'a line break ends the text',
    rows: ['TREE-B64-004', 'TREE-B64-001'],
    plant: written((link) => `${link}\n`),
  },
  {
    id: 'N-TREE-B64-005-end',
    bug: 'a line break at the end is passed over',
    rows: ['TREE-B64-005'],
    plant: read((link) => link.replace(/\n$/, '')),
  },
  {
    id: 'N-TREE-B64-005-trim',
    bug: 'space around a link is passed over',
    rows: ['TREE-B64-005'],
    plant: read((link) => link.trim()),
  },
  {
    id: 'N-TREE-B64-005-low',
    bug: 'of a character beyond ASCII the low byte is read',
    rows: ['TREE-B64-005'],
    plant: read((link) => (/^[A-Za-z0-9_\-=\u0080-\uffff]*$/.test(link) ? lenient(link) : link)),
  },
  {
    id: 'N-TREE-B64-005-inner',
    bug: '"=" inside a link is passed over',
    rows: ['TREE-B64-005'],
    plant: read((link) => link.replace(/=+(?=[^=])/g, '')),
  },
  {
    id: 'N-TREE-B64-005-percent',
    bug: 'percent-encoding is undone',
    rows: ['TREE-B64-005'],
    plant: read((link) =>
      link.replace(/%([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    ),
  },
  {
    id: 'N-TREE-B64-005-plus',
    bug: '"+" is read for 62',
    rows: ['TREE-B64-005'],
    plant: read((link) => link.replaceAll('+', '-')),
  },
  {
    id: 'N-TREE-B64-005-v4',
    bug: 'characters outside the alphabet end a link of version 4',
    rows: ['TREE-B64-005'],
    plant: read((link) => {
      const cut = link.replace(/[^A-Za-z0-9_-].*$/s, '');
      const bytes = bytesOf(cut);
      return bytes.length >= 7 && bytes.length % 2 === 1 && version(bytes) === 4 ? lenient(cut) : link;
    }),
  },
];
