import type { RowId } from '../ledger.gen.js';
import type { LedgerRow } from '../ledger.js';
import type { Failure } from '../result.js';
import type { Expectations } from './expect.js';
import { told } from './shown.js';
import { Deviation } from '../verdict.js';
import type { Verdict } from '../verdict.js';

/** The outcome of a row. */
export interface Outcome {
  readonly row: RowId;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Whether it makes the run incomplete. */
  readonly incomplete?: boolean;
  readonly exercised: number;
  readonly notes: readonly string[];
  readonly ms: number;
  /** Requests that its check sent. */
  readonly requests?: number;
  readonly failure?: Failure;
}

/** The missing capabilities of a row, as text. */
export const lackOf = (lacking: readonly { readonly need: string; readonly remedy: string }[]): string =>
  lacking.map(({ need, remedy }) => `needs ${need}: ${remedy}`).join('; ');

/** A failure of a row that no sentence entails is a warning, with its evidence. */
export function warned(outcome: Outcome, loose: Pick<LedgerRow, 'plausible'> | undefined): Outcome {
  const { verdict, failure, notes } = outcome;
  if (verdict !== 'fail' || !loose) return outcome;
  const found = failure ? `expected ${failure.expected}; got ${failure.got}` : (outcome.reason ?? '');
  return { ...outcome, verdict: 'warn', reason: found, notes: [...notes, `Merely plausible: ${loose.plausible}.`] };
}

/** How a check ended. */
type Decided = Pick<Outcome, 'verdict' | 'reason' | 'incomplete'>;

/** The verdict of a check, by what it threw or counted. */
export function verdictOf(error: unknown, run: Expectations): Decided {
  if (error === undefined) {
    if (run.warnings.length > 0) return { verdict: 'warn', reason: run.warnings.join('; ') };
    if (run.exercised === 0) return { verdict: 'not exercised', reason: 'no case to judge' };
    return { verdict: 'pass' };
  }
  if (!(error instanceof Error)) return { verdict: 'harness error', reason: String(error) };
  const { name, message: reason } = error;
  if (error instanceof Deviation) return { verdict: 'fail', reason: error.answer ? told(error.answer) : error.got };
  if (name === 'NotExercised') return { verdict: 'not exercised', reason };
  if (name === 'NotApplicable') return { verdict: 'not applicable', reason };
  if (name === 'MissingCapability') return { verdict: 'could not run', reason: `needs ${reason}` };
  if (name === 'PrerequisiteFailed' || name === 'Stopped')
    return { verdict: 'could not run', reason, incomplete: true };
  return { verdict: 'harness error', reason: `${name}: ${reason.split('\n')[0]}` };
}
