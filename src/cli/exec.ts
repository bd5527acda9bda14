import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { line } from '../../conformance/text.js';

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with our streams and more in its environment, and tells the exit code as a shell would: its own,
 * 128 + n for signal n, 127 if there is no such command, 126 if it cannot be run. Signals that we get are passed on.
 */
export function execute(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
  const [command = '', ...args] = words;
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
    const passOn = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to the command as well; twice would mean "at once" to many.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const finish = (code: number): void => {
      for (const signal of passedOn) process.off(signal, passOn);
      done(code);
    };
    for (const signal of passedOn) process.on(signal, passOn);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      process.stderr.write(
        `gamedata: ${line(command, 300)}: ${missing ? 'there is no such command' : `cannot be run (${error.code ?? error.message})`}\n`,
      );
      finish(missing ? 127 : 126);
    });
    child.once('exit', (code, signal) => finish(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  });
}
