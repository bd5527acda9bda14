import { writeSync } from 'node:fs';

import { visible } from '../conformance/text.js';

let goesOn = false;
let lost = false;

/** For a command that has more to give than what it prints: it goes on without standard output. The exit code is 2 all the same. */
export function goOnWithoutOutput(): void {
  goesOn = true;
}

/**
 * What becomes of a command whose output cannot be written. Whoever reads it may stop early, as `head` does: that is no
 * failure, the command goes on in silence and ends as it would have. Anything else, such as a full disk, is told in a
 * line and ends the command with 2.
 */
export function watchOutput(): void {
  process.stderr.on('error', () => {}); // there is nobody to tell
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (readerIsGone(error) || lost) return;
    lost = true;
    complain(
      `standard output cannot be written (${error.code ?? error.message}); make room there, or write somewhere else`,
    );
    if (!goesOn) process.exit(2);
  });
  process.on('exit', () => {
    if (lost) process.exitCode = 2;
  });
}

export const readerIsGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');

/** Whether standard output could not be written; the line that says so is written then. */
export const outputIsLost = (): boolean => lost;

/** Waits until what was printed is written, or cannot be. */
export async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((done) => stream.write('', () => done()));
}

/** A line on standard error, even where the process is about to end. */
export function complain(line: string): void {
  try {
    writeSync(2, `gamedata: ${visible(line)}\n`);
  } catch {
    // There is nobody to tell.
  }
}
