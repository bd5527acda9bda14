import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';

import { command } from '../src/command.fixture.js';

const start = (...args: string[]) =>
  spawn(process.execPath, [...command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function ending(child: ReturnType<typeof start>): Promise<Ending> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  return new Promise((done) => {
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

// Each starts a process, which takes its time on a busy machine.
describe('gamedata', { timeout: 30_000 }, () => {
  it('says in one line what is wrong with a flag', async () => {
    expect(await ending(start('mock', '--prot', '1'))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "gamedata mock: unknown option '--prot' (did you mean --port?); gamedata mock --help lists what there is\n",
    });
  });

  it('runs a command against a mock and ends as the command did', async () => {
    const script = `fetch(process.env.GAMEDATA_BASE_URL + '/profile', { headers: { authorization: 'Bearer ' + process.env.GAMEDATA_TOKEN_ACCOUNT } })
      .then((response) => response.json()).then(({ name }) => { console.log(name); process.exitCode = 7; });`;
    expect(await ending(start('mock', '--exec', '--', process.execPath, '-e', script))).toEqual({
      code: 7,
      stdout: 'alice\n',
      stderr: '',
    });
  });

  it('describes itself in a line of JSON, and stops in peace when asked', async () => {
    const child = start('mock', '--port', '0', '--json');
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const { code, stdout, stderr } = await ending(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      edition: 'extended',
    });
  });
});
