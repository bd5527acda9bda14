import type { RowId } from '../ledger.gen.js';
import { answerOf } from './interceptor/interceptor.js';
import { operator } from './mutant.js';

/** A server that fails at everything but its own set-up: a suite that passes it looks at nothing. */
export const canary = operator('canary', (at) =>
  at.request(({ path }) =>
    path.startsWith('/__control') ? undefined : answerOf(500, { error: { code: 4, message: 'Internal error' } }),
  ),
)();

/** Rows of every kind: an answer that must come, a refusal that must come, a property, a monitor. */
export const canaryRows: readonly RowId[] = [
  'PROFILE-001',
  'BEAR-001',
  'BEAR-002',
  'BEAR-018',
  'LEAGUE-LIST-001',
  'LEAGUE-GET-002',
  'LADDER-LIMIT-003',
  'STASH-LIST-001',
  'CHAR-GET-003',
  'FILTER-CREATE-001',
  'TOK-CC-001',
  'TOK-ERR-003',
  'AUTH-CODE-001',
  'AUTH-CODE-016',
  'REALM-PATH-002',
  'GEN-004',
];
