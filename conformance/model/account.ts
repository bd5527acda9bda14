import type { Run } from '../engine/run.js';

/** The leagues of an account in a realm, those that a test fact names first; shared by the run. */
export const accountLeagues = (run: Run, realm: string): Promise<readonly string[]> =>
  run.once(`leagues of the account in ${realm}`, async () => {
    const answer = await run.data('listAccountLeagues', { args: { realm } });
    const listed = run.list(answer, 'leagues').map(({ id }) => id);
    const { stash_league, guild_league, atlas_league, main_leagues = [] } = run.target.known;
    const named = [stash_league, guild_league, atlas_league, ...main_leagues].filter((one) => listed.includes(one));
    return [...new Set([...named, ...listed])].filter((id): id is string => typeof id === 'string' && id !== '');
  });

/** Words that stand for a realm in a path: names like them are never asked for (K-017, K-018). */
export const isRealmWord = (run: Run, name: string): boolean =>
  ['pc', 'xbox', 'sony', 'game2', run.target.names.game2].includes(name.toLowerCase());
