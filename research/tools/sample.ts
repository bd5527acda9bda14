import fc from 'fast-check';

import { areaFile } from '../../conformance/proof/digest.js';
import type { Mutant } from '../../conformance/proof/mutant.js';

/** What mutants are of, in the order of the page's columns. */
export const kinds = ['fields', 'data', 'oauth', 'codec'] as const;
export type Kind = (typeof kinds)[number];

/** The kind of an area: by the folder that its table is in. */
export function kindOf(area: string): Kind {
  if (area === 'fields') return 'fields';
  return (['oauth', 'codec'] as const).find((kind) => areaFile(area).includes(`/${kind}/`)) ?? 'data';
}

/** So many of a list, shuffled: the same for the same seed. */
const shuffled = <T>(all: readonly T[], seed: number, size = all.length): readonly T[] => {
  const length = Math.min(size, all.length);
  return fc.sample(fc.shuffledSubarray([...all], { minLength: length, maxLength: length }), { numRuns: 1, seed })[0]!;
};

export interface Sampled {
  readonly mutant: Mutant;
  readonly area: string;
  readonly kind: Kind;
}

/**
 * A sample in proportion to the kinds, and within a kind to the areas: the same for the same seed. Each kind is in it,
 * at whatever length from four on a run is broken off: kinds take turns as often as they have mutants.
 */
export function sampleOf(
  areas: Readonly<Record<string, readonly Mutant[]>>,
  size: number,
  seed: number,
): readonly Sampled[] {
  const strata = kinds
    .map((kind) =>
      Object.entries(areas)
        .filter(([area]) => kindOf(area) === kind)
        .flatMap(([area, mutants]) => shuffled(mutants, seed).map((mutant): Sampled => ({ mutant, area, kind }))),
    )
    .filter((stratum) => stratum.length > 0);
  const all = strata.reduce((sum, { length }) => sum + length, 0);
  const picked = shares(
    strata.map(({ length }) => length),
    Math.min(size, all),
  ).map((share, at) => shuffled(spread(strata[at]!, share), seed));
  // The first of each, then whichever is furthest behind its share.
  const order = picked.flatMap((stratum) => stratum.map((one, at) => ({ one, turn: at / stratum.length })));
  return order.toSorted((a, b) => a.turn - b.turn).map(({ one }) => one);
}

/** Evenly spaced ones of a list that has its areas side by side. */
const spread = <T>(list: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, at) => list[Math.floor(((at + 0.5) * list.length) / count)]!);

/** How many of each stratum: in proportion, at least one, `size` in all (where that is enough for one of each). */
function shares(lengths: readonly number[], size: number): readonly number[] {
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const counts = lengths.map((length) => Math.max(1, Math.floor((length * size) / all)));
  for (let left = size - counts.reduce((sum, count) => sum + count, 0); left > 0; left -= 1) {
    const lack = lengths.map((length, at) => (length * size) / all - counts[at]!);
    counts[lack.indexOf(Math.max(...lack))]! += 1;
  }
  return counts;
}
