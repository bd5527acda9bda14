import type { Realm } from '../contract/index.js';
import { limits } from '../contract/index.js';
import { Chance, mix } from './chance.js';
import { levelOf, TOP_EXPERIENCE } from './experience.js';
import type { LeagueEntry } from './leagues.js';
import type { Making } from './making.js';
import { characterName, shownClass } from './names.js';
import { ladderAccount } from './people.js';
import { permutation, type Permutation } from './permutation.js';
import type { Ladder, LadderOrder, Listing } from './world.js';
import { dateTime, SITE, type Schemas } from './wire.js';

/** The seven classes, as the ladder's parameter spells them. */
export const CLASSES = ['scion', 'marauder', 'ranger', 'witch', 'duelist', 'templar', 'shadow'] as const;

/**
 * The ladder of a league. A runner is known by the place in the order by experience; any other order is a permutation
 * of the runners, so that entry `i` of any order costs the same.
 */
export function makeLadder(making: Making, realm: Realm, entry: LeagueEntry): Ladder {
  const fixture = entry.fixture.ladder;
  const size = fixture?.entries ?? 0;
  const cached = fixture?.cached ?? null;
  const path = `ladder/${realm}/${entry.key}`;
  const runners = new Runners(making, realm, path, entry);
  const listing = (at: (index: number) => Schemas['LadderEntry'], length = size): Listing<Schemas['LadderEntry']> => ({
    length,
    at: (index) => at(inside(index, length, path)),
  });
  return {
    cachedSince: cached === null ? null : dateTime(making.epoch - cached),
    defaultOrder: fixture?.order ?? 'xp',
    by: (order: LadderOrder, className?: string) => {
      if (order === 'class') {
        const wanted = CLASSES.findIndex((name) => name === className);
        if (wanted < 0) return listing(() => runners.entry(0, 0), 0);
        return listing((index) => {
          const runner = runners.ofClass(wanted, index);
          return runners.entry(runner, runner);
        }, runners.classSize(wanted));
      }
      return listing((index) => runners.entry(runners.inOrder(order, index), index));
    },
  };
}

/** The event ladder of a league: private leagues by time. */
export function makeEventLadder(
  making: Making,
  realm: Realm,
  entry: LeagueEntry,
): Listing<Schemas['EventLadderEntry']> {
  const length = entry.fixture.eventLadder ?? 0;
  const path = `event-ladder/${realm}/${entry.key}`;
  const words = making.fixtures.words();
  // Few event ladders share numbers; where they do, the name that follows from the number is the same.
  const first = 20_000 * (1 + making.seeds.chance(path).below(900));
  return {
    length,
    at: (index) => {
      const place = inside(index, length, path);
      const chance = making.seeds.chance(`${path}/${place}`);
      const number = first + place;
      const naming = making.seeds.chance(`private-league/${number}`);
      const name = `${naming.pick(words.adjectives)} ${naming.pick(words.people)} (PL${number})`;
      const result: Schemas['EventLadderEntry'] = {
        rank: place + 1,
        private_league: { name, url: `${SITE}/private-leagues/league/PL${number}` },
      };
      if (chance.once(3)) result.ineligible = chance.once(2);
      if (!chance.once(12)) result.time = 3600 + 2 * tied(place);
      return making.project(result, 'EventLadderEntry');
    },
  };
}

class Runners {
  private readonly size: number;
  private readonly orders: Record<'depth' | 'depthsolo' | 'time' | 'score' | 'ancestor', Permutation>;
  private readonly classKey: number;

  constructor(
    private readonly making: Making,
    private readonly realm: Realm,
    private readonly path: string,
    private readonly league: LeagueEntry,
  ) {
    this.size = league.fixture.ladder?.entries ?? 0;
    const order = (name: string) => permutation(this.size, making.seeds.chance(`${path}/order/${name}`));
    this.orders = {
      depth: order('depth'),
      depthsolo: order('depthsolo'),
      time: order('time'),
      score: order('score'),
      ancestor: order('ancestor'),
    };
    this.classKey = making.seeds.chance(`${path}/classes`).word();
  }

  /** The runner at a place of an order. An order whose figure the league does not show is a mere order. */
  inOrder(order: Exclude<LadderOrder, 'class'>, place: number): number {
    return order === 'xp' ? place : this.orders[order].at(place);
  }

