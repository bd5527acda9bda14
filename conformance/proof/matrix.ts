import { readFileSync } from 'node:fs';

import type { RowId } from '../ledger.gen.js';
import type { MutantResult, VariantResult } from './judge.js';

/** The published result of a whole proof: `matrix.json`. Nothing in it depends on the machine. */
export interface Matrix {
  readonly ledger: string;
  readonly contract: string;
  readonly seeds: readonly number[];
  readonly mutants: readonly MutantLine[];
  readonly variants: readonly VariantLine[];
}

export interface MutantLine {
  readonly id: string;
  readonly area: string;
  readonly what: string;
  readonly status: MutantResult['status'];
  /** The rows whose checks noticed, of those that must. */
  readonly by: readonly RowId[];
  /** Of the bug as it is written and the checks that must notice: where it differs, the result is old. */
  readonly digest: string;
}

export interface VariantLine {
  readonly id: string;
  readonly what: string;
  readonly status: VariantResult['status'];
  /** Rows that passed. */
  readonly judged: number;
}

/** Reads the published matrix. */
export function publishedMatrix(): Matrix {
  return JSON.parse(readFileSync(new URL('matrix.json', import.meta.url), 'utf8')) as Matrix;
}
