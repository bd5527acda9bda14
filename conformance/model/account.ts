import type { Run } from '../engine/run.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';

/** The words that test facts have for leagues of the account. */
function facts(run: Run): readonly string[] {
  const { stash_league, guild_league, atlas_league, main_leagues = [] } = run.facts.target.known;
  return [stash_league, guild_league, atlas_league, ...main_leagues].filter((word) => word !== undefined);
}

/**
 * The one word for a league, so that none is taken for two: the one that a test fact has for it, be it its id or its name
 * (K-035), else its id.
 */
function wordFor(run: Run, league: unknown): string | undefined {
  const [id, name] = [member(league, 'id'), member(league, 'name')];
  const word = facts(run).find((one) => one === id || one === name) ?? id;
  return typeof word === 'string' && word !== '' ? word : undefined;
}

/** The leagues of an account in a realm, those that a test fact names first; shared by the run. */
export const accountLeagues = (run: Run, realm: string): Promise<readonly string[]> =>
  run.facts.once(`leagues of the account in ${realm}`, async () => {
    const answer = await run.http.data('listAccountLeagues', { args: { realm } });
    const words = run.expect.list(answer, 'leagues').map((league) => wordFor(run, league));
    const named = facts(run).filter((word) => words.includes(word));
    return [...new Set([...named, ...words])].filter((word) => word !== undefined);
  });

/**
 * A league of the realm in which alice has a character that is neither expired nor deleted, as the list of her leagues
 * has it; undefined where there is none.
 */
export const leagueOfPlay = (run: Run, realm: string): Promise<string | undefined> =>
  run.facts.once(`a league in which the account plays in ${realm}`, async () => {
    const list = async (operation: 'listCharacters' | 'listAccountLeagues', wrapper: string) => {
      const value = member((await run.http.data(operation, { args: { realm } })).json, wrapper);
      return Array.isArray(value) ? (value as unknown[]) : [];
    };
    const leagues = await list('listAccountLeagues', 'leagues');
    for (const one of await list('listCharacters', 'characters')) {
      if (member(one, 'expired') === true || member(one, 'deleted') === true) continue;
      const name = member(one, 'league');
      // A character names its league; where a league has a name apart from its id, either may be meant (K-035).
      const league = leagues.find(
        (entry) => typeof name === 'string' && (member(entry, 'id') === name || member(entry, 'name') === name),
      );
      const word = wordFor(run, league);
      if (word !== undefined) return word;
    }
    return undefined;
  });

/** The same, for a check that has nothing to ask about without one. */
export async function playedLeague(run: Run, realm = 'pc'): Promise<string> {
  const league = await leagueOfPlay(run, realm);
  return (
    league ?? run.expect.notExercised(`no character of the account is in a league that it lists for realm ${realm}`)
  );
}

/** Words that stand for a realm in a path: names like them are never asked for (K-017, K-018). */
export const isRealmWord = (run: Run, name: string): boolean =>
  ['pc', 'xbox', 'sony', 'game2', run.facts.target.names.game2].includes(name.toLowerCase());

/** Whether the answer to getLeagueAccount has allocated passives of some atlas. */
export function allocated(answer: Answer): boolean {
  const account = member(answer.json, 'league_account');
  const trees = member(account, 'atlas_passive_trees');
  return [member(account, 'atlas_passives'), ...(Array.isArray(trees) ? (trees as unknown[]) : [])].some((tree) => {
    const hashes = member(tree, 'hashes');
    return Array.isArray(hashes) && hashes.length > 0;
  });
}
