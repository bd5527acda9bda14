import type { RowId } from '../ledger.gen.js';
import type { LedgerRow } from '../ledger.js';
import { lacksOf } from '../target/offers.js';
import type { Environment } from './environment.js';
import type { Evidence } from './evidence.js';
import { monitored } from './monitored.js';
import { lacking } from './outcome.js';
import type { Outcome } from './outcome.js';
import type { Planned } from './plan.js';

/** The outcome of a row that is decided without running anything; undefined where a check or a monitor decides it. */
export function decidedAhead({ row, check, elsewhere }: Planned, env: Environment): Outcome | undefined {
  if (elsewhere) return undefined;
  const untried = { row: row.id, exercised: 0, notes: [], ms: 0 };
  if (row.how === 'excluded') return { ...untried, verdict: 'not applicable', reason: row.reason };
  const missing = lacksOf(row, env);
  const other = missing.find(({ applicable }) => !applicable);
  if (other) return { ...untried, verdict: 'not applicable', reason: other.remedy };
  // A monitor sees what there is to see, whatever the target lacks.
  if (row.how === 'monitor') return undefined;
  if (missing.length > 0) return { ...untried, ...lacking(missing) };
  return check ? undefined : { ...untried, verdict: 'suite error', reason: `no check is registered for ${row.id}` };
}

/** The outcome of a row by what its monitor found in the answers so far. */
export function monitorOutcome(
  row: LedgerRow<RowId>,
  env: Environment,
  evidence: Evidence,
  { aborted }: AbortSignal,
): Outcome {
  return monitored(row, env.monitors.results().get(row.id), {
    failure: (violation) => evidence.failure(row.id, violation, violation.answer ? [violation.answer] : []),
    redact: (text) => evidence.redact(text),
    unseen: () => {
      const missing = lacksOf(row, env);
      if (missing.length > 0) return lacking(missing);
      return {
        verdict: 'not exercised',
        reason: aborted ? 'the run ended before any case occurred' : 'no response contained the case',
      };
    },
  });
}

/**
 * Puts together what a check and a monitor found of one row. What a check asks for may show in any answer of the run, so
 * a row that both watch is decided when all answers are in.
 */
export class Settlement {
  readonly #held = new Map<RowId, Outcome>();
  readonly #watched: ReadonlySet<RowId>;

  constructor(
    watched: Iterable<RowId>,
    readonly done: (outcome: Outcome) => void,
  ) {
    this.#watched = new Set(watched);
  }

  /** Takes the outcome of a check. */
  settle(outcome: Outcome): void {
    if (this.#watched.has(outcome.row)) this.#held.set(outcome.row, outcome);
    else this.done(outcome);
  }

  /** Decides what monitors watch. A violation fails the row, unless its check has failed it with evidence of its own. */
  finish(plan: readonly Planned[], ofMonitor: (row: LedgerRow<RowId>) => Outcome): void {
    for (const { row, elsewhere } of plan) {
      if (row.how === 'monitor') this.done(ofMonitor(row));
      const own = this.#held.get(row.id);
      const seen = own || (elsewhere && this.#watched.has(row.id)) ? ofMonitor(row) : undefined;
      // The check runs in another shard, which knows nothing of the answers here.
      if (elsewhere && seen?.verdict === 'fail') this.done(seen);
      if (own) this.done(seen?.verdict === 'fail' && own.verdict !== 'fail' ? { ...seen, ms: own.ms } : own);
    }
  }
}
