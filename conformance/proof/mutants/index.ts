import type { Mutant } from '../mutant.js';
import { authorize } from './oauth/authorize.js';
import { redirects } from './oauth/redirects.js';
import { consent } from './oauth/consent.js';
import { grantedScopes } from './oauth/granted-scopes.js';
import { codes } from './oauth/codes.js';
import { pkce } from './oauth/pkce.js';
import { clientAuthentication } from './oauth/client-authentication.js';
import { tokenResponses } from './oauth/token-responses.js';
import { tokenRequests } from './oauth/token-requests.js';
import { clientCredentials } from './oauth/client-credentials.js';
import { races } from './oauth/races.js';
import { refresh } from './oauth/refresh.js';
import { revocation } from './oauth/revocation.js';
import { introspection } from './oauth/introspection.js';
import { bearer } from './oauth/bearer.js';
import { refreshLives } from './oauth/refresh-lives.js';
import { credentialHeaders } from './oauth/credential-headers.js';
import { introspected } from './oauth/introspected.js';
import { errorCodes } from './oauth/error-codes.js';
import { endedTokens } from './oauth/ended-tokens.js';
import { clientSecrets } from './oauth/client-secrets.js';
import { requestParameters } from './oauth/request-parameters.js';
import { redirectMatching } from './oauth/redirect-matching.js';
import { states } from './oauth/states.js';
import { operationScopes } from './oauth/operation-scopes.js';
import { declarations } from './declarations.js';
import { observed } from './observed.js';
import { wrongFields } from './fields.js';
import { characters } from './game/characters.js';
import { editions } from './game/editions.js';
import { filters } from './game/filters.js';
import { ladderWindows } from './game/ladder-windows.js';
import { ladders } from './game/ladders.js';
import { leagues } from './game/leagues.js';
import { pvp } from './game/pvp.js';
import { pvpMatches } from './game/pvp-matches.js';
import { general } from './game/general.js';
import { profile } from './game/profile.js';
import { filterCreation } from './game/filter-creation.js';
import { filterUpdates } from './game/filter-updates.js';
import { accountsApart } from './game/accounts-apart.js';
import { tabLookups } from './game/tab-lookups.js';
import { tabPlaces } from './game/tab-places.js';
import { items } from './game/items.js';
import { names } from './game/names.js';
import { otherRealms } from './game/other-realms.js';
import { narrowWindows } from './game/narrow-windows.js';
import { leagueLists } from './game/league-lists.js';
import { publicStashes } from './game/public-stashes.js';
import { scopes } from './game/scopes.js';
import { stashes } from './game/stashes.js';
import { exchangeHours } from './game/exchange.js';
import { exchangeMarkets } from './game/exchange-markets.js';
import { streamChain } from './game/stream-chain.js';
import { undeclared } from './game/undeclared.js';
import { layouts } from './codec/tree-layouts.js';
import { text } from './codec/tree-text.js';
import { values } from './codec/tree-values.js';

/** Every mutant, by area. */
export const areas: Readonly<Record<string, readonly Mutant[]>> = {
  authorize,
  redirects,
  consent,
  'granted-scopes': grantedScopes,
  codes,
  pkce,
  'client-authentication': clientAuthentication,
  'token-responses': tokenResponses,
  'token-requests': tokenRequests,
  'client-credentials': clientCredentials,
  races,
  refresh,
  revocation,
  introspection,
  bearer,
  'refresh-lives': refreshLives,
  'credential-headers': credentialHeaders,
  introspected,
  'ended-tokens': endedTokens,
  'error-codes': errorCodes,
  'client-secrets': clientSecrets,
  'request-parameters': requestParameters,
  'redirect-matching': redirectMatching,
  states,
  'operation-scopes': operationScopes,
  filters,
  leagues,
  ladders,
  'ladder-windows': ladderWindows,
  pvp,
  'pvp-matches': pvpMatches,
  characters,
  stashes,
  'stream-chain': streamChain,
  undeclared,
  exchange: exchangeHours,
  'exchange-markets': exchangeMarkets,
  editions,
  general,
  profile,
  'filter-creation': filterCreation,
  'filter-updates': filterUpdates,
  items,
  names,
  'narrow-windows': narrowWindows,
  'other-realms': otherRealms,
  'league-lists': leagueLists,
  'accounts-apart': accountsApart,
  'tab-places': tabPlaces,
  'tab-lookups': tabLookups,
  'public-stashes': publicStashes,
  scopes,
  declarations,
  observed,
  'tree-layouts': layouts,
  'tree-text': text,
  'tree-values': values,
  fields: wrongFields,
};

export const mutants: readonly Mutant[] = Object.values(areas).flat();
