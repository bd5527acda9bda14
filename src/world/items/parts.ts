import { SOCKETED, WORN, type Kind } from './kinds.js';
import { mod, mods, property, type Draw, type Trait } from './trait.js';
import { IMAGES, type Schemas } from '../wire.js';

const GEMS: readonly Kind[] = ['Gem', 'Skill'];

const FIRST_GAME_SOCKETS = [
  ['S', 'R'],
  ['D', 'G'],
  ['I', 'B'],
  ['G', 'W'],
  ['A', 'A'],
  ['DV', 'DV'],
] as const;

const SECOND_GAME_SOCKETS = [
  ['rune', 'rune'],
  ['rune', 'soulcore'],
  ['rune', 'primaltalisman'],
  ['rune', 'vividtalisman'],
  ['rune', 'wildtalisman'],
  ['rune', 'sacredtalisman'],
  ['jewel', 'emerald'],
  ['jewel', 'sapphire'],
  ['jewel', 'ruby'],
  ['gem', 'activegem'],
  ['gem', 'supportgem'],
] as const;

const GEM_COLOURS = { S: 'S', D: 'D', I: 'I', G: 'G', A: null, DV: null } as const;

/** Traits that are things of their own: sockets, crucible trees, logbooks, hybrids. */
export const partTraits: readonly Trait[] = [
  {
    name: 'sockets',
    game: 'g1',
    kinds: SOCKETED,
    apply: (item, draw) => {
      const { chance } = draw;
      const count = chance.between(1, 6);
      let group = 0;
      const drawn = Array.from({ length: count }, (_, index) => {
        if (index > 0 && chance.once(3)) group += 1;
        return [group, ...chance.pick(FIRST_GAME_SOCKETS)] as const;
      });
      item.sockets = drawn.map(([number, attr, sColour]) => ({ group: number, attr, sColour }));
      item.socketedItems = drawn.flatMap(([, attr], socket) => {
        const colour = GEM_COLOURS[attr];
        if (chance.once(3) || (colour === null && attr === 'DV')) return [];
        const inside = draw.inside(String(socket), colour === null ? 'Jewel' : 'Gem');
        inside.socket = socket;
        if (colour === null) inside.abyssJewel = true;
        else inside.colour = colour;
        return [inside];
      });
    },
  },
  {
    name: 'runes',
    game: 'g2',
    kinds: SOCKETED,
    apply: (item, draw) => {
      const { chance } = draw;
      const drawn = [0, 1, 2].flatMap((number) => {
        const socket = SECOND_GAME_SOCKETS[(draw.serial * 3 + number) % SECOND_GAME_SOCKETS.length];
        return socket ? [socket] : [];
      });
      item.sockets = drawn.map(([type, held], group) => ({ group, type, item: held }));
      item.socketedItems = drawn.flatMap(([type], socket) => {
        if (chance.once(4)) return [];
        const inside = draw.inside(String(socket), type === 'rune' ? 'Rune' : type === 'jewel' ? 'Jewel' : 'Gem');
        inside.socket = socket;
        return [inside];
      });
      item.runeMods = mods(draw, 1, 2);
    },
  },
  {
    name: 'bonded',
    game: 'g2',
    kinds: SOCKETED,
    apply: (item, draw) => {
      item.bondedMods = mods(draw, 1, 2);
    },
  },
  {
    name: 'crucible',
    game: 'g1',
    kinds: ['Weapon', 'Offhand'],
    apply: (item, draw) => {
      const nodes = crucibleNodes(draw);
      item.crucible = { layout: `${IMAGES}/crucible/${draw.chance.between(1, 9)}.png`, nodes };
      item.crucibleMods = Object.values(nodes).flatMap((node) => (node.allocated ? (node.stats ?? []) : []));
    },
  },
  {
    name: 'scourged',
    game: 'g1',
    kinds: [...WORN, 'Map'],
    apply: (item, draw) => {
      const { chance } = draw;
      item.scourged = { tier: chance.between(1, item.baseType.endsWith('Map') ? 10 : 3) };
      item.scourgeMods = mods(draw, 1, 2);
      if (chance.once(3)) return;
      const total = chance.between(500, 4000);
      Object.assign(item.scourged, { level: chance.between(60, 83), progress: chance.below(total + 1), total });
    },
  },
  {
    name: 'hybrid',
    game: 'g1',
    kinds: ['Gem'],
    apply: (item, draw) => {
      item.hybrid = {
        isVaalGem: draw.chance.once(2),
        baseTypeName: draw.chance.pick(draw.words.bases['Gem'] ?? ['Gem']),
        properties: [property('Souls per use', [[String(draw.chance.between(10, 50)), 0]])],
        explicitMods: mods(draw, 1, 2),
        secDescrText: 'Its other half answers late.',
      };
    },
  },
  {
    name: 'logbook',
    game: 'g1',
    kinds: ['Map'],
    apply: (item, draw) => {
      const { chance, words } = draw;
      item.logbookMods = Array.from({ length: chance.between(1, 3) }, () => {
        const number = chance.between(1, 4);
        return {
          name: chance.pick(words.areas),
          faction: { id: `Faction${number}` as 'Faction1', name: `${words.first[number] ?? ''} Company` },
          mods: mods(draw, 1, 3),
        };
      });
    },
  },
  {
    name: 'ultimatum',
    game: 'g1',
    kinds: ['Map', 'Fragment'],
    apply: (item, { chance }) => {
      const types = ['Drought', 'Bells', 'NarrowRing', 'RisingTide'];
      item.ultimatumMods = chance
        .some(types, chance.between(1, 3))
        .map((type) => ({ type, tier: chance.between(1, 4) }));
    },
  },
  {
    name: 'rewards',
    game: 'g1',
    kinds: ['Map', 'Fragment'],
    apply: (item, { chance }) => {
      item.rewards = [
        { label: 'Rewards', rewards: { currency: chance.between(1, 20), maps: chance.below(4) } },
        { label: 'Hidden', rewards: {} },
      ];
    },
  },
  {
    name: 'levelled',
    kinds: GEMS,
    apply: (item, { chance }) => {
      const level = chance.between(1, 20);
      const progress = Math.round(chance.part() * 100) / 100;
      item.properties = [property('Level', [[String(level), 0]], 0, { type: 5 })];
      item.additionalProperties = [
        property('Experience', [[`${Math.round(progress * 1000)}/1000`, 0]], 2, { progress, type: 20 }),
      ];
      item.nextLevelRequirements = [
        property('Level', [[String(level * 4), 0]]),
        property('Str', [[String(level * 5), 0]], 1),
      ];
    },
  },
  {
    name: 'coloured',
    kinds: GEMS,
    apply: (item, { chance }) => {
      item.colour = chance.pick(['S', 'D', 'I', 'G']);
    },
  },
  {
    name: 'gemSockets',
    game: 'g2',
    kinds: GEMS,
    apply: (item, { chance }) => {
      item.gemSockets = Array.from({ length: chance.between(1, 5) }, () => 'W' as const);
    },
  },
  {
    name: 'weaponRequirements',
    game: 'g2',
    kinds: GEMS,
    apply: (item) => {
      item.weaponRequirements = [property('Spear or Unarmed', [], 0)];
      item.supportGemRequirements = [property('Strike', [['1', 0]], 1)];
    },
  },
  {
    name: 'gemTabs',
    game: 'g2',
    kinds: GEMS,
    apply: (item, draw) => {
      item.gemSkill = item.typeLine;
      item.gemBackground = `${IMAGES}/gems/background.png`;
      const page = (number: number): Schemas['GemPage'] => ({
        skillName: `${item.typeLine} ${number}`,
        description: 'Calls the tide to where you look.',
        properties: [property('Cast Time', [['0.80 sec', 0]])],
        stats: mods(draw, 1, 3),
      });
      item.gemTabs = [{ name: 'Skill', pages: [page(1), page(2)] }, { pages: [{}] }];
    },
  },
  {
    name: 'grantedSkills',
    game: 'g2',
    kinds: ['Weapon', 'Helm', 'BodyArmour', 'Amulet', 'Offhand'],
    apply: (item, { chance, words }) => {
      const skill = chance.pick(words.bases['Skill'] ?? ['Skill']);
      item.grantedSkills = [
        property('Grants Skill', [[`Level ${chance.between(1, 20)} ${skill}`, 0]], 0, { type: 67 }),
      ];
    },
  },
];

