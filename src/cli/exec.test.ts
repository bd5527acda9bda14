import { describe, expect, it } from 'vitest';

import { execute } from './exec.js';

const node = (script: string): string[] => [process.execPath, '-e', script];

describe('execute', () => {
  it('gives the environment and hands on the exit code', async () => {
    expect(await execute(node('process.exit(Number(process.env.CODE))'), { CODE: '9' })).toBe(9);
  });

  it('tells a signal as a shell does', async () => {
    expect(await execute(node("process.kill(process.pid, 'SIGKILL')"), {})).toBe(137);
  });

  it('leaves no signal handlers behind', async () => {
    const before = process.listenerCount('SIGTERM');
    await execute(node(''), {});
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
