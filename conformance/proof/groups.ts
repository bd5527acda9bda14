import type { Target } from '../target/target.js';
import { rankBy } from './rank.js';
import type { Variant } from './mutant.js';
import { isElsewhere, isFit, isOfOurWorld, isSharing, mixtureOf } from './variants/mixes.js';
import { variants } from './variants/index.js';
import { undeclared } from './variants/others.js';

/** Conforming variants that one run of the suite tries together. */
interface Group extends Variant {
  readonly members: readonly Variant[];
}

/** So few that each of them still shows: a mixture has dozens. */
const size = 18;

/** What variants share that are about the same thing, of which a server has one: `B-19` of `B-19-week`. */
const familyOf = ({ id }: Variant): string => /^(?:O|[A-Z-]+[0-9]+|[A-Z])/.exec(id)?.[0] ?? id;

const conflict = (one: Variant, other: Variant): boolean =>
  // Flags are all of one family, and each is a thing of its own.
  (familyOf(one) === familyOf(other) && !one.flags) ||
  (one.seed !== undefined && other.seed !== undefined) ||
  (['switches', 'flags'] as const).some((kind) =>
    Object.keys(one[kind] ?? {}).some((name) => Object.hasOwn(other[kind] ?? {}, name)),
  );

/** Whether a variant sets nothing, so that it can stand beside all these: an omission, a form of HTTP, other words. */
const isAnywhere = (one: Variant): boolean => isFit(one) && Object.keys(one.switches ?? {}).length === 0;

/**
 * Those that can stand in one group: they have the mock's own target file, one that declares nothing, rows that are waived,
 * or are each a place or a world of its own.
 */
const pools: readonly ((one: Variant) => boolean)[] = [
  (one) => isFit(one) && !isAnywhere(one),
  (one) => one.target === undeclared && isOfOurWorld(one),
  (one) => one.waived !== undefined && one.target === undefined,
  (one) => one.target !== undeclared && isElsewhere(one),
];

/**
 * The variants that can stand together, dealt into groups as the seed has it. No group has two of one family or two that
 * set the same switch, and those that rewrite messages are spread over all groups, for they could hide each other. Those
 * that take different things away would hide any other, and stand among themselves.
 */
export function groupsOf(seed: number, all: readonly Variant[] = variants): readonly Group[] {
  const before = pools.flatMap((isOf) => dealt(seed, all.filter(isOf)));
  const apart = dealt(seed, all.filter(isSharing));
  const groups = [...dealt(seed, all.filter(isAnywhere), before), ...apart];
  return groups.map((members, index) => ({ ...groupOf(`group-${index + 1}`, members), members }));
}

/** A server that is all of the members at once. */
function groupOf(id: string, members: readonly Variant[]): Variant {
  const flags = Object.assign({}, ...members.map((one) => one.flags)) as Readonly<Record<string, boolean>>;
  const targets = [...new Set(members.flatMap((one) => one.target ?? []))];
  const seed = members.find((one) => one.seed)?.seed;
  const waived = members.flatMap((one) => one.waived ?? []);
  return {
    ...mixtureOf(id, members),
    ...(Object.keys(flags).length > 0 && { flags }),
    ...(targets.length > 0 && { target: (given: Target) => targets.reduce((one, to) => to(one), given) }),
    ...(seed !== undefined && { seed }),
    ...(waived.length > 0 && { waived }),
  };
}

/** Deals variants into these groups, and into as many others as all of them need. */
function dealt(
  seed: number,
  all: readonly Variant[],
  before: readonly (readonly Variant[])[] = [],
): readonly (readonly Variant[])[] {
  const rank = rankBy(seed);
  const fit = all.map((one, index) => ({ one, rank: rank(index) }));
  const inOrder = fit
    .toSorted((a, b) => Number(!a.one.mutation) - Number(!b.one.mutation) || a.rank - b.rank)
    .map(({ one }) => one);
  const own = Math.max(0, Math.ceil((before.flat().length + all.length) / size) - before.length);
  const groups = [...before.map((group) => [...group]), ...Array.from({ length: own }, (): Variant[] => [])];
  for (const one of inOrder) {
    const open = groups.filter((group) => !group.some((other) => conflict(one, other)));
    const smallest = open.toSorted((a, b) => a.length - b.length)[0];
    if (smallest) smallest.push(one);
    else groups.push([one]);
  }
  return groups;
}
