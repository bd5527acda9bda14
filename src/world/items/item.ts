import type { Chance } from '../chance.js';
import type { TabFixture, Words } from '../fixtures/shapes.js';
import type { Worn } from '../fixtures/worn.js';
import type { Making } from '../making.js';
import type { Dealer } from './dealer.js';
import { FRAMES, KINDS, SLOTS, SOCKETED, TAB_KINDS, WORN, type Game, type Kind, type Slot } from './kinds.js';
import { asObserved } from './observed.js';
import { place } from './place.js';
import { SUPPORT } from './flags.js';
import { mods, property, type Draw, type Item } from './trait.js';
import { kindsOf, traitNamed, traits, traitsFor } from './traits.js';
import { IMAGES, type Schemas } from '../wire.js';

type Rarity = NonNullable<Item['rarity']>;

/** What is wanted of an item; the rest is drawn. */
interface Wish {
  readonly kind: Kind;
  readonly game: Game;
  readonly league?: string | undefined;
  readonly rarity?: Rarity | undefined;
  readonly base?: string | undefined;
  readonly name?: string | undefined;
  /** Names of traits that it has. */
  readonly traits?: readonly string[];
  /** Which of its container's items it is; some traits come round by it. */
  readonly serial?: number;
  /** At most so many drawn traits besides. */
  readonly more?: number;
}

const RARITIES: readonly Rarity[] = ['Normal', 'Magic', 'Magic', 'Rare', 'Rare', 'Rare', 'Unique'];
/** What an item that is not identified keeps to itself. */
const HIDDEN = ['explicitMods', 'fracturedMods', 'craftedMods', 'desecratedMods', 'mutatedMods', 'veiledMods'] as const;

const ANYTHING: readonly Kind[] = [...WORN, ...WORN, 'Gem', 'Currency', 'Card', 'Map', 'Fragment', 'Essence', 'Quest'];

/** Makes items. An item is a function of its path and of what is wanted of it. */
export class ItemMaker {
  constructor(private readonly making: Making) {}

  /** The items of a stash tab, laid out on its grid. */
  inTab(path: string, tab: TabFixture, league: string, index: number): Item[] {
    const kinds = TAB_KINDS[tab.type] ?? ANYTHING;
    const fitting = traits.filter((trait) => trait.game !== 'g2');
    const items = Array.from({ length: tab.items }, (_, slot) => {
      const own = `${path}/item/${slot}`;
      if (!tab.showcase) {
        const rarity = tab.type === 'UniqueStash' ? 'Unique' : undefined;
        return this.make(own, { kind: this.pick(own, kinds), game: 'g1', league, rarity, more: 2 });
      }
      const trait = fitting[slot % fitting.length] ?? traitNamed('verified');
      return this.make(own, {
        kind: this.pick(own, kindsOf(trait)),
        game: 'g1',
        league,
        rarity: trait.rarity,
        traits: [trait.name],
      });
    });
    place(items, tab.type === 'QuadStash' ? 24 : 12, `Stash${index + 1}`);
    return items;
  }

  /** One item of a public stash: with a price, and `extended`, which occurs in the stream only. */
  inStream(path: string, stash: Schemas['ListedStash'], slot: number, revision: number): Item {
    const { id, chance } = this.making.seeds.entity(path);
    const kind = chance.pick(TAB_KINDS[stash.stashType] ?? ANYTHING);
    const item = this.shape(path, id, chance, { kind, game: 'g1', league: stash.league ?? undefined, more: 2 });
    // Room for the biggest, wherever it lies.
    item.x = (slot % 6) * 2;
    item.y = Math.floor(slot / 6) * 4;
    item.inventoryId = 'Stash1';
    // The price of the first item follows the revision, so that no two revisions are alike.
    if (slot === 0 || chance.once(2)) item.note = `~price ${slot === 0 ? revision + 1 : chance.between(1, 90)} bell`;
    if (!chance.once(10)) {
      item.extended = { category: CATEGORIES[kind] ?? 'other', subcategories: [kind.toLowerCase()] };
      Object.assign(item.extended, affixes(item, chance));
    }
    return item;
  }

