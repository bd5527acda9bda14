import type { Realm } from '../contract/index.js';
import type { LeagueEntry } from './leagues.js';
import type { ItemMaker } from './items/item.js';
import type { Making } from './making.js';
import { accountName, characterName } from './names.js';
import { permutation } from './permutation.js';
import type { StashStream, StreamChange } from './world.js';
import type { Schemas } from './wire.js';

/** Changes come in blocks of their own stashes: 100 stashes have 150 changes. */
const BLOCK = 150;
const STASHES = 100;

/** The history ends here before the epoch, but for one change that is younger than the stream's five minutes. */
const SPAN = 3 * 86_400_000;
const OLD = 6 * 60_000;
const YOUNG = 2 * 60_000;

interface Step {
  readonly stash: number;
  readonly op: StreamChange['op'];
  readonly revision: number;
}

/**
 * The public stash stream of a realm. `visible` changes can be seen at the epoch; one more is still inside the delay.
 * Each change is a function of its number: the block it falls in, and its place in the block's script.
 */
export function makeStream(
  making: Making,
  realm: Realm,
  leagues: readonly LeagueEntry[],
  visible: number,
  items: ItemMaker,
): StashStream {
  const path = `stream/${realm}`;
  const length = visible + 1;
  const script = writeScript(making, path);
  const lastStep = new Map(script.map((step, place) => [step.stash, place]));
  const hidden = permutation(2 ** 48, making.seeds.chance(`${path}/ids`));

  // The id's first twelve digits hide the stash's number, so that a stash is found without a table of all of them.
  const idOf = (stash: number) =>
    hidden.at(stash).toString(16).padStart(12, '0') + making.seeds.hex(`${path}/stash/${stash}`, 64).slice(12);
  const at = (index: number) => {
    if (index === length - 1) return making.epoch - YOUNG;
    const jitter = making.seeds.chance(`${path}/at/${index}`).part();
    return making.epoch - OLD - SPAN + Math.floor(((index + jitter) * SPAN) / visible);
  };
  const change = (index: number): StreamChange => {
    const step = script[index % BLOCK];
    if (!(index >= 0 && index < length) || step === undefined) {
      throw new RangeError(`${path} has no change ${index}: ask for 0 to ${length - 1}`);
    }
    const stash = Math.floor(index / BLOCK) * STASHES + step.stash;
    return { at: at(index), stash: idOf(stash), op: step.op, revision: step.revision };
  };
  const open = leagues.filter((entry) => entry.kind === 'main' && entry.members === null).slice(0, 8);
  return {
    changes: { length, at: change },
    snapshot: (id, revision) => snapshot(making, path, open, items, id, revision),
    last: (id) => {
      if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
      const stash = hidden.indexOf(parseInt(id.slice(0, 12), 16));
      if (stash > length || idOf(stash) !== id) return undefined;
      const start = Math.floor(stash / STASHES) * BLOCK;
      let place = lastStep.get(stash % STASHES) ?? -1;
      // In the last block only the steps before the end have happened.
      while (place >= 0 && (start + place >= length || script[place]?.stash !== stash % STASHES)) place -= 1;
      return place < 0 ? undefined : change(start + place);
    },
  };
}

/** What happens when a stash is seen again, in turn: left to chance, some worlds would hardly see a stash come back. */
const AGAIN = ['update', 'unlist', 'update', 'unlist', 'list'] as const;

/**
 * What happens in a block: every stash is listed, fifty later changes update, unlist and re-list some of them. Each
 * change of a stash has the next revision.
 */
function writeScript(making: Making, path: string): readonly Step[] {
  const chance = making.seeds.chance(`${path}/script`);
  const state = new Map<number, { op: StreamChange['op']; revision: number }>();
  const script: Step[] = [];
  let fresh = 0;
  while (script.length < BLOCK) {
    const again = script.length - fresh;
    const first = fresh < STASHES && (fresh < 10 || again >= BLOCK - STASHES || !chance.once(3));
    const op = first ? 'list' : (AGAIN[again % AGAIN.length] ?? 'update');
    const candidates = [...state].filter(([, before]) => (before.op === 'unlist') === (op === 'list'));
    const [stash, before] = first ? [fresh++] : chance.pick(candidates);
    const revision = before === undefined ? 0 : before.revision + 1;
    state.set(stash, { op, revision });
    script.push({ stash, op, revision });
  }
  return script;
}

/** A stash at a revision, a function of its id alone; it is well defined for ids that this world has not listed. */
function snapshot(
  making: Making,
  path: string,
  leagues: readonly LeagueEntry[],
  items: ItemMaker,
  id: string,
  revision: number,
): Schemas['ListedStash'] {
  const words = making.fixtures.words();
  const chance = making.seeds.chance(`${path}/of/${id}`);
  const serial = chance.below(1_000_000);
  const league = chance.pick(leagues);
  const stash: Schemas['ListedStash'] = {
    id,
    public: true,
    accountName: accountName(words, chance, serial),
    lastCharacterName: characterName(words, chance, serial),
    stash: chance.once(4) ? `~b/o ${chance.between(1, 90)} bell` : `${chance.pick(words.tags)} ${chance.below(9)}`,
    stashType: chance.pick(['PremiumStash', 'PremiumStash', 'QuadStash', 'CurrencyStash', 'MapStash', 'GemStash']),
    league: league.league.name ?? league.league.id,
    items: [],
  };
  const size = chance.between(2, 12);
  // Now and then everything in a stash was taken out; never twice in a row, so that revisions differ.
  if (revision % 11 !== 7) {
    for (let slot = 0; slot < size; slot += 1) {
      // A third of the slots changes with each revision.
      const version = Math.floor((revision + (slot % 3)) / 3);
      stash.items.push(items.inStream(`${path}/of/${id}/${slot}/${version}`, stash, slot, revision));
    }
  }
  return making.project(stash, 'ListedStash');
}
