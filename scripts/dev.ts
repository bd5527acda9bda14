/** `npm run dev`: contract -> generate -> restart the mock, on every change. */
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';

const settle = 100;
let mock: ChildProcess | undefined;
let pending: NodeJS.Timeout | undefined;
let contractChanged = false;

function restart(): void {
  if (contractChanged && spawnSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' }).status !== 0) return;
  contractChanged = false;
  mock?.kill();
  mock = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', 'mock', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
}

for (const folder of ['openapi', 'src', 'fixtures']) {
  watch(folder, { recursive: true }, (_event, file) => {
    if (file?.endsWith('.gen.ts')) return;
    contractChanged ||= folder === 'openapi' || /dashboard.browser/.test(file ?? '');
    clearTimeout(pending);
    pending = setTimeout(restart, settle);
  });
}
process.once('SIGINT', () => (mock?.kill('SIGINT'), process.exit(0)));
restart();
