import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

import { execute } from './exec.js';

const node = (script: string): string[] => [process.execPath, '-e', script];

describe('execute', () => {
  it('gives the environment and hands on the exit code', async () => {
    expect(await execute(node('process.exit(Number(process.env.CODE))'), { CODE: '9' })).toBe(9);
  });

  it('tells a signal as a shell does', async () => {
    expect(await execute(node("process.kill(process.pid, 'SIGKILL')"), {})).toBe(137);
  });

  it.each([
    [
      ['no-such-command'],
      127,
      '--exec no-such-command: there is no such command; check its name, install it, or write its path',
    ],
    [
      ['npm test'],
      127,
      '--exec npm test: there is no such command; write each argument as a word of its own, or sh -c before the line',
    ],
    [[tmpdir()], 126, `--exec ${tmpdir()}: cannot be run (EACCES); name a program that this user may execute`],
    [[''], 126, '--exec : is not the name of a program; write --exec -- <command> [arguments]'],
  ])('names the command that cannot be run, the remedy, and ends as a shell would: %j', async (words, code, said) => {
    let stderr = '';
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((stderr += String(part)), true));
    const ended = await execute(words, {});
    spy.mockRestore();
    expect([ended, stderr]).toEqual([code, `gamedata: ${said}\n`]);
  });

  it('leaves no signal handlers behind', async () => {
    const before = process.listenerCount('SIGTERM');
    await execute(node(''), {});
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });

  it('ends the command where we are killed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const command = node(`require('net').connect(${port}, '127.0.0.1').on('error', () => {})`);
    const script = `import(${JSON.stringify(new URL('exec.ts', import.meta.url))}).then(({ execute }) => execute(${JSON.stringify(command)}, {}))`;
    const us = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: 'ignore',
    });
    const [socket] = (await once(server, 'connection')) as [Socket];
    const ended = once(socket.resume(), 'close');
    us.kill('SIGKILL');
    await ended;
    server.close();
  });
});
