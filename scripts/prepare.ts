/** `npm run prepare`, which `npm ci` ends with: what is generated, and then code and documentation side by side. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { root } from './generate/document.js';

async function run(name: string): Promise<void> {
  const script = join(root, 'scripts', `${name}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', script], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exit(code ?? 1);
}

await run('generate');
await Promise.all(['build', 'docs'].map(run));
