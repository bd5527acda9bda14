import type { Run } from '../engine/run.js';
import type { PageEntry, Paged } from './pages.js';
import { limitOf, paged } from './pages.js';

/** The realms that have leagues (interface 4.2). */
export const realms = ['pc', 'xbox', 'sony', 'game2'] as const;

const { max } = limitOf('listLeagues');

/** A list of leagues, to be read by pages. */
export const leagues = (run: Run, args: Readonly<Record<string, string>> = {}): Paged =>
  paged(run, 'listLeagues', args, { wrapper: 'leagues', entries: false, idOf: (entry) => entry['id'] });

/** The words that lists have for leagues: ids, and names where these are apart; a target may name them by either (K-035). */
export const wordsOf = (entries: readonly PageEntry[]): ReadonlySet<unknown> =>
  new Set(entries.flatMap(({ id, name }) => [id, name ?? id]));

/** Every league of a list, page by page; far more pages than a server has leagues for. */
export async function walk(run: Run, args: Readonly<Record<string, string>>): Promise<readonly PageEntry[]> {
  const list = leagues(run, args);
  const all: PageEntry[] = [];
  for (let page = 0; page < 20; page += 1) {
    const { entries } = await list.read({ limit: max, offset: all.length });
    all.push(...entries);
    if (entries.length < max) break;
  }
  return all;
}

/** The same, shared by the run. */
export const allLeagues = (run: Run, args: Readonly<Record<string, string>> = {}): Promise<readonly PageEntry[]> =>
  run.facts.once(`leagues ${JSON.stringify(args)}`, () => walk(run, args));

/** The ids of leagues, as they stand in a list. */
export const idsOf = (entries: readonly PageEntry[]): unknown[] => entries.map((entry) => entry['id']);

/** The leagues of the season that the target names; the second game has no seasons. */
export const leaguesOfSeason = async (run: Run, realm: string): Promise<readonly PageEntry[]> => {
  const { season } = run.facts.target.known;
  return season === undefined || realm === 'game2' ? [] : allLeagues(run, { realm, type: 'season', season });
};

/** Leagues to look up: those that the target names, else the first that a realm lists. */
export async function someLeagues(run: Run, realm: string, most: number): Promise<string[]> {
  const { main_leagues: main = [], odd_names: odd = [] } = run.facts.target.known;
  const named = realm === 'pc' ? [...odd, ...main] : [];
  const events = idsOf(await allLeagues(run, { realm, type: 'event' }));
  // A season has permanent leagues and such that are over.
  const seasonal = idsOf(await leaguesOfSeason(run, realm));
  const listed = [
    ...events.slice(0, 2),
    ...seasonal.slice(0, 2),
    ...seasonal.slice(-1),
    ...named,
    ...idsOf(await allLeagues(run, { realm, type: 'main' })),
    ...events.slice(2),
  ];
  const ids = [...new Set(listed.filter((id) => typeof id === 'string'))];
  return ids.filter((id) => id !== '').slice(0, most);
}

/** One league by its name. */
export const look = (run: Run, league: string, realm: string) =>
  run.http.data('getLeague', { args: { league, realm } });

/** What every list and a lookup say of a league alike, as long as nobody changes it. */
export const told = [
  'name',
  'realm',
  'description',
  'category',
  'rules',
  'registerAt',
  'startAt',
  'endAt',
  'event',
  'goal',
  'url',
];
