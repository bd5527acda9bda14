import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { audit } from './audit.js';
import { freePort } from '../../src/input/listen.js';
import { program, storing, storingVariants } from './proof/copies/storing.js';
import { startAudit } from './start.js';
import type { AuditVerdict } from './start.js';

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

describe('startAudit with copies', () => {
  /** Starts the client as a process, whose printed address the user opens. */
  const starter =
    (env: Readonly<Record<string, string>>) =>
    async (environment: Readonly<Record<string, string>>, open: (url: string) => Promise<void>): Promise<void> => {
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, ...environment, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.on('data', (text: Buffer) => void open(/https?:\S+/.exec(text.toString())![0]));
      await once(child, 'exit');
    };

  const verdictOn = async (env: Readonly<Record<string, string>>): Promise<AuditVerdict> => {
    const sync = starter(env);
    await using session = await startAudit({ world: 'two-at-once', copies: 2, only: ['COPY'] });
    expect(session.copies.map(({ GAMEDATA_COPY }) => GAMEDATA_COPY)).toEqual(['1', '2']);
    await sync(session.environment, session.open);
    session.nextStart();
    await Promise.all(session.copies.map((environment) => sync(environment, session.open)));
    session.nextStart();
    await sync(session.environment, session.open);
    return session.verdict();
  };

  it('passes copies that refresh under a lock', { timeout: 60_000 }, async () => {
    const { conformant, warnings, passed } = await verdictOn({ STORE: 'lock' });
    expect([conformant, warnings]).toEqual([true, []]);
    expect(passed).toEqual(expect.arrayContaining(['COPY-USED-001', 'COPY-STORED-001', 'COPY-CONSENT-001']));
  });

  it('warns of copies that ask the user as soon as a refresh is refused', { timeout: 60_000 }, async () => {
    const { warnings } = await verdictOn({ STORE: 'file', STEPS: 'refused: (c) => c.login()' });
    expect(warnings.map(({ id }) => id)).toContain('COPY-CONSENT-001');
  });
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
    // Children that fill pipes keep a busy machine busier.
    const { runs } = await audit({
      client,
      name: 'a client',
      worlds,
      only: ['COPY'],
      copies: 2,
      timeLimit: 90,
    }).finally(close);
    const ends = runs.flatMap(({ copies = [] }) => copies);
    expect(ends.map(({ ended, killed }) => ended || killed)).toEqual([true, true, true, true]);
    expect(processes()).toEqual([]);
    expect(await answers(port)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
