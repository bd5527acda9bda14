import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { audit } from './audit.js';
import { freePort } from './browser.js';
import { storing, storingVariants } from './proof/copies/storing.js';

const name = `audit-copy-${process.pid}`;
const idle = 'setInterval(() => {}, 1000)';

/** Code of a copy that starts a process, which runs `program` under our name. */
const starts = (program: string, options: string): string =>
  `cp.spawn(process.execPath, ['-e', ${JSON.stringify(program)}, '${name}'], ${options}).unref()`;

/** What copies may do that outlives them. */
const kinds: Readonly<Record<string, string | ((port: number) => string)>> = {
  'a child': starts(idle, "{ stdio: 'ignore' }"),
  'a child that ignores SIGTERM, in a session of its own': starts(
    `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {}); ${idle}`,
    "{ stdio: 'ignore', detached: true }",
  ),
  'a grandchild whose parent has ended': starts(
    `require('node:child_process').spawn(process.execPath, ['-e', '${idle}', '${name}'], { stdio: 'ignore', detached: true }).unref()`,
    "{ stdio: 'ignore', detached: true }",
  ),
  'a child that fills the pipe': starts(
    "setInterval(() => process.stdout.write('x'.repeat(1e5)), 5)",
    "{ stdio: 'inherit', detached: true }",
  ),
  'a listener': (port) =>
    starts(
      `require('node:http').createServer().on('error', () => {}).listen(${port}, '127.0.0.1'); ${idle}`,
      "{ stdio: 'ignore', detached: true }",
    ),
  'a process that goes on writing below the state': starts(
    "setInterval(() => require('node:fs').writeFileSync(require('node:path').join(process.env.GAMEDATA_STATE, String(Math.random())), ''), 1)",
    "{ stdio: 'ignore', detached: true }",
  ),
  'locks, and folders that nobody may read':
    "fs.writeFileSync(c.path('left.lock'), String(process.pid)); fs.mkdirSync(c.path(`closed-${process.pid}`), { mode: 0 })",
};

const processes = (): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid) && commandOf(pid));

function commandOf(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(name);
  } catch {
    return false;
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => done((socket.destroy(), true)));
    socket.on('error', () => done(false));
  });

describe.runIf(process.platform === 'linux')('copies that leave something behind', () => {
  const before = process.env.TMPDIR;
  let folder: string;
  beforeEach(() => void (process.env.TMPDIR = folder = mkdtempSync(join(tmpdir(), 'copies-'))));
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(kinds))('are cleared away: %s', { timeout: 120_000 }, async (kind) => {
    const port = await freePort();
    const does = kinds[kind]!;
    const code = typeof does === 'string' ? does : does(port);
    const run = `async (c) => { const cp = await import('node:child_process'); ${code}; await original.run(); }`;
    const [variant] = storingVariants({ 'leaves: leaves something': storing('lock', { run }, 'killed-between') });
    const { client, close, worlds } = variant!.make();
    const { runs } = await audit({ client, name: 'a client', worlds, only: ['COPY'], copies: 2 }).finally(close);
    const ends = runs.flatMap(({ copies = [] }) => copies);
    expect(ends.map(({ ended, killed }) => ended || killed)).toEqual([true, true, true, true]);
    expect(processes()).toEqual([]);
    expect(await answers(port)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
