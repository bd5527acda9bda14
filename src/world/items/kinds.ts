/** The kinds of item: how big they are, and where a character carries them. */
export const KINDS = {
  Helm: { w: 2, h: 2, worn: true },
  BodyArmour: { w: 2, h: 3, worn: true },
  Gloves: { w: 2, h: 2, worn: true },
  Boots: { w: 2, h: 2, worn: true },
  Belt: { w: 2, h: 1, worn: true },
  Amulet: { w: 1, h: 1, worn: true },
  Ring: { w: 1, h: 1, worn: true },
  Weapon: { w: 2, h: 4, worn: true },
  Offhand: { w: 2, h: 2, worn: true },
  Trinket: { w: 1, h: 1, worn: true },
  Flask: { w: 1, h: 2, worn: true },
  Jewel: { w: 1, h: 1, worn: true },
  ClusterJewel: { w: 1, h: 1, worn: true },
  Gem: { w: 1, h: 1, worn: false },
  Currency: { w: 1, h: 1, worn: false },
  Card: { w: 1, h: 1, worn: false },
  Map: { w: 1, h: 1, worn: false },
  Fragment: { w: 1, h: 1, worn: false },
  Essence: { w: 1, h: 1, worn: false },
  Quest: { w: 1, h: 1, worn: false },
  Rune: { w: 1, h: 1, worn: false },
  Skill: { w: 1, h: 1, worn: false },
} as const satisfies Record<string, { w: number; h: number; worn: boolean }>;

export type Kind = keyof typeof KINDS;
export type Game = 'g1' | 'g2';

/** Items with rarity, mods and requirements. */
export const WORN = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].worn);

/** What can carry sockets. */
export const SOCKETED: readonly Kind[] = ['Helm', 'BodyArmour', 'Gloves', 'Boots', 'Weapon', 'Offhand'];

/** The slots of a character and what is worn there. */
export const SLOTS = {
  Helm: 'Helm',
  BodyArmour: 'BodyArmour',
  Gloves: 'Gloves',
  Boots: 'Boots',
  Belt: 'Belt',
  Amulet: 'Amulet',
  Ring: 'Ring',
  Ring2: 'Ring',
  Weapon: 'Weapon',
  Offhand: 'Offhand',
  Weapon2: 'Weapon',
  Offhand2: 'Offhand',
  Trinket: 'Trinket',
  Flask: 'Flask',
} as const satisfies Record<string, Kind>;

export type Slot = keyof typeof SLOTS;

/** What a stash tab of a type holds. Types that are not named here hold things to wear, and some of everything. */
export const TAB_KINDS: Readonly<Record<string, readonly Kind[]>> = {
  CurrencyStash: ['Currency'],
  MapStash: ['Map'],
  FragmentStash: ['Fragment'],
  EssenceStash: ['Essence'],
  DivinationCardStash: ['Card'],
  UniqueStash: ['Ring', 'Belt', 'Helm', 'Amulet', 'Boots'],
  BlightStash: ['Map', 'Fragment'],
  DelveStash: ['Currency', 'Fragment'],
  DeliriumStash: ['ClusterJewel', 'Fragment'],
  MetamorphStash: ['Fragment'],
  GemStash: ['Gem'],
  FlaskStash: ['Flask'],
};

/** The frame of kinds that have no rarity, and of skills (FrameType, interface 2). */
export const FRAMES: Readonly<Partial<Record<Kind, number>>> = {
  Gem: 4,
  Skill: 4,
  Currency: 5,
  Essence: 5,
  Rune: 5,
  Fragment: 5,
  Card: 6,
  Quest: 7,
};
