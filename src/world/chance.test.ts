import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Seeds } from './chance.js';
import { permutation } from './permutation.js';

describe('keys', () => {
  it('are HMAC-SHA256 of the path under the seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ unit: 'binary', maxLength: 2000 }), (seed, path) => {
        const expected = createHmac('sha256', String(seed)).update(path).digest('hex');
        expect(new Seeds(seed).key(path)).toBe(expected);
      }),
    );
  });

  it('give UUIDs of version 4', () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        expect(new Seeds(1).uuid(path)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });
});

describe('chance', () => {
  it('is spread evenly', () => {
    const chance = new Seeds(1).chance('dice');
    const met = Array.from({ length: 6 }, () => 0);
    for (let draw = 0; draw < 60_000; draw += 1) met[chance.below(6)]! += 1;
    for (const count of met) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });
});

describe('a permutation', () => {
  it('is one to one, and its inverse undoes it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.string(), (size, path) => {
        const { at, indexOf } = permutation(size, new Seeds(1).chance(path));
        const values = Array.from({ length: size }, (_, index) => at(index));
        expect(new Set(values).size).toBe(size);
        for (const [index, value] of values.entries()) expect(indexOf(value)).toBe(index);
      }),
    );
  });
});
