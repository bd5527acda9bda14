import { createHash } from 'node:crypto';

import { auditLedger } from './ledger.js';

/** The same hash, the same sentences. */
export const auditHash = createHash('sha256')
  .update(JSON.stringify(auditLedger.map(({ id, level, sentence, source }) => [id, level, sentence, source])))
  .digest('hex')
  .slice(0, 12);
