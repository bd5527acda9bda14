import type { Switches } from '../../../src/contract/index.js';
import { together } from '../mutant.js';
import type { Variant } from '../mutant.js';

/** Numbers below 1 that follow from a seed. */
function* chances(seed: number): Generator<number, never> {
  let state = seed >>> 0;
  for (;;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Servers of which many checks cannot run, as they end or share what checks hold: in a mixture they would hide the others. */
const isApart = ({ id }: Variant): boolean => /^(LIFE-014|TOK-RESP-015)-/.test(id);

/** A third of the variants at once, as the seed has it. Where two set the same switch, the later one has it. */
export function mixOf(variants: readonly Variant[], seed: number): Variant {
  const chance = chances(seed);
  const fit = variants
    .filter(({ target, flags, seed, waived }) => !target && !flags && !seed && !waived)
    .filter((one) => !isApart(one));
  const chosen = fit.filter(() => chance.next().value < 0.34);
  const switches = Object.assign({}, ...chosen.map((one) => one.switches)) as Partial<Switches>;
  return {
    id: `mix-${seed}`,
    what: chosen.map(({ id }) => id).join(' '),
    switches,
    mutation: together(...chosen.flatMap(({ mutation }) => mutation ?? [])),
  };
}
