import type { RowId } from '../ledger.gen.js';
import { isObservation } from '../ledger.js';
import type { LedgerRow } from '../ledger.js';
import type { Failure } from '../result.js';
import type { MonitorResult, Violation } from './monitors.js';
import type { Outcome } from './outcome.js';

/** What a row's outcome needs beside what its monitor found. */
export interface Telling {
  /** The first violation with its evidence, without secrets. */
  failure(violation: Violation): Failure;
  redact(text: string): string;
  /** The verdict where no case came up and the row does not leave that open. */
  unseen(): Pick<Outcome, 'verdict' | 'reason' | 'missing'>;
}

/** The outcome of a row by what its monitor found. */
export function monitored(
  { id: row, level }: LedgerRow<RowId>,
  result: MonitorResult | undefined,
  telling: Telling,
): Outcome {
  const nothing = { row, exercised: result?.exercised ?? 0, notes: [] as string[], ms: 0 };
  if (!result) return { ...nothing, verdict: 'suite error', reason: `no monitor watches ${row}` };
  if (!result.applicable) return { ...nothing, verdict: 'not applicable', reason: result.reason };
  const [violation] = result.violations;
  if (violation) {
    return {
      ...nothing,
      verdict: 'fail',
      notes: result.count > 1 ? [`Violated ${result.count} times.`] : [],
      failure: telling.failure(violation),
    };
  }
  if (result.warnings.length > 0)
    return { ...nothing, verdict: 'warn', reason: telling.redact(result.warnings.join('; ')) };
  if (result.exercised > 0) return { ...nothing, verdict: 'pass' };
  const unseen = telling.unseen();
  // What the interface leaves open is reported where observed, and not applicable elsewhere.
  if (unseen.verdict === 'not exercised' && isObservation({ level }))
    return {
      ...nothing,
      verdict: 'not applicable',
      reason: 'left open by the interface, and not observed in this run',
    };
  return { ...nothing, ...unseen };
}
