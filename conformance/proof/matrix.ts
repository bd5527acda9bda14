import { readFileSync } from 'node:fs';

import type { RowId } from '../ledger.gen.js';
import type { MutantResult, VariantResult } from './judge.js';

/** The published result of a whole proof: `matrix.json`. Nothing in it depends on the machine. */
export interface Matrix {
  readonly ledger: string;
  readonly contract: string;
  readonly seeds: readonly number[];
  readonly bugs: readonly BugLine[];
  readonly variants: readonly VariantLine[];
}

export interface BugLine {
  readonly id: string;
  readonly area: string;
  readonly bug: string;
  readonly fate: MutantResult['fate'];
  /** The rows whose checks noticed, of those that must. */
  readonly by: readonly RowId[];
  /** Of the bug as it is written and the checks that must notice: where it differs, the result is old. */
  readonly digest: string;
}

export interface VariantLine {
  readonly id: string;
  readonly what: string;
  readonly fate: VariantResult['fate'];
  /** Rows that passed. */
  readonly judged: number;
}

/** Reads the published matrix. */
export function publishedMatrix(): Matrix {
  return JSON.parse(readFileSync(new URL('matrix.json', import.meta.url), 'utf8')) as Matrix;
}
