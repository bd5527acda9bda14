import { lookBack, play, reuse } from './callers.js';
import type { Plan } from './callers.js';
import type { Core, History } from './history.js';
import type { Recorder } from './recorder.js';
import { shrink } from './shrink.js';
import { judge } from './verdict.js';
import type { HistoryVerdict } from './verdict.js';

export interface Trial {
  readonly verdict: HistoryVerdict;
  readonly history: History;
  /** The fewest calls that have no explanation: none at all where that is impossible, none without lag where it is stale. */
  readonly core?: Core;
}

export interface TrialOptions {
  /** The longest lag in milliseconds that does not blame; any where it is left out. */
  readonly allowed?: number;
  /** Whether introspection is asked as well. */
  readonly introspects?: boolean;
  /** Waits until whatever lags is over; left out where there is no time for it. */
  readonly settle?: () => Promise<void>;
}

/**
 * Plays a plan and judges what was seen. Where there is only an explanation with some lag, what has become of the tokens is
 * asked again when the lag is over: what is stale then is lost.
 */
export async function tryOut(
  plan: Plan,
  recorder: Recorder,
  { allowed, settle, introspects = false }: TrialOptions,
): Promise<Trial> {
  const limit = allowed === undefined ? {} : { allowed };
  await play(plan, recorder);
  await lookBack(recorder, { introspects });
  const settled = settle !== undefined && judge(recorder.history, limit).kind === 'stale';
  if (settled) {
    await settle();
    await lookBack(recorder, { introspects, settled });
  }
  await reuse(recorder, { settled });
  return trialOf(recorder.history, limit);
}

/** Judges a history, and shrinks it where it has no explanation. */
export function trialOf(history: History, { allowed = Infinity }: { readonly allowed?: number } = {}): Trial {
  const verdict = judge(history, { allowed });
  if (verdict.kind === 'impossible') return { verdict, history, core: shrink(history, { lag: allowed }) };
  return verdict.kind === 'stale' ? { verdict, history, core: shrink(history) } : { verdict, history };
}
