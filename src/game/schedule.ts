import { keyOf } from './reply.js';
import type { Game } from './game.js';

/** Half-open: something that ends at an instant is over at that instant. */
export const isDuring = (now: number, start: number, end: number): boolean => start <= now && now < end;

/** The instant of a date-time of the world, ms; `otherwise` where there is none. */
export function instantOf(date: string | null | undefined, otherwise: number): number {
  return date ? Date.parse(date) : otherwise;
}

/**
 * How many of the given instants have come. Between two of them nothing that depends on them changes, so the number
 * stands for the clock in the names of kept replies.
 */
export function phase(game: Game, what: string, instants: () => readonly number[]): number {
  const { body: sorted } = game.reply(keyOf('instants', what), () => [...new Set(instants())].sort((a, b) => a - b));
  const now = game.now();
  const next = sorted.findIndex((instant) => instant > now);
  return next < 0 ? sorted.length : next;
}
