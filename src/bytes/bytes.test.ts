import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Bytes } from './bytes.js';
import { bytes } from './index.js';
import { nativeBytes } from './native.js';
import { portableBytes } from './portable.js';

const native = nativeBytes() as Bytes;

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constant('\ufeffa'));
const data = fc.oneof(fc.uint8Array({ maxLength: 300 }), text);
const digits = fc.string({ unit: fc.constantFrom(...'ABab01+/-_'), maxLength: 40 });
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);

/** Both give the same for whatever they are given. */
const agree = <T>(values: fc.Arbitrary<T>, use: (one: Bytes, value: T) => unknown): void =>
  fc.assert(
    fc.property(values, (value) => {
      expect(plain(use(portableBytes, value))).toEqual(plain(use(native, value)));
    }),
  );

describe('bytes', () => {
  it('are those of Node where this is Node', () => {
    expect(bytes.sha256('')).toBeInstanceOf(Buffer);
  });

  it('are the same elsewhere', () => {
    agree(text, (one, value) => one.encode(value));
    agree(text, (one, value) => one.size(value));
    agree(fc.uint8Array(), (one, value) => one.decode(value));
    agree(fc.uint8Array({ maxLength: 20_000, size: 'max' }), (one, value) => one.latin1(value));
    agree(fc.uint8Array(), (one, value) => [one.hex(value), one.base64(value), one.base64url(value)]);
    agree(digits, (one, value) => one.fromBase64(value));
    agree(fc.tuple(fc.uint8Array(), fc.constantFrom('', '=', '==')), (one, [value, end]) =>
      one.fromBase64(one.base64url(value) + end),
    );
    agree(fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF') }), (one, value) => one.fromHex(value));
    agree(data, (one, value) => one.sha256(value));
    agree(data, (one, value) => one.sha256Hex(value));
  });

  it.each([
    ['of Node', native],
    ['elsewhere', portableBytes],
  ])('are drawn at random, %s', (_, one) => {
    const target = new Uint8Array(32);
    expect(one.random(target)).toBe(target);
    expect(one.hex(target)).not.toBe(one.hex(one.random(new Uint8Array(32))));
  });
});
