import { setMaxListeners } from 'node:events';

import type { RunReport } from '../result.js';
import { inLanes } from './lanes.js';
import { rowsNamed } from './ledger.js';
import { obstacleOf } from './no-verdict.js';
import { reportOf } from './report.js';
import type { ReportOptions } from './report.js';
import { calmRun, confirmed } from './run-world.js';
import type { RunOptions } from './run-world.js';
import type { WorldRun } from './run.js';
import type { PlannedWorld } from './worlds.js';
import { worldsNamed } from './worlds.js';

export interface AuditOptions extends RunOptions, ReportOptions {
  readonly worlds?: readonly string[];
  readonly only?: readonly string[];
  /** Worlds at a time, 3 unless told; where it is more than one, as many again in which the client mostly waits. */
  readonly jobs?: number;
  readonly signal?: AbortSignal;
  /** Told of the worlds that run, each time that one begins or ends. */
  readonly onRunning?: (worlds: readonly string[]) => void;
  readonly onWorld?: (run: WorldRun, done: number, total: number) => void;
}

/** The report of an audit, and what it was made from. */
export interface Audit {
  readonly report: RunReport;
  readonly runs: readonly WorldRun[];
}

type During = (world: PlannedWorld, run: () => Promise<WorldRun>) => Promise<WorldRun>;

/** Tells of the worlds that run, each time that one begins or ends. */
function announcing(onRunning: AuditOptions['onRunning']): During {
  const running = new Set<string>();
  return async (world, run) => {
    onRunning?.([...running.add(world.id)]);
    return run().finally(() => {
      running.delete(world.id);
      onRunning?.([...running]);
    });
  };
}

/** Runs a client in each world and judges it. Nothing is printed and nothing is written. */
export async function audit(options: AuditOptions): Promise<Audit> {
  const { worlds: words = [], only = [], signal = new AbortController().signal, onWorld } = options;
  setMaxListeners(0, signal);
  const rows = rowsNamed(only);
  const planned = worldsNamed(words, options.copies !== undefined);
  const started = new Date();
  const during = announcing(options.onRunning);
  const [calmWorld] = planned as [PlannedWorld];
  const calm = await during(calmWorld, () => calmRun(calmWorld, options, signal));
  const runs = [calm];
  // Who was stopped by us has shown nothing.
  const obstacle = signal.aborted ? undefined : obstacleOf(calm);
  // Who does not get through the calm world shows nothing in the others.
  const goesOn = obstacle === undefined && calm.ended;
  const idle = goesOn ? planned.slice(1).filter(({ needs }) => needs?.(calm) === false) : [];
  const left = goesOn ? planned.slice(1).filter((world) => !idle.includes(world)) : [];
  onWorld?.(calm, 1, left.length + 1);
  const total = left.length + 1;
  await inLanes(left, options.jobs ?? 3, runs, signal, async (world) => {
    const run = await during(world, () => confirmed(world, calm, options, signal));
    runs.push(run);
    onWorld?.(run, runs.length, total);
  });
  const missed = words.length === 0 ? [] : idle.map((world) => notRun(calm, world));
  return { report: reportOf(options, rows, runs, { started, obstacle, interrupted: signal.aborted, missed }), runs };
}

/** That a world was asked for and not run, and why. */
const notRun = (calm: WorldRun, { id, title, instead }: PlannedWorld): string =>
  `The world ${id} was not run: ${instead?.(calm) ?? `it is about what the client does not do in the calm world (${title})`}`;
