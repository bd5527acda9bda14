import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { packageFile } from '../input/package.js';
import type { Files } from './files.js';

/** The files of this package, where it is installed. */
export const packageFiles: Files = {
  read: (name) => readFile(packageFile(name)),
  list: (folder) => (existsSync(packageFile(folder)) ? readdirSync(packageFile(folder)) : []),
};
