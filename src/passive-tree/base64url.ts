import { Buffer } from 'node:buffer';
import { TreeLinkError } from './error.js';

const OUTSIDE_ALPHABET = /[^A-Za-z0-9_-]/;
/** V8 answers this for a text of one-byte characters without looking at them. */
const BEYOND_BYTE = /[\u0100-\uffff]/;
const EQUALS = 0x3d;
/** Last characters whose low four, or two, bits are zero: they end a text of 4k + 2, or 4k + 3, characters. */
const ZERO_PAD_BITS = [undefined, undefined, 'AQgw', 'AEIMQUYcgkosw048'];

/**
 * Writes the bytes of a base64url text (RFC 4648 section 5), padded or not (K-063), into `target`, and returns how many.
 * `target` has room for `roomOfBase64url(text)`.
 *
 * Node's decoder is many times faster than a loop here, but lenient: it also reads `+` and `/`, takes characters beyond
 * ASCII for their low byte, skips every other character that it does not know, and ends at the first `=`. So those
 * three are looked for, and after that a text of which anything was skipped gives too few bytes.
 *
 * @throws TreeLinkError `alphabet`, `padding`, `length` or `pad-bits`, with the character's offset
 */
export function decodeBase64url(text: string, target: Buffer): number {
  const size = target.write(text, 'base64url');
  const end = endOf(text);
  const over = end % 4;
  if (
    size !== Math.floor((end * 3) / 4) ||
    over === 1 ||
    (end !== text.length && text.length % 4 !== 0) ||
    (over !== 0 && !ZERO_PAD_BITS[over]!.includes(text[end - 1]!)) ||
    BEYOND_BYTE.test(text) ||
    text.includes('+') ||
    text.includes('/')
  ) {
    refuse(text);
  }
  return size;
}

/** At least as many bytes as the text can hold. */
export function roomOfBase64url(text: string): number {
  return Math.ceil((text.length * 3) / 4);
}

/** Where the padding begins. At most two `=` are padding: a third is never right, and stays to be refused. */
function endOf(text: string): number {
  const last = text.length - 1;
  if (text.charCodeAt(last) !== EQUALS) return last + 1;
  return text.charCodeAt(last - 1) === EQUALS ? last - 1 : last;
}

/** The first `size` bytes as base64url, with zero pad bits and no line breaks (RFC 4648 3.1, 3.5). */
export function base64urlOfBytes(bytes: Buffer, size: number, padding: boolean): string {
  const text = bytes.toString('base64url', 0, size);
  const over = size % 3;
  return padding && over !== 0 ? text + (over === 1 ? '==' : '=') : text;
}

function refuse(text: string): never {
  const stop = text.search(OUTSIDE_ALPHABET);
  const end = stop === -1 ? text.length : stop;
  if (stop !== -1 && text[stop] !== '=') {
    const message = `character ${stop} is ${named(text, stop)}, which base64url (A-Z a-z 0-9 - _) does not have`;
    throw new TreeLinkError('alphabet', { character: stop }, message + remedy(text[stop]));
  }
  if (stop !== -1) {
    const after = text.slice(stop).search(/[^=]/);
    if (after !== -1) {
      const message = `padding "=" at character ${stop} is not at the end: ${named(text, stop + after)} follows it`;
      throw new TreeLinkError('padding', { character: stop }, message);
    }
  }
  if (end % 4 === 1) {
    const message = `${end} characters cannot hold whole bytes: one is missing or one too many at the end`;
    throw new TreeLinkError('length', { character: end }, message);
  }
  const wanted = (4 - (end % 4)) % 4;
  if (stop !== -1 && text.length - end !== wanted) {
    const message = `padding at character ${end} must be ${wanted} "=" or none, got ${text.length - end}`;
    throw new TreeLinkError('padding', { character: end }, message);
  }
  const message = `character ${end - 1}, the last, is ${named(text, end - 1)}, which sets bits beyond the last byte: they must be zero`;
  throw new TreeLinkError('pad-bits', { character: end - 1 }, message);
}

/** The character at an offset, quoted, with its code point where it cannot be seen. */
function named(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  if (code > 0x20 && code < 0x7f) return code === 0x22 ? `'"'` : `"${text[at]}"`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function remedy(character: string | undefined): string {
  if (character === '+') return '; standard base64 writes "+" where base64url writes "-"';
  if (character === '/') return '; standard base64 writes "/" where base64url writes "_"';
  if (character === '%') return '; percent-decode the link first';
  return '';
}
