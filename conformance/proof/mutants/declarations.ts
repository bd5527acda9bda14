import type { Switches } from '../../../src/contract/index.js';
import { mutants, operator } from '../mutant.js';
import { mapParameter } from '../operators/requests.js';

/** Reads what the interface leaves open otherwise than the target declares. The same is no bug where it declares nothing. */
const readAs = operator('readAs', (at, part: Partial<Switches>) => at.switches(part));

/** Servers that do not do what their own target file declares (`variants`), each in both directions. */
export const declarations = mutants({
  'TOK-REFRESH-025 declared-alive: a refresh ends the access token of before, which is declared alive': () =>
    readAs({ 'refresh.revokeOldAccess': true }),
  'TOK-REFRESH-025 declared-revoked: a refresh leaves the access token of before alive, which is declared revoked':
    () => readAs({ 'refresh.revokeOldAccess': false }).on({ switches: { 'refresh.revokeOldAccess': true } }),
  'TOK-REFRESH-026 declared-rejects: the reuse of a refresh token ends the grant, where it is declared to be refused only':
    () => readAs({ 'refresh.reuseRevokesFamily': true }),
  'TOK-REFRESH-026 declared-family: the reuse of a refresh token ends nothing, where it is declared to end the grant':
    () => readAs({ 'refresh.reuseRevokesFamily': false }).on({ switches: { 'refresh.reuseRevokesFamily': true } }),
  'AUTH-SCOPE-001 declared-error: scopes that cannot be granted are left out, where an error is declared': () =>
    readAs({ 'scopes.unknown': 'drop' }).also(
      'AUTH-SCOPE-002',
      'AUTH-SCOPE-003',
      'AUTH-SCOPE-004',
      'TOK-CC-008',
      'TOK-CC-009',
    ),
  'AUTH-SCOPE-001 declared-drop: scopes that cannot be granted are an error, where it is declared that they are left out':
    () =>
      readAs({ 'scopes.unknown': 'error' })
        .also('AUTH-SCOPE-002', 'AUTH-SCOPE-003', 'AUTH-SCOPE-004', 'TOK-CC-008', 'TOK-CC-009')
        .on({ switches: { 'scopes.unknown': 'drop' } }),
  'LEAGUE-LIMIT-002 declared-reject: a limit above the maximum is lowered, where it is declared to be refused': () =>
    readAs({ 'params.overMax': 'clamp' }).also('LADDER-LIMIT-002', 'EVLADDER-LIMIT-002', 'PVPLADDER-LIMIT-002'),
  'LEAGUE-LIMIT-002 declared-clamp: a limit above the maximum is refused, where it is declared to be lowered': () =>
    readAs({ 'params.overMax': 'reject' })
      .also('LADDER-LIMIT-002', 'EVLADDER-LIMIT-002', 'PVPLADDER-LIMIT-002')
      .on({ switches: { 'params.overMax': 'clamp' } }),
  'LEAGUE-LIMIT-002 declared-clamp-few: a limit above the maximum, which is declared to be lowered, gives three leagues':
    () =>
      mapParameter('listLeagues', 'limit', (limit) => (Number(limit) > 50 ? '3' : limit)).on({
        switches: { 'params.overMax': 'clamp' },
      }),
  'LEAGUE-GET-006 declared-200: a lookup of nothing has status 404, where 200 is declared': () =>
    readAs({ 'lookup.nullStatus': 404 }).also('LEAGUE-GET-002'),
  'LEAGUE-GET-002 declared-404: a lookup of nothing has status 200, where 404 is declared': () =>
    readAs({ 'lookup.nullStatus': 200 }).on({ switches: { 'lookup.nullStatus': 404 } }),
});