/** Five columns; every node leads to a node of the next column, and both ends know the edge. */
function crucibleNodes(draw: Draw): Record<string, Schemas['CrucibleNode']> {
  const { chance } = draw;
  const nodes: Record<string, Schemas['CrucibleNode']> = {};
  let column: string[] = [];
  let next = 0;
  for (let orbit = 0; orbit < 5; orbit += 1) {
    const keys = Array.from({ length: chance.between(1, 3) }, () => String(next++));
    for (const [orbitIndex, key] of keys.entries()) {
      const node: Schemas['CrucibleNode'] = {
        skill: chance.between(1, 65_535),
        tier: orbit + 1,
        orbit,
        orbitIndex,
        out: [],
        in: [],
      };
      node.icon = `${IMAGES}/crucible/node${chance.between(1, 20)}.png`;
      node.stats = [mod(draw)];
      if (orbit === 4) node.isReward = true;
      if (chance.once(3)) node.isNotable = true;
      if (chance.once(4)) node.reminderText = ['(It cools when nobody looks)'];
      if (orbitIndex === 0 && orbit < 3) node.allocated = true;
      nodes[key] = node;
      const from = column.length > 0 ? chance.pick(column) : null;
      if (from !== null) {
        node.in.push(from);
        nodes[from]?.out.push(key);
      }
    }
    column = keys;
  }
  return nodes;
}
