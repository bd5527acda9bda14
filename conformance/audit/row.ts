import type { Sentence } from '../requirement.js';
import { line } from '../text.js';
import type { Call } from './call.js';
import type { WorldRun } from './run.js';

/** How binding a sentence is: of the interface, of an RFC, or observed practice, which never fails a client. */
export type AuditLevel = 'MUST' | 'MUST-RFC' | 'SHOULD-RFC' | 'ADVICE';

/** A violation of a sentence, and the requests that prove it. */
export interface AuditViolation {
  readonly expected: string;
  readonly got: string;
  readonly calls: readonly Call[];
}

/** What a row found in one world. */
export interface Finding {
  /** How often the case came up. */
  readonly exercised: number;
  readonly violations: readonly AuditViolation[];
  /** Why it could not be judged. */
  readonly obstacle?: string;
}

/** One sentence that a client has to keep, and how it is judged. */
export interface AuditRow extends Sentence<AuditLevel> {
  /** What is looked at. */
  readonly how: string;
  /** Requirements whose violation in a world explains one of this in the same world. */
  readonly follows?: readonly string[];
  /** Worlds beside the calm one that it compares: it cannot be judged without all of them. */
  readonly compares?: readonly string[];
  /** It is judged in worlds with several copies of the client, and only there; the others never are. */
  readonly copies?: true;
  /** Judges one world by itself. */
  readonly judge?: (run: WorldRun) => Finding;
  /** Judges all worlds together: what must be new each time. */
  readonly across?: (runs: readonly WorldRun[]) => Finding & { readonly world?: string };
}

/** Looks at each of the cases; `test` tells what is wrong with one, or nothing. */
export function each<T>(cases: readonly T[], test: (one: T) => AuditViolation | undefined): Finding {
  return { exercised: cases.length, violations: cases.flatMap((one) => test(one) ?? []) };
}

export const violation = (expected: string, got: string, ...calls: readonly Call[]): AuditViolation => ({
  expected,
  got,
  calls,
});

/** A value in a message. */
export const quote = (value: string | null | undefined): string =>
  value === null || value === undefined ? 'nothing' : `"${line(value, 60)}"`;

/** Cases by a key, in order. */
export function groups<T>(cases: readonly T[], key: (one: T) => string): T[][] {
  const found = new Map<string, T[]>();
  for (const one of cases) {
    const name = key(one);
    const group = found.get(name);
    if (group) group.push(one);
    else found.set(name, [one]);
  }
  return [...found.values()];
}
