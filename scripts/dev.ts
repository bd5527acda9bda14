/** `npm run dev`: contract -> generate -> restart the mock, on every change. */
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';

import { causeOf } from './cause.js';

const settle = 100;
let mock: ChildProcess | undefined;
let pending: NodeJS.Timeout | undefined;
let contractChanged = false;

function restart(): void {
  if (contractChanged && !generated()) return;
  contractChanged = false;
  mock?.kill();
  mock = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', 'mock', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
}

/** Generates; where that fails, the cause stands last, behind the stack that Node prints after it. */
function generated(): boolean {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'generate'], {
    stdio: ['inherit', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  process.stderr.write(stderr);
  if (status === 0) return true;
  process.stderr.write(`\ndev: the mock stays as it was until this is fixed:\n${causeOf(stderr)}\n`);
  return false;
}

for (const folder of ['openapi', 'src', 'fixtures']) {
  watch(folder, { recursive: true }, (_event, file) => {
    if (file?.endsWith('.gen.ts')) return;
    contractChanged ||= folder === 'openapi' || /dashboard.browser/.test(file ?? '');
    clearTimeout(pending);
    pending = setTimeout(restart, settle);
  });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (mock?.kill(signal), process.exit(0)));
restart();
