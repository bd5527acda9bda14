import { createHash } from 'node:crypto';

import type { Mutant } from './mutant.js';
import { fileOf } from './mutant.js';

/**
 * So many mutants, drawn by a hash of the seed and of what each of them changes. A larger sample holds the smaller one,
 * and whether a mutant is drawn depends on no other: a change of the code or of what the suite reaches leaves the rest.
 */
export function sampleOf<M extends Mutant>(mutants: readonly M[], seed: number, size: number): readonly M[] {
  const drawn = mutants.map((mutant) => ({ mutant, draw: drawOf(mutant, seed) }));
  return drawn
    .toSorted((one, other) => one.draw.localeCompare(other.draw))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/** Lines are left out: those of code that stays move with what is written above it. */
const drawOf = ({ place, operator, original, replacement }: Mutant, seed: number): string =>
  createHash('sha256')
    .update(JSON.stringify([seed, fileOf(place), operator, original, replacement]))
    .digest('hex');
