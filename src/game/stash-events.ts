import type { Realm } from '../contract/index.js';
import type { StreamChange } from '../world/world.js';
import type { Game } from './game.js';
import { streamOf } from './stream.js';

/** A change of a public stash, as the control protocol words it (section 2). */
export interface StashEventOrder {
  readonly realm: Realm;
  readonly op: 'list' | 'update' | 'unlist';
  /** Left out with `list` for a new stash. */
  readonly stash?: string;
}

/** An order that cannot be carried out, in a sentence for the person who gave it. */
export class StashEventError extends Error {
  override readonly name = 'StashEventError';
}

/**
 * Lists, changes or unlists a public stash now. It shows in the stream after the stream's delay.
 * @returns the stash's id, and the instant of the change as a date-time
 * @throws StashEventError if there is no such stash, or it is not in the state that the change needs
 */
export function applyStashEvent({ realm, op, stash }: StashEventOrder, game: Game): { id: string; at: string } {
  if (realm === 'game2') throw new StashEventError('realm game2 has no public stash stream; use pc, xbox or sony');
  const id = stash?.toLowerCase() ?? newStash(op, game);
  const last = stash === undefined ? undefined : lastChange(id, realm, game);
  if (stash !== undefined && !last) {
    throw new StashEventError(
      `stash ${stash} is unknown in realm ${realm}; leave stash out with op list to list a new one`,
    );
  }
  const isListed = last !== undefined && last.op !== 'unlist';
  if (op === 'list' && isListed) throw new StashEventError(`stash ${id} is listed already; use op update to change it`);
  if (op !== 'list' && !isListed) throw new StashEventError(`stash ${id} is not listed; list it before op ${op}`);
  const stream = streamOf(game, realm);
  // A stream never goes back in time, even if the clock was set up before the end of the generated history.
  const at = Math.max(game.now(), stream.length === 0 ? 0 : stream.at(stream.length - 1).at);
  game.store.addStashEvent(realm, { at, stash: id, op, revision: last ? last.revision + 1 : 0 });
  return { id, at: new Date(at).toISOString() };
}

function newStash(op: StashEventOrder['op'], game: Game): string {
  if (op === 'list') return game.newId(64);
  throw new StashEventError(`op ${op} needs the id of a listed stash in the field stash; the stream names some`);
}

/** The latest change of a stash. Only changes made through the control surface are looked through: they are few. */
function lastChange(id: string, realm: Realm, game: Game): StreamChange | undefined {
  const made = game.store.stashEvents(realm).findLast(({ stash }) => stash === id);
  return made ?? game.world.publicStashes(realm).last(id);
}
