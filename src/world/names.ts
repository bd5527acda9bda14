import type { Chance } from './chance.js';
import type { Words } from './fixtures/index.js';

/** A character's name; `serial` makes it unique among its kind. */
export function characterName(words: Words, chance: Chance, serial: number): string {
  return `${chance.pick(words.people)}${chance.pick(words.deeds)}${serial}`;
}

/** An account's name; `serial` makes it unique among its kind. */
export function accountName(words: Words, chance: Chance, serial: number): string {
  const joint = chance.pick(['', '_', '']);
  return `${chance.pick(words.adjectives)}${joint}${chance.pick(words.people)}${serial}`;
}

/** The class as it is shown: often the ascendancy's name rather than the base class (K-027). */
export function shownClass(words: Words, base: string, chance: Chance): string {
  const ascendancies = words.classes[base] ?? [];
  return chance.once(3) || ascendancies.length === 0 ? base : chance.pick(ascendancies);
}
