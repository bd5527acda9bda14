import { limits } from '../../src/contract/index.js';
import type { Run } from '../engine/run.js';
import { attempt } from '../verdict.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { PageEntry, Page, Paged, QueryArgs } from './pages.js';
import { outOfOrder, paged } from './pages.js';

/** The seven values of the parameter `class` (interface 4.2). */
export const classes = ['scion', 'marauder', 'ranger', 'witch', 'duelist', 'templar', 'shadow'] as const;
export const depth = limits.ladder_depth;

/** The ladder of a league in realm pc. */
export const ladder = (run: Run, league: string, args: QueryArgs = {}): Paged =>
  paged(
    run,
    'getLeagueLadder',
    { league, ...args },
    {
      wrapper: 'league',
      entries: true,
      idOf: (entry) => member(entry['character'], 'id'),
    },
  );

/** The ladder of the private leagues of an event; its entries have no id but the league that they are for. */
export const eventLadder = (run: Run, league: string, args: QueryArgs = {}): Paged =>
  paged(
    run,
    'getLeagueEventLadder',
    { league, ...args },
    {
      wrapper: 'league',
      entries: true,
      idOf: ({ private_league }) => [member(private_league, 'name'), member(private_league, 'url')],
    },
  );

/** The ladder of a match, `bare` where it is asked for without a realm; a team is told by its members. */
export const pvpLadder = (
  run: Run,
  { id, realm, bare }: { readonly id: string; readonly realm?: string; readonly bare?: true },
): Paged =>
  paged(
    run,
    'getPvpMatchLadder',
    { match: id, ...(realm !== undefined && { realm }) },
    {
      ...(bare && { bare }),
      wrapper: 'match',
      entries: true,
      idOf: ({ members }) =>
        Array.isArray(members) ? members.map((one) => member(member(one, 'character'), 'id')) : members,
    },
  );

/** The operations of a league's ladders. */
type LadderOperation = 'getLeagueLadder' | 'getLeagueEventLadder';

interface RealmLeague {
  readonly realm: string;
  readonly league: string;
}

/** The leagues of the other realms whose ladder has entries, in each realm the longest first. */
export const leaguesInRealms = (
  run: Run,
  operation: LadderOperation = 'getLeagueLadder',
): Promise<readonly RealmLeague[]> =>
  run.facts.once(`leagues of other realms with ${operation}`, async () => {
    const found: RealmLeague[] = [];
    for (const realm of ['xbox', 'sony']) {
      const sizes = [];
      for (const league of (await candidatesIn(run, operation, realm)).slice(0, 12)) {
        const list = (operation === 'getLeagueLadder' ? ladder : eventLadder)(run, league, { realm });
        const answer = await list.ask({ limit: 1 });
        const total = Number(member(member(answer.json, 'league'), 'total') ?? 0);
        if ((list.entriesOf(answer) ?? []).length > 0) sizes.push({ realm, league, total });
      }
      found.push(...sizes.toSorted((a, b) => b.total - a.total).map(({ total: _, ...one }) => one));
    }
    return found;
  });

/** What may have a ladder in a realm: a league that is known, and those that are listed. */
async function candidatesIn(run: Run, operation: LadderOperation, realm: string): Promise<readonly string[]> {
  const { value } = await attempt(() => run.facts.sample(operation, { realm }));
  const listed: unknown[] = [];
  for (const type of run.oauth.obtainable().has('service:leagues') ? ['event', 'main'] : []) {
    const leagues = member((await run.http.data('listLeagues', { args: { realm, type } })).json, 'leagues');
    if (Array.isArray(leagues)) listed.push(...leagues.map((one) => member(one, 'id')));
  }
  return [...new Set([value?.args?.['league'], ...listed])].filter((id) => typeof id === 'string');
}

/** The longest ladder of each realm but pc. */
export async function inRealms(run: Run, args: QueryArgs = {}): Promise<readonly Paged[]> {
  const longest = new Map((await leaguesInRealms(run)).toReversed().map(({ realm, league }) => [realm, league]));
  return [...longest].map(([realm, league]) => ladder(run, league, { realm, ...args }));
}

/** The first page as large as it gets, shared by the run. */
export const top = (run: Run, list: Paged): Promise<Page> =>
  run.facts.once(`top of ${list.name}`, () => list.largest());

/**
 * How many entries a ladder surely has within its depth: what its first page shows, or all of the depth where the
 * target says that the ladder is longer than that.
 */
export async function sizeOf(run: Run, league: string, list: Paged): Promise<number> {
  if (list.name.startsWith('getLeagueLadder') && (await isDeep(run, league))) return depth;
  return (await top(run, list)).entries.length;
}

/** Whether the ladder of a league fills its depth: the target says so, or the last entry within the depth is there. */
export const isDeep = async (run: Run, league: string): Promise<boolean> =>
  league === run.facts.target.known.ladder_league ||
  run.facts.once(`whether the ladder of ${league} is deep`, async () => {
    const list = ladder(run, league);
    return (list.entriesOf(await list.ask({ offset: depth - 1, limit: 1 })) ?? []).length > 0;
  });

/** The league with the longest ladder that the target names, else the one at hand whose ladder tells the largest total. */
export async function longLadder(run: Run): Promise<string> {
  const { ladder_league: known } = run.facts.target.known;
  if (known !== undefined) return known;
  const sizes = await ladderSizes(run);
  if (sizes.length > 0) return sizes.reduce((longest, one) => (one.total > longest.total ? one : longest)).league;
  return String((await run.facts.sample('getLeagueLadder')).args?.['league']);
}

