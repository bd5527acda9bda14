import { constants } from 'node:os';

/** Runs until it is asked to stop, or nobody is there to read where it is; neither is a failure. Asked twice, it stops at once. */
export function untilStopped(): Promise<number> {
  return new Promise((done) => {
    let asked = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(128 + constants.signals[signal]);
      asked = true;
      done(0);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    process.stdout.once('error', () => done(0));
  });
}
