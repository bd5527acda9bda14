import type { Chance } from '../chance.js';
import type { Words } from '../fixtures/shapes.js';
import type { Game, Kind } from './kinds.js';
import type { Schemas } from '../wire.js';

export type Item = Schemas['Item'];

/** What a trait may draw on. */
export interface Draw {
  readonly chance: Chance;
  readonly words: Words;
  readonly game: Game;
  /** Which of its container's items it is. */
  readonly serial: number;
  /** Makes an item that sits inside this one. */
  inside(name: string, kind: Kind): Item;
}

/** Something that an item may have beyond the ordinary: one optional field, or a few that go together. */
export interface Trait {
  readonly name: string;
  /** The game whose items have it; both, if left out. */
  readonly game?: Game;
  /** The kinds of item that have it; all that can be worn, if left out. */
  readonly kinds?: readonly Kind[];
  readonly rarity?: 'Rare' | 'Unique';
  apply(item: Item, draw: Draw): void;
}

/** A line of the mod list with its numbers filled in. */
export function mod({ chance, words }: Draw): string {
  const low = chance.between(3, 60);
  return chance
    .pick(words.mods)
    .replace('{n}', String(low))
    .replace('{m}', String(low + chance.between(2, 40)));
}

/** From `least` to `most` mod lines. */
export function mods(draw: Draw, least: number, most: number): string[] {
  return Array.from({ length: draw.chance.between(least, most) }, () => mod(draw));
}

type Values = Schemas['ItemProperty']['values'];

/** A property line. */
export function property(
  name: string,
  values: Values,
  displayMode: Schemas['ItemProperty']['displayMode'] = 0,
  more: Partial<Schemas['ItemProperty']> = {},
): Schemas['ItemProperty'] {
  return { name, values, displayMode, ...more };
}
