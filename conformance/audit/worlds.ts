import { SetupError } from '../../src/input/setup-error.js';
import type { PlannedWorld } from './worlds/conditions.js';
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

/**
 * The worlds that words name; the calm one is always first among them. No words are all worlds.
 * @throws SetupError where a word names nothing.
 */
export function worldsNamed(words: readonly string[]): readonly PlannedWorld[] {
  const named = words.map(worldNamed);
  return words.length === 0 ? worlds : worlds.filter((world) => world.id === 'calm' || named.includes(world));
}

/** @throws SetupError where there is no world of that name. */
export function worldNamed(word: string): PlannedWorld {
  const world = worlds.find(({ id }) => id === word);
  if (!world) throw new SetupError(`world ${word}: there is none of that name; see gamedata audit worlds`);
  return world;
}