  /** What a character wears: the lines of the fixture, or something in every slot. */
  worn(path: string, worn: Readonly<Record<string, Worn | 'drawn'>> | 'drawn', game: Game, dealer: Dealer): Item[] {
    const result: Item[] = [];
    let serial = 0;
    for (const [slot, kind] of Object.entries(SLOTS) as [Slot, Kind][]) {
      if (game === 'g2' && slot === 'Trinket') continue;
      const line = worn === 'drawn' ? ('drawn' as const) : worn[slot];
      if (line === undefined) continue;
      const flasks = slot === 'Flask' ? (game === 'g1' ? 5 : 2) : 1;
      for (let number = 0; number < flasks; number += 1) {
        const own = `${path}/${slot}/${number}`;
        const item =
          line === 'drawn'
            ? this.dealt(own, kind, game, dealer, serial)
            : this.make(own, {
                kind,
                game,
                rarity: line.rarity,
                base: line.base,
                name: line.name,
                traits: line.traits,
              });
        result.push(Object.assign(item, { x: number, y: 0, inventoryId: slot }));
        if (SOCKETED.includes(kind)) serial += 1;
      }
    }
    return result;
  }

  /** `count` items of mixed kinds on a grid. */
  carried(path: string, count: number, game: Game, inventoryId: string, dealer: Dealer): Item[] {
    const kinds: readonly Kind[] = game === 'g2' ? [...WORN, 'Currency', 'Rune', 'Gem', 'Quest'] : ANYTHING;
    const items = Array.from({ length: count }, (_, serial) => {
      const own = `${path}/${inventoryId}/${serial}`;
      return this.dealt(own, this.pick(own, kinds), game, dealer, serial);
    });
    place(items, 12, inventoryId);
    return items;
  }

  /** `count` items of one kind in a row, such as skills and jewels. */
  row(path: string, kind: Kind, count: number, game: Game, inventoryId: string, dealer: Dealer): Item[] {
    return Array.from({ length: count }, (_, x) => {
      const item = this.dealt(`${path}/${inventoryId}/${x}`, kind, game, dealer, x);
      return Object.assign(item, { x, y: 0, inventoryId });
    });
  }

  /** The jewels in a character's tree; their `x` tells them apart (interface 2, jewel_data). */
  jewels(path: string, kinds: readonly ('cluster' | 'plain')[], game: Game, dealer: Dealer): Item[] {
    return kinds.map((kind, x) => {
      const item = this.dealt(`${path}/jewel/${x}`, kind === 'cluster' ? 'ClusterJewel' : 'Jewel', game, dealer, x);
      return Object.assign(item, { x, y: 0, inventoryId: 'PassiveJewels' });
    });
  }

  make(path: string, wish: Wish): Item {
    const { id, chance } = this.making.seeds.entity(path);
    return this.shape(path, id, chance, wish);
  }

  private dealt(path: string, kind: Kind, game: Game, dealer: Dealer, serial: number): Item {
    const hand = dealer.deal(kind);
    const rarity = hand.find((trait) => trait.rarity !== undefined)?.rarity;
    return this.make(path, { kind, game, rarity, serial, traits: hand.map((trait) => trait.name) });
  }

  private pick(path: string, kinds: readonly Kind[]): Kind {
    return kinds.length === 1 && kinds[0] ? kinds[0] : this.making.seeds.chance(`${path}/kind`).pick(kinds);
  }

