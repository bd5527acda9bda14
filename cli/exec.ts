import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

import { line } from '../conformance/text.js';

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with our streams and more in its environment, and tells the exit code as a shell would: its own,
 * 128 + n for signal n, 127 if there is no such command, 126 if it cannot be run. Signals that we get are passed on. If
 * this process ends before the command, however it ends, the command gets SIGTERM.
 */
export function execute(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
  const [command = '', ...args] = words;
  return new Promise((done) => {
    const complain = (why: string): void =>
      void process.stderr.write(`gamedata: --exec ${line(command, 300)}: ${why}\n`);
    let child: ChildProcess;
    try {
      child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
    } catch (error) {
      // Thrown, and not told by an event: an empty command, a null character, a name beyond what the system takes.
      const { code, message } = error as NodeJS.ErrnoException;
      complain(
        code === 'ERR_INVALID_ARG_VALUE'
          ? 'is not the name of a program; write --exec -- <command> [arguments]'
          : cannotRun(code ?? message),
      );
      return done(126);
    }
    const guard = child.pid === undefined ? undefined : endWithUs(child.pid);
    const passOn = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to the command as well; twice would mean "at once" to many.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const finish = (code: number): void => {
      for (const signal of passedOn) process.off(signal, passOn);
      guard?.kill('SIGKILL'); // before our end of its pipe closes: the process id may be another's by then
      done(code);
    };
    for (const signal of passedOn) process.on(signal, passOn);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      complain(missing ? notFound(command) : cannotRun(error.code ?? error.message));
      finish(missing ? 127 : 126);
    });
    child.once('exit', (code, signal) => finish(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  });
}

/** A whole line in quotes is one word, and no program is called so. */
const notFound = (command: string): string =>
  /\s/.test(command.trim())
    ? 'there is no such command; write each argument as a word of its own, or sh -c before the line'
    : 'there is no such command; check its name, install it, or write its path';

const cannotRun = (code: string): string => `cannot be run (${code}); name a program that this user may execute`;

/** What the guard runs: it reads until the other end of its pipe closes, as it does even where a process is killed. */
const guardScript = `process.stdin.resume().on('end', () => {
  try { process.kill(Number(process.argv[1]), 'SIGTERM'); } catch {}
})`;

/** Starts a process that outlives us just long enough to end another one: nothing else can after a SIGKILL. */
function endWithUs(pid: number): ChildProcess {
  const guard = spawn(process.execPath, ['-e', guardScript, String(pid)], {
    detached: true, // Ctrl-C in a terminal is for us and the command
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  guard.on('error', () => {}); // the command runs as well without
  guard.unref();
  return guard;
}
