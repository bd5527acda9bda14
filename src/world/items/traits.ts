import { flagTraits } from './flags.js';
import { WORN, type Game, type Kind } from './kinds.js';
import { partTraits } from './parts.js';
import { textTraits } from './texts.js';
import type { Trait } from './trait.js';

/** Every trait, one for each optional field or for the few that go together. */
export const traits: readonly Trait[] = [...flagTraits, ...textTraits, ...partTraits];

const byName = new Map(traits.map((trait) => [trait.name, trait]));

export function isTrait(name: string): boolean {
  return byName.has(name);
}

/** @throws Error if there is no such trait */
export function traitNamed(name: string): Trait {
  const trait = byName.get(name);
  if (!trait) throw new Error(`there is no trait ${name}: the traits are ${[...byName.keys()].join(', ')}`);
  return trait;
}

/** The kinds of item that a trait suits. */
export function kindsOf(trait: Trait): readonly Kind[] {
  return trait.kinds ?? WORN;
}

const lists = new Map<string, readonly Trait[]>();

/** The traits that an item of a game, kind and rarity may have. */
export function traitsFor(game: Game, kind: Kind, rarity: string | null): readonly Trait[] {
  const key = `${game}/${kind}/${rarity ?? ''}`;
  let found = lists.get(key);
  if (!found) {
    found = traits.filter(
      (trait) =>
        (trait.game ?? game) === game &&
        kindsOf(trait).includes(kind) &&
        (trait.rarity === undefined || trait.rarity === rarity),
    );
    lists.set(key, found);
  }
  return found;
}
