import { limits } from '../contract/index.js';
import type { Listing } from '../world/world.js';
import type { Game } from './game.js';

/**
 * Entries [offset, offset + limit) of a ladder, and its size. Only the top 15000 are ever shown (interface 7, 8, for all
 * three kinds of ladder by K-030): a window beyond them is empty, one across the border is cut.
 */
export function ladderWindow<T>(
  listing: Listing<T>,
  { offset, limit }: { offset: number; limit: number },
  game: Game,
): { total: number; entries: T[] } {
  const shown = Math.min(listing.length, limits.ladder_depth);
  const length = Math.max(0, Math.min(limit, shown - offset));
  return {
    total: game.switches['ladder.totalCapped'] ? shown : listing.length,
    entries: Array.from({ length }, (_, index) => listing.at(offset + index)),
  };
}

/** The ladder of a league or match that exists but keeps none. */
export const noEntries: Listing<never> = {
  length: 0,
  at: (index) => {
    throw new RangeError(`entry ${index} of an empty ladder: ask only for entries below its length`);
  },
};
