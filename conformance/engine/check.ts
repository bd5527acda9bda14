import type { RowId } from '../ledger.gen.js';
import type { Run } from './run.js';

/**
 * When a check may run. `together`: beside others, with what the run shares. `alone`: nothing else runs and its tokens
 * are its own, because it spoils what others hold. `clock`: after all others, because the clock does not go back, beside
 * others that move it, and with tokens of its own.
 */
export type Phase = 'together' | 'alone' | 'clock';

/** One requirement's check. */
export interface Check {
  readonly row: RowId;
  readonly phase: Phase;
  /** The most requests that it sends, where the data of a server decides; else what was measured counts. */
  readonly requests?: number;
  readonly body: (run: Run) => Promise<unknown>;
}

/** The checks of a requirement group. */
export interface Group {
  readonly name: string;
  readonly checks: readonly Check[];
  /** They run one after the other, because they share what one of them changes, or build on what one has done. */
  readonly inOrder: boolean;
}

/** A check of a ledger row. It fails by the expectations of its run, and by nothing else. */
export function check(row: RowId, ...rest: readonly [Check['body']] | readonly [Options, Check['body']]): Check {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
  return { row, body, phase: 'together', ...options };
}

type Options = Partial<Pick<Check, 'phase' | 'requests'>>;

/** A requirement group, with its options before its checks. */
export function group(
  name: string,
  ...rest: readonly [readonly Check[]] | readonly [{ readonly inOrder: boolean }, readonly Check[]]
): Group {
  const [options, checks] = rest.length === 1 ? [{ inOrder: false }, rest[0]] : rest;
  return { name, checks, ...options };
}