  /** Each block of seven runners has each class once: the class of a runner and the runners of a class are computed. */
  classOf(runner: number): number {
    return this.block(Math.floor(runner / CLASSES.length))[runner % CLASSES.length] ?? 0;
  }

  ofClass(wanted: number, place: number): number {
    return place * CLASSES.length + this.block(place).indexOf(wanted);
  }

  /** Runners of a class among those that a ladder shows at all (interface 8). */
  classSize(wanted: number): number {
    const shown = Math.min(this.size, limits.ladder_depth);
    const blocks = Math.floor(shown / CLASSES.length);
    return blocks + (this.block(blocks).indexOf(wanted) < shown % CLASSES.length ? 1 : 0);
  }

  private block(number: number): number[] {
    return new Chance(this.classKey, mix(number)).order(CLASSES.length);
  }

  entry(runner: number, place: number): Schemas['LadderEntry'] {
    const { making, realm, path } = this;
    const words = making.fixtures.words();
    const { id, chance } = making.seeds.entity(`${path}/${runner}`);
    const lower = CLASSES[this.classOf(runner)] ?? 'scion';
    const experience = this.experience(runner);
    const result: Schemas['LadderEntry'] = {
      rank: place + 1,
      character: {
        id,
        name: characterName(words, chance, runner),
        level: levelOf(experience),
        class: shownClass(words, lower.charAt(0).toUpperCase() + lower.slice(1), chance),
        experience,
      },
    };
    for (const flag of ['dead', 'retired', 'ineligible'] as const) if (chance.once(6)) result[flag] = chance.once(2);
    const hidden = chance.once(25);
    if (hidden) result.public = false;
    else if (!chance.once(3)) result.public = !chance.once(9);
    this.figures(runner, result.character, chance);
    const accounts = Math.floor(runner / 5) * 5 + (runner % 5 === 4 ? 2 : runner % 5);
    result.account = hidden ? null : ladderAccount(making, realm, `account-of/${path}/${accounts}`, accounts);
    return making.project(result, 'LadderEntry');
  }

  /** Strictly decreasing, but for planted ties across the borders of pages of twenty. */
  private experience(runner: number): number {
    const place = tied(runner);
    const step = Math.floor((TOP_EXPERIENCE * 0.98) / Math.max(1, this.size));
    const jitter = step > 1 ? mix(place ^ this.classKey) % (step - 1) : 0;
    return TOP_EXPERIENCE - place * step - jitter;
  }

  private figures(runner: number, character: Schemas['LadderCharacter'], chance: Chance): void {
    for (const shown of this.league.fixture.ladder?.shows ?? []) {
      if (shown === 'depth') {
        const depth: { default?: number; solo?: number } = {};
        const deepest = this.depth('depth', runner, 250, 4000);
        const alone = this.depth('depthsolo', runner, 4, 245);
        if (deepest !== null) depth.default = deepest;
        if (alone !== null) depth.solo = alone;
        if (deepest !== null || alone !== null) character.depth = depth;
      } else if (shown === 'time') {
        character.time = 1800 + 3 * tied(this.orders.time.indexOf(runner));
      } else if (shown === 'score') {
        character.score = Math.floor((this.size - this.orders.score.indexOf(runner)) / 3);
      } else {
        character.progress = { checkpoints: chance.between(1, 12), bells: chance.below(100) };
      }
    }
  }

  /** Falls along the order; the last entries of it have none. */
  private depth(order: 'depth' | 'depthsolo', runner: number, least: number, most: number): number | null {
    const place = this.orders[order].indexOf(runner);
    const without = Math.ceil(this.size / 20);
    if (place >= this.size - without) return null;
    return most - Math.floor(((most - least) * tied(place)) / this.size);
  }
}

/** The place itself, but the first place of every third page of twenty shares the place before it. */
function tied(place: number): number {
  return place % 60 === 20 ? place - 1 : place;
}

function inside(index: number, length: number, path: string): number {
  if (Number.isInteger(index) && index >= 0 && index < length) return index;
  throw new RangeError(`${path} has no entry ${index}: ask for 0 to ${length - 1}`);
}
