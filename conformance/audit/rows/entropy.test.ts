import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { bitsByPlace } from './entropy.js';

const many = (make: () => string): string[] => Array.from({ length: 20 }, make);

describe('bits by place', () => {
  it.each([
    ['base64url of 32 bytes', () => randomBytes(32).toString('base64url')],
    ['base64url of 32 bytes after a name', () => `client.${randomBytes(32).toString('base64url')}`],
    ['64 hexadecimal digits', () => randomBytes(32).toString('hex')],
  ])('hold 240 and more in %s', (_what, make) => {
    expect(bitsByPlace(many(make))).toBeGreaterThan(240);
  });

  it.each([
    ['a name and a UUID', () => `gamedata${randomUUID()}`],
    ['24 random bytes and a tail', () => `${randomBytes(24).toString('base64url')}.verifier.one`],
    ['30 random bytes', () => randomBytes(30).toString('hex')],
  ])('hold no more than 240 in %s', (_what, make) => {
    expect(bitsByPlace(many(make))).toBeLessThanOrEqual(240);
  });

  it('say nothing of a few values', () => {
    expect(bitsByPlace(many(() => 'a'.repeat(43)))).toBeUndefined();
  });
});
