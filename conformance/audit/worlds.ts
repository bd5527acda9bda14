import { meant } from '../../src/input/nearest.js';
import { SetupError } from '../../src/input/setup-error.js';
import type { PlannedWorld } from './worlds/conditions.js';
import { copies } from './worlds/copies.js';
import { data } from './worlds/data.js';
import { pace } from './worlds/pace.js';
import { reading } from './worlds/reading.js';
import { tokens } from './worlds/tokens.js';
import { user } from './worlds/user.js';

export type { PlannedWorld } from './worlds/conditions.js';

/** Every world, the calm one first: what differs from it, and why a correct service may be so. */
export const worlds: readonly PlannedWorld[] = [
  { id: 'calm', title: 'Nothing out of the ordinary', because: 'The service as described.' },
  ...user,
  ...tokens,
  ...pace,
  ...reading,
  ...data,
];

/** The same, and those with several copies of the client at once, which run where they are asked for. */
export const allWorlds: readonly PlannedWorld[] = [...worlds, ...copies];

/**
 * The worlds that words name; the calm one is always first among them. No words are all worlds, those of copies where
 * they are asked for.
 * @throws SetupError where a word names nothing.
 */
export function worldsNamed(words: readonly string[], withCopies = false): readonly PlannedWorld[] {
  const named = words.map(worldNamed);
  return words.length === 0
    ? withCopies
      ? allWorlds
      : worlds
    : allWorlds.filter((world) => world.id === 'calm' || named.includes(world));
}

/** Whether a client has to get through a world. Others take something away that it cannot do without. */
export const asksToGetThrough = ({ survival, browser }: PlannedWorld): boolean =>
  survival !== undefined || browser === 'stray' || browser === 'hold';

/** @throws SetupError where there is no world of that name. */
export function worldNamed(word: string): PlannedWorld {
  const world = allWorlds.find(({ id }) => id === word);
  if (!world)
    throw new SetupError(
      `world ${word}: no such world${meant(
        word,
        allWorlds.map(({ id }) => id),
      )}; gamedata audit worlds lists them`,
    );
  return world;
}
