/**
 * `npm run build`: the published code. Types come from tsc, file by file; the code is bundled into a few chunks, because
 * loading 170 modules one by one is a quarter of the time that the mock takes to start.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

import { root } from './generate/document.js';

rmSync(join(root, 'dist', 'src'), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
await build({
  absWorkingDir: root,
  entryPoints: ['src/index.ts', 'src/client/index.ts', 'src/cli/main.ts'],
  outdir: 'dist/src',
  outbase: 'src',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
});
