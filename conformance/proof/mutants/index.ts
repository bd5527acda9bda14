import type { Mutant } from '../mutant.js';
import { authorize } from './authorize.js';
import { bearer } from './bearer.js';
import { characters } from './characters.js';
import { codes } from './codes.js';
import { editions } from './editions.js';
import { filters } from './filters.js';
import { moreGame } from './more-game.js';
import { moreOauth } from './more-oauth.js';
import { ladders } from './ladders.js';
import { leagues } from './leagues.js';
import { pvp } from './pvp.js';
import { refresh } from './refresh.js';
import { revocation } from './revocation.js';
import { stashes } from './stashes.js';
import { streams } from './streams.js';
import { tokens } from './tokens.js';
import { tree } from './tree.js';

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
