import authorize from './oauth/authorize.js';
import clientCredentials from './oauth/client-credentials.js';
import code from './oauth/code.js';
import histories from './oauth/histories.js';
import introspect from './oauth/introspect.js';
import lifecycle from './oauth/lifecycle.js';
import life from './oauth/life.js';
import pkce from './oauth/pkce.js';
import refresh from './oauth/refresh.js';
import revoke from './oauth/revoke.js';
import scope from './oauth/scope.js';
import token from './oauth/token.js';
import accountLeagues from './game/account-leagues.js';
import bearer from './game/bearer.js';
import characters from './game/characters.js';
import editions from './game/editions.js';
import exchange from './game/exchange.js';
import filters from './game/filters.js';
import general from './game/general.js';
import guild from './game/guild.js';
import ladders from './game/ladders.js';
import leagueAccounts from './game/league-accounts.js';
import leagues from './game/leagues.js';
import profile from './game/profile.js';
import publicStashChanges from './game/public-stash-changes.js';
import publicStashes from './game/public-stashes.js';
import pvp from './game/pvp.js';
import realms from './game/realms.js';
import scopes from './game/scopes.js';
import stashes from './game/stashes.js';
import tree from './codec/tree.js';
import type { Group } from '../engine/check.js';

/** Every check of the suite, by requirement group. A new group is added here. */
export const groups: readonly Group[] = [
  authorize,
  code,
  histories,
  introspect,
  life,
  lifecycle,
  pkce,
  refresh,
  revoke,
  scope,
  token,
  accountLeagues,
  bearer,
  characters,
  editions,
  exchange,
  filters,
  general,
  guild,
  ladders,
  leagueAccounts,
  leagues,
  profile,
  publicStashes,
  publicStashChanges,
  pvp,
  realms,
  scopes,
  stashes,
  tree,
  // Last, because one of its checks ages the server by twenty years.
  clientCredentials,
];
