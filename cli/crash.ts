import { complain, outputIsLost } from './output.js';

/** Exit code where the suite itself fails, so that it is never taken for a verdict on the server. */
export const crashed = 2;

/**
 * Watches over a run: an exception that nothing catches, or an end of the process before the verdict, is told in a line
 * as a crash of the suite, and the process ends with 2. An adapter runs in this process, so that its own may be one.
 *
 * @returns what ends the watch
 */
export function watchForCrash(command: string): () => void {
  const tell = (what: string): void =>
    complain(
      `${command}: the suite crashed (${what}); there is no verdict on the server. Fix the adapter if it comes from there, else report it`,
    );
  const caught = (error: unknown): void => {
    release();
    tell(wordsOf(error));
    process.exit(crashed);
  };
  const ended = (): void => {
    if (outputIsLost()) return;
    tell('the process ended before the run did');
    process.exitCode = crashed;
  };
  const release = (): void => {
    process.off('uncaughtException', caught).off('unhandledRejection', caught).off('exit', ended);
  };
  process.on('uncaughtException', caught).on('unhandledRejection', caught).on('exit', ended);
  return release;
}

/** An exception in a line: its name, the first line of its message, and where it was thrown. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).split('\n')[0] ?? '';
  const [message = ''] = error.message.split('\n');
  const frame = (error.stack ?? '').split('\n').find((line) => line.trimStart().startsWith('at '));
  const place = frame
    ?.slice(Math.max(...['/', '\\', '(', ' '].map((mark) => frame.lastIndexOf(mark))) + 1)
    .replace(')', '');
  return `${error.name}: ${message}${place === undefined ? '' : ` at ${place}`}`;
}
