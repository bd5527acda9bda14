import { describe, expect, it } from 'vitest';

import { difference } from './difference.js';

describe('difference', () => {
  it('is none where lists have another order, or null stands for absent', () => {
    expect(difference({ a: [1, 2], b: null }, { a: [2, 1] })).toBeUndefined();
    expect(difference([{ x: [1, 2] }, { x: [3] }], [{ x: [3] }, { x: [2, 1] }])).toBeUndefined();
  });

  it('names the place', () => {
    expect(difference({ a: { b: [1] } }, { a: { b: [1, 2] } })).toBe('$.a.b has 1 entries, not 2');
    expect(difference({ a: null }, { a: { b: 1 } })).toBe('$.a is null, not {"b":1}');
    expect(difference({}, { items: [1, 2] })).toBe('$.items is nothing, not a list of 2');
  });
});
