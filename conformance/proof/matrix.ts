import { readFileSync } from 'node:fs';

import { ledger } from '../ledger.gen.js';
import type { RowId } from '../ledger.gen.js';
import { isBinding } from '../ledger.js';
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
  /** What kills it is a warning, also where the row is binding: an RFC only recommends it. */
  readonly verdict?: 'warn';
  /** The rows whose checks noticed, of those that must. */
  readonly by: readonly RowId[];
  /** Rows that it fails beside those it names, each with the reason. Left out where that was not measured. */
  readonly beside?: Readonly<Partial<Record<RowId, string>>>;
  /** Of the bug as it is written and the checks that must notice: where it differs, the result is old. */
  readonly digest: string;
}

export interface VariantLine {
  readonly id: string;
  readonly what: string;
  readonly status: VariantResult['status'];
  /** Rows that passed. */
  readonly judged: number;
  /** The variants that it was tried together with. Left out where it was tried alone. */
  readonly with?: readonly string[];
}

const binding = new Set<string>(
  ledger.filter((row) => row.level.startsWith('MUST') || (row.level === 'INFER' && isBinding(row))).map(({ id }) => id),
);

/** Whether a kill fails the server: by a row that binds, and not by a warning alone. */
export const killedByFailure = ({ status, verdict, by }: MutantLine): boolean =>
  status === 'killed' && verdict !== 'warn' && by.some((row) => binding.has(row));

/** Reads the published matrix. */
export function publishedMatrix(): Matrix {
  return JSON.parse(readFileSync(new URL('matrix.json', import.meta.url), 'utf8')) as Matrix;
}
