import { join } from 'node:path';

import { publishedMatrix } from '../../conformance/proof/matrix.js';
import type { Results } from './results.js';
import { kinds } from './sample.js';
import type { Tool } from './tool.js';
import { folder } from './tool.js';

export const pageFile = join(folder, 'README.md');
export const pageOf = (results: Results, tools: readonly Tool[]): string =>
  `${results.sample}${tools.length}${kinds.length}${publishedMatrix().seeds.length}`;
