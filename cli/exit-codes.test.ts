import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RunReport } from '../conformance/result.js';
import { gamedata, nobody, tampering } from './verify.fixture.js';
import type { Reply } from './verify.fixture.js';
import { workshop } from './workshop.fixture.js';

const { at, open, close, stage, serving } = workshop();
beforeAll(open);
afterAll(close);

const reportIn = (name: string): RunReport =>
  JSON.parse(readFileSync(join(at(name), 'report.json'), 'utf8')) as RunReport;

const never = new Promise<never>(() => {});

/** GET /profile without the name, which PROFILE-001 is about. */
function nameless(path: string, reply: Reply): Reply {
  if (path !== '/profile' || reply.status !== 200) return reply;
  const { name: _, ...rest } = JSON.parse(reply.body) as Record<string, unknown>;
  return { ...reply, body: JSON.stringify(rest) };
}

/** The target file of a mock whose answers are changed on their way. */
async function targetOf(
  name: string,
  change: (path: string, reply: Reply) => Reply | Promise<Reply>,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const { mock, targetFile } = await stage();
  return targetFile(name, { base_url: await serving(tampering(mock.url, change)), ...settings });
}

const only = ['--only', 'PROFILE-001'];

/** A mock with an adapter of this code. */
async function adapted(name: string, code: string): Promise<string> {
  writeFileSync(at(`${name}.mjs`), code);
  const { targetFile } = await stage();
  return targetFile(name, { adapter: at(`${name}.mjs`), consent: 'control' });
}

/** What stands on the screen before the first request. */
const started = (child: ChildProcess, act: () => void): void => void child.stdout?.once('data', act);

