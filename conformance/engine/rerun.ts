import type { RowId } from '../ledger.gen.js';
import { attempt } from './attempt.js';
import type { Attempt, Bounds } from './attempt.js';
import type { Check } from './check.js';
import type { Evidence } from './evidence.js';
import type { Paths } from './expect.js';
import { isRefusal } from './later-consent.js';
import type { Outcome } from './outcome.js';
import type { Overload } from './overload.js';
import { Session } from './session.js';
import { refusedConnection } from '../wire/received.js';

/** Failures that are run again on fresh state; the others keep the trace that they failed with. */
export const reruns = 40;

export interface DeciderOptions extends Bounds {
  /** Cases of properties to run instead of all, by row. */
  readonly paths?: Readonly<Partial<Record<RowId, Paths>>>;
  /** No failure is run again. */
  readonly verdictsOnly?: boolean;
}

/** Decides checks: a failure is run again on fresh state, so that its evidence is of that check alone. */
export class Decider {
  #rerun = 0;

  constructor(
    readonly options: DeciderOptions,
    readonly evidence: Evidence,
    readonly overload: Overload,
  ) {}

  /** Runs a check once, whatever comes of it. */
  attempt(check: Check, session: Session): Promise<Attempt> {
    return attempt(check, session, this.options, this.evidence, { paths: this.options.paths?.[check.row] });
  }

  async decide(check: Check, session: Session): Promise<Outcome> {
    const first = await this.attempt(check, session);
    // What is judged again at a lower load needs no evidence.
    if (first.outcome.verdict !== 'fail' || this.overload.mayHaveDecided(first.outcome)) return first.outcome;
    const { counterexample } = first;
    const paths = {
      ...this.options.paths?.[check.row],
      ...(counterexample && { [counterexample.ordinal]: counterexample.path }),
    };
    this.#rerun += 1;
    const again =
      this.#rerun <= reruns && !this.options.verdictsOnly ? await this.#again(check, session, first, paths) : undefined;
    if (isGone(first, again)) return gone(first.outcome);
    const { deviation, answers } = again?.outcome.verdict === 'fail' ? again : first;
    return {
      ...first.outcome,
      notes: [...first.outcome.notes, ...(again ? noteOf(again.outcome) : [])],
      forTheRun: {
        ...first.outcome.forTheRun,
        metRefusal: answers.some(isRefusal),
        lostToken: first.deviation?.answer !== undefined && session.env.later.hasLost(first.deviation.answer),
      },
      failure: {
        ...this.evidence.failure(check.row, deviation!, answers),
        ...(counterexample && { smallest: this.evidence.redact(counterexample.value) }),
        paths,
      },
    };
  }

  #again(check: Check, session: Session, { counterexample }: Attempt, paths: Paths): Promise<Attempt> {
    const cases = { paths, only: counterexample?.ordinal };
    return attempt(check, new Session(session.env), this.options, this.evidence, cases);
  }
}

/**
 * Whether a check failed as nobody listens at the address any more, then as before. Somebody stopped the server, or a
 * request of another check did: this one has shown nothing.
 */
const isGone = ({ deviation }: Attempt, again: Attempt | undefined): boolean =>
  deviation !== undefined &&
  deviation.got.split('; ').every((got) => got === refusedConnection) &&
  again !== undefined &&
  again.outcome.verdict !== 'pass' &&
  again.outcome.verdict !== 'warn';

/** No fault of what was asked: the row could not run. */
const gone = ({ row, exercised, notes, ms }: Outcome): Outcome => ({
  row,
  exercised,
  notes,
  ms,
  verdict: 'could not run',
  reason: 'the server refuses connections: start it again, and repeat the run',
  incomplete: true,
});

/** What a reader is to know of a failure that did not repeat. */
function noteOf({ verdict, reason }: Outcome): readonly string[] {
  if (verdict === 'fail') return [];
  return verdict === 'pass' || verdict === 'warn'
    ? ['It passed when re-run on fresh state, so it may depend on timing or on other requests.']
    : [`It was undecided when re-run on fresh state (${reason ?? verdict}).`];
}
