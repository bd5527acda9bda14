import type { Chance } from '../chance.js';

/**
 * `count` different skill hashes that fit in 16 bits, so that they can be written in a tree link; at most 255, the
 * most that a link's counter holds. The range keeps kinds of nodes apart.
 */
export function hashes(chance: Chance, count: number, from = 1, to = 65_535): number[] {
  const found = new Set<number>();
  while (found.size < Math.min(255, count, to - from + 1)) found.add(chance.between(from, to));
  return [...found];
}
