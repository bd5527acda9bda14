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

interface Extra {
  /** Rows whose checks bring about what a monitor among `rows` watches for. */
  readonly exercise?: readonly RowId[];
  /** The verdict that kills: `warn` for what an RFC only recommends; `fail` otherwise. */
  readonly verdict?: 'warn';
  readonly switches?: Partial<Switches>;
  readonly flags?: Readonly<Record<string, boolean>>;
  /** Where the target file has no known facts, as what kills compares answers of the server; or says nothing of editions. */
  readonly declares?: 'nothing' | 'no edition';
  /** The case of the first row's check that must fail, by its name. */
  readonly inCase?: string;
  /** What has to be so for the case to come up, mutant or not: the baseline run has it too. */
  readonly precondition?: Mutation;
}

/** A mutation as it stands in a table, with what most mutants do not need. */
export class MutantEntry implements Mutation {
  constructor(
    readonly operator: string,
    readonly args: readonly unknown[],
    readonly apply: (at: Interceptor) => void,
    readonly extra: Extra & { readonly also?: readonly RowId[] } = {},
  ) {}

  /** Further rows that must kill it. */
  also = (...also: readonly RowId[]): MutantEntry => this.#with({ also });

  /** Rows whose checks bring about what a monitor watches for. */
  exercise = (...exercise: readonly RowId[]): MutantEntry => this.#with({ exercise });

  /** The case of the check, by its name, that must kill it: no other does it in its place. */
  inCase = (inCase: string): MutantEntry => this.#with({ inCase });

  /** It does what an RFC only recommends not to do: a warning kills it. */
  warns = (): MutantEntry => this.#with({ verdict: 'warn' });

  /** On a mock with these switches, flags or precondition, or with a target file that declares nothing. */
  on = (mock: Pick<Extra, 'switches' | 'flags' | 'declares' | 'precondition'>): MutantEntry => this.#with(mock);

  #with(more: MutantEntry['extra']): MutantEntry {
    return new MutantEntry(this.operator, this.args, this.apply, { ...this.extra, ...more });
  }
}

/**
 * Names a way to change behaviour, by hooks or by another mutation. What comes back makes mutations of it:
 * `refuse('getLeague', { realm: 'sony' })`.
 */
export const operator =
  <Args extends readonly unknown[]>(name: string, made: (at: Interceptor, ...args: Args) => Mutation | void) =>
  (...args: Args): MutantEntry =>
    new MutantEntry(name, args, (at) => made(at, ...args)?.apply(at));

/** Several mutations that make one bug together. */
export const together = operator('together', (at, ...parts: readonly Mutation[]) => {
  for (const part of parts) part.apply(at);
});

/** Hooks of a mutant's own, where it keeps state or no operator has its shape. */
export const intercept = operator('intercept', (at, install: (at: Interceptor) => Mutation | void) => install(at));

/** A single bug, and the requirements whose checks must kill it. */
export interface Mutant extends Extra {
  readonly id: string;
  /** What the mutant does wrong. */
  readonly what: string;
  /** Each of them must kill it. */
  readonly rows: readonly RowId[];
  readonly mutation: Mutation;
}

/**
 * How to make a mutation, by the requirement that it violates, the key of the mutant, if any, and what it does wrong. It
 * is made anew each time that it is applied: what it has to remember is a default parameter.
 */
export type Entries = Readonly<Record<string, () => MutantEntry>>;

/** Entries of one shape, one for each of these. */
export const forEach = <T>(all: readonly T[], entry: (one: T) => Entries): Entries =>
  Object.assign({}, ...all.map(entry)) as Entries;

/** The row at the start of an entry. */
type RowOf<Text> = Text extends `${infer Head}: ${string}` ? (Head extends `${infer Row} ${string}` ? Row : Head) : '';

/**
 * Mutants: `'GEN-004 xbox: characters of realm xbox need a league': () => refuse(…)`. The id is `N-<row>-<key>`, `N-<row>`
 * without a key, and the key itself where it begins with `M-` or `N-`. A row that the ledger has not does not compile.
 */
export const mutants = <T extends Entries>(
  table: T & {
    readonly [Text in keyof T]: string extends Text ? unknown : RowOf<Text> extends RowId ? unknown : never;
  },
): readonly Mutant[] =>
  Object.entries<() => MutantEntry>(table).map(([text, make]): Mutant => {
    const [, row = '', key = '', what = ''] = /^(\S+?)(?: (\S+?))?: (.*)$/.exec(text) ?? [];
    const id = /^[MN]-/.test(key) ? key : `N-${row}${key && `-${key}`}`;
    const { operator: name, args, extra } = make();
    const { also = [], ...rest } = extra;
    const mutation: Mutation = { operator: name, args, apply: (at) => make().apply(at) };
    return { id, what, rows: [row as RowId, ...also], mutation, ...rest };
  });

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
  readonly mutation?: Mutation;
}

/** Variants, by the id and what is different: `'B-45: scopes are sorted': { switches: … }`. */
export const variantsOf = (table: Readonly<Record<string, Omit<Variant, 'id' | 'what'>>>): readonly Variant[] =>
  Object.entries(table).map(([text, rest]) => {
    const [, id = '', what = ''] = /^(\S+): (.*)$/.exec(text) ?? [];
    return { id, what, ...rest };
  });
