import type { Realm } from '../contract/index.js';
import type { Account } from '../world/world.js';
import type { Game, Handler } from './game.js';
import { findLeague } from './leagues.js';
import { keyOf } from './reply.js';
import { findTab, tabList, type Tab } from './tabs.js';

function tabsOf(game: Game, account: Account, realm: Realm, league: string): readonly Tab[] {
  const record = findLeague(game, realm, league);
  return record ? game.world.guildStashes(account.key, realm, record.league.id) : [];
}

/** The guild's tabs that the account may access; none without a guild (interface 4.2, K-126, K-127). */
export const listGuildStashes: Handler<'listGuildStashes'> = ({ params: { realm, league }, account }, game) => {
  const tabs = tabsOf(game, account, realm, league);
  if (tabs.length === 0) return { status: 200, body: { stashes: [] } };
  const key = keyOf('listGuildStashes', account.key, realm, league);
  return game.reply(key, () => ({ stashes: tabList(tabs, game) }));
};

/** One tab of the guild, or null; a tab that the account may not access is null too (interface 4.2, K-126). */
export const getGuildStash: Handler<'getGuildStash'> = ({ params, account }, game) => {
  const { realm, league, stash_id: id, substash_id: subId } = params;
  const stash = findTab(tabsOf(game, account, realm, league), id, subId, game);
  if (!stash) return { status: 200, body: { stash: null } };
  const key = keyOf('getGuildStash', account.key, realm, league, id, subId);
  return game.reply(key, () => ({ stash }));
};
