import type { RowId } from '../ledger.gen.js';
import { characters } from './characters.js';
import { editions } from './editions.js';
import { exchange } from './exchange.js';
import { fieldRules } from './fields.js';
import { filters } from './filters.js';
import { general } from './general.js';
import { generic } from './generic.js';
import { graphs } from './graphs.js';
import { ids } from './ids.js';
import { introspection } from './introspection.js';
import { items } from './items.js';
import { ladders } from './ladders.js';
import { leagues } from './leagues.js';
import { oauthErrors } from './oauth-errors.js';
import { passives } from './passives.js';
import { pvp } from './pvp.js';
import { realms } from './realms.js';
import { redirects } from './redirects.js';
import type { Rule, Rules } from './rule.js';
import { stashes } from './stashes.js';
import { stream } from './stream.js';
import { tokens } from './tokens.js';

const areas: readonly Rules[] = [
  general,
  generic,
  ids,
  redirects,
  tokens,
  oauthErrors,
  introspection,
  realms,
  leagues,
  ladders,
  pvp,
  characters,
  passives,
  graphs,
  items,
  filters,
  stashes,
  stream,
  exchange,
  editions,
];

/** Every row that monitors watch, with its rule. */
export const rules: ReadonlyMap<RowId, Rule> = new Map([
  ...fieldRules,
  ...areas.flatMap((area) => Object.entries(area) as [RowId, Rule][]),
]);
