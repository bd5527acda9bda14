import type { Run } from '../engine/run.js';
import type { PageEntry, QueryArgs } from './pages.js';

/** The realms that have PvP matches (interface 4.2). */
export const realms = ['pc', 'xbox', 'sony'] as const;

/** One list of matches. */
export const matches = async (run: Run, args: QueryArgs) => {
  const answer = await run.http.data('listPvpMatches', { args });
  return { answer, entries: run.expect.list(answer, 'matches') };
};

/** The lists of which it is known, or found, that they have matches. */
export const selections = async (run: Run): Promise<readonly QueryArgs[]> => {
  const { pvp_season: season } = run.facts.target.known;
  const league = await run.facts.found('pvp_league');
  return [
    { type: 'upcoming' },
    ...(season === undefined ? [] : [{ type: 'season', season }]),
    ...(league === undefined ? [] : [{ type: 'league', league }]),
  ];
};

/** A match of some list. */
export interface ListedMatch {
  readonly realm: string;
  readonly id: string;
  readonly entry: PageEntry;
}

/** The matches of all lists and realms, each once, shared by the run. */
export const allMatches = (run: Run): Promise<readonly ListedMatch[]> =>
  run.facts.once('PvP matches', async () => {
    const found = new Map<string, ListedMatch>();
    for (const realm of realms) {
      for (const args of await selections(run)) {
        for (const entry of (await matches(run, { ...args, realm })).entries) {
          const { id } = entry;
          if (typeof id === 'string' && id !== '') found.set(`${realm} ${id}`, { realm, id, entry });
        }
      }
    }
    return [...found.values()];
  });

/** The listed matches, a bounded number; *not exercised* where there are none. */
export async function someMatches(run: Run): Promise<readonly ListedMatch[]> {
  const all = await allMatches(run);
  if (all.length === 0) run.expect.notExercised('no PvP match is listed');
  return all.slice(0, 24);
}
