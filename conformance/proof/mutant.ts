import type { Switches } from '../../src/contract/index.js';
import type { RowId } from '../ledger.gen.js';
import type { Target } from '../target/target.js';
import type { Interceptor } from './interceptor/interceptor.js';

/** A change of behaviour as data: an operator and what it was given, so that a digest sees both. */
export interface Mutation {
  readonly operator: string;
  readonly args: readonly unknown[];
  readonly apply: (at: Interceptor) => void;
}

/** Names a way to change behaviour. What comes back makes mutations of it: `refuse('getLeague', { realm: 'sony' })`. */
export const operator =
  <Args extends readonly unknown[]>(name: string, apply: (at: Interceptor, ...args: Args) => void) =>
  (...args: Args): Mutation => ({ operator: name, args, apply: (at) => apply(at, ...args) });

/** Several mutations that make one bug together. */
export const together = operator('together', (at, ...parts: readonly Mutation[]) => {
  for (const part of parts) part.apply(at);
});

/** Hooks of a mutant's own, where it keeps state or no operator has its shape. */
export const intercept = operator('intercept', (at, install: (at: Interceptor) => void) => install(at));

/**
 * A mutation that remembers what it saw. Its memory is a default parameter of `make`, so that each time that it is
 * applied begins with a new one: `withMemory((seen = new Set<string>()) => reply(…))`.
 */
export const withMemory = operator('withMemory', (at, make: () => Mutation) => make().apply(at));

/** A single bug, and the requirements whose checks must kill it. */
export interface Mutant extends Extra {
  readonly id: string;
  /** What the mutant does wrong. */
  readonly what: string;
  /** Each of them must kill it. */
  readonly rows: readonly RowId[];
  readonly mutation: Mutation;
}

interface Extra {
  /** Rows whose checks bring about what a monitor among `rows` watches for. */
  readonly exercise?: readonly RowId[];
  /** The verdict that kills: `warn` for what an RFC only recommends; `fail` otherwise. */
  readonly verdict?: 'warn';
  readonly switches?: Partial<Switches>;
  readonly flags?: Readonly<Record<string, boolean>>;
  /** What has to be so for the case to come up, mutant or not: the baseline run has it too. */
  readonly precondition?: Mutation;
}

/** A mutant as it stands in a table: the sentence, the mutation, and what most do not need. */
export type Entry = readonly [what: string, mutation: Mutation, extra?: Extra & { readonly also?: readonly RowId[] }];

/**
 * Mutants, grouped by the requirement that each violates; `also` names further rows that must kill it. The id is
 * `N-<row>-<key>`, `N-<row>` for the key `''`, and the key itself where it begins with `M-` or `N-`.
 */
export const mutants = (table: Partial<Record<RowId, Readonly<Record<string, Entry>>>>): readonly Mutant[] =>
  (Object.entries(table) as [RowId, Readonly<Record<string, Entry>>][]).flatMap(([row, entries]) =>
    Object.entries(entries).map(([key, [what, mutation, { also = [], ...extra } = {}]]): Mutant => {
      const id = /^[MN]-/.test(key) ? key : `N-${row}${key && `-${key}`}`;
      return { id, what, rows: [row, ...also], mutation, ...extra };
    }),
  );

/** Another right way to answer, which no check may mind. */
export interface Variant {
  readonly id: string;
  readonly what: string;
  /** Of the world; the mock's own where it is left out. */
  readonly seed?: number;
  readonly switches?: Partial<Switches>;
  readonly flags?: Readonly<Record<string, boolean>>;
  /** What such a server would say in its target file, where the mock's own words for its switches do not say it. */
  readonly target?: (target: Target) => Target;
  /** Rows of level INFER whose interpretation it does not share: whoever runs such a server waives them. */
  readonly waived?: readonly RowId[];
  readonly apply?: (at: Interceptor) => void;
}

/** The form of mutants that are not yet in a table. */
export interface OldMutant {
  readonly id: string;
  readonly bug: string;
  readonly rows: readonly RowId[];
  readonly beside?: readonly RowId[];
  readonly noticed?: 'warn';
  readonly switches?: Partial<Switches>;
  readonly flags?: Readonly<Record<string, boolean>>;
  readonly ground?: (at: Interceptor) => void;
  readonly plant: (at: Interceptor) => void;
}

export const inTable = (old: readonly OldMutant[]): readonly Mutant[] =>
  old.map(({ id, bug, rows, beside, noticed, ground, plant, ...rest }) => ({
    id,
    what: bug,
    rows,
    ...rest,
    ...(beside && { exercise: beside }),
    ...(noticed && { verdict: noticed }),
    ...(ground && { precondition: { operator: 'old', args: [ground], apply: ground } }),
    mutation: { operator: 'old', args: [plant], apply: plant },
  }));
