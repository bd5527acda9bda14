import accountLeagues from './game/account-leagues.js';
import bearer from './game/bearer.js';
import characters from './game/characters.js';
import editions from './game/editions.js';
import general from './game/general.js';
import guild from './game/guild.js';
import ladders from './game/ladders.js';
import leagueAccounts from './game/league-accounts.js';
import leagues from './game/leagues.js';
import profile from './game/profile.js';
import pvp from './game/pvp.js';
import realms from './game/realms.js';
import scopes from './game/scopes.js';
import stashes from './game/stashes.js';
import tree from './codec/tree.js';
import type { Group } from '../engine/check.js';

/** Every check of the suite, by requirement group. A new group is added here. */
export const groups: readonly Group[] = [
  accountLeagues,
  bearer,
  characters,
  editions,
  general,
  guild,
  ladders,
  leagueAccounts,
  leagues,
  profile,
  pvp,
  realms,
  scopes,
  stashes,
  tree,
];
