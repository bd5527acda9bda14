import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

import { keyOf } from './mutant.js';
import type { Ending, Mutant } from './mutant.js';

/** Why mutants survive: nobody can see them from outside, the interface leaves open what they change, or the suite misses it. */
export const classes = ['not observable', 'free', 'missed'] as const;

/** One reason that mutants survive for. */
export interface Reason {
  readonly class: (typeof classes)[number];
  readonly why: string;
  /** Each by its key; one that ends with `*` stands for all survivors whose key begins so. */
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

/** A mutant that was tried. */
type Tried = Mutant & Ending;

/** A mutant that survived, with its reason. */
export interface Survivor extends Mutant {
  readonly class: Reason['class'];
  readonly reason: string;
}

export const readSurvivors = (file: string): Survivors => parse(readFileSync(file, 'utf8')) as Survivors;

/** The reason of those that need none in the file: the comparison of the worlds gave it. */
const sameWorld = ({ why }: Ending): Reason => ({
  class: 'not observable',
  why: `The world that the mock shows is the same with it: ${why ?? 'all'} of its lists and objects were compared.`,
  mutants: [],
});

/** The results that need a reason: a run with them finds nothing. One that comes to no verdict may have one. */
const isSurvivor = ({ end }: Ending): boolean => end === 'survived' || end === 'not reached' || end === 'same';

const matches = (name: string, key: string): boolean =>
  name.endsWith('*') && !name.includes(' → ') ? key.startsWith(name.slice(0, -1)) : name === key;

/**
 * Each survivor with its reason, in the order of the results.
 * @throws Error with a line for each survivor without a reason, each reason of no survivor, and each closed gap that is open
 */
export function explained(results: readonly Tried[], { reasons, gaps }: Survivors): readonly Survivor[] {
  const byKey = new Map(results.map((result) => [keyOf(result), result]));
  const given = reasons.flatMap((reason) => reason.mutants.map((name) => ({ name, reason })));
  const exact = new Map(given.filter(({ name }) => byKey.has(name)).map(({ name, reason }) => [name, reason]));
  const patterns = given.filter(({ name }) => !byKey.has(name));
  const reasonOf = (key: string): Reason | undefined => {
    const result = byKey.get(key);
    if (result?.end === 'same') return sameWorld(result);
    return exact.get(key) ?? patterns.find(({ name }) => matches(name, key))?.reason;
  };
  const survivors = results.filter((one) => isSurvivor(one) || (one.end === 'no end' && reasonOf(keyOf(one))));
  const problems = [
    ...survivors.filter((one) => !reasonOf(keyOf(one))).map((one) => `no reason for the survivor ${keyOf(one)}`),
    ...given.flatMap(({ name }, at) => {
      if (given.findIndex((other) => other.name === name) < at) return [`two reasons for ${name}`];
      if (survivors.some((one) => matches(name, keyOf(one)))) return [];
      const result = byKey.get(name);
      if (!result) return [`a reason for ${name}, which is none of the mutants that were tried`];
      return [`a reason for ${name}, which does not survive: ${result.row ?? result.end}`];
    }),
    ...reasons.filter((one) => !classes.includes(one.class)).map((one) => `no class of reasons: ${one.class}`),
    ...gaps.flatMap(({ mutants, row }) =>
      mutants.flatMap((key) => {
        const result = byKey.get(key);
        if (!result) return [`a closed gap for ${key}, which is none of the mutants that were tried`];
        return result.end === 'killed' ? [] : [`the gap that ${key} showed is open: ${row} does not kill it`];
      }),
    ),
  ];
  if (problems.length > 0) throw new Error(`survivors.yaml:\n${problems.join('\n')}`);
  return survivors.map(({ operator, place, within, original, replacement }) => {
    const { class: kind, why } = reasonOf(keyOf({ place, within, original, replacement }))!;
    return {
      operator,
      place,
      ...(within !== undefined && { within }),
      original,
      replacement,
      class: kind,
      reason: why,
    };
  });
}
