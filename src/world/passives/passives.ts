import type { Chance } from '../chance.js';
import type { CharacterFixture, Words } from '../fixtures/index.js';
import type { Making } from '../making.js';
import { hashes } from './hashes.js';
import { Oils } from './oils.js';
import { asObserved } from './observed.js';
import { makeOverrides } from './overrides.js';
import { makeSubgraph } from './subgraph.js';
import type { Schemas } from '../wire.js';

/** Ranges of skill hashes: what is allocated on the tree, masteries on it, and nodes that cluster jewels add. */
const TREE = [1, 39_999] as const;
const MASTERIES = [40_000, 44_999] as const;
const CLUSTER = [46_000, 65_535] as const;

/** Characters' nodes that cluster jewels add are numbered from here, a hundred for each jewel. */
const FIRST_NODE = 70_000;

const BANDITS = ['Kraityn', 'Alira', 'Oak', 'Eramir'] as const;
const MAJORS = ['TheBrineKing', 'Arakaali', 'Solaris', 'Lunaris'] as const;
const MINORS = ['Abberath', 'Gruthkul', 'Yugul', 'Shakari', 'Tukohama', 'Ralakesh', 'Garukhan', 'Ryslatha'] as const;
const WILDWOOD = 3;

/**
 * The passives of a character. `jewel_data` has a key for each jewel, which is the jewel's `x`; masteries are
 * allocated nodes; everything is within 16 bits and 255 entries, so that it can be written in a tree link.
 *
 * @param number - the character's place in its account's list, by which drawn choices come round
 */
export function makePassives(
  making: Making,
  path: string,
  fixture: CharacterFixture,
  game: 'g1' | 'g2',
  number: number,
): Schemas['Passives'] {
  const words = making.fixtures.words();
  const chance = making.seeds.chance(`${path}/passives`);
  const oils = new Oils();
  const masteries = hashes(chance, fixture.masteries, ...MASTERIES);
  const plain = hashes(chance, Math.max(0, fixture.passives - masteries.length), ...TREE);
  const drawing: Drawing = { making, path, chance, words, oils };
  const { jewelData, extended } = makeJewels(fixture, drawing);
  const passives: Schemas['Passives'] = {
    hashes: [...plain, ...masteries],
    skill_overrides: makeOverrides(plain.slice(0, fixture.overrides), chance, words, oils),
    jewel_data: jewelData,
  };
  if (game === 'g2') specialise(passives, fixture, plain, making.flags);
  else {
    passives.hashes_ex = extended;
    passives.mastery_effects = Object.fromEntries(masteries.map((node) => [String(node), chance.between(1, 65_535)]));
    choose(passives, fixture, number, drawing);
  }
  return asObserved(passives, making.flags);
}

interface Drawing {
  readonly making: Making;
  readonly path: string;
  readonly chance: Chance;
  readonly words: Words;
  readonly oils: Oils;
}

/** The data of each jewel, and the hashes that cluster jewels add to those of the tree. */
function makeJewels(
  { jewels }: CharacterFixture,
  { making, path, chance, words, oils }: Drawing,
): { jewelData: Record<string, Schemas['ItemJewelData']>; extended: number[] } {
  const extended: number[] = [];
  const jewelData: Record<string, Schemas['ItemJewelData']> = {};
  for (const [x, kind] of jewels.entries()) {
    const data: Schemas['ItemJewelData'] = { type: kind === 'cluster' ? 'ClusterJewel' : 'JewelTimeless' };
    if (kind === 'cluster') {
      const first = CLUSTER[0] + x * 1000;
      const skills = hashes(making.seeds.chance(`${path}/cluster/${x}`), 9, first, first + 999);
      data.subgraph = makeSubgraph(FIRST_NODE + x * 100, chance, words, oils, skills);
      extended.push(...skills.slice(0, 6));
    } else {
      data.radius = chance.pick([960, 1440, 1800]);
      data.radiusMin = chance.pick([0, 480]);
      data.radiusVisual = chance.pick(['Ring of Salt', 'Ring of Reeds']);
    }
    jewelData[String(x)] = data;
  }
  return { jewelData, extended };
}

/** What only second-game characters have. */
function specialise(
  passives: Schemas['Passives'],
  { specialised, quests }: CharacterFixture,
  plain: readonly number[],
  flags: Making['flags'],
): void {
  const third = flags['F-SPEC-SHAPESHIFT'] ? 'shapeshift' : 'set3';
  passives.specialisations = specialised
    ? { set1: plain.slice(0, 12), set2: plain.slice(12, 20), [third]: plain.slice(20, 24) }
    : {};
  if (quests > 0)
    passives.quest_stats = Array.from({ length: quests }, (_, index) => `+${5 * (index + 1)} to maximum Life`);
}

/** What only first-game characters choose: a bandit, gods and an alternate ascendancy. */
function choose(
  passives: Schemas['Passives'],
  { bandit, pantheon, alternateAscendancy }: CharacterFixture,
  number: number,
  { making, words }: Drawing,
): void {
  passives.bandit_choice = bandit === 'drawn' ? BANDITS[number % BANDITS.length] : bandit;
  const [major, minor] =
    pantheon === 'drawn' ? [MAJORS[number % MAJORS.length], MINORS[number % MINORS.length]] : (pantheon ?? []);
  if (major !== undefined) passives.pantheon_major = major as (typeof MAJORS)[number];
  if (minor !== undefined) passives.pantheon_minor = minor as (typeof MINORS)[number];
  if (!alternateAscendancy) return;
  const names = making.flags['F-ALTASC-BLOODLINE'] ? words.bloodlines : words.bloodlines.slice(0, WILDWOOD);
  const name = names[number % names.length];
  if (name !== undefined) passives.alternate_ascendancy = name;
}
