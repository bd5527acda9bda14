import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { root } from './generate/document.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(root, 'scripts', 'start.mjs'), join(folder, 'scripts', 'start.mjs'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What npm runs: a shell that runs the script, and stays for as long as it does. */
const started = () =>
  spawn('/bin/sh', ['-c', '"$0" scripts/start.mjs --port 0; exit $?', process.execPath], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const program = `
process.once('SIGTERM', () => { console.log('stopped'); process.exit(); });
setInterval(() => {}, 60_000);
console.log(process.argv.slice(2).join(' '));
`;

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it('says what to run first where nothing is installed', async () => {
    const shell = started();
    let said = '';
    shell.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const [code] = (await once(shell, 'close')) as [number];
    expect([code, said]).toEqual([2, 'npm start: the mock is not installed and built yet; run npm ci first\n']);
  });

  it('stops the mock where npm, and with it its shell, gets SIGTERM', async () => {
    for (const place of ['node_modules', 'dist/cli']) mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, 'dist/cli/main.js'), program);
    const shell = started();
    let said = '';
    shell.stdout.on('data', (part: Buffer) => (said += part.toString()));
    await once(shell.stdout, 'data');
    shell.kill('SIGTERM');
    await once(shell, 'close'); // both have let go of the pipes
    expect(said).toBe('mock --port 0\nstopped\n');
  });
});
