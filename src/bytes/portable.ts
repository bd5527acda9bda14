import { sha256 } from '@noble/hashes/sha2.js';

import type { Bytes } from './bytes.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const encode = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

const digest = (data: string | Uint8Array): Uint8Array => sha256(typeof data === 'string' ? encode(data) : data);

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A call takes so many arguments anywhere. */
const portion = 8192;

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += portion)
    text += String.fromCharCode(...bytes.subarray(start, start + portion));
  return text;
}

const base64 = (bytes: Uint8Array): string => btoa(latin1(bytes));

/** A single digit at the end makes no byte. */
function fromBase64(text: string): Uint8Array {
  const digits = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

/** Made of what every runtime of the web has, and a digest that answers at once: the one of Web Crypto does not. */
export const portableBytes: Bytes = {
  encode,
  decode: (bytes) => decoder.decode(bytes),
  size: (text) => encode(text).length,
  latin1,
  hex,
  base64,
  base64url: (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  fromHex: (digits) =>
    Uint8Array.from({ length: digits.length >> 1 }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16)),
  fromBase64,
  sha256: digest,
  sha256Hex: (data) => hex(digest(data)),
  random: (target) => crypto.getRandomValues(target),
};
