import { Verifier } from '../engine/verifier.js';
import type { Outcome } from '../engine/outcome.js';
import type { Planned } from '../engine/plan.js';
import { createMonitors } from '../monitors/monitors.js';
import type { Target } from '../target/target.js';
import { startStage } from './stage.js';
import type { MockSetup } from './stage.js';

export interface Trial extends MockSetup {
  readonly plan: readonly Planned[];
  readonly runs: number;
  readonly seed: number;
  /** Milliseconds after which what is left could not run. */
  readonly timeout: number;
  readonly target?: (target: Target) => Target;
}

export interface Tried {
  readonly outcomes: readonly Outcome[];
  /** Whether a mutation has changed anything. */
  readonly tookEffect: boolean;
  readonly requests: number;
  readonly faults: readonly string[];
  readonly ms: number;
}

/** Runs a part of the suite against a mock of its own. */
export async function tryOut({
  plan,
  runs,
  seed,
  timeout,
  target = (given) => given,
  ...setting
}: Trial): Promise<Tried> {
  const started = performance.now();
  const stage = await startStage(setting);
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(`the trial took longer than ${timeout / 1000} seconds`), timeout);
  try {
    const tested = target(stage.target);
    const verifier = await Verifier.open({
      target: tested,
      monitors: createMonitors(tested),
      plan,
      seed,
      runs,
      wait: false,
      budget: 0,
      signal: stop.signal,
      replay: (row) => `gamedata verify --only ${row}`,
      open: stage.open,
    });
    const outcomes: Outcome[] = [];
    await verifier.run((outcome) => outcomes.push(outcome));
    const { tookEffect } = stage.interceptor;
    return {
      outcomes,
      tookEffect,
      requests: verifier.wire.sent,
      faults: stage.faults,
      ms: Math.round(performance.now() - started),
    };
  } finally {
    clearTimeout(late);
    await stage.close();
  }
}
