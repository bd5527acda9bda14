import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

import { keyOf } from './mutant.js';
import type { Result } from './mutant.js';

/** Why mutants survive: nobody can see them from outside, or the interface leaves open what they change. */
export const classes = ['not observable', 'free'] as const;

/** One reason that mutants survive for. */
export interface Reason {
  readonly class: (typeof classes)[number];
  readonly why: string;
  readonly mutants: readonly string[];
}

/** A gap of the suite that mutants showed. It is closed: they are killed now. */
export interface Gap {
  readonly mutants: readonly string[];
  /** The row that has to kill them. */
  readonly row: string;
  readonly why: string;
}

/** `survivors.yaml`, kept by hand. */
export interface Survivors {
  readonly reasons: readonly Reason[];
  readonly gaps: readonly Gap[];
}

/** A mutant that survived, with its reason. */
export interface Survivor extends Omit<Result, 'end' | 'id' | 'seconds' | 'row'> {
  readonly class: Reason['class'];
  readonly reason: string;
}

export const readSurvivors = (file: string): Survivors => parse(readFileSync(file, 'utf8')) as Survivors;

/** The results that need a reason: the suite did not kill them, and they could be run. */
const isSurvivor = ({ end }: Result): boolean => end === 'survived' || end === 'no end';

/**
 * Each survivor with its reason, in the order of the results.
 * @throws Error with a line for each survivor without a reason, each reason of no survivor, and each closed gap that is open
 */
export function explained(results: readonly Result[], { reasons, gaps }: Survivors): readonly Survivor[] {
  const byKey = new Map(results.map((result) => [keyOf(result), result]));
  const given = reasons.flatMap((reason) => reason.mutants.map((key) => ({ key, reason })));
  const reasonOf = new Map(given.map(({ key, reason }) => [key, reason]));
  const survivors = results.filter(isSurvivor);
  const problems = [
    ...survivors.filter((one) => !reasonOf.has(keyOf(one))).map((one) => `no reason for the survivor ${keyOf(one)}`),
    ...given.flatMap(({ key }, at) => {
      const result = byKey.get(key);
      if (given.findIndex((other) => other.key === key) < at) return [`two reasons for ${key}`];
      if (!result) return [`a reason for ${key}, which is not in the sample`];
      return isSurvivor(result) ? [] : [`a reason for ${key}, which does not survive: ${result.row ?? result.end}`];
    }),
    ...reasons.filter((one) => !classes.includes(one.class)).map((one) => `no class of reasons: ${one.class}`),
    ...gaps.flatMap(({ mutants, row }) =>
      mutants.flatMap((key) => {
        const result = byKey.get(key);
        if (!result) return [`a closed gap for ${key}, which is not in the sample`];
        return result.end === 'killed' ? [] : [`the gap that ${key} showed is open: ${row} does not kill it`];
      }),
    ),
  ];
  if (problems.length > 0) throw new Error(`survivors.yaml:\n${problems.join('\n')}`);
  return survivors.map((one) => {
    const { class: kind, why } = reasonOf.get(keyOf(one))!;
    const { id: _id, end: _end, seconds: _seconds, row: _row, ...rest } = one;
    return { ...rest, class: kind, reason: why };
  });
}
