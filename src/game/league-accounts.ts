import type { Handler } from './game.js';
import { findLeague } from './leagues.js';
import { keyOf } from './reply.js';

/** Atlas passives in a league; empty trees where the account never played (interface 4.2, K-025, K-127). */
export const getLeagueAccount: Handler<'getLeagueAccount'> = ({ params: { realm, league }, account }, game) => {
  const id = findLeague(game, realm, league)?.league.id;
  if (id === undefined) return { status: 200, body: { league_account: { atlas_passive_trees: [] } } };
  return game.reply(keyOf('getLeagueAccount', account.key, realm, id), () => ({
    league_account: game.world.leagueAccount(account.key, realm, id) ?? { atlas_passive_trees: [] },
  }));
};
