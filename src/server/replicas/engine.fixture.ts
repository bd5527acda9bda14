import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../input/listen.js';

const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Why tests of replicas cannot run on this machine; undefined where they can. */
export const noEngine =
  program === undefined
    ? 'neither valkey-server nor redis-server is installed (apt-get install redis-server)'
    : undefined;

export interface TestEngine {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** Ends it: in order, or at once. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on its port with its files. */
  start(...options: string[]): Promise<void>;
  /** Asks it something, as typed: `CONFIG SET maxmemory 1`. */
  ask(command: string): Promise<string>;
  remove(): Promise<void>;
}

/** An engine of its own with a folder of its own, whose append-only file is written with every command. */
export async function startEngine(...options: string[]): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'gamedata-engine-'));
  const port = await freePort();
  let child!: ChildProcess;
  const start = async (...more: string[]): Promise<void> => {
    const set = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
    child = spawn(program ?? '', [...set, '--appendfsync', 'always', ...options, ...more], { stdio: 'ignore' });
    await untilListening(port);
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get process() {
      return child;
    },
    start,
    stop,
    ask: (command) => asked(port, command),
    remove: async () => {
      await stop('SIGKILL');
      // A fork of the engine's that rewrites its log outlives it for a moment, and writes.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** The first reply to a line of the engine's own protocol. */
function asked(port: number, command: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('data', (data) => {
      socket.destroy();
      done(data.toString());
    });
    socket.once('error', fail);
  });
}

export async function untilListening(port: number): Promise<void> {
  for (;;) {
    const reply = await asked(port, 'PING').catch(() => '');
    if (/PONG|NOAUTH/.test(reply)) return;
    await new Promise((done) => setTimeout(done, 10));
  }
}
