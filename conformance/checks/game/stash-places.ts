import type { Run } from '../../engine/run.js';
import { accountLeagues, isRealmWord, leagueOfPlay } from '../../model/account.js';
import { expectDenied } from '../../model/expect-null.js';
import type { StashList } from '../../model/tabs.js';
import { askTab, foreignTabs, same, sharedItem, subTabs, tabsIfAny, tabsOf } from '../../model/tabs.js';

/** Where the account has its tabs: in the league of the target, or the first one, or else one in which it plays. */
export async function home(run: Run): Promise<StashList> {
  const { stash_league } = run.facts.target.known;
  if (stash_league !== undefined) return { of: 'listStashes', league: stash_league };
  const first = String((await run.facts.sample('listStashes')).args?.['league']);
  // What a server answers for a league in which the account never was is not stated (K-025).
  if (await hasTabs(run, first)) return { of: 'listStashes', league: first };
  const played = run.oauth.obtainable().has('account:leagues') ? await leagueOfPlay(run, 'pc') : undefined;
  if (played === undefined || isRealmWord(run, played) || !(await hasTabs(run, played)))
    run.expect.notExercised(`no tabs are known of in ${first}; name a league with tabs as known.stash_league`);
  return { of: 'listStashes', league: played };
}

const hasTabs = async (run: Run, league: string): Promise<boolean> =>
  (await tabsIfAny(run, { of: 'listStashes', league })).length > 0;

/** The tabs there; *not exercised* where there are none. */
export async function tabsAtHome(run: Run) {
  const place = await home(run);
  const tabs = await tabsOf(run, place);
  if (tabs.length === 0) run.expect.notExercised(`the account has no tabs in ${place.league}`);
  return { place, tabs };
}

/** Sub-tabs there; *not exercised* where there are none. */
export async function subsAtHome(run: Run) {
  const { place, tabs } = await tabsAtHome(run);
  const pairs = subTabs(run, tabs);
  if (pairs.length === 0) run.expect.notExercised(`no tab in ${place.league} has sub-tabs`);
  return { place, tabs, pairs };
}

/** Leagues of an account that are looked at for tabs, those first in which it plays. */
const mostLeagues = 24;

/** Leagues of the account with tabs, beside the one that the checks work with. */
export async function elsewhere(run: Run, realm: string, count: number): Promise<readonly StashList[]> {
  const { league: own } = await home(run);
  const found: StashList[] = [];
  const played = await leagueOfPlay(run, realm);
  const leagues = new Set([...(played === undefined ? [] : [played]), ...(await accountLeagues(run, realm))]);
  for (const league of [...leagues].slice(0, mostLeagues)) {
    if (found.length >= count) break;
    if ((realm === 'pc' && league === own) || isRealmWord(run, league)) continue;
    const place: StashList = { of: 'listStashes', league, ...(realm !== 'pc' && { realm }) };
    if ((await tabsIfAny(run, place)).length > 0) found.push(place);
  }
  return found;
}

/** No item is in two tabs. One may have been moved between two lookups, so both tabs are looked at again. */
export async function inOnePlace(
  run: Run,
  tabs: readonly { readonly id: string; readonly shown: unknown }[],
  lookAgain: (id: string) => Promise<unknown>,
): Promise<void> {
  const first = sharedItem(tabs);
  const again = first && (await Promise.all(first.tabs.map(async (id) => ({ id, shown: await lookAgain(id) }))));
  const still = again && sharedItem(again);
  run.expect.that(still === undefined, 'every item in one tab only', still);
}

/**
 * What is one account's is not there for another one: null, or a refusal where the other has nothing in that league
 * (K-025). The owner has just seen it, in case a server keeps its answers.
 */
async function keptFrom(run: Run, place: StashList, account: string, other: string, subs: boolean): Promise<void> {
  const theirs: StashList = { ...place, account };
  const own = (await tabsIfAny(run, { ...place, account: other })).map(({ id }) => id);
  const foreign = foreignTabs(run, await tabsIfAny(run, theirs), 3).filter(
    ({ stash, sub }) => (sub !== undefined) === subs && ![stash, sub].some((id) => own.some((one) => same(one, id))),
  );
  for (const { stash, sub } of foreign) {
    await askTab(run, theirs, stash, sub);
    expectDenied(run, await askTab(run, { ...place, account: other }, stash, sub), 'stash');
  }
}

/** Where alice, or bob, has tabs: at home and in other realms, each with the other one who must not see them. */
export async function keptApart(run: Run, subs: boolean): Promise<void> {
  if (!['alice', 'bob'].every((account) => run.oauth.accounts().includes(account))) return;
  const places = [await home(run)];
  for (const realm of ['xbox', 'sony']) {
    const league = run.oauth.obtainable().has('account:leagues') ? await leagueOfPlay(run, realm) : undefined;
    if (league !== undefined && !isRealmWord(run, league)) places.push({ of: 'listStashes', league, realm });
  }
  for (const place of places) {
    await keptFrom(run, place, 'alice', 'bob', subs);
    await keptFrom(run, place, 'bob', 'alice', subs);
  }
}
