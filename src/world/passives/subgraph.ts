import type { Chance } from '../chance.js';
import type { Words } from '../fixtures/index.js';
import { IMAGES, type Schemas } from '../wire.js';
import type { Oils } from './oils.js';

type PassiveNode = Schemas['PassiveNode'];

const NOTABLES = 3;
const ORBITS = [0, 2, 3];

/**
 * The part of the tree that a cluster jewel adds: a group of small passives, notables, a mastery and sockets in a ring,
 * and a placeholder group with the proxy node that a further jewel would take the place of. Every edge is known at both
 * ends; `skills` are the hashes of the nodes that can be allocated.
 *
 * @param first - number of the first node; the graph uses less than a hundred
 */
export function makeSubgraph(
  first: number,
  chance: Chance,
  words: Words,
  oils: Oils,
  skills: readonly number[],
): Schemas['JewelSubgraph'] {
  const ring = `expansion_${first}`;
  const placeholder = `expansion_${first}_proxy`;
  const proxyId = String(first + 90);
  const nodes: Record<string, PassiveNode> = {};
  for (const [index, kind] of RING.entries()) {
    const node: PassiveNode = {
      name: `${chance.pick(words.first)} ${chance.pick(words.second)}`,
      icon: `${IMAGES}/passives/${kind}.png`,
      stats: [`${chance.between(2, 20)}% increased Damage`],
      group: ring,
      orbit: ORBITS[index % ORBITS.length] ?? 0,
      orbitIndex: index,
      out: [],
      in: [],
    };
    const skill = skills[index];
    if (skill !== undefined) node.skill = skill;
    SHAPES[kind](node, { chance, words, oils, first, proxyId });
    nodes[String(first + index)] = node;
  }
  const keys = Object.keys(nodes);
  closeRing(nodes, keys);
  nodes[proxyId] = { name: 'Proxy', isProxy: true, group: placeholder, orbit: 0, orbitIndex: 0, out: [], in: [] };
  connect(nodes, String(first + 7), proxyId);

  const at = () => Math.round((chance.part() - 0.5) * 2_000_000) / 100;
  return {
    groups: {
      [ring]: { x: at(), y: at(), orbits: ORBITS, nodes: keys },
      [placeholder]: { x: at(), y: at(), orbits: [0], isProxy: true, proxy: proxyId, nodes: [proxyId] },
    },
    nodes,
  };
}

interface Shaping {
  readonly chance: Chance;
  readonly words: Words;
  readonly oils: Oils;
  readonly first: number;
  readonly proxyId: string;
}

type Kind = 'small' | 'notable' | 'mastery' | 'socket' | 'blighted';

/** What stands in the ring, in order; the socket at place 7 leads to the proxy node. */
const RING: readonly Kind[] = [
  'small',
  'notable',
  'small',
  'notable',
  'mastery',
  'small',
  'notable',
  'socket',
  'small',
  'blighted',
];

const SHAPES: Record<Kind, (node: PassiveNode, shaping: Shaping) => void> = {
  small: (node, { chance }) => {
    if (chance.once(2)) node.reminderText = ['(It counts twice near water)'];
  },
  notable: (node, { oils }) => {
    node.isNotable = true;
    node.recipe = oils.next();
    node.reminderText = ['(Ringing is not damage)'];
  },
  mastery: (node, { chance }) => {
    node.isMastery = true;
    node.inactiveIcon = `${IMAGES}/passives/mastery-off.png`;
    node.activeIcon = `${IMAGES}/passives/mastery-on.png`;
    node.activeEffectImage = `${IMAGES}/passives/mastery-effect.png`;
    node.masteryEffects = [
      {
        effect: chance.between(1, 65_535),
        stats: ['10% increased effect of bells'],
        reminderText: ['(Once a minute)'],
      },
      { effect: chance.between(1, 65_535), stats: ['+5 to Strength'] },
    ];
  },
  socket: (node, { first, proxyId }) => {
    node.isJewelSocket = true;
    node.expansionJewel = { size: 1, index: 0, proxy: Number(proxyId), parent: first };
  },
  blighted: (node, { oils }) => {
    node.isBlighted = true;
    for (let left = NOTABLES; left > 2; left -= 1) node.recipe = oils.next();
  },
};

function closeRing(nodes: Record<string, PassiveNode>, keys: readonly string[]): void {
  for (const [index, key] of keys.entries()) {
    if (index > 0) connect(nodes, keys[index - 1] ?? '', key);
  }
  connect(nodes, keys.at(-1) ?? '', keys[0] ?? '');
}

function connect(nodes: Record<string, PassiveNode>, from: string, to: string): void {
  nodes[from]?.out?.push(to);
  nodes[to]?.in?.push(from);
}
