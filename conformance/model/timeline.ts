import type { Run } from '../engine/run.js';
import { count, duration } from '../text.js';

/** Nothing is asserted nearer to the end of a life than this, in seconds (K-110). */
export const margin = 60;

/** The server's time since a start, for checks that move the clock. Time that requests take is counted in. */
export interface Timeline {
  /** Seconds since the start, the start of whatever was asked before it was made included. */
  now(): Promise<number>;
  /** Moves the clock on so that this many seconds have passed, or up to `most`; false where more have passed already. */
  to(seconds: number, most?: number): Promise<boolean>;
}

/** A timeline that starts now; *could not run* where the clock cannot be moved. */
export async function timeline(run: Run): Promise<Timeline> {
  const { clock } = run.facts.hooks;
  if (!clock) return run.expect.missing('clock', 'a way to move the time of the server');
  const read = async (): Promise<number> => (await clock.now()).getTime() / 1000;
  const start = await read();
  const now = async (): Promise<number> => (await read()) - start;
  return {
    now,
    to: async (seconds, most = seconds) => {
      const passed = await now();
      const missing = Math.floor(seconds - passed);
      if (missing > 0) await run.facts.advance(missing, Math.floor(most - passed));
      return missing >= 0;
    },
  };
}

/**
 * Moves to shortly before a life that began at `start` ends. Ends the check as *not exercised* where the server is so
 * slow that the time has gone by.
 */
export async function before(run: Run, time: Timeline, end: number): Promise<void> {
  if (!(await time.to(end - margin))) run.expect.notExercised('the server took longer than the margin before the end');
}

/** Moves to shortly after a life that ends at `end`. */
export const after = async (time: Timeline, end: number): Promise<void> => {
  // One second more: clocks of whole seconds may round it away.
  await time.to(end + margin + 1);
};

const day = 86_400;

/** `30 days 1 min`, `9 h 59 min`. */
function ageText(seconds: number): string {
  const days = Math.floor(seconds / day);
  const rest = Math.floor(seconds % day);
  if (days === 0) return duration(rest);
  return rest === 0 ? count(days, 'day') : `${count(days, 'day')} ${duration(rest)}`;
}

/** A case that names the age of a token, which was issued by `issuedBy` at the latest, and its lifetime in seconds. */
export const atAge = async (
  run: Run,
  time: Timeline,
  { issuedBy, life }: { readonly issuedBy: number; readonly life: number },
  judge: () => Promise<void>,
): Promise<void> => {
  const age = (await time.now()) - issuedBy;
  await run.case(`${ageText(age)} after its issue, of a lifetime of ${ageText(life)}`, judge);
};
