import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { Deviation, NotExercised, NotOffered } from '../verdict.js';

/** How often a failing property is tried again with smaller values. */
const shrinks = 60;

export interface PropertyRun<T> {
  readonly values: Arbitrary<T>;
  readonly holds: (value: T) => Promise<unknown>;
  readonly seed: number;
  readonly runs: number;
  /** fast-check's path to a case, where only that one is to be run. */
  readonly path?: string;
  readonly examples?: readonly T[];
}

/** The smallest value for which a property does not hold. */
export interface Counterexample {
  readonly path: string;
  readonly value: string;
  readonly deviation: Deviation;
}

/** A value as its reader would write it: records of fast-check have no prototype, which it would print. */
function plain(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value; // a function, such as a scheme
  }
}

/** A counterexample is a line of a report. */
const longest = 1000;

/**
 * Holds a property against the server. Only a Deviation counts as a counterexample; whatever else stops a case (a lost
 * server, a missing capability) ends the property as it is, but for a case that showed nothing or that the server does not
 * offer, which leaves it to the others. Once there is a counterexample, nothing takes it back.
 */
export async function falsify<T>({
  values,
  holds,
  seed,
  runs,
  path,
  examples = [],
}: PropertyRun<T>): Promise<Counterexample | null> {
  let stopped: { readonly error: unknown } | undefined;
  let nothing: NotExercised | NotOffered | undefined;
  let shown = 0;
  let failures = 0;
  let tried = 0;
  const property = fc.asyncProperty(values, async (value) => {
    if (stopped || (failures > 0 && (tried += 1) > shrinks)) return;
    try {
      await holds(value);
      shown += 1;
    } catch (error) {
      if (error instanceof Deviation) {
        failures += 1;
        throw error;
      }
      if (error instanceof NotExercised || error instanceof NotOffered) nothing ??= error;
      else stopped = { error };
    }
  });
  const outcome = await fc.check(property, {
    seed,
    // A path counts the examples too.
    examples: examples.map((value): [T] => [value]),
    ...(path === undefined ? { numRuns: runs + examples.length } : { path, numRuns: 1, endOnFailure: true }),
  });
  const { failed, errorInstance, counterexample, counterexamplePath } = outcome;
  if (!failed && stopped) throw stopped.error;
  if (!failed && nothing && shown === 0) throw nothing;
  if (!failed) return null;
  if (!(errorInstance instanceof Deviation)) throw errorInstance;
  const value = fc.stringify(plain(counterexample![0]));
  return {
    path: counterexamplePath!,
    value: value.length > longest ? `${value.slice(0, longest)} … (${value.length} characters)` : value,
    deviation: errorInstance,
  };
}