  private shape(path: string, id: string, chance: Chance, wish: Wish): Item {
    const words = this.making.fixtures.words();
    const { kind, game } = wish;
    const { w, h, worn } = KINDS[kind];
    const base = wish.base ?? chance.pick(words.bases[kind] ?? [kind]);
    const item: Item = {
      verified: false,
      w,
      h,
      icon: `${IMAGES}/items/${kind}${chance.between(1, 40)}.png`,
      ...(game === 'g2' ? { realm: 'game2' as const } : {}),
      ...(wish.league === undefined ? {} : { league: wish.league }),
      id,
      name: '',
      typeLine: base,
      baseType: base,
      identified: true,
      ilvl: chance.between(1, 86),
    };
    const draw: Draw = {
      chance,
      words,
      game,
      serial: wish.serial ?? chance.below(1000),
      inside: (name, inner) => this.make(`${path}/socket/${name}`, { kind: inner, game }),
    };
    let rarity: Rarity | null = null;
    if (worn || kind === 'Map') {
      rarity = wish.rarity ?? chance.pick(RARITIES);
      dress(item, rarity, wish.name, draw);
      if (worn) item.requirements = requirements(chance, words);
      if (kind === 'Map')
        item.properties = [property('Map Tier', [[String(chance.between(1, 16)), 0]], 0, { type: 1 })];
    } else {
      const frame = FRAMES[kind];
      if (frame !== undefined) item.frameType = frame as NonNullable<Item['frameType']>;
    }
    if (kind === 'Gem' && base.endsWith(SUPPORT)) traitNamed('support').apply(item, draw);
    for (const name of wish.traits ?? []) traitNamed(name).apply(item, draw);
    const possible = wish.more ? traitsFor(game, kind, rarity) : [];
    for (let left = possible.length > 0 ? chance.below((wish.more ?? 0) + 1) : 0; left > 0; left -= 1) {
      chance.pick(possible).apply(item, draw);
    }
    if (!item.identified) for (const list of HIDDEN) delete item[list];
    return asObserved(item, wish, this.making.flags);
  }
}

/** How the mods that an item shows are divided: a magic item has one prefix and one suffix at most, a rare one three. */
function affixes({ rarity, explicitMods }: Item, chance: Chance): Schemas['ItemExtended'] | undefined {
  if (!explicitMods || (rarity !== 'Magic' && rarity !== 'Rare')) return undefined;
  const most = rarity === 'Magic' ? 1 : 3;
  const prefixes = chance.between(Math.max(0, explicitMods.length - most), Math.min(most, explicitMods.length));
  return { prefixes, suffixes: explicitMods.length - prefixes };
}

const CATEGORIES: Readonly<Partial<Record<Kind, string>>> = {
  Helm: 'armour',
  BodyArmour: 'armour',
  Gloves: 'armour',
  Boots: 'armour',
  Offhand: 'armour',
  Weapon: 'weapons',
  Belt: 'accessories',
  Amulet: 'accessories',
  Ring: 'accessories',
  Trinket: 'accessories',
  Flask: 'flasks',
  Jewel: 'jewels',
  ClusterJewel: 'jewels',
  Gem: 'gems',
  Currency: 'currency',
  Card: 'cards',
  Map: 'maps',
};

/** Rarity with the frame, name and mods that go with it. */
function dress(item: Item, rarity: Rarity, name: string | undefined, draw: Draw): void {
  const { chance, words } = draw;
  item.rarity = rarity;
  if (rarity === 'Normal') item.frameType = 0;
  else if (rarity === 'Magic') {
    item.frameType = 1;
    item.typeLine = `${chance.pick(words.prefixes)} ${item.baseType} ${chance.pick(words.suffixes)}`;
    item.explicitMods = mods(draw, 2, 2);
  } else if (rarity === 'Rare') {
    item.frameType = 2;
    item.name = name ?? `${chance.pick(words.first)} ${chance.pick(words.second)}`;
    item.explicitMods = mods(draw, 3, 6);
  } else {
    item.frameType = 3;
    item.name = name ?? chance.pick(words.uniques);
    item.explicitMods = mods(draw, 2, 5);
    item.flavourText = [chance.pick(words.flavour)];
  }
}

function requirements(chance: Chance, words: Words): Schemas['ItemProperty'][] {
  const level = property('Level', [[String(chance.between(1, 80)), 0]], 0, { type: 62 });
  if (chance.once(9))
    return [level, property('Class:', [[chance.pick(Object.keys(words.classes)), 0]], 0, { type: 57 })];
  return [level, property(chance.pick(['Str', 'Dex', 'Int']), [[String(chance.between(10, 160)), 0]], 1)];
}
