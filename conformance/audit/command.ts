import { spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { readdirSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { ProcessGroup } from './process-group.js';
import type { Ending } from './run.js';

export interface CommandOptions {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Real ms after which it is stopped. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called when it has ended, before what it leaves behind is ended: others may still need that. */
  readonly together?: () => Promise<void>;
  /** Told of what it writes, as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** Characters of the output that are kept. */
const keptOutput = 16_000;
/** Bytes that are read as fast as they come. Who writes more has to wait, so that it leaves the machine to others. */
const readAtOnce = 4_000_000;
/** How long a part of what comes after them waits, ms. */
const rest = 10;
/** What a command may take to end after SIGTERM, ms. */
const grace = 1500;
/** Names our processes, wherever they move to. */
const mark = 'GAMEDATA_AUDIT_PROCESS';

const running = new Set<number>();

/** Nothing that we started outlives us. */
process.on('exit', () => {
  for (const pid of running) killGroup(pid, 'SIGKILL');
});

/**
 * Runs a command in a process group of its own, without a terminal, until it ends or has to be stopped; then ends what it
 * leaves behind. Never rejects.
 */
export async function runCommand(options: CommandOptions): Promise<Ending> {
  const { words, environment, cwd, limit, signal, onOutput, together } = options;
  const [command = '', ...args] = words;
  const id = randomBytes(8).toString('hex');
  const begin = performance.now();
  let child: Running;
  try {
    child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...environment, [mark]: id },
      ...(cwd !== undefined && { cwd }),
    });
  } catch (error) {
    // What no system takes is thrown: an empty command, a character that no word may have.
    await together?.();
    const { code, message } = error as NodeJS.ErrnoException;
    return { how: 'failed', code: null, signal: code ?? message, ms: 0, output: '', written: 0 };
  }
  const group = child.pid === undefined ? undefined : new ProcessGroup(id, child.pid);
  const guard = child.pid === undefined ? undefined : guardOf(child.pid);
  if (child.pid !== undefined) running.add(child.pid);
  const written = collect(child, onOutput);
  const { end, stopped } = await endWithin(child, limit, signal);
  const ms = performance.now() - begin;
  await together?.();
  if (child.pid !== undefined) {
    killGroup(child.pid, 'SIGKILL');
    running.delete(child.pid);
  }
  killMarked(id);
  // A process that was just about to start another program shows no environment for a moment.
  await sleep(60);
  killMarked(id);
  await group?.end();
  guard?.kill('SIGKILL');
  const how = stopped && end.how !== 'missing' && end.how !== 'failed' ? 'time' : end.how;
  return { ...end, how, ms, ...written, ...(how === 'missing' && { command }) };
}

type Running = ChildProcessByStdio<null, Readable, Readable>;

/**
 * The end of what a command writes, and how many bytes it has written: both grow as it does. Its errors stand last, as many
 * a program writes the rest only when it ends.
 */
function collect(
  { stdout, stderr }: Running,
  onOutput: CommandOptions['onOutput'],
): Pick<Ending, 'output' | 'written'> {
  const texts = { stdout: '', stderr: '' };
  const collected = { output: '', written: 0 };
  for (const [name, stream] of Object.entries({ stdout, stderr }) as ['stdout' | 'stderr', Readable][])
    stream.on('data', (chunk: Buffer) => {
      collected.written += chunk.length;
      const text = chunk.toString();
      onOutput?.(text);
      texts[name] = (texts[name] + text).slice(-keptOutput);
      const parts = Object.values(texts).filter((part) => part !== '');
      collected.output = parts.join('\n').slice(-keptOutput);
      if (collected.written < readAtOnce) return;
      stream.pause();
      setTimeout(() => stream.resume(), rest).unref();
    });
  return collected;
}

/** How a command ends; it is stopped when the limit is over or the signal comes. */
async function endWithin(
  child: Running,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly end: End; readonly stopped: boolean }> {
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    if (child.pid === undefined) return;
    killGroup(child.pid, 'SIGTERM');
    setTimeout(() => killGroup(child.pid!, 'SIGKILL'), grace).unref();
  };
  const timer = setTimeout(stop, limit);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const end = await endOf(child);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  return { end, stopped };
}

type End = Pick<Ending, 'how' | 'code' | 'signal'>;

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((done) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      done({ how: code === 'ENOENT' ? 'missing' : 'failed', code: null, signal: code ?? null }),
    );
    child.once('exit', (code, signal) => {
      // What it started may hold its streams open: they are read for a moment more, and no longer.
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        done({ how: signal === null ? 'exit' : 'signal', code, signal });
      }, 30);
    });
  });
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** Ends what left the group: on Linux a process shows the environment that it was started with. */
function killMarked(id: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${mark}=${id}\0`))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Not ours to read, or gone.
    }
  }
}

/** What the guard runs: it reads until our end of its pipe closes, as it does even where we are killed. */
const guardScript = `process.stdin.resume().on('end', () => {
  try { process.kill(-Number(process.argv[1]), 'SIGKILL'); } catch {}
})`;

function guardOf(pid: number): ChildProcess {
  const guard = spawn(process.execPath, ['-e', guardScript, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  guard.on('error', () => {});
  guard.unref();
  return guard;
}
