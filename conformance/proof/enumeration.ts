import { readFileSync } from 'node:fs';

import type { PublishedFaults } from '../machine/faults.js';

/** The published proof by enumeration: every fault of the machine of the token lifecycle (`npm run prove -- --machine`). */
export const publishedFaults = (): PublishedFaults =>
  JSON.parse(readFileSync(new URL('faults.json', import.meta.url), 'utf8')) as PublishedFaults;
