import { readFileSync } from 'node:fs';

import { packageFile } from '../server/package.js';

/** The version of this package. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
