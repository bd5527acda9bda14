import { capabilitiesOf, editionOf, headOf, judged, rowResult, suiteOf, unreached } from './engine/assemble.js';
import { runPlan, unserved } from './run-plan.js';
import type { Settings, RunEnd } from './run-plan.js';
import { announced } from './engine/plan.js';
import type { Planned } from './engine/plan.js';
import type { RowId } from './ledger.gen.js';
import { planOf, rowIds } from './plan.js';
import { digestOf, runOf, shardOf } from './shards.js';
import type { ShardPosition } from './shards.js';
import { applyWaivers } from './waivers.js';
import type { PlacedWaiver } from './waivers.js';
import type { RowResult, RunReport } from './result.js';
import { tally } from './standing.js';
import { lacksOf } from './target/offers.js';
import { describeTarget } from './target/describe.js';

export interface VerifyOptions extends Settings {
  /** Version of the suite, for the reports. */
  readonly version: string;
  /** The command that this run was asked for by. */
  readonly command: string;
  /** Waivers beside those of the target. */
  readonly waivers: readonly PlacedWaiver[];
  /** The part of the run to carry out; all where it is left out. */
  readonly part?: ShardPosition;
  /** Waivers that expire before this day (yyyy-mm-dd) are problems. */
  readonly today: string;
  /** Ends the run; the reports are of what ran. */
  readonly signal?: AbortSignal;
  readonly onStart?: (facts: { readonly rows: number; readonly announced: number }) => void;
  readonly onRow?: (result: RowResult, requests: number) => void;
}

/**
 * Verifies a server by its target: runs the checks that `only` names (all where it names none) in this process and
 * gives the report. Nothing is printed and nothing is written.
 *
 * @throws SetupError where a word of `only` names nothing
 */
export async function verify(options: VerifyOptions): Promise<RunReport> {
  const { version, command, part, signal, onStart, onRow, waivers: _, today: __, ...given } = options;
  const whole = planOf(given.only);
  const plan = part ? shardOf(whole, part) : whole;
  const started = new Date();
  const rows = new Map(plan.map(({ row }) => [row.id, row]));
  const results = new Map<RowId, RowResult>();
  onStart?.({ rows: plan.filter(({ elsewhere }) => !elsewhere).length, announced: announced(plan, given) });

  const end = await runPlan(given, plan, {
    ...(signal && { signal }),
    onOutcome: (outcome, requests) => {
      const result = rowResult(rows.get(outcome.row)!, outcome);
      results.set(outcome.row, result);
      onRow?.(result, requests);
    },
  });

  const { judgement, counts, rows: judgedRows, problems } = verdictOf({ end, plan, results }, options);
  const { target, seed, runs } = given;
  const advice = [...end.advice, ...(isWhole(options) ? end.absent : [])];
  const hooks = Object.fromEntries((end.capabilities ?? []).map((name) => [name, true]));
  return {
    ...headOf(target, describeTarget(target), { suite: suiteOf(version), command, started }),
    seed,
    runs,
    ...(part && { shard: { ...part, run: runOf(options), digest: digestOf(judgedRows) } }),
    ...judgement,
    counts,
    requests: { announced: announced(plan, given), sent: end.sent },
    capabilities: end.capabilities
      ? capabilitiesOf([...rows.values()], (row) =>
          lacksOf(row, { target, hooks, wait: given.wait, safe: given.safe === true }),
        )
      : [],
    edition: editionOf(target.edition, end.edition),
    rows: judgedRows,
    ...(end.lifecycle && { lifecycle: end.lifecycle }),
    observations: end.observations,
    ...(advice.length > 0 && { advice }),
    problems,
  };
}

/** Whether everything was to be judged, in one run. */
const isWhole = ({ only, part }: VerifyOptions): boolean => only.length === 0 && part === undefined;

interface Ran {
  readonly end: RunEnd;
  readonly plan: readonly Planned[];
  readonly results: ReadonlyMap<RowId, RowResult>;
}

/** The rows with waivers applied, and what follows from them for the server. */
function verdictOf({ end, plan, results }: Ran, options: VerifyOptions) {
  const { target, waivers, today, signal } = options;
  const crash = end.crash === undefined ? [] : [`the suite crashed (${end.crash})`];
  const broken = [...end.problems, ...crash];
  const why = broken[0] ?? end.stopped ?? 'the run ended first';
  const complete = plan.flatMap(({ row, elsewhere }) => {
    const found = results.get(row.id);
    if (found) return [found];
    return elsewhere ? [] : [rowResult(row, unreached(row, why))];
  });
  const waived = applyWaivers(complete, [...target.waivers, ...waivers], today, rowIds);
  const counts = tally(waived.rows);
  const incomplete = [
    ...complete.filter((row) => row.incomplete),
    ...(end.isUnserved && isWhole(options) ? [{ reason: unserved }] : []),
  ];
  const judgement =
    broken.length === 0
      ? judged(counts, { incomplete, problems: waived.problems, interrupted: signal?.aborted === true })
      : notJudged(end);
  return { judgement, counts, rows: waived.rows, problems: [...broken, ...waived.problems] };
}

const notJudged = ({ problems, crash }: RunEnd): Pick<RunReport, 'exitCode' | 'outcome' | 'summary'> =>
  crash === undefined
    ? { exitCode: 2, outcome: 'configuration error', summary: `Configuration error: ${problems.join('; ')}.` }
    : {
        exitCode: 2,
        outcome: 'suite error',
        summary: `The suite crashed (${crash}). There is no verdict on the server.`,
      };
