import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { programOf } from './program.js';
import { run } from './run.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'completion-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function printed(shell: string): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(await run(['completion', shell])).toBe(0);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

/** What bash offers for the last of these words. */
function offered(script: string, ...words: string[]): string[] {
  const file = join(folder, 'gamedata.bash');
  writeFileSync(file, script);
  const ask = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gamedata; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-euc', ask, file, 'gamedata', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('gamedata completion', () => {
  it.each([
    [[], 'gamedata completion: <shell> is missing: the shell that the script is for (bash, zsh, fish); '],
    [['bsh'], 'gamedata completion: <shell> cannot be bsh (did you mean bash?); choose bash, zsh, fish; '],
  ])('names the shells where it is given %j', async (args, words) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await run(['completion', ...args]);
    const said = String(write.mock.calls[0]?.[0]);
    write.mockRestore();
    expect([code, said]).toEqual([2, expect.stringContaining(words)]);
  });

  it('offers in bash what each command takes, and nothing of it behind --', async () => {
    const script = await printed('bash');
    const program = await programOf([]);
    const names = program.commands.map((command) => command.name());
    expect(offered(script, '')).toEqual(expect.arrayContaining(names));
    expect(offered(script, 'ver')).toEqual(['verify']);
    expect(offered(script, 'verify', '--rep')).toEqual(['--report']);
    expect(offered(script, 'verify', '--only', 'GEN', 'li')).toEqual(['list']);
    expect(offered(script, 'verify', 'list', '--')).toEqual(['--only', '--help']);
    expect(offered(script, 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(offered(script, 'audit', 'w')).toEqual(['watch', 'worlds']);
    expect(offered(script, 'audit', '--', 'npm', '--')).toEqual([]);
    expect(offered(script, 'tree', 'encode', '--byte-order', '')).toEqual(['big', 'little']);
    expect(offered(script, 'verify', '--target', 'l')).toEqual([]);
    expect(offered(script, 'verify', '--target', 'list', '--saf')).toEqual(['--safe']);
  });

  it('knows every option of every command', async () => {
    const names = (await programOf([])).commands.map((command) => command.name());
    const whole = await programOf(names);
    const script = await printed('bash');
    for (const command of whole.commands)
      for (const { long } of command.options) if (long) expect(offered(script, command.name(), long)).toContain(long);
  });

  it.each(['zsh', 'fish'])('is a script that %s can read', async (shell) => {
    const script = await printed(shell);
    expect(script).toContain('verify');
    expect(script).toMatch(shell === 'fish' ? /-l report -r -d 'write/ : /'--report:write/);
    if (!has(shell)) return;
    const file = join(folder, `gamedata.${shell}`);
    writeFileSync(file, script);
    execFileSync(shell, ['-n', file]);
  });

  it('refuses another shell', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await run(['completion', 'tcsh'])).toBe(2);
    expect(String(write.mock.calls[0]?.[0])).toMatch(/choose bash, zsh, fish/);
    write.mockRestore();
  });
});
