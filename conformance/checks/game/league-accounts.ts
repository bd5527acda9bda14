import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { accountLeagues, isRealmWord } from '../../model/account.js';
import { isA } from '../../model/schema.js';
import { member } from '../../wire/answer.js';

/** The league account as an answer has it: an object, never null. */
async function leagueAccount(run: Run, args: Readonly<Record<string, string>>): Promise<void> {
  const answer = await run.data('getLeagueAccount', { args });
  const account = run.has(answer, 'league_account');
  isA(run, 'LeagueAccount', account, answer);
}

export default group('game/league-accounts', [
  check('LACC-001', async (run) => {
    const league = run.target.known.atlas_league ?? String((await run.sample('getLeagueAccount')).args?.['league']);
    await leagueAccount(run, { league });
  }),

  check('LACC-004', async (run) => {
    let asked = 0;
    for (const realm of ['xbox', 'sony']) {
      for (const league of (await accountLeagues(run, realm)).filter((one) => !isRealmWord(run, one)).slice(0, 2)) {
        asked += 1;
        await leagueAccount(run, { league, realm });
      }
    }
    if (asked === 0) run.notExercised('the account has no leagues in xbox or sony');
  }),

  check('LACC-005', async (run) => {
    const answer = await run.data('getLeagueAccount', { args: { league: 'cx-no-such-league' } });
    const account = member(answer.json, 'league_account');
    const trees = member(account, 'atlas_passive_trees');
    const found = Array.isArray(trees) ? `${trees.length} trees` : account === null ? 'null' : 'no league account';
    run.note(`an unknown league: status ${answer.status}, ${found}`);
    // Leagues of the account that are not the first: some were never played.
    for (const league of (await accountLeagues(run, 'pc')).filter((one) => !isRealmWord(run, one)).slice(1, 4)) {
      const { status } = await run.data('getLeagueAccount', { args: { league } });
      run.note(`${league}: status ${status}`);
    }
  }),
]);
