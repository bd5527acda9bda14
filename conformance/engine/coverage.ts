import type { Certificate, Lifecycle } from '../result.js';

/** Counts what the run went through of the token lifecycle. */
export interface Coverage {
  /** A sequence of actions, or a list of commands, was played to its end. */
  sequence(): void;
  /** An action met a grant in a state, and led to another. */
  transition(state: string, action: string, next: string): void;
  race(what: string, outcome: string): void;
  /** `exchange`, `refresh`: what several calls at once could do with one code or token, for rows that see it too. */
  readonly usedTwice: Set<string>;
  /** What the complete suite proves; a later one takes the place of an earlier one. */
  certify(certificate: Certificate): void;
  result(): Lifecycle;
}

export function createCoverage(): Coverage {
  let sequences = 0;
  const states = new Set<string>();
  const transitions = new Map<string, number>();
  const races = new Map<string, number>();
  let certificate: Certificate | undefined;
  const count = (of: Map<string, number>, key: string): unknown => of.set(key, (of.get(key) ?? 0) + 1);
  const sorted = (of: Map<string, number>): Record<string, number> =>
    Object.fromEntries([...of].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    sequence: () => {
      sequences += 1;
    },
    transition: (state, action, next) => {
      states.add(state).add(next);
      count(transitions, `${state} ${action}`);
    },
    race: (what, outcome) => {
      count(races, `${what}: ${outcome}`);
    },
    usedTwice: new Set(),
    certify: (given) => {
      certificate = given;
    },
    result: () => ({
      words: sequences,
      states: [...states].toSorted(),
      transitions: sorted(transitions),
      races: sorted(races),
      ...(certificate && { certificate }),
    }),
  };
}
