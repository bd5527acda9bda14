import type { Chance } from '../chance.js';
import type { Words } from '../fixtures/index.js';
import type { Oils } from './oils.js';
import { IMAGES, type Schemas } from '../wire.js';

type PassiveNode = Schemas['PassiveNode'];

/** What can take the place of a passive: the kinds come round, so that each is met. */
const STYLES: readonly ((node: PassiveNode, chance: Chance, words: Words, oils: Oils) => void)[] = [
  (node, chance) => {
    node.isTattoo = true;
    node.activeEffectImage = `${IMAGES}/passives/tattoo.png`;
    node.grantedStrength = chance.between(4, 12);
    node.grantedDexterity = chance.between(4, 12);
    node.grantedIntelligence = chance.between(4, 12);
  },
  (node, _chance, words) => {
    node.isKeystone = true;
    node.isTattoo = true;
    node.flavourText = [words.flavour[0] ?? ''];
    node.reminderText = ['(You may have one of these)'];
  },
  (node, chance, words) => {
    node.isAscendancyStart = true;
    node.ascendancyName = chance.pick(Object.values(words.classes).flat());
    node.classStartIndex = chance.below(7);
  },
  (node, _chance, words) => {
    node.isMultipleChoice = true;
    node.isNotable = true;
    node.ascendancyName = words.classes['Ranger']?.[0] ?? 'Ranger';
  },
  (node, chance) => {
    node.isMultipleChoiceOption = true;
    node.grantedPassivePoints = chance.between(1, 2);
  },
  (node, _chance, _words, oils) => {
    node.isNotable = true;
    node.isTattoo = true;
    node.recipe = oils.next();
  },
];

/** Replaced passives: `skill_overrides`, keyed by the node that each replaces. */
export function makeOverrides(
  replaced: readonly number[],
  chance: Chance,
  words: Words,
  oils: Oils,
): Record<string, PassiveNode> {
  return Object.fromEntries(
    replaced.map((hash, index) => {
      const node: PassiveNode = {
        skill: hash,
        name: `Tattoo of ${chance.pick(words.second)}`,
        icon: `${IMAGES}/passives/override${chance.between(1, 9)}.png`,
        stats: [`+${chance.between(3, 15)} to maximum Life`],
        out: [],
        in: [],
      };
      STYLES[index % STYLES.length]?.(node, chance, words, oils);
      return [String(hash), node];
    }),
  );
}
