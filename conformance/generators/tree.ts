import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Tree } from '../target/hooks.js';

const u16 = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 1, 255, 256, 258, 0x7fff, 0x8000, 0xfbff, 0xfffe, 0xffff),
);
const byte = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 255 }));
/** Ascendancies that every version has: none, or the first to the third. */
const index = fc.integer({ min: 0, max: 3 });
const list = (max: number): Arbitrary<number[]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.array(u16, { maxLength: Math.min(max, 12) }) },
    { weight: 1, arbitrary: fc.array(u16, { maxLength: max }) },
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
  );

/**
 * A tree whose class and ascendancy bytes are both 0 is an atlas tree (interface 2, rule 2), and then has neither
 * extended hashes nor masteries; a codec may hold to that.
 */
const noAtlas = (tree: Tree): Tree =>
  tree.class === 0 && tree.ascendancy === 0 && !tree.bloodline ? { ...tree, class: 1 } : tree;

/** Trees of version 6 with the bloodlines that the interface knows. */
export const gTree6: Arbitrary<Tree> = fc
  .record({
    version: fc.constant(6),
    class: byte,
    ascendancy: index,
    bloodline: fc.integer({ min: 0, max: 7 }),
    hashes: list(255),
    extended: list(255),
    mastery: fc.oneof(
      { weight: 3, arbitrary: fc.array(fc.record({ node: u16, effect: u16 }), { maxLength: 12 }) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
  })
  .map(noAtlas);

export const gTree5: Arbitrary<Tree> = fc
  .record({
    version: fc.constant(5),
    class: byte,
    ascendancy: index,
    hashes: list(255),
    extended: list(255),
  })
  .map(noAtlas);

export const gTree4: Arbitrary<Tree> = fc.record({
  version: fc.constant(4),
  class: byte,
  ascendancy: index,
  fullscreen: fc.boolean(),
  hashes: list(600),
});

/** An atlas tree: version 6, class and ascendancy 0, only hashes (interface 2, rule 2). */
export const gAtlas: Arbitrary<Tree> = list(255).map((hashes) => ({
  version: 6,
  class: 0,
  ascendancy: 0,
  bloodline: 0,
  hashes,
  extended: [],
  mastery: [],
}));

export const gTree: Arbitrary<Tree> = fc.oneof(gTree6, gTree5, gTree4);