// Each starts a process or more, which take their time on a busy machine.
describe.concurrent('verify ends with', { timeout: 300_000 }, () => {
  it('0 where the server conforms', async () => {
    const target = await targetOf('conforms', (_, reply) => reply);
    expect(await gamedata(['verify', '--target', target, ...only])).toMatchObject({ code: 0, stderr: '' });
  });

  it('1 where it does not', async () => {
    const target = await targetOf('nameless', nameless);
    expect(await gamedata(['verify', '--target', target, ...only])).toMatchObject({ code: 1, stderr: '' });
  });

  it('2 for a configuration error', async () => {
    const { targetFile } = await stage();
    const target = targetFile('nobody', { base_url: nobody });
    expect(await gamedata(['verify', '--target', target, ...only])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Configuration error: base_url') as string,
    });
  });

  it.each([
    [
      'throws where nobody catches',
      'setTimeout(() => { throw new TypeError("no such thing"); })',
      'TypeError: no such thing',
    ],
    ['rejects where nobody waits', 'void Promise.reject(new RangeError("too far"))', 'RangeError: too far'],
    ['ends the process with 0', 'process.exit(0)', 'the process ended before the run did'],
  ])('2, and a line that says so, where code of the suite %s', async (_, code, words) => {
    const name = words.replaceAll(/\W+/g, '-');
    const target = await adapted(name, `export async function reset() { ${code}; await new Promise(() => {}); }`);
    const ended = await gamedata(['verify', '--target', target, ...only]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^gamedata: gamedata verify: the suite crashed \([^\n]*\n$/);
    expect(ended.stderr).toContain(words);
  });

  it('3 where its answers have more in them than is read', async () => {
    const names = Array.from({ length: 20_001 }, (_, index) => `"name ${index}":0`).join();
    const target = await targetOf('crowded', (_, reply) => ({ ...reply, body: `{${names}}` }));
    const ended = await gamedata(['verify', '--target', target, ...only]);
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    expect(ended.stdout).toContain('JSON with more than 20000 different names of members, which is not read');
  });

  it('3 where it is interrupted, whatever was found until then, and the reports of that', async () => {
    // PROFILE-007 fails; nothing is answered from then on, so that the leagues are what the run waits for.
    let told = false;
    const target = await targetOf('held', (path, reply) => (told ? never : nameless(path, reply)));
    const args = ['verify', '--target', target, '--only', 'PROFILE-007,LEAGUE-LIST', '--report', at('held')];
    const ended = await gamedata(args, {}, (child) =>
      child.stdout?.on('data', (text: Buffer) => {
        if (told || !text.toString().includes('PROFILE-007')) return;
        told = true;
        child.kill('SIGTERM');
      }),
    );
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    expect(ended.stdout).toContain('Incomplete: ');
    expect(reportIn('held')).toMatchObject({ exitCode: 3, outcome: 'incomplete', counts: { fail: 1 } });
  });

  it('3 at once where it is interrupted twice', async () => {
    const twice = `process.on('SIGINT', () => process.kill(process.pid, 'SIGTERM')); process.kill(process.pid, 'SIGINT')`;
    const target = await adapted('twice', `export const reset = () => { ${twice}; return new Promise(() => {}); }`);
    const ended = await gamedata(['verify', '--target', target, ...only, '--report', at('twice')]);
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    expect(ended.stdout).not.toContain('Incomplete');
  });

  it('3 where a hook of an adapter never returns and the time is up', async () => {
    const target = await adapted(
      'hung',
      'export const reset = () => new Promise(() => { setInterval(() => {}, 1000); })',
    );
    const ended = await gamedata(['verify', '--target', target, ...only, '--time-limit', '1', '--report', at('hung')]);
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    expect(reportIn('hung').rows[0]?.reason).toBe('the run took longer than 1 seconds');
  });

  it('the code of its verdict where its reader has gone, and the reports', async () => {
    const target = await targetOf('unread', nameless);
    const ended = await gamedata(['verify', '--target', target, ...only, '--report', at('unread')], {}, (child) =>
      started(child, () => child.stdout?.destroy()),
    );
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    expect(reportIn('unread').exitCode).toBe(1);
  });

  it('the code of the system where the process is killed', async () => {
    const target = await adapted('killed', 'export const reset = () => process.kill(process.pid, "SIGKILL")');
    expect(await gamedata(['verify', '--target', target, ...only])).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('the code of the system where the process runs out of memory', async () => {
    const filling = 'const all = []; for (;;) all.push(Array.from({ length: 100_000 }, () => ({})))';
    const target = await adapted('filled-up', `export const reset = () => { ${filling} }`);
    const ended = await gamedata(['verify', '--target', target, ...only, '--report', at('filled-up')], {
      NODE_OPTIONS: '--max-old-space-size=128',
    });
    expect(ended).toMatchObject({ code: null, signal: 'SIGABRT' });
    expect(ended.stderr).toContain('heap out of memory');
    expect(ended.stdout).not.toMatch(/onformant/);
    expect(existsSync(join(at('filled-up'), 'report.json'))).toBe(false);
  });
});

/** A failure of an earlier run, to be run again. */
function failureOf(name: string, target: string): string {
  const repro = {
    row: 'PROFILE-001',
    seed: 1,
    runs: 1,
    wait: false,
    paths: {},
    expected: 'a name',
    got: 'none',
    target,
  };
  writeFileSync(at(`${name}.json`), JSON.stringify(repro));
  return at(`${name}.json`);
}

describe.concurrent('replay ends with', { timeout: 300_000 }, () => {
  it('2 for a configuration error', async () => {
    const { targetFile } = await stage();
    const target = targetFile('nobody-again', { base_url: nobody });
    const ended = await gamedata(['replay', failureOf('nobody-again', target)]);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(/^gamedata: Configuration error: base_url [^\n]*\n$/);
  });

  it('3 where it could not be run', async () => {
    const target = await targetOf('limited', (_, reply) => ({ ...reply, body: `[${'0,'.repeat(1_000_001)}0]` }));
    const ended = await gamedata(['replay', failureOf('limited', target)]);
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    expect(ended.stdout).toContain('undecided: could not run (');
  });
});

describe.concurrent('a report that cannot be written', { timeout: 300_000 }, () => {
  it.each([
    ['a file in the way of the folder', 'taken', 'not a folder', 'name a writable folder'],
    ['a folder in the way of a file', 'crowded', 'report.json cannot be written (EISDIR)', 'move it'],
    ['a place where no folder can be made', '/proc/none/at/all', 'cannot be written (ENOENT)', 'name another one'],
  ])('is told before the first request: %s', async (_, folder, problem, remedy) => {
    writeFileSync(at('taken'), '');
    mkdirSync(join(at('crowded'), 'report.json'), { recursive: true });
    let requests = 0;
    const target = await targetOf(`asked-${problem.replaceAll(/\W/g, '-')}`, (_, reply) => {
      requests += 1;
      return reply;
    });
    const place = folder.startsWith('/') ? folder : at(folder);
    const { stdout, stderr, ...ended } = await gamedata(['verify', '--target', target, ...only, '--report', place]);
    expect([ended.code, stdout, requests]).toEqual([2, '', 0]);
    expect(stderr).toMatch(/^gamedata: --report [^\n]*\n$/);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(remedy);
  });
});

/** A file on which there is no room: Linux has it. */
const full = '/dev/full';

describe.runIf(existsSync(full)).concurrent('a full disk', { timeout: 300_000 }, () => {
  it('under a report costs neither the verdict nor the other reports', async () => {
    const target = await targetOf('filled', nameless);
    mkdirSync(at('filled'));
    symlinkSync(full, join(at('filled'), 'junit.xml'));
    const ended = await gamedata(['verify', '--target', target, ...only, '--report', at('filled')]);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('Not conformant: 1 of 1 applicable requirements violated');
    expect(ended.stderr).toMatch(
      /^gamedata: --report [^\n]*junit\.xml cannot be written \(ENOSPC\); free space [^\n]*\n$/,
    );
    expect(reportIn('filled').exitCode).toBe(1);
  });

  const complaint = 'gamedata: standard output cannot be written (ENOSPC); make room there, or write somewhere else\n';

  it('under the output of verify is told in a line, and the reports are written', async () => {
    const target = await targetOf('mute', nameless);
    const args = ['verify', '--target', target, ...only, '--report', at('mute')];
    expect(await gamedata(args, {}, undefined, full)).toMatchObject({ code: 2, stderr: complaint });
    expect(reportIn('mute').exitCode).toBe(1);
  });

  it('under the output of verify ends it where nothing else tells of the run', async () => {
    const target = await targetOf('silent', nameless);
    expect(await gamedata(['verify', '--target', target, ...only], {}, undefined, full)).toMatchObject({
      code: 2,
      stderr: complaint,
    });
  });

  it.each([
    ['verify', 'list'],
    ['mock', '--port', '0', '--json'],
    ['mock', 'switches'],
    ['target', 'init'],
    ['tree', 'decode', 'AAAABgYXARI0AavNAavNEjQ'],
    ['--help'],
  ])('under the output of %s %s is told in a line', async (...args) => {
    expect(await gamedata(args, {}, undefined, full)).toMatchObject({ code: 2, stderr: complaint });
  });
});
