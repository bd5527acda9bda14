import { beginnings, meant } from '../../src/input/nearest.js';
import { SetupError } from '../../src/input/setup-error.js';
import type { AuditRow } from './row.js';
import { addresses } from './rows/addresses.js';
import { authorization } from './rows/authorization.js';
import { bearer } from './rows/bearer.js';
import { broken } from './rows/broken.js';
import { callback } from './rows/callback.js';
import { copies } from './rows/copies.js';
import { exchange } from './rows/exchange.js';
import { filters } from './rows/filters.js';
import { kept } from './rows/kept.js';
import { losses } from './rows/losses.js';
import { names } from './rows/names.js';
import { pace } from './rows/pace.js';
import { pkce } from './rows/pkce.js';
import { queries } from './rows/queries.js';
import { refresh } from './rows/refresh.js';
import { secrets } from './rows/secrets.js';
import { state } from './rows/state.js';
import { streams } from './rows/streams.js';
import { survival } from './rows/survival.js';
import { tokenRequests } from './rows/token-requests.js';
import { tokens } from './rows/tokens.js';

/** Every sentence that a client is judged by. Ids are never reused. */
export const auditLedger: readonly AuditRow[] = [
  ...authorization,
  ...state,
  ...pkce,
  ...callback,
  ...bearer,
  ...secrets,
  ...tokenRequests,
  ...tokens,
  ...kept,
  ...refresh,
  ...pace,
  ...streams,
  ...exchange,
  ...addresses,
  ...queries,
  ...names,
  ...filters,
  ...survival,
  ...losses,
  ...broken,
  ...copies,
];

/** The ids of the audit's requirements. */
export const auditIds: ReadonlySet<string> = new Set(auditLedger.map(({ id }) => id));

/**
 * The rows that words name: an id, or the beginning of one up to a dash. No words are all rows.
 * @throws SetupError where a word names nothing.
 */
export function rowsNamed(words: readonly string[]): readonly AuditRow[] {
  const fits = (word: string, { id }: AuditRow): boolean => id === word || id.startsWith(`${word}-`);
  for (const word of words)
    if (!auditLedger.some((row) => fits(word, row)))
      throw new SetupError(
        `--only ${word}: no requirement of that name${meant(word, beginnings(auditIds))}; see gamedata audit list`,
      );
  return words.length === 0 ? auditLedger : auditLedger.filter((row) => words.some((word) => fits(word, row)));
}
