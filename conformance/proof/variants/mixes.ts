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

/**
 * Servers of which many checks cannot run, as they end or share what checks hold, have little, are asked for little, or
 * are of another edition: beside others they would hide them.
 */
const isApart = ({ id }: Variant): boolean =>
  /^((LIFE-014|TOK-RESP-015)-.*|W-[a-z]+|T-bare|B-03-sparse|E-(base|observed))$/.test(id);

/** Those of them that take different things away: an edition, earlier grants, and tokens of a service. */
export const isSharing = ({ id }: Variant): boolean => /^((LIFE-014|TOK-RESP-015)-.*|E-(base|observed))$/.test(id);

/** Whether a variant can be part of others: it has a world, an edition and a target file like the mock's own. */
export const isFit = (one: Variant): boolean => !one.target && !one.flags && isOfOurWorld(one);

/** Whether a variant is of the mock's own world, and may stand beside others that have the target and the flags that it has. */
export const isOfOurWorld = (one: Variant): boolean => !one.seed && !one.waived && !isApart(one) && !isMixture(one);

/** Whether a variant has a target file, flags or a world of its own, beside which others can be judged. */
export const isElsewhere = (one: Variant): boolean =>
  (one.target !== undefined || one.flags !== undefined || one.seed !== undefined) &&
  !one.waived &&
  !isApart(one) &&
  !isMixture(one);

/** A server that is all of these variants at once. Where two set the same switch, the later one has it. */
export function mixtureOf(id: string, chosen: readonly Variant[]): Variant {
  const switches = Object.assign({}, ...chosen.map((one) => one.switches)) as Partial<Switches>;
  return {
    id,
    what: chosen.map((one) => one.id).join(' '),
    switches,
    mutation: together(...chosen.flatMap(({ mutation }) => mutation ?? [])),
  };
}

const isMixture = ({ id }: Variant): boolean => id.startsWith('mix-');

/** A third of the variants at once, as the seed has it. */
export function mixOf(variants: readonly Variant[], seed: number): Variant {
  const chance = chances(seed);
  return mixtureOf(
    `mix-${seed}`,
    variants.filter(isFit).filter(() => chance.next().value < 0.34),
  );
}
