import type { Realm } from '../contract/index.js';
import type { Account } from '../world/world.js';
import type { Game, Handler } from './game.js';
import { findLeague } from './leagues.js';
import { keyOf } from './reply.js';
import { findTab, tabList, type Tab } from './tabs.js';

function tabsOf(game: Game, account: Account, realm: Realm, league: string): readonly Tab[] {
  const record = findLeague(game, realm, league);
  return record ? game.world.stashes(account.key, realm, record.league.id) : [];
}

/** The account's tabs in a league; none in a league that does not exist (interface 4.2, K-025). */
export const listStashes: Handler<'listStashes'> = ({ params: { realm, league }, account }, game) => {
  const tabs = tabsOf(game, account, realm, league);
  if (tabs.length === 0) return { status: 200, body: { stashes: [] } };
  const key = keyOf('listStashes', account.key, realm, league);
  return game.reply(key, () => ({ stashes: tabList(tabs, game) }));
};

/** One tab of the account, or null (interface 4.2, 7). */
export const getStash: Handler<'getStash'> = ({ params, account }, game) => {
  const { realm, league, stash_id: id, substash_id: subId } = params;
  const stash = findTab(tabsOf(game, account, realm, league), id, subId, game);
  if (!stash) return { status: 200, body: { stash: null } };
  return game.reply(keyOf('getStash', account.key, realm, league, id, subId), () => ({ stash }));
};
