import type { Making } from './making.js';
import type { World } from './world.js';

export function makeKnown(_making: Making, _world: World): Record<string, unknown> {
  return {};
}
