import type { RowId } from '../ledger.gen.js';
import { characters } from './characters.js';
import { editions } from './editions.js';
import { exchange } from './exchange.js';
import { fieldRules } from './fields.js';
import { filters } from './filters.js';
import { anyRequest, general } from './general.js';
import { generic } from './generic.js';
import { graphs } from './graphs.js';
import { ids } from './ids.js';
import { introspection, introspected } from './introspection.js';
import { items } from './items.js';
import { ladders } from './ladders.js';
import { leagues } from './leagues.js';
import { oauthErrors, refusals } from './oauth-errors.js';
import { passives } from './passives.js';
import { pvp } from './pvp.js';
import { realms } from './realms.js';
import { redirects, refusedRequests } from './redirects.js';
import type { MonitorRow, Rule, Rules } from './rule.js';
import { stashes } from './stashes.js';
import { stream } from './stream.js';
import { tokens } from './tokens.js';

/** The requirements that monitors watch, and none judges beside them. */
export const watched: readonly MonitorRow[] = [
  ...general,
  ...generic,
  ...ids,
  ...redirects,
  ...tokens,
  ...oauthErrors,
  ...introspection,
  ...realms,
  ...leagues,
  ...ladders,
  ...pvp,
  ...characters,
  ...passives,
  ...graphs,
  ...items,
  ...filters,
  ...stashes,
  ...stream,
  ...exchange,
  ...editions,
];

/** Rules of requirements that stand beside a check. */
const shared: Rules = { ...anyRequest, ...refusedRequests, ...refusals, ...introspected };

/** Every row that monitors watch, with its rule. */
export const rules: ReadonlyMap<RowId, Rule> = new Map([
  ...fieldRules,
  ...watched.map(({ id, rule }) => [id as RowId, rule] as const),
  ...(Object.entries(shared) as [RowId, Rule][]),
]);
