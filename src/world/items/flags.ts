import { SOCKETED, WORN, type Kind } from './kinds.js';
import { mods, property, type Item, type Trait } from './trait.js';

/** The fields of an item that are only ever true. */
type Flag = {
  [K in keyof Item]-?: Item[K] extends true | undefined ? K : never;
}[keyof Item];

function flag(name: Flag, more: Omit<Trait, 'name' | 'apply'> = {}, also?: Trait['apply']): Trait {
  return {
    name,
    ...more,
    apply: (item, draw) => {
      item[name] = true;
      also?.(item, draw);
    },
  };
}

const GEMS: readonly Kind[] = ['Gem', 'Skill'];

/** How the name of a gem ends that supports another. */
export const SUPPORT = ' Support';

/** Traits that are a flag, with what goes along with it. */
export const flagTraits: readonly Trait[] = [
  {
    name: 'support',
    kinds: GEMS,
    apply: (item, { chance }) => {
      item.support = true;
      if (!item.baseType.endsWith(SUPPORT)) item.typeLine = item.baseType += SUPPORT;
      item.secDescrText = 'Supports any skill that rings.';
      item.colour = chance.pick(['S', 'D', 'I', 'G']);
    },
  },
  flag('memoryItem', { kinds: ['Fragment', 'Map'] }),
  flag('abyssJewel', { kinds: ['Jewel'], game: 'g1' }),
  flag('delve', { kinds: SOCKETED, game: 'g1' }),
  flag('fractured', { rarity: 'Rare' }, (item, draw) => {
    item.fracturedMods = mods(draw, 1, 2);
  }),
  flag('synthesised', { game: 'g1', rarity: 'Rare' }, (item, draw) => {
    item.implicitMods = mods(draw, 2, 3);
  }),
  flag('lockedToCharacter'),
  flag('lockedToAccount'),
  flag('duplicated', { kinds: [...WORN, 'Map', 'Currency'] }),
  flag('split', { rarity: 'Rare' }),
  flag('corrupted', { kinds: [...WORN, 'Gem', 'Map'] }, (item, draw) => {
    if (draw.chance.once(2)) item.implicitMods = mods(draw, 1, 2);
  }),
  flag('unmodifiable'),
  flag('unmodifiableExceptChaos'),
  flag('cisRaceReward'),
  flag('seaRaceReward'),
  flag('thRaceReward'),
  flag('replica', { rarity: 'Unique' }, (item) => {
    item.name = `Replica ${item.name}`;
  }),
  flag('foreseeing', { rarity: 'Unique' }),
  flag('veiled', { rarity: 'Rare' }, (item, { chance }) => {
    const veils = ['Prefix01', 'Prefix04', 'Suffix02', 'Suffix07'] as const;
    item.veiledMods = chance.some(veils, chance.between(1, 2));
  }),
  flag('ruthless', { kinds: [...WORN, 'Gem'] }),
  flag('isRelic', { rarity: 'Unique' }, (item, { chance }) => {
    item.frameType = 9;
    item.foilVariation = chance.between(1, 7);
  }),
  flag('doubleCorrupted', { game: 'g2' }, (item) => {
    item.corrupted = true;
  }),
  flag('sanctified', { game: 'g2', rarity: 'Rare' }),
  flag('desecrated', { game: 'g2', rarity: 'Rare' }, (item, draw) => {
    item.desecratedMods = mods(draw, 1, 2);
  }),
  {
    name: 'mutated',
    rarity: 'Unique',
    apply: (item, draw) => {
      item.mutated = true;
      item.mutatedMods = mods(draw, 1, 3);
    },
  },
  {
    name: 'unmutated',
    rarity: 'Unique',
    apply: (item) => {
      item.mutated = false;
      delete item.mutatedMods;
    },
  },
  {
    name: 'verified',
    apply: (item) => {
      item.verified = true;
    },
  },
  {
    name: 'unidentified',
    rarity: 'Rare',
    apply: (item, { game, chance }) => {
      item.identified = false;
      item.name = '';
      item.typeLine = item.baseType;
      delete item.explicitMods;
      if (game === 'g2') item.unidentifiedTier = chance.between(1, 5);
    },
  },
  {
    name: 'influenced',
    game: 'g1',
    kinds: SOCKETED,
    apply: (item, { chance }) => {
      const influences = chance.some(['elder', 'shaper', 'searing', 'tangled'] as const, chance.between(1, 2));
      item.influences = Object.fromEntries(influences.map((one) => [one, true]));
    },
  },
  {
    name: 'itemLevel',
    kinds: ['Map', 'Jewel', 'ClusterJewel', 'Trinket'],
    apply: (item) => {
      item.itemLevel = item.ilvl;
      item.additionalProperties = [property('Item Level', [[String(item.ilvl), 0]])];
    },
  },
];
