import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { isPeriodic, originOf } from './derivation.js';

const born = Date.UTC(2026, 3, 1, 12, 0, 0, 400);
const shown = ['xyzState', 'example-desktop'];
const hash = (text: string, name = 'sha256'): Buffer => createHash(name).update(text).digest();

describe('the origin of a value', () => {
  it.each([
    ['a hash of the second', hash(String(Math.floor((born - 2500) / 1000))).toString('base64url')],
    ['a hash of the millisecond', hash(String(born - 1234)).toString('base64url')],
    ['a hash of the time in base 16', hash((born - 10).toString(16)).toString('hex')],
    [
      'the MD5 of a second, twice',
      hash(String(Math.floor(born / 1000)), 'md5')
        .toString('hex')
        .repeat(2),
    ],
    [
      'a longer hash, cut',
      hash(String(born - 7), 'sha512')
        .toString('hex')
        .slice(0, 50),
    ],
    ['the base64url of the hex of a hash', Buffer.from(hash(String(born)).toString('hex')).toString('base64url')],
    ['a hash of a second and the client id', hash(`example-desktop:${Math.floor(born / 1000)}`).toString('base64url')],
    ['a hash of the client id', hash('example-desktop').toString('base64url')],
    ['a hash of the state', hash('xyzState').toString('hex')],
    ['a hash of a counter', hash('17').toString('base64url')],
  ])('is seen of %s', (_, value) => {
    expect(originOf(value, born, shown)).toBeDefined();
  });

  it.each(['base64url', 'hex'] as const)('is none of random bytes in %s', (encoding) => {
    expect(originOf(randomBytes(32).toString(encoding), born, shown)).toBeUndefined();
  });
});

it('tells a text that repeats its beginning from one that does not', () => {
  expect(isPeriodic('1764-1764-1764-17')).toBe(true);
  expect(isPeriodic(randomBytes(32).toString('base64url'))).toBe(false);
});
