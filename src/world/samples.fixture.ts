import { editions, type Edition } from '../contract/index.js';
import { createWorld } from './index.js';
import type { World, WorldOptions } from './world.js';
import { loadFixtures } from './fixtures/folder.js';

/** The flags of a named edition, as the world takes them. */
export function flagsOf(edition: Edition): Record<string, boolean> {
  return Object.fromEntries(editions[edition].map((flag) => [flag, true]));
}

/** A world for tests, of the usual volume. */
export function sampleWorld(edition: Edition = 'extended', seed = 7, more: Partial<WorldOptions> = {}): World {
  return createWorld({
    seed,
    epoch: Date.parse('2026-01-01T00:00:00Z'),
    flags: flagsOf(edition),
    fixtures: loadFixtures(null),
    volume: { stashChanges: 600, exchangeHours: 72 },
    ...more,
  });
}
