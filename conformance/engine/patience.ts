import { Stopped } from '../verdict.js';
import type { Trace } from '../wire/wire.js';
import type { Check } from './check.js';
import type { CheckRun } from './check-run.js';
import { requestsOf } from './plan.js';

/** Milliseconds after which a check is given up: more for one that sends much, as every request has its way to go. */
const timeoutOf = (check: Check): number => 150_000 + requestsOf(check) * 100;

/** Why a check was given up, with what was slow and what to do about it. */
function tooLong(timeout: number, { sent = 0, slowest }: Trace, runs: number): string {
  const slow = slowest ? `, of which ${slowest.place} took ${(slowest.ms / 1000).toFixed(1)} seconds` : '';
  const why =
    sent === 0
      ? 'it sent no request, so look at the hooks and the codec of the target'
      : `it sent ${sent} requests${slow}; lower --runs (now ${runs}), or raise budget.concurrency in the target`;
  return `the check took longer than ${timeout / 1000} seconds: ${why}`;
}

/**
 * Runs a check; gives it up where it takes too long or the run ends, and refuses what it still asks for.
 *
 * @throws Stopped where it was given up
 */
export async function patiently(
  check: Check,
  run: CheckRun,
  log: Trace,
  { signal, runs, timeout = timeoutOf(check) }: { signal: AbortSignal; runs: number; timeout?: number | undefined },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let end: (() => void) | undefined;
  const given = new Promise<never>((_, reject) => {
    const giveUp = (why: string): void => {
      log.stopped = why;
      reject(new Stopped(why));
    };
    // What the wire held back, at the server's or the target's wish, is not the check's own time.
    const once = (ms: number, counted: number): void => {
      timer = setTimeout(() => {
        const waited = log.waited ?? 0;
        if (waited > counted) once(waited - counted, waited);
        else giveUp(tooLong(timeout, log, runs));
      }, ms);
    };
    once(timeout, 0);
    end = (): void => giveUp(String(signal.reason));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    await Promise.race([given, signal.aborted ? given : check.body(run)]);
  } finally {
    clearTimeout(timer);
    if (end) signal.removeEventListener('abort', end);
  }
}
