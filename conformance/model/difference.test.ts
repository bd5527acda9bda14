import { describe, expect, it } from 'vitest';

import { difference } from './difference.js';

describe('difference', () => {
  it('is none where lists have another order, or null stands for absent', () => {
    expect(difference({ hashes: [1, 2], league: null }, { hashes: [2, 1] })).toBeUndefined();
    expect(difference([{ name: null, id: 1 }, { id: 2 }], [{ id: 1 }, { name: null, id: 2 }])).toBeUndefined();
    expect(difference([{ hashes: [1, 2] }, { hashes: [3] }], [{ hashes: [3] }, { hashes: [2, 1] }])).toBeUndefined();
  });

  it('is none in members that the contract does not describe, but for the keys of a dictionary', () => {
    expect(difference({ colours: 1, league: { id: 'x', shade: [1] } }, { league: { id: 'x' } })).toBeUndefined();
    expect(difference({ volume_traded: { anything: 1 } }, { volume_traded: { anything: 2 } })).toBe(
      '$.volume_traded.anything is 1, not 2',
    );
  });

  it('names the place', () => {
    expect(difference({ stash: { items: [1] } }, { stash: { items: [1, 2] } })).toBe(
      '$.stash.items has 1 entries, not 2',
    );
    expect(difference({ league: null }, { league: { id: 1 } })).toBe('$.league is null, not {"id":1}');
    expect(difference({}, { items: [1, 2] })).toBe('$.items is nothing, not a list of 2');
  });
});
