import type { RowId } from '../ledger.gen.js';
import type { Failure } from '../result.js';
import type { Target } from '../target/target.js';
import type { Deviation } from '../verdict.js';
import { sizeOf } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { bounds, clipped } from '../wire/bounds.js';
import type { Issued } from './issued.js';
import type { Outcome } from './outcome.js';
import { scriptOf, stepsOf } from './repro.js';
import { hidden, settingsOf } from './secrets.js';
import type { Secret } from './secrets.js';

/** Characters of exchanges that a failure shows, that all show, and that one shows beyond that. */
const most = { failure: 500_000, all: 8_000_000, later: 12_000 };

interface Source {
  readonly target: Target;
  readonly seed: number;
  /** The command that runs one row again. */
  readonly replay: (row: RowId) => string;
  /** Failures have no trace and no script. */
  readonly verdictsOnly?: boolean;
}

/** A request as it is named in a report: its method and its address without the server's. */
function requestLine({ request: { method, url } }: Answer): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}`;
}

/** What reports show of a run: texts and exchanges without the secrets of the target and what the server issued. */
export class Evidence {
  readonly #secrets: readonly Secret[];
  #size = 0;

  constructor(
    readonly source: Source,
    readonly issued: Issued,
  ) {
    this.#secrets = settingsOf(source.target);
  }

  /** A text without the target's secrets and without what the server gave out in this run. */
  redact(text: string): string {
    return this.issued.hide(hidden(text, this.#secrets));
  }

  /** How a check ended, without secrets. */
  withoutSecrets<T extends Pick<Outcome, 'reason' | 'missing'>>(decided: T): T {
    const { reason, missing } = decided;
    return {
      ...decided,
      ...(reason !== undefined && { reason: this.redact(reason) }),
      ...(missing && { missing: missing.map((one) => ({ ...one, need: this.redact(one.need) })) }),
    };
  }

  /** A deviation with the exchanges that show it. */
  failure(
    row: RowId,
    deviation: Pick<Deviation, 'expected' | 'got' | 'history' | 'answer'>,
    answers: readonly Answer[],
  ): Failure {
    const { target, seed, replay } = this.source;
    const expected = clipped(this.redact(deviation.expected), bounds.shown);
    const got = clipped(this.redact(deviation.got), bounds.shown);
    const { answer } = deviation;
    const shown = { answers: this.#affordable(answers), target, issued: this.issued, judged: answer };
    return {
      expected,
      got,
      ...(answer && { request: clipped(this.redact(requestLine(answer)), bounds.shown) }),
      ...(deviation.history && { history: deviation.history }),
      trace: stepsOf(shown),
      script: scriptOf(shown, { title: row, expected, got }),
      seed,
      paths: {},
      replay: replay(row),
    };
  }

  /** The last exchanges of a failure: few of them, once those of the failures before fill the reports. */
  #affordable(answers: readonly Answer[]): readonly Answer[] {
    if (this.source.verdictsOnly) return [];
    const limit = this.#size < most.all ? most.failure : most.later;
    let size = 0;
    let from = answers.length;
    while (from > 0 && (size === 0 || size + sizeOf(answers[from - 1]!) <= limit))
      size += sizeOf(answers[(from -= 1)]!);
    this.#size += size;
    return answers.slice(from);
  }
}
