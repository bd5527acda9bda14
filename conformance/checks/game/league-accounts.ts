import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { accountLeagues, isRealmWord, leagueOfPlay } from '../../model/account.js';
import { isA } from '../../model/schema.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';

/** The league account as an answer has it: an object, never null. */
async function leagueAccount(run: Run, args: Readonly<Record<string, string>>): Promise<void> {
  holdsOne(run, await run.data('getLeagueAccount', { args }));
}

function holdsOne(run: Run, answer: Answer): void {
  const account = run.has(answer, 'league_account');
  isA(run, 'LeagueAccount', account, answer);
}

export default group('game/league-accounts', [
  check('LACC-001', async (run) => {
    const { atlas_league } = run.target.known;
    if (atlas_league !== undefined) return leagueAccount(run, { league: atlas_league });
    const { args } = await run.sample('getLeagueAccount');
    const answer = await run.data('getLeagueAccount', { args: args! });
    // What is answered for a league that the account never played is not stated (K-127).
    if ((member(answer.json, 'league_account') ?? null) === null) {
      run.notExercised(`nothing is known of the account's atlas in ${String(args?.['league'])}`);
    }
    holdsOne(run, answer);
  }),

  check('LACC-004', async (run) => {
    let asked = 0;
    for (const realm of ['xbox', 'sony']) {
      // For a league without play the answer is not stated (K-127).
      const league = await leagueOfPlay(run, realm);
      if (league === undefined || isRealmWord(run, league)) continue;
      asked += 1;
      await leagueAccount(run, { league, realm });
    }
    if (asked === 0) run.notExercised('the account plays in no league of xbox or sony');
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
