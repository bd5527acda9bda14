import type { Handler } from './game.js';
import { isCurrent, leaguePhase, shownLeague } from './leagues.js';
import { listed } from './order.js';
import { keyOf } from './reply.js';

/** The leagues available to the account: the public ones that run now, and its private ones (interface 4.2). */
export const listAccountLeagues: Handler<'listAccountLeagues'> = ({ params: { realm }, account }, game) => {
  const key = keyOf('listAccountLeagues', account.key, realm, leaguePhase(game, realm));
  return game.reply(key, () => {
    const now = game.now();
    const records = game.world
      .leagues(realm)
      .filter(({ members }) => members === null || members.includes(account.key))
      .filter((record) => isCurrent(record, now));
    return { leagues: listed(game, records, ({ league }) => league.id).map((record) => shownLeague(record, now)) };
  });
};
