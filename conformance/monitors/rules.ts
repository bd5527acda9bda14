import type { RowId } from '../ledger.gen.js';
import { characters, passives } from './characters.js';
import { editions } from './editions.js';
import { exchange } from './exchange.js';
import { fieldRules } from './fields.js';
import { general } from './general.js';
import { generic } from './generic.js';
import { graphs } from './graphs.js';
import { ids } from './ids.js';
import { filters, items } from './items.js';
import { ladders, pvp } from './ladders.js';
import { leagues } from './leagues.js';
import { realms } from './realms.js';
import { redirects } from './redirects.js';
import type { Rule, Rules } from './rule.js';
import { stashes } from './stashes.js';
import { stream } from './stream.js';
import { introspection, oauthErrors, tokens } from './tokens.js';

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
