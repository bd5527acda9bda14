import type { Run } from '../../engine/run.js';
import type { HourChain, Digest } from '../../model/exchange.js';
import {
  askHour,
  chainOf,
  digestOf,
  exchangeRealms,
  hour,
  marketsText,
  markOf,
  mostHours,
  readHour,
  startOfHour,
  walkChain,
} from '../../model/exchange.js';
import { look } from '../../model/leagues.js';
import { given } from '../../model/schema.js';
import { member } from '../../wire/answer.js';

/** What the first hour is by now: history may have been pruned since (K-120). */
export const firstNext = async (run: Run, realm = 'pc'): Promise<number> =>
  (await readHour(run, undefined, realm)).next;

/** What a search finds that was made within one hour: one that an hour's end fell into is made again. */
async function whileHourLasts<T>(run: Run, search: (current: number) => Promise<T | undefined>) {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const current = startOfHour(await run.facts.now());
    const found = await search(current);
    if (found === undefined || startOfHour(await run.facts.now()) === current) return found;
  }
  return undefined;
}

/** Whether hours after the end of the stream have markets, and the first that has. The end is looked up anew. */
export const marketsAfter = (run: Run, known: number, most: number): Promise<number | undefined> =>
  whileHourLasts(run, async (current) => {
    const { end } = await walkChain(run, 'pc', known, 20);
    for (let id = (end ?? current) + hour; id < current && id <= known + most * hour; id += hour) {
      const digest = digestOf(await askHour(run, id));
      if (digest && digest.markets.length > 0) return id;
    }
    return undefined;
  });

/**
 * Whether an hour with markets lies before that of another answer: it goes on to an hour before, or to the same one with
 * markets of its own, where a stream passes over quiet hours.
 */
export const comesBefore = (one: Digest, other: Digest): boolean =>
  one.markets.length > 0 &&
  (one.next < other.next || (one.next === other.next && marketsText(one.markets) !== marketsText(other.markets)));

/** Without an id there is the first hour: none of the hours before it, as ids are told, has markets of its own. */
export async function nothingBefore(run: Run, realm: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const first = await readHour(run, undefined, realm);
    const known = run.facts.target.known.first_hour;
    const before = [1, 2, 3, 24].map((hours) => first.next - hours * hour);
    let found: Digest | undefined;
    for (const id of new Set([...before, ...(known === undefined ? [] : [known])])) {
      const digest = id > 0 && id < first.next ? digestOf(await askHour(run, id, realm)) : undefined;
      if (digest && comesBefore(digest, first)) found ??= digest;
    }
    const again = found && (await readHour(run, undefined, realm));
    // History may have been pruned in between.
    if (again && attempt < 2 && again.next !== first.next) continue;
    // Markets that are others each time tell nothing of where the history begins (CX-009).
    if (again && found?.next === first.next && marketsText(again.markets) !== marketsText(first.markets)) return;
    run.expect.that(
      found === undefined,
      `realm ${realm}: without id the first hour of history, though one with ${found?.markets.length} markets goes on at ${found?.next}`,
      `an hour that goes on at ${first.next}`,
      found?.answer,
    );
    return;
  }
}

/** Whether a chain shows that its stream passes over no quiet hour: it has one, and goes on by one hour at a time. */
function isSteady({ links }: HourChain): boolean {
  const steps = links.flatMap(({ asked, ...link }) =>
    asked === undefined || link.next === asked ? [] : [{ asked, ...link }],
  );
  return steps.some(({ count }) => count === 0) && steps.every(({ asked, next }) => next - asked === hour);
}

/**
 * The first hour, asked for by its id, is the one that comes without an id. Its id is an hour before its next_change_id,
 * however ids are read (K-053), unless quiet hours are passed over; the declared first hour tells as well. No answer gave
 * that id, so it may be refused, or have nothing and lead to the hours that are known where the target does not declare it.
 * Whether it was judged.
 */
export async function firstById(run: Run, realm: string): Promise<boolean> {
  const steady = isSteady(await chainOf(run, realm));
  for (let attempt = 0; ; attempt += 1) {
    const first = await readHour(run, undefined, realm);
    const id = first.next - hour;
    const declared = realm === 'pc' && run.facts.target.known.first_hour === id;
    const digest = steady || declared ? digestOf(await askHour(run, id, realm)) : undefined;
    if (!digest || (digest.markets.length === 0 && digest.next <= first.next && !declared)) return false;
    const same = digest.next === first.next && marketsText(digest.markets) === marketsText(first.markets);
    // History may have been pruned in between.
    if (!same && attempt < 2 && (await readHour(run, undefined, realm)).next !== first.next) continue;
    run.expect.that(
      same,
      `realm ${realm}: for ${id} the first hour, which without id goes on at ${first.next} with ${first.markets.length} markets`,
      `an hour that goes on at ${digest.next} with ${digest.markets.length} markets`,
      digest.answer,
    );
    return true;
  }
}

/**
 * The markets of an hour that realm pc has too are of leagues that this realm has: a league that is found in realm pc and
 * is null in this one tells that they are those of pc.
 */
