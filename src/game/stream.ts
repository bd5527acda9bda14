import type { Realm } from '../contract/index.js';
import { limits } from '../contract/index.js';
import type { StreamChange } from '../world/world.js';
import type { Game } from './game.js';
import { hash } from './hash.js';

/** The whole stream of a realm by position: the generated history, then what came through the control surface. */
export interface Stream {
  readonly length: number;
  at(position: number): StreamChange;
}

export function streamOf(game: Game, realm: Realm): Stream {
  const { changes } = game.world.publicStashes(realm);
  const events = game.store.stashEvents(realm);
  return {
    length: changes.length + events.length,
    at: (position) => (position < changes.length ? changes.at(position) : events[position - changes.length]!),
  };
}

/** A change can be seen from five minutes after it on (interface 4.2, 8; exactly then, K-050, K-110). */
export function isVisible({ at }: StreamChange, now: number): boolean {
  return at + limits.stash_delay * 1000 <= now;
}

/** How many changes can be seen: changes never go back in time, so they are the first ones. */
export function visibleLength(stream: Stream, now: number): number {
  let low = 0;
  let high = stream.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isVisible(stream.at(middle), now)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const form = /^(0|[1-9]\d{0,14})(?:-|\+&Aa)(\d{1,10})(?:%2F=)?(?:-[0-9a-f]{6})?$/;

const check = (position: number, realm: Realm, game: Game): number => hash(`${game.world.seed}/${realm}/${position}`);

/** The `next_change_id` of a position. To clients it is an opaque text; the check keeps the realms' ids apart (K-051). */
export function changeId(position: number, realm: Realm, game: Game): string {
  const sum = check(position, realm, game);
  return game.switches['psapi.idForm'] === 'reserved' ? `${position}+&Aa${sum}%2F=` : `${position}-${sum}`;
}

/** Another id of the same position. */
export const freshChangeId = (position: number, realm: Realm, game: Game): string =>
  `${changeId(position, realm, game)}-${game.newId(6)}`;

/** The position that an id stands for; null for an id that this stream never gave. */
export function positionOf(id: string, realm: Realm, game: Game, stream: Stream): number | null {
  const [, place, sum] = form.exec(id) ?? [];
  const position = Number(place);
  if (place === undefined || position > stream.length || check(position, realm, game) !== Number(sum)) return null;
  return position;
}
