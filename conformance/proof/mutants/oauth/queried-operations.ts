import type { GameOperation } from '../../../../src/contract/index.js';
import type { Token } from '../../../../src/store/store.js';
import type { RowId } from '../../../ledger.gen.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import type { Inbound } from '../../interceptor/traffic.js';
import { isCaller, lent } from './operation-scopes.js';
import { found } from './planting.js';

/** An operation that takes any token where its query is of some kind. */
const open = (
  operation: GameOperation,
  word: string,
  bug: string,
  which: (query: URLSearchParams) => boolean,
): Mutant => ({
  id: `N-SCOPE-OP-${operation}-${word}`,
  bug,
  rows: [`SCOPE-OP-${operation}` as RowId],
  plant: lent((request) => request.operation === operation && which(request.query)),
});

const openRealm = (operation: GameOperation, realm: string): Mutant => ({
  id: `N-SCOPE-OP-${operation}-${realm}`,
  bug: `${operation} in realm ${realm} asks for any token`,
  rows: [`SCOPE-OP-${operation}` as RowId],
  plant: lent((request) => request.operation === operation && request.path.split('/')[2] === realm),
});

/** Tokens that have ended and still open requests with a query. */
const livingWithQuery = (why: (token: Token, seam: Interceptor) => boolean): Mutant['plant'] => {
  return (seam) =>
    found(seam, (token) => {
      const current: Inbound | undefined = seam.current;
      if (current?.operation === undefined || !isCaller(seam, token) || !why(token, seam)) return null;
      return [...current.query.keys()].length > 0 ? { ended: null, expiresAt: null } : null;
    });
};

export const queriedOperations: readonly Mutant[] = [
  open(
    'listLeagues',
    'season',
    'leagues of a season are shown to any token',
    (query) => query.get('type') === 'season',
  ),
  open(
    'listLeagues',
    'game2',
    'leagues of the second game are shown to any token',
    (query) => query.get('realm') === 'game2',
  ),
  open('getLeague', 'query', 'a league in a realm is shown to any token', (query) => query.has('realm')),
  open(
    'getLeagueLadder',
    'offset',
    'later pages of a ladder are shown to any token',
    (query) => Number(query.get('offset')) > 0,
  ),
  open(
    'getLeagueLadder',
    'class',
    'the ladder of a class is shown to any token',
    (query) => query.get('sort') === 'class',
  ),
  open('getLeagueEventLadder', 'limit', 'an event ladder with a limit is shown to any token', (query) =>
    query.has('limit'),
  ),
  open('listPvpMatches', 'type', 'matches of a type are shown to any token', (query) => query.has('type')),
  open('getPvpMatchLadder', 'realm', 'a match ladder in a realm is shown to any token', (query) => query.has('realm')),
  open('getPublicStashTabs', 'id', 'later pages of the stream are shown to any token', (query) => query.has('id')),
  open('createItemFilter', 'validate', 'a creation with validation takes any token', (query) => query.has('validate')),
  open('updateItemFilter', 'validate', 'an update with validation takes any token', (query) => query.has('validate')),
  open('getProfile', 'query', 'a query opens the profile to any token', (query) => query.size > 0),
  openRealm('getLeagueAccount', 'sony'),
  openRealm('listStashes', 'xbox'),
  {
    id: 'N-BEAR-005-query',
    bug: 'revoked tokens open requests that have a query',
    rows: ['BEAR-005', 'SCOPE-OP-listLeagues'],
    plant: livingWithQuery(({ ended }) => ended === 'revoked'),
  },
  {
    id: 'N-BEAR-004-query',
    bug: 'expired tokens open requests that have a query',
    rows: ['BEAR-004'],
    plant: livingWithQuery(
      ({ ended, expiresAt }, { service }) =>
        ended === null && expiresAt !== null && service.authority.now() >= expiresAt,
    ),
  },
  {
    id: 'N-SCOPE-OP-public-client',
    bug: 'tokens of public clients pass every account scope',
    rows: ['SCOPE-OP-getProfile', 'SCOPE-OP-listCharacters', 'SCOPE-OP-getItemFilter'],
    plant: lent((_, { grant }, { service }) => service.authority.clients.get(grant.clientId)?.type === 'public'),
  },
];
