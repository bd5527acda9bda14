import { Misfit, type Shape } from '../fixtures/shape.js';
import { SLOTS } from './kinds.js';
import { traits } from './traits.js';
import type { Item } from './trait.js';

/** What a line of `wears` says of an item. */
export interface Worn {
  readonly rarity: NonNullable<Item['rarity']> | undefined;
  readonly base: string;
  readonly name: string | undefined;
  readonly traits: readonly string[];
}

const LINE = /^(?:(normal|magic|rare|unique) )?(.+?)(?: "(.+)")?(?: with (.+))?$/;
const RARITIES = { normal: 'Normal', magic: 'Magic', rare: 'Rare', unique: 'Unique' } as const;

/** Reads `[rarity] base ["name"] [with trait, …]`; `drawn` leaves the item to chance. */
export const worn: Shape<Worn | 'drawn'> = (value, place) => {
  if (value === 'drawn') return 'drawn';
  const match = typeof value === 'string' ? LINE.exec(value) : null;
  if (!match) throw new Misfit(place, 'is not a line of wear', 'write [rarity] base ["name"] [with trait, trait]');
  const slot = String(place.at(-1));
  if (!Object.hasOwn(SLOTS, slot)) {
    throw new Misfit(place, `names the slot ${slot}`, `the slots are ${Object.keys(SLOTS).join(', ')}`);
  }
  const named = match[4]?.split(/,\s*/) ?? [];
  for (const name of named) {
    const trait = traits.find((one) => one.name === name);
    if (!trait) {
      throw new Misfit(place, `names the trait ${name}`, `the traits are ${traits.map((one) => one.name).join(', ')}`);
    }
  }
  const rarity = match[1] as keyof typeof RARITIES | undefined;
  return { rarity: rarity && RARITIES[rarity], base: match[2] ?? '', name: match[3], traits: named };
};
