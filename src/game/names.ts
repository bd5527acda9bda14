import type { Game } from './game.js';

/** Whether a name is refused because it is a realm word in the place of a name (K-018). */
export function isRefusedName(name: string, { switches }: Game): boolean {
  if (switches['paths.realmWordNames'] !== 'refuse') return false;
  return ['pc', 'xbox', 'sony', 'game2', switches['names.game2']].includes(name);
}
