import { expect, it } from 'vitest';

import { rankBy } from './rank.js';

const places = 2000;

/** What comes first with a seed: the tenth of all places that a sample has time for. */
function sampleOf(seed: number): readonly number[] {
  const rank = rankBy(seed);
  const order = Array.from({ length: places }, (_, index) => index).toSorted((a, b) => rank(a) - rank(b));
  return order.slice(0, places / 10);
}

it('brings up everything in samples of successive seeds, and has nothing often', () => {
  const counts = Array.from({ length: places }, () => 0);
  for (let seed = 1; seed <= 200; seed++) for (const index of sampleOf(seed)) counts[index]! += 1;
  // Twenty times each, if it were even.
  expect(Math.min(...counts)).toBeGreaterThan(2);
  expect(Math.max(...counts)).toBeLessThan(50);
});

it('has little in common from one seed to the next', () => {
  const [one, two] = [sampleOf(700), new Set(sampleOf(701))];
  expect(one!.filter((index) => two.has(index)).length).toBeLessThan(places / 25);
});
