import type { RowId } from '../ledger.gen.js';
import type { Failure } from '../result.js';
import type { Expectations } from './expect.js';
import { told } from './shown.js';
import { Deviation } from '../verdict.js';
import type { Verdict } from '../verdict.js';

/** What became of a row. */
export interface Outcome {
  readonly row: RowId;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Whether the run is incomplete for it: something that should have worked did not. */
  readonly incomplete?: boolean;
  readonly exercised: number;
  readonly notes: readonly string[];
  readonly ms: number;
  readonly failure?: Failure;
}

/** What a row lacks, in words. */
export const lackOf = (lacking: readonly { readonly need: string; readonly remedy: string }[]): string =>
  lacking.map(({ need, remedy }) => `needs ${need}: ${remedy}`).join('; ');

/** What a check ended as. */
type Decided = Pick<Outcome, 'verdict' | 'reason' | 'incomplete'>;

/** The verdict that an ended check comes to: what it threw, or what it saw. */
export function verdictOf(error: unknown, run: Expectations): Decided {
  if (error === undefined) {
    if (run.warnings.length > 0) return { verdict: 'warn', reason: run.warnings.join('; ') };
    if (run.exercised === 0) return { verdict: 'not exercised', reason: 'the check met no case to judge' };
    return { verdict: 'pass' };
  }
  if (!(error instanceof Error)) return { verdict: 'harness error', reason: String(error) };
  const { name, message: reason } = error;
  if (error instanceof Deviation) return { verdict: 'fail', reason: error.answer ? told(error.answer) : error.got };
  if (name === 'NotExercised') return { verdict: 'not exercised', reason };
  if (name === 'NotApplicable') return { verdict: 'not applicable', reason };
  if (name === 'Missing') return { verdict: 'could not run', reason: `needs ${reason}` };
  if (name === 'Prerequisite' || name === 'Stopped') return { verdict: 'could not run', reason, incomplete: true };
  return { verdict: 'harness error', reason: `${name}: ${reason.split('\n')[0]}` };
}
