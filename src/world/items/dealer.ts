import { SOCKETED, type Game, type Kind } from './kinds.js';
import type { Trait } from './trait.js';
import { kindsOf, traits } from './traits.js';

/** Traits that set the frame: an item has one of them. */
const FRAMED = ['isRelic', 'supporterFoil', 'prophecy', 'necropolis', 'gold', 'breachSkill'];

/** Traits that nearly all items of a kind have in the second game. */
const USUAL: readonly { kinds: readonly Kind[]; traits: readonly string[] }[] = [
  { kinds: SOCKETED, traits: ['runes'] },
  { kinds: ['Skill'], traits: ['levelled', 'gemTabs', 'gemSockets'] },
];

/** Deals traits to the items of one character, those first that it has had least often, so that each comes round. */
export class Dealer {
  private readonly dealt = new Map<string, number>();

  constructor(
    private readonly game: Game,
    private readonly each: number,
    order: readonly number[],
  ) {
    // The order in which equals are dealt is drawn.
    this.ordered = order.flatMap((index) => traits[index] ?? []);
  }

  private readonly ordered: readonly Trait[];

  /** Names of traits for an item of a kind, which go together in rarity and frame. */
  deal(kind: Kind): Trait[] {
    const usual = this.game === 'g2' ? USUAL.flatMap((one) => (one.kinds.includes(kind) ? one.traits : [])) : [];
    const fitting = this.ordered.filter(
      (trait) => (trait.game ?? this.game) === this.game && kindsOf(trait).includes(kind),
    );
    const sorted = fitting
      .map((trait) => ({ trait, had: usual.includes(trait.name) ? -1 : (this.dealt.get(trait.name) ?? 0) }))
      .sort((a, b) => a.had - b.had);
    const hand: Trait[] = [];
    for (const { trait } of sorted) {
      if (hand.length === this.each) break;
      const rarity = hand.find((one) => one.rarity !== undefined)?.rarity;
      if (trait.rarity !== undefined && rarity !== undefined && trait.rarity !== rarity) continue;
      if (FRAMED.includes(trait.name) && hand.some((one) => FRAMED.includes(one.name))) continue;
      if (trait.name === 'sockets' && this.game === 'g2') continue;
      hand.push(trait);
      this.dealt.set(trait.name, (this.dealt.get(trait.name) ?? 0) + 1);
    }
    return hand;
  }
}
