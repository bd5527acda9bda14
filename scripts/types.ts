/** `npm run check:types`: the compiler that the project is pinned to, over each of its projects. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
for (const project of [
  'tsconfig.json',
  'src/server/dashboard/browser',
  'src/server/try/browser',
  'scripts/docs/browser',
]) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
