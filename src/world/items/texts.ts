import { SOCKETED, WORN, type Kind } from './kinds.js';
import { mod, mods, property, type Item, type Trait } from './trait.js';
import { IMAGES } from '../wire.js';

const STACKED: readonly Kind[] = ['Currency', 'Fragment', 'Essence', 'Card', 'Rune'];

type ModList = 'enchantMods' | 'implicitMods' | 'craftedMods' | 'cosmeticMods' | 'utilityMods';

function modList(name: string, list: ModList, more: Omit<Trait, 'name' | 'apply'> = {}): Trait {
  return {
    name,
    ...more,
    apply: (item, draw) => {
      item[list] = mods(draw, 1, 2);
    },
  };
}

function frame(name: string, frameType: NonNullable<Item['frameType']>, more: Omit<Trait, 'name' | 'apply'>): Trait {
  return {
    name,
    ...more,
    apply: (item) => {
      item.frameType = frameType;
    },
  };
}

/** Traits of lines and texts: mod lists, properties, notes, descriptions, frames. */
export const textTraits: readonly Trait[] = [
  modList('enchanted', 'enchantMods'),
  modList('implicit', 'implicitMods'),
  modList('crafted', 'craftedMods', { rarity: 'Rare' }),
  modList('cosmetic', 'cosmeticMods'),
  modList('utility', 'utilityMods', { kinds: ['Flask'] }),
  {
    name: 'anointed',
    kinds: ['Amulet'],
    apply: (item, { chance, words }) => {
      item.enchantMods = [`Allocates ${chance.pick(words.first)} ${chance.pick(words.second)}`];
    },
  },
  {
    name: 'noted',
    kinds: [...WORN, 'Gem', 'Currency', 'Map'],
    apply: (item, { chance }) => {
      item.note = `~b/o ${chance.between(1, 40)} bell`;
    },
  },
  {
    name: 'forumNoted',
    kinds: [...WORN, 'Gem'],
    apply: (item, { chance }) => {
      item.forum_note = `~price ${chance.between(1, 9)} lamp`;
    },
  },
  {
    name: 'flavourNoted',
    rarity: 'Unique',
    apply: (item, { words, chance }) => {
      item.flavourTextNote = `For ${chance.pick(words.people)}, who asked.`;
    },
  },
  {
    name: 'flavour',
    rarity: 'Unique',
    apply: (item, { words, chance }) => {
      const line = chance.pick(words.flavour);
      item.flavourText = [line];
      item.flavourTextParsed = [line, { type: 'emphasis', text: chance.pick(words.first) }];
    },
  },
  {
    name: 'described',
    kinds: ['Currency', 'Gem', 'Fragment', 'Essence', 'Map', 'Quest', 'Rune'],
    apply: (item) => {
      item.descrText = 'Right click it, then left click what it is for.';
      item.secDescrText = 'It hums when it is carried near water.';
    },
  },
  {
    name: 'stacked',
    kinds: STACKED,
    apply: (item, { chance }) => {
      const maxStackSize = chance.pick([10, 20, 5000]);
      const stackSize = chance.between(1, maxStackSize);
      item.stackSize = stackSize;
      item.maxStackSize = maxStackSize;
      if (stackSize > 999) item.stackSizeText = `${Math.floor(stackSize / 1000)}k`;
      else delete item.stackSizeText;
    },
  },
  {
    name: 'iconTier',
    kinds: ['Map', 'Gem', 'Rune', 'Essence', 'Flask', 'Skill'],
    apply: (item, { chance }) => {
      item.iconTierText = chance.pick(['I', 'II', 'III', 'IV', 'V']);
    },
  },
  {
    name: 'quality',
    apply: (item, { chance }) => {
      const quality = property('Quality', [[`+${chance.between(1, 20)}%`, 1]], 0, { type: 6, suffix: '(augmented)' });
      item.properties = [...(item.properties ?? []), quality];
    },
  },
  {
    name: 'measured',
    kinds: ['Flask', 'Weapon'],
    apply: (item, { chance }) => {
      item.properties = [
        property('Weapon Range', [[`${chance.between(1, 2)}.1`, 0]], 1, { icon: `${IMAGES}/range.png` }),
        property('Lasts {0} seconds', [[`${chance.between(3, 9)}.00`, 0]], 3),
        property('', [], 4),
        property(
          'Consumes {0} of {1} charges on use',
          [
            ['30', 0],
            ['60', 0],
          ],
          3,
          { type: 5 },
        ),
      ];
    },
  },
  {
    name: 'notable',
    kinds: ['ClusterJewel', 'Jewel'],
    apply: (item, { words, chance }) => {
      item.notableProperties = [
        property(`${chance.pick(words.first)} ${chance.pick(words.second)}`, [[`${chance.between(4, 30)}%`, 0]], 1),
      ];
    },
  },
  {
    name: 'talisman',
    game: 'g1',
    kinds: ['Amulet'],
    apply: (item, { chance }) => {
      item.talismanTier = chance.between(1, 4);
    },
  },
  {
    name: 'prophecy',
    game: 'g1',
    kinds: ['Fragment'],
    apply: (item, { words, chance }) => {
      item.frameType = 8;
      item.prophecyText = `You will find ${chance.pick(words.areas)} empty.`;
    },
  },
  frame('supporterFoil', 10, { rarity: 'Unique' }),
  frame('necropolis', 11, { game: 'g1', kinds: ['Fragment', 'Map'] }),
  frame('gold', 12, { kinds: ['Currency'] }),
  frame('breachSkill', 13, { kinds: ['Skill', 'Gem'] }),
  {
    name: 'art',
    kinds: ['Card'],
    apply: (item, { chance }) => {
      item.artFilename = `Card${chance.between(1, 90)}`;
    },
  },
  {
    name: 'incubated',
    game: 'g1',
    kinds: SOCKETED,
    apply: (item, { chance, words }) => {
      const total = chance.between(2000, 9000);
      item.incubatedItem = {
        name: `${chance.pick(words.adjectives)} Incubator`,
        level: chance.between(40, 83),
        progress: chance.below(total + 1),
        total,
      };
    },
  },
  {
    name: 'builtInSupport',
    game: 'g1',
    kinds: SOCKETED,
    apply: (item, draw) => {
      item.builtInSupport = `Socketed gems are supported by ${mod(draw)}`;
    },
  },
];
