import type { ClientMutant } from '../client-mutant.js';
import { addresses } from './addresses.js';
import { authorization } from './authorization.js';
import { broken } from './broken.js';
import { copies } from './copies.js';
import { filters } from './filters.js';
import { pace } from './pace.js';
import { reading } from './reading.js';
import { received } from './received.js';
import { refresh } from './refresh.js';
import { streams } from './streams.js';
import { tokens } from './tokens.js';

/** Every mutant of the reference client. */
export const clientMutants: readonly ClientMutant[] = [
  ...authorization,
  ...tokens,
  ...received,
  ...refresh,
  ...pace,
  ...streams,
  ...addresses,
  ...filters,
  ...reading,
  ...broken,
  ...copies,
];
