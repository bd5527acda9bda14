import { Verifier } from '../engine/verifier.js';
import type { Outcome } from '../engine/outcome.js';
import type { Planned } from '../engine/plan.js';
import { createMonitors } from '../monitors/monitors.js';
import type { Monitors } from '../engine/monitors.js';
import { rules } from '../monitors/rules.js';
import type { RowId } from '../ledger.gen.js';
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
  /** Nothing more is asked once monitors have failed all of these. */
  readonly until?: readonly RowId[];
}

export interface Tried {
  readonly outcomes: readonly Outcome[];
  /** Whether a mutation has changed anything. */
  readonly tookEffect: boolean;
  readonly requests: number;
  readonly faults: readonly string[];
  readonly ms: number;
}

/** The rules of the rows that are judged: no verdict of another is read. */
function rulesOf(plan: readonly Planned[]): typeof rules {
  const judged = new Set(plan.map(({ row }) => row.id));
  return new Map([...rules].filter(([id]) => judged.has(id)));
}

/** Monitors that end the run once each of these rows has failed. */
const ending = (monitors: Monitors, until: readonly RowId[], stop: AbortController): Monitors => ({
  ...monitors,
  answer(answer) {
    monitors.answer(answer);
    const results = monitors.results();
    if (until.every((row) => (results.get(row)?.violations.length ?? 0) > 0))
      stop.abort('every row that must fail has failed');
  },
});

/** Runs a part of the suite against a mock of its own. */
export async function tryOut({
  plan,
  runs,
  seed,
  timeout,
  target = (given) => given,
  until,
  ...setting
}: Trial): Promise<Tried> {
  const started = performance.now();
  const stage = await startStage(setting);
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(`the trial took longer than ${timeout / 1000} seconds`), timeout);
  try {
    const tested = target(stage.target);
    const monitors = createMonitors(tested, rulesOf(plan));
    const verifier = await Verifier.open({
      target: tested,
      monitors: until ? ending(monitors, until, stop) : monitors,
      plan,
      seed,
      runs,
      wait: false,
      verdictsOnly: true,
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
