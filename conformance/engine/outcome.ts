import type { RowId } from '../ledger.gen.js';
import type { LedgerRow } from '../ledger.js';
import type { Failure, Missing } from '../result.js';
import { needInWords } from '../target/capabilities.js';
import { formatAnswer } from './format.js';
import {
  Deviation,
  MissingCapability,
  NotApplicable,
  NotExercised,
  NotOffered,
  PrerequisiteFailed,
  Stopped,
} from '../verdict.js';
import type { Verdict } from '../verdict.js';

/** What an outcome tells the run alone, and no report. */
interface ForTheRun {
  /** Its failure has an answer by which a code or token does not work. */
  readonly metRefusal?: boolean;
  /** It failed by an answer that refuses an access token which has opened something before. */
  readonly lostToken?: boolean;
  /** The most requests that were under way when its check met 5xx or no response. */
  readonly underLoad?: number;
  /** A failure that no load excuses, as too much was given: it stands. */
  readonly underAnyLoad?: boolean;
}

/** The outcome of a row. */
export interface Outcome {
  readonly row: RowId;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly missing?: readonly Missing[];
  /** Whether it makes the run incomplete. */
  readonly incomplete?: boolean;
  readonly exercised: number;
  readonly notes: readonly string[];
  readonly ms: number;
  /** Requests that its check sent. */
  readonly requests?: number;
  readonly failure?: Failure;
  readonly forTheRun?: ForTheRun;
}

/** A failure of a row that no sentence entails is a warning, with its evidence. */
export function warned(outcome: Outcome, loose: Pick<LedgerRow, 'plausible'> | undefined): Outcome {
  const { verdict, failure, notes } = outcome;
  if (verdict !== 'fail' || !loose) return outcome;
  const found = failure ? `expected ${failure.expected}; got ${failure.got}` : (outcome.reason ?? '');
  return { ...outcome, verdict: 'warn', reason: found, notes: [...notes, `Merely plausible: ${loose.plausible}.`] };
}

/** How a check ended. */
type Decided = Pick<Outcome, 'verdict' | 'reason' | 'missing' | 'incomplete'>;

/** A row that could not run, with its reason for people. */
export function lacking(missing: readonly Missing[]): Decided {
  const told = missing.map(({ need, remedy }) => ({
    need: needInWords(need),
    ...(remedy !== undefined && { remedy }),
  }));
  return {
    verdict: 'could not run',
    reason: told.map(({ need, remedy }) => `needs ${need}${remedy === undefined ? '' : `: ${remedy}`}`).join('; '),
    missing: told,
  };
}

/** The verdict of a check, by what it threw or counted. */
export function verdictOf(
  error: unknown,
  run: {
    readonly warnings: readonly string[];
    readonly exercised: number;
    readonly notOffered?: NotOffered | undefined;
  },
): Decided {
  if (error === undefined) {
    if (run.warnings.length > 0) return { verdict: 'warn', reason: run.warnings.join('; ') };
    if (run.exercised === 0 && run.notOffered) return verdictOf(run.notOffered, run);
    if (run.exercised === 0) return { verdict: 'not exercised', reason: 'no case to judge' };
    return { verdict: 'pass' };
  }
  if (!(error instanceof Error)) return { verdict: 'suite error', reason: String(error) };
  const { name, message: reason } = error;
  if (error instanceof Deviation)
    return { verdict: 'fail', reason: error.answer ? formatAnswer(error.answer) : error.got };
  if (error instanceof NotExercised) return { verdict: 'not exercised', reason };
  if (error instanceof NotApplicable) return { verdict: 'not applicable', reason };
  if (error instanceof NotOffered) return { ...lacking([error]), verdict: 'not applicable' };
  if (error instanceof MissingCapability) return lacking([error]);
  if (error instanceof PrerequisiteFailed || error instanceof Stopped)
    return { verdict: 'could not run', reason, incomplete: true };
  return { verdict: 'suite error', reason: `${name}: ${reason.split('\n')[0]}` };
}
