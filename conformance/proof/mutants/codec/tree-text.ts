import { mutants, together } from '../../mutant.js';
import { bytesOf, readLink, refuseLink, textOf, version, writeLink } from '../../operators/codec.js';

/** What a lenient decoder makes of a text. */
const lenient = (link: string): string => textOf(bytesOf(link), undefined);

const exchanged = (link: string): string => link.replace(/[-_]/g, (one) => (one === '-' ? '_' : '-'));

export const text = mutants({
  'TREE-B64-001: links are in the standard alphabet': () =>
    writeLink((link) => link.replaceAll('-', '+').replaceAll('_', '/')).also('TREE-B64-004'),
  'TREE-B64-001 slash: "/" is written for 63': () => writeLink((link) => link.replaceAll('_', '/')),
  'TREE-B64-001 padding: one "=" is written wherever padding is due': () =>
    writeLink((link) => link.replace(/=+$/, '=')),
  'TREE-B64-001 url: links are whole addresses': () => writeLink((link) => `/passive-tree/${link}`),
  'TREE-B64-001 escaped: padding is percent-encoded': () => writeLink((link) => link.replaceAll('=', '%3D')),
  'TREE-B64-002 order: "-" and "_" are exchanged': () => together(writeLink(exchanged), readLink(exchanged)),
  'TREE-B64-002 case: the alphabet begins with small letters': () =>
    readLink((link) => link.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()))),
  'TREE-B64-002 M-TC-19: only the standard alphabet is read': () =>
    together(
      readLink((link) => link.replaceAll('+', '-').replaceAll('/', '_')),
      refuseLink((link) => /[-_]/.test(link)),
    ),
  'TREE-B64-003 unpadded: text without padding is refused': () =>
    refuseLink((link) => link.length % 4 !== 0).also('TREE-B64-002'),
  'TREE-B64-003 two: text that lacks two "=" is refused': () => refuseLink((link) => link.length % 4 === 2),
  'TREE-B64-003 M-TC-20: padded text is refused': () => refuseLink((link) => link.endsWith('=')),
  'TREE-B64-004 lines: lines break after 76 characters': () =>
    writeLink((link) => link.replace(/(.{76})(?=.)/g, '$1\r\n')).also('TREE-B64-001'),
  'TREE-B64-004 newline: a line break ends the text': () => writeLink((link) => `${link}\n`).also('TREE-B64-001'),
  'TREE-B64-004 M-TC-22: the bits left over are not zero': () =>
    together(
      readLink(lenient),
      writeLink((link) => {
        const bare = link.replace(/=+$/, '');
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        const last = alphabet[alphabet.indexOf(bare.at(-1)!) | 1]!;
        return bare.length % 4 === 0 ? link : bare.slice(0, -1) + last + link.slice(bare.length);
      }),
    ),
  'TREE-B64-005 end: a line break at the end is passed over': () => readLink((link) => link.replace(/\n$/, '')),
  'TREE-B64-005 trim: space around a link is passed over': () => readLink((link) => link.trim()),
  'TREE-B64-005 low: of a character beyond ASCII the low byte is read': () =>
    readLink((link) => (/^[A-Za-z0-9_\-=\u0080-\uffff]*$/.test(link) ? lenient(link) : link)),
  'TREE-B64-005 same: a character beyond ASCII stands for its low byte': () =>
    readLink((link) => link.replaceAll(/[\u0100-\u017f]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0x100))),
  'TREE-B64-005 inner: "=" inside a link is passed over': () => readLink((link) => link.replace(/=+(?=[^=])/g, '')),
  'TREE-B64-005 percent: percent-encoding is undone': () =>
    readLink((link) => link.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))),
  'TREE-B64-005 plus: "+" is read for 62': () => readLink((link) => link.replaceAll('+', '-')),
  'TREE-B64-005 v4: characters outside the alphabet end a link of version 4': () =>
    readLink((link) => {
      const cut = link.replace(/[^A-Za-z0-9_-].*$/s, '');
      const bytes = bytesOf(cut);
      return bytes.length >= 7 && bytes.length % 2 === 1 && version(bytes) === 4 ? lenient(cut) : link;
    }),
  'TREE-B64-005 M-TC-21: characters outside the alphabet are passed over': () => readLink(lenient),
});
