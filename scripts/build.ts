/**
 * `npm run build`: the published code. Types come from tsc, file by file; the code is bundled into a few chunks, because
 * loading 170 modules one by one is a quarter of the time that the mock takes to start.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

import { root } from './generate/document.js';

for (const folder of ['src', 'conformance']) rmSync(join(root, 'dist', folder), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
await build({
  absWorkingDir: root,
  entryPoints: ['src/index.ts', 'src/client/index.ts', 'src/cli/main.ts', 'conformance/suite.check.ts'],
  outdir: 'dist',
  outbase: '.',
  chunkNames: 'src/chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
});

// The schemas of what people write and read: target files and reports.
const published = join(root, 'dist', 'schemas');
mkdirSync(published, { recursive: true });
for (const [folder, name] of [
  ['target', 'target.schema.json'],
  ['report', 'report.schema.json'],
] as const) {
  copyFileSync(join(root, 'conformance', folder, name), join(published, name));
}
