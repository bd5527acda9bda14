/** `npm start`: the mock as it was built. It runs before anything is installed, so it is no TypeScript and needs no package. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/cli/main.js', import.meta.url);
const program = fileURLToPath(built);

if (existsSync(program) && existsSync(new URL('../node_modules', import.meta.url))) {
  stopWithShell();
  process.argv.splice(1, 1, program, 'mock');
  await import(built.href);
} else {
  process.stderr.write('npm start: the mock is not installed and built yet; run npm ci first\n');
  process.exitCode = 2;
}

/** npm passes SIGTERM on to the shell that it runs this in, and the shell ends without passing it on. */
function stopWithShell() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}