export async function leaguesOfRealm(run: Run, realm: string, id: number | undefined): Promise<void> {
  if (!run.oauth.obtainable().has('service:leagues')) return;
  const { answer, markets } = await readHour(run, id, realm);
  const names = [...new Set(markets.map(({ league }) => league))].filter((name) => typeof name === 'string');
  for (const league of names.slice(0, 8)) {
    const [there, pc] = [await look(run, league, realm), await look(run, league, 'pc')];
    const foreign = member(there.json, 'league') === null && given(member(pc.json, 'league'));
    run.expect.that(!foreign, `realm ${realm}: markets of its own leagues`, `those of pc, in ${league}`, answer);
  }
}

/** What an answer gave for the id that is the start of the current hour, as markets of the hour before it. */
export interface ClaimedHour {
  readonly realm: string;
  readonly id: number;
  readonly mark: string;
}

/**
 * Neither is the current hour handed out, nor has it markets. Returns what came for its id, where that may be of the hour
 * before: it has to stay so when the current hour is over.
 */
export async function currentIsClosed(run: Run, realm: string): Promise<ClaimedHour | undefined> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const now = await run.facts.now();
    const current = startOfHour(now);
    const { links } = await walkChain(run, realm, current - 4 * hour, 8);
    const answer = await askHour(run, current, realm);
    if (startOfHour(await run.facts.now()) !== current) continue;
    const late = links.find(({ next }) => next > current);
    const minute = Math.floor((now - current) / 60);
    run.expect.that(
      late === undefined,
      `realm ${realm}, minute ${minute}: no next_change_id after ${current}, the start of the current hour`,
      late?.next,
    );
    const markets = member(answer.json, 'markets');
    const refused = answer.status >= 400 && answer.status <= 499;
    const digest = digestOf(answer);
    // Where an id is that of the end of its hour (K-053), this one is of the last hour that is over, and not of those before.
    const before = links.filter((link) => link.asked !== current);
    const isOver = digest?.next === current && before.every(({ mark }) => mark !== markOf(digest.markets));
    run.expect.that(
      refused || isOver || (Array.isArray(markets) && markets.length === 0),
      `realm ${realm}, minute ${minute}: no markets of the current hour, ${current}`,
      markets ?? `status ${answer.status}`,
      answer,
    );
    return isOver && digest.markets.length > 0 ? { realm, id: current, mark: markOf(digest.markets) } : undefined;
  }
  return undefined;
}

/** What came for an id as markets of an hour that was over has not changed since. */
export async function staysAsItWas(run: Run, { realm, id, mark }: ClaimedHour): Promise<void> {
  const answer = await askHour(run, id, realm);
  const digest = digestOf(answer);
  // Markets that are others each time are for CX-009.
  if (!digest || markOf(digestOf(await askHour(run, id, realm))?.markets ?? []) !== markOf(digest.markets)) return;
  run.expect.that(
    markOf(digest.markets) === mark,
    `realm ${realm}: for ${id} no markets before ${id + hour}, or those of the hour before ${id}, which is over`,
    'markets that changed when the hour was over',
    answer,
  );
}

/**
 * The chain has each hour once, and what it passes over has no markets, or those of the hour that it goes on with. The
 * walk may be older than these answers: it is gone on with from its end, and an hour that ends meanwhile asks again.
 */
export async function coversHistory(run: Run, realm: string, { links, end }: HourChain): Promise<void> {
  const walked = links.map((link) => link.asked).filter((id) => id !== undefined);
  run.expect.that(
    new Set(walked).size === walked.length,
    `realm ${realm}: each hour once`,
    walked.length - new Set(walked).size,
  );
  const missed = await whileHourLasts(run, async (current) => {
    const since = await walkChain(run, realm, end, 20);
    const asked = [...walked, ...since.links.map((link) => link.asked!)];
    return passedOver(run, realm, { first: links[0]!.next, asked, end: since.end, current });
  });
  run.expect.that(
    missed === undefined,
    `realm ${realm}: every hour with markets in the chain`,
    missed && `hour ${missed.id} with ${missed.digest.markets.length} markets is not`,
    missed?.digest.answer,
  );
}

interface WalkedHours {
  readonly first: number;
  readonly asked: readonly number[];
  readonly end: number | undefined;
  readonly current: number;
}

/** The first finished hour with markets of its own that the chain does not have. */
async function passedOver(run: Run, realm: string, { first, asked, end, current }: WalkedHours) {
  const covered = new Set(asked);
  let checked = 0;
  for (let id = first; id < current && checked < mostHours / exchangeRealms.length; id += hour) {
    if (covered.has(id) && id !== end) continue;
    checked += 1;
    const digest = digestOf(await askHour(run, id, realm));
    if (!digest || digest.markets.length === 0) continue;
    const following = asked.find((one) => one > id);
    const other = following === undefined ? undefined : await readHour(run, following, realm);
    if (!other || marketsText(other.markets) !== marketsText(digest.markets)) return { id, digest };
  }
  return undefined;
}
