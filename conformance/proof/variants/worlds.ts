import type { Listing, Ladder, World } from '../../../src/world/world.js';
import type { Target } from '../../target/target.js';
import { operator, variantsOf } from '../mutant.js';

/** The first entries of a listing. */
const first = <T>(count: number, listing: Listing<T>): Listing<T> => ({
  length: Math.min(count, listing.length),
  at: (index) => listing.at(index),
});

/** A world with no more than so many of everything, in which most lists are shorter than a page. */
const atMost = operator('atMost', (at, count: number) =>
  at.world((world): Partial<World> => {
    const few = <T>(list: readonly T[]): readonly T[] => list.slice(0, count);
    const listing = <T>(whole: Listing<T> | undefined): Listing<T> | undefined => whole && first(count, whole);
    const shortened = (ladder: Ladder | undefined): Ladder | undefined =>
      ladder && { ...ladder, by: (order, name) => first(count, ladder.by(order, name)) };
    return {
      ladder: (...of) => shortened(world.ladder(...of)),
      eventLadder: (...of) => listing(world.eventLadder(...of)),
      pvpMatches: (realm) => few(world.pvpMatches(realm)),
      pvpLadder: (...of) => listing(world.pvpLadder(...of)),
      characters: (...of) => few(world.characters(...of)),
      stashes: (...of) => few(world.stashes(...of)),
      guildStashes: (...of) => few(world.guildStashes(...of)),
      itemFilters: (account) => few(world.itemFilters(account)),
      publicStashes: (realm) => {
        const stream = world.publicStashes(realm);
        return { ...stream, changes: first(count, stream.changes) };
      },
      exchange: (realm) => {
        const history = world.exchange(realm);
        return { ...history, markets: (hour) => few(history.markets(hour)) };
      },
    };
  }),
);

/** Facts of another world are none of this one; who owns what stays. */
const unknown = ({ known: { owner }, ...target }: Target): Target => ({
  ...target,
  known: { ...(owner && { owner }) },
});

/** Other worlds than ours: a server may have much, little, or nothing at all. */
export const worlds = variantsOf({
  'W-2: a world of another seed': { seed: 2 },
  'W-3: a world of a third seed': { seed: 3 },
  'W-unknown: a target that knows nothing of the world': { target: unknown },
  'W-few: no more than three of anything': { target: unknown, mutation: atMost(3) },
  'W-one: no more than one of anything': { target: unknown, mutation: atMost(1) },
  'W-none: nothing of anything but leagues': { target: unknown, mutation: atMost(0) },
});
