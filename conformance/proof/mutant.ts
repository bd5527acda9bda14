import type { Switches } from '../../src/contract/index.js';
import type { RowId } from '../ledger.gen.js';
import type { Target } from '../target/target.js';
import type { Seam } from './seam/seam.js';

/** A single bug, and the requirements whose checks must notice it. */
export interface Mutant {
  readonly id: string;
  readonly bug: string;
  /** Each of them must notice. */
  readonly rows: readonly RowId[];
  /** Rows whose checks bring about what a monitor among `rows` watches for. */
  readonly beside?: readonly RowId[];
  /** How they notice: `warn` for what an RFC only recommends; `fail` otherwise. */
  readonly noticed?: 'warn';
  readonly switches?: Partial<Switches>;
  readonly flags?: Readonly<Record<string, boolean>>;
  /** What has to be so for the case to come up, bug or no bug: the control has it too. */
  readonly ground?: (seam: Seam) => void;
  readonly plant: (seam: Seam) => void;
}

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
  /** Rows of level INFER whose reading it does not share: they mind, and whoever runs such a server waives them. */
  readonly waived?: readonly RowId[];
  readonly plant?: (seam: Seam) => void;
}