/** Whether the ladder of a league is given in an order: 4.2 lists the orders, and not that each league has each of them. */
export const isOrderedBy = (run: Run, league: string, args: QueryArgs): Promise<boolean> =>
  run.facts.once(`whether ${league} has a ladder by ${JSON.stringify(args)}`, async () => {
    const { status } = await ladder(run, league, args).ask({ limit: 1 });
    return status < 400 || status > 499;
  });

/** Leagues with a ladder: one that is preferred, that with the longest, then what the target names and what is listed. */
export async function* ladderLeagues(run: Run, preferred?: string): AsyncGenerator<string> {
  if (preferred !== undefined) yield preferred;
  const long = await longLadder(run);
  if (long !== preferred) yield long;
  for (const { league } of await ladderSizes(run)) if (league !== preferred && league !== long) yield league;
}

/** The first of these ladders that has entries in an order: not everybody has a depth, nor every league such characters. */
export const ladderBy = (run: Run, args: Readonly<Record<string, string>>): Promise<Paged> =>
  run.facts.once(`a ladder by ${JSON.stringify(args)}`, async () => {
    for await (const league of ladderLeagues(run)) {
      const list = ladder(run, league, args);
      if ((list.entriesOf(await list.ask({ limit: 1 })) ?? []).length > 0) return list;
    }
    return ladder(run, await longLadder(run), args);
  });

/** Leagues at hand whose ladder has entries, and the total that it tells: first those that the target names. */
const ladderSizes = (run: Run): Promise<readonly { readonly league: string; readonly total: number }[]> =>
  run.facts.once('leagues with a ladder', async () => {
    const { main_leagues: main = [], event_leagues: events = [], time_league, score_league } = run.facts.target.known;
    const sample = await run.facts.sample('getLeagueLadder');
    const mayList = run.oauth.obtainable().has('service:leagues');
    const [mains = [], listedEvents = []] = mayList ? [await listedOf(run, 'main'), await listedOf(run, 'event')] : [];
    // Some orders are those of an event, such as ancestor.
    const named = [String(sample.args?.['league']), ...main, time_league, score_league, ...events.slice(0, 4)];
    const candidates = [...new Set([...named, ...mains.slice(0, 8), ...listedEvents])];
    const sizes = [];
    for (const league of candidates.filter((one) => one !== undefined).slice(0, 20)) {
      const list = ladder(run, league);
      const answer = await list.ask({ limit: 1 });
      if ((list.entriesOf(answer) ?? []).length === 0) continue;
      const told = member(member(answer.json, 'league'), 'total');
      sizes.push({ league, total: typeof told === 'number' ? told : 0 });
    }
    return sizes;
  });

/** The ids on the first page of the leagues of a type. */
async function listedOf(run: Run, type: string): Promise<readonly string[]> {
  const leagues = member((await run.http.data('listLeagues', { args: { type } })).json, 'leagues');
  const ids = Array.isArray(leagues) ? leagues.map((league) => member(league, 'id')) : [];
  return ids.filter((id) => typeof id === 'string');
}

/** A number by names of nested members, undefined where there is none. */
export function figure(entry: PageEntry, path: readonly string[]): number | undefined {
  const value = path.reduce<unknown>((inner, name) => member(inner, name), entry);
  return typeof value === 'number' ? value : undefined;
}

/** Ends a check whose ladders have no two entries that differ. */
export function differing(run: Run, different: number, what: string): void {
  if (different < 2) run.expect.notExercised(`no two entries of the ladder differ in ${what}`);
}

/** The figures of some pages in order, entries without one left out. */
const figures = (pages: readonly Page[], path: readonly string[]): readonly (readonly [number, Answer])[] =>
  pages.flatMap(({ entries, answer }) =>
    entries.flatMap((entry) => {
      const value = figure(entry, path);
      return value === undefined ? [] : [[value, answer] as const];
    }),
  );

/**
 * A figure rises or falls along a ladder, over pages as well: those from the given offsets on, read again if the ladder
 * moved on meanwhile.
 * @returns how many different figures there were
 */
export async function ordered(
  run: Run,
  list: Paged,
  {
    offsets,
    limit,
    path,
    direction,
  }: {
    readonly offsets: readonly number[];
    readonly limit: number;
    readonly path: readonly string[];
    readonly direction: 'rising' | 'falling';
  },
): Promise<number> {
  let different = 0;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const pages: Page[] = [];
    for (const offset of offsets) pages.push(await list.read({ offset, limit }));
    const values = figures(pages, path);
    different = new Set(values.map(([value]) => value)).size;
    const fault = outOfOrder(values, direction, path.join('.'));
    if (!fault) break;
    // Within one page there is one moment; across pages a ladder may have moved.
    const within = pages.map((page) => outOfOrder(figures([page], path), direction, path.join('.')));
    const inside = within.find((one) => one !== undefined);
    if (inside || attempt === 2)
      run.expect.that(false, (inside ?? fault).expected, (inside ?? fault).got, (inside ?? fault).answer);
  }
  if (different > 1) run.expect.that(true, `${path.join('.')} in order`, different);
  return different;
}
