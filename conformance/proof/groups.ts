import { rankBy } from './rank.js';
import type { Variant } from './mutant.js';
import { isFit, isMixture, mixtureOf } from './variants/mixes.js';
import { variants } from './variants/index.js';

/** Conforming variants that one run of the suite tries together. */
interface Group extends Variant {
  readonly members: readonly Variant[];
}

/** So few that each of them still shows: a mixture has dozens. */
const size = 5;

/** What variants share that are about the same thing, of which a server has one: `B-19` of `B-19-week`. */
const familyOf = ({ id }: Variant): string => /^(?:O|[A-Z-]+[0-9]+|[A-Z])/.exec(id)?.[0] ?? id;

const conflict = (one: Variant, other: Variant): boolean =>
  familyOf(one) === familyOf(other) ||
  Object.keys(one.switches ?? {}).some((name) => Object.hasOwn(other.switches ?? {}, name));

/**
 * The variants that can stand together, dealt into groups as the seed has it. No group has two of one family or two that
 * set the same switch, and those that rewrite messages are spread over all groups, for they could hide each other.
 */
export function groupsOf(seed: number, all: readonly Variant[] = variants): readonly Group[] {
  const rank = rankBy(seed);
  const fit = all.filter((one) => isFit(one) && !isMixture(one)).map((one, index) => ({ one, rank: rank(index) }));
  const dealt = fit
    .toSorted((a, b) => Number(!a.one.mutation) - Number(!b.one.mutation) || a.rank - b.rank)
    .map(({ one }) => one);
  const groups = Array.from({ length: Math.ceil(dealt.length / size) }, (): Variant[] => []);
  for (const one of dealt) {
    const open = groups.filter((group) => !group.some((other) => conflict(one, other)));
    const smallest = open.toSorted((a, b) => a.length - b.length)[0];
    if (smallest) smallest.push(one);
    else groups.push([one]);
  }
  return groups.map((members, index) => ({ ...mixtureOf(`group-${index + 1}`, members), members }));
}
