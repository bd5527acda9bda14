/** `npm run check:types`: the newest compiler, which takes a third of the time, over each project. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { root } from './generate/document.js';

const compiler = join(root, 'node_modules', 'typescript-newest', 'bin', 'tsc');
for (const project of [
  'tsconfig.json',
  'src/server/dashboard/browser',
  'src/server/try/browser',
  'scripts/docs/browser',
]) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
