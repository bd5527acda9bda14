import type { Mutant } from '../mutant.js';
import { authorize } from './oauth/authorize.js';
import { bearer } from './oauth/bearer.js';
import { characters } from './game/characters.js';
import { codes } from './oauth/codes.js';
import { editions } from './game/editions.js';
import { filters } from './game/filters.js';
import { moreGame } from './game/more.js';
import { moreOauth } from './oauth/more.js';
import { ladders } from './game/ladders.js';
import { leagues } from './game/leagues.js';
import { pvp } from './game/pvp.js';
import { refresh } from './oauth/refresh.js';
import { revocation } from './oauth/revocation.js';
import { stashes } from './game/stashes.js';
import { streams } from './game/streams.js';
import { tokens } from './oauth/tokens.js';
import { tree } from './codec/tree.js';

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
  pvp,
  characters,
  stashes,
  streams,
  editions,
  tree,
  'more-oauth': moreOauth,
  'more-game': moreGame,
};

export const mutants: readonly Mutant[] = Object.values(areas).flat();
