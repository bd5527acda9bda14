/** The data API: what each operation answers, given a world, a store and a clock. */
import type { GameOperation } from '../contract/index.js';
import { listAccountLeagues } from './account-leagues.js';
import { getCharacter, listCharacters } from './characters.js';
import { getCurrencyExchange } from './exchange.js';
import { createItemFilter, getItemFilter, listItemFilters, updateItemFilter } from './filters.js';
import type { Handler } from './game.js';
import { getGuildStash, listGuildStashes } from './guild.js';
import { getLeagueEventLadder, getLeagueLadder } from './ladders.js';
import { getLeagueAccount } from './league-accounts.js';
import { getLeague, listLeagues } from './leagues.js';
import { getProfile } from './profile.js';
import { getPublicStashTabs } from './public-stashes.js';
import { getPvpMatch, getPvpMatchLadder, listPvpMatches } from './pvp.js';
import { getStash, listStashes } from './stashes.js';

export { applyStashEvent, StashEventError } from './stash-events.js';

/** A handler for every data operation of the contract, and for nothing else. */
export const handlers = {
  getProfile,
  listItemFilters,
  getItemFilter,
  createItemFilter,
  updateItemFilter,
  listLeagues,
  getLeague,
  getLeagueLadder,
  getLeagueEventLadder,
  listPvpMatches,
  getPvpMatch,
  getPvpMatchLadder,
  listAccountLeagues,
  listCharacters,
  getCharacter,
  listStashes,
  getStash,
  getLeagueAccount,
  listGuildStashes,
  getGuildStash,
  getPublicStashTabs,
  getCurrencyExchange,
} satisfies { [K in GameOperation]: Handler<K> };
