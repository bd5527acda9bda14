import type { World } from '../world/world.js';
import type { Game } from './game.js';
import { hash } from './hash.js';

/** One order a world, kept outside the bounded memory of replies: a page must not be cut from another order than the next. */
const salts = new WeakMap<World, string>();

/** A list in the order that `lists.order` asks for: as it is, or in one that is new at each start (K-032). */
export function listed<T>(game: Game, list: readonly T[], idOf: (entry: T) => string): readonly T[] {
  if (game.switches['lists.order'] === 'stable') return list;
  const salt = salts.get(game.world) ?? game.newId(16);
  salts.set(game.world, salt);
  const place = (entry: T): number => hash(`${salt}/${idOf(entry)}`);
  return [...list].sort((a, b) => place(a) - place(b));
}
