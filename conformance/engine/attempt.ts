import { Deviation, Stopped } from '../verdict.js';
import type { Answer } from '../wire/answer.js';
import { trace } from '../wire/trace.js';
import type { Trace } from '../wire/trace.js';
import { CheckRun } from './check-run.js';
import type { Check } from './check.js';
import type { Evidence } from './evidence.js';
import type { Expectations, Paths } from './expect.js';
import { verdictOf } from './outcome.js';
import type { Outcome } from './outcome.js';
import { requestsOf } from './plan.js';
import type { Session } from './session.js';

/** What bounds an attempt. */
export interface Bounds {
  readonly signal: AbortSignal;
  readonly runs: number;
  /** Milliseconds after which a check is given up; the run goes on. */
  readonly timeout?: number;
}

/** Cases of properties to run instead of all. */
export interface Cases {
  readonly paths?: Paths | undefined;
  /** The one property to run, by its ordinal. */
  readonly only?: string | undefined;
}

/** A check that ran once: its outcome, and what a failure is shown by. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly answers: readonly Answer[];
  readonly deviation: Deviation | undefined;
  readonly counterexample: Expectations['counterexample'];
}

/** Runs a check once, with a trace of its own. It never rejects: what a check throws decides its verdict. */
export async function attempt(
  check: Check,
  session: Session,
  bounds: Bounds,
  evidence: Evidence,
  cases: Cases = {},
): Promise<Attempt> {
  const run = new CheckRun(session.env, session, check.row, { mayMoveClock: check.phase === 'clock', ...cases });
  const log: Trace = { answers: [] };
  const started = performance.now();
  let error: unknown;
  try {
    await trace.run(log, () => inTime(check, run, log, bounds));
  } catch (thrown) {
    error = thrown;
  }
  const deviation = error instanceof Deviation ? error : undefined;
  const outcome: Outcome = {
    row: check.row,
    ...evidence.withoutSecrets(verdictOf(error, run.expect)),
    exercised: run.expect.exercised,
    notes: run.expect.notes.map((note) => evidence.redact(note)),
    ms: Math.round(performance.now() - started),
    requests: log.sent ?? 0,
    forTheRun: {
      ...(log.underLoad !== undefined && { underLoad: log.underLoad }),
      ...(deviation?.underAnyLoad && { underAnyLoad: true }),
    },
  };
  return { outcome, answers: log.answers, deviation, counterexample: run.expect.counterexample };
}

/** Milliseconds after which a check is given up: more for one that sends much, as every request has its way to go. */
const timeoutOf = (check: Check): number => 150_000 + requestsOf(check) * 100;

/**
 * Runs a check; gives it up where it takes too long or the run ends, and refuses what it still asks for.
 *
 * @throws Stopped where it was given up
 */
async function inTime(
  check: Check,
  run: CheckRun,
  log: Trace,
  { signal, runs, timeout = timeoutOf(check) }: Bounds,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let end: (() => void) | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (why: string): void => {
      log.stopped = why;
      reject(new Stopped(why));
    };
    // What the wire held back, at the server's or the target's wish, is not the check's own time.
    const wait = (ms: number, counted: number): void => {
      timer = setTimeout(() => {
        const waited = log.waited ?? 0;
        if (waited > counted) wait(waited - counted, waited);
        else giveUp(tooLong(timeout, log, runs));
      }, ms);
    };
    wait(timeout, 0);
    end = (): void => giveUp(String(signal.reason));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    await Promise.race([givenUp, signal.aborted ? givenUp : check.body(run)]);
  } finally {
    clearTimeout(timer);
    if (end) signal.removeEventListener('abort', end);
  }
}

/** Why a check was given up, with what was slow and what to do about it. */
function tooLong(timeout: number, { sent = 0, slowest }: Trace, runs: number): string {
  const slow = slowest ? `, of which ${slowest.place} took ${(slowest.ms / 1000).toFixed(1)} seconds` : '';
  const why =
    sent === 0
      ? 'it sent no request, so look at the hooks and the codec of the target'
      : `it sent ${sent} requests${slow}; lower --runs (now ${runs}), or raise budget.concurrency in the target`;
  return `the check took longer than ${timeout / 1000} seconds: ${why}`;
}
