import type { Mutant } from '../mutant.js';
import { authorize } from './oauth/authorize.js';
import { bearer } from './oauth/bearer.js';
import { wrongFields } from './fields.js';
import { characters } from './game/characters.js';
import { codes } from './oauth/codes.js';
import { editions } from './game/editions.js';
import { filters } from './game/filters.js';
import { moreOauth } from './oauth/more.js';
import { ladderOrders } from './game/ladder-orders.js';
import { ladderWindows } from './game/ladder-windows.js';
import { ladders } from './game/ladders.js';
import { leagues } from './game/leagues.js';
import { pvp } from './game/pvp.js';
import { general } from './game/general.js';
import { profile } from './game/profile.js';
import { filterBodies } from './game/filter-bodies.js';
import { accountLeagues } from './game/account-leagues.js';
import { publicStashes } from './game/public-stashes.js';
import { scopes } from './game/scopes.js';
import { refresh } from './oauth/refresh.js';
import { revocation } from './oauth/revocation.js';
import { stashes } from './game/stashes.js';
import { streams } from './game/streams.js';
import { tokens } from './oauth/tokens.js';
import { layouts } from './codec/layouts.js';
import { text } from './codec/text.js';
import { tree } from './codec/tree.js';
import { values } from './codec/values.js';

/** Every planted bug, by area. */
export const areas: Readonly<Record<string, readonly Mutant[]>> = {
  authorize,
  codes,
  tokens,
  refresh,
  revocation,
  bearer,
  filters,
  leagues,
  ladders,
  'ladder-orders': ladderOrders,
  'ladder-windows': ladderWindows,
  pvp,
  characters,
  stashes,
  streams,
  editions,
  general,
  profile,
  'filter-bodies': filterBodies,
  'account-leagues': accountLeagues,
  'public-stashes': publicStashes,
  scopes,
  tree,
  'tree-layouts': layouts,
  'tree-text': text,
  'tree-values': values,
  fields: wrongFields,
  'more-oauth': moreOauth,
};

export const mutants: readonly Mutant[] = Object.values(areas).flat();
