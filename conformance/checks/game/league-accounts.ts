import { check, group, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { accountLeagues, allocated, isRealmWord, leagueOfPlay } from '../../model/account.js';
import { difference } from '../../model/difference.js';
import { answeredApart, byBoth, sameForEveryClient } from '../../model/one-answer.js';
import { isA } from '../../model/schema.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';

/** The league account as an answer has it: an object, never null. */
async function leagueAccount(run: Run, args: Readonly<Record<string, string>>): Promise<void> {
  holdsOne(run, await run.http.data('getLeagueAccount', { args }));
}

function holdsOne(run: Run, answer: Answer): void {
  const account = run.expect.has(answer, 'league_account');
  isA(run, 'LeagueAccount', account, answer);
}

/** The path of a league with one letter percent-encoded, which is the same path (RFC 3986 6.2.2.2). */
function spelled(league: string, letter: number): string | undefined {
  const code = league.charCodeAt(letter);
  if (!/^[A-Za-z]$/.test(league.charAt(letter))) return undefined;
  const parts = [league.slice(0, letter), league.slice(letter + 1)].map(encodeURIComponent);
  return `/league-account/${parts.join(`%${code.toString(16).toUpperCase()}`)}`;
}

/**
 * The answer is the account's own, whoever was answered before at the same address. What it is tells a spelling of the
 * address that nobody has asked for: where a server takes that for another league, nothing is told.
 */
async function ownAnswer(run: Run, league: string): Promise<void> {
  if (!['alice', 'bob'].every((account) => run.oauth.accounts().includes(account))) return;
  const at = async (account: string, letter: number): Promise<unknown> => {
    const path = spelled(league, letter);
    if (path === undefined) return undefined;
    const token = await run.oauth.token(['account:league_accounts'], { account });
    const answer = await run.http.raw('GET', path, { token });
    return answer.status === 200 ? answer.json : undefined;
  };
  const [ofAlice, ofBob] = [await at('alice', 1), await at('bob', 2)];
  if (ofAlice === undefined || ofBob === undefined || difference(ofBob, ofAlice) === undefined) return;
  const plain = (account: string): Promise<Answer> => run.http.data('getLeagueAccount', { args: { league }, account });
  for (const account of ['alice', 'bob', 'alice']) {
    const answer = await plain(account);
    const [own, others] = account === 'alice' ? [ofAlice, ofBob] : [ofBob, ofAlice];
    const another = difference(answer.json, others) === undefined && difference(answer.json, own) !== undefined;
    run.expect.that(!another, `the league account of ${account} in ${league}`, "another account's", answer);
  }
}

/**
 * A league of realm pc that another realm does not have: what the account allocated in it is nothing of that realm.
 * Whatever is answered for it there (K-127), it is not the account's atlas in pc.
 */
async function notThoseOfPc(run: Run, realm: string): Promise<void> {
  const [own, there] = [await accountLeagues(run, 'pc'), await accountLeagues(run, realm)];
  const only = own.filter((league) => !there.includes(league) && !isRealmWord(run, league));
  for (const league of only.slice(0, 24)) {
    const pc = await run.http.data('getLeagueAccount', { args: { league } });
    if (pc.status !== 200 || !allocated(pc)) continue;
    const here = await run.http.data('getLeagueAccount', { args: { league, realm } });
    const same = here.status === 200 && difference(here.json, pc.json) === undefined;
    run.expect.that(!same, `realm ${realm}, which has no ${league}: not the atlas of realm pc`, 'the same', here);
    return;
  }
}

/** The same league in another realm, with the passives of realm pc: unlikely, and not ruled out. */
async function warnOfPc(run: Run, league: string, realm: string): Promise<void> {
  const here = await run.http.data('getLeagueAccount', { args: { league, realm } });
  const pc = await run.http.data('getLeagueAccount', { args: { league } });
  if (pc.status === 200 && allocated(pc) && difference(here.json, pc.json) === undefined) {
    run.expect.warn(`the league account in realm ${realm} is the one in pc, to the last passive`, here);
  }
}

export default group('game/league-accounts', [
  check({
    id: 'LACC-001',
    level: 'MUST',
    sentence: 'GET /league-account/<league> returns `league_account`, an object for a league that the account played.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const { atlas_league } = run.facts.target.known;
      if (atlas_league !== undefined) {
        const args = { league: atlas_league };
        // Another account has just asked for the same, in case a server keeps its answers.
        if (run.oauth.accounts().includes('bob')) await run.http.data('getLeagueAccount', { args, account: 'bob' });
        const answer = await run.http.data('getLeagueAccount', { args, account: 'alice' });
        holdsOne(run, answer);
        const account = member(answer.json, 'league_account');
        run.expect.that(
          allocated(answer),
          'hashes, as known.atlas_league says that alice has atlas passives',
          account,
          answer,
        );
        await answeredApart(run, 'getLeagueAccount', byBoth(run, { args }));
        await sameForEveryClient(run, 'getLeagueAccount', { args, account: 'alice' });
        await ownAnswer(run, atlas_league);
        return;
      }
      const { args } = await run.facts.sample('getLeagueAccount');
      const answer = await run.http.data('getLeagueAccount', { args: args! });
      // What is answered for a league that the account never played is not stated (K-127).
      if ((member(answer.json, 'league_account') ?? null) === null) {
        run.expect.notExercised(`nothing is known of the account's atlas in ${String(args?.['league'])}`);
      }
      holdsOne(run, answer);
    },
  }),

  check({
    id: 'LACC-004',
    level: 'MUST',
    sentence: 'xbox and sony are accepted as the realm of league accounts.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:leagues', 'scope:account:characters'],
    judge: async (run) => {
      let asked = 0;
      for (const realm of ['xbox', 'sony']) {
        // For a league without play the answer is not stated (K-127).
        const league = await leagueOfPlay(run, realm);
        if (league === undefined || isRealmWord(run, league)) continue;
        asked += 1;
        await leagueAccount(run, { league, realm });
        await sameForEveryClient(run, 'getLeagueAccount', { args: { league, realm } });
        await notThoseOfPc(run, realm);
        // Nothing is promised of the league in which the account is known to have passives in realm pc.
        const { atlas_league = league } = run.facts.target.known;
        for (const one of new Set([league, atlas_league])) await warnOfPc(run, one, realm);
      }
      if (asked === 0) run.expect.notExercised('the account plays in no league of xbox or sony');
    },
  }),

  observation({
    id: 'LACC-005',
    sentence: 'What an unknown league gives is not stated.',
    source: '4.2',
    gap: 'K-025',
    needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:leagues'],
    observe: async (run, note) => {
      const answer = await run.http.data('getLeagueAccount', { args: { league: 'cx-no-such-league' } });
      const account = member(answer.json, 'league_account');
      const trees = member(account, 'atlas_passive_trees');
      const found = Array.isArray(trees) ? `${trees.length} trees` : account === null ? 'null' : 'no league account';
      note(`an unknown league: status ${answer.status}, ${found}`);
      // Leagues of the account that are not the first: some were never played.
      for (const league of (await accountLeagues(run, 'pc')).filter((one) => !isRealmWord(run, one)).slice(1, 4)) {
        const { status } = await run.http.data('getLeagueAccount', { args: { league } });
        note(`${league}: status ${status}`);
      }
    },
  }),
]);
