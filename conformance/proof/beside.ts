import type { RowId } from '../ledger.gen.js';

/** Why one row may fail beside another: the bug breaks its sentence too. Words are ids, or beginnings of ids up to a dash. */
interface Reason {
  /** Rows that a mutant names. */
  readonly named: readonly string[];
  /** Rows that fail with them. */
  readonly beside: readonly string[];
  readonly because: string;
}

const reasons: readonly Reason[] = [];

const isAmong = (row: RowId, words: readonly string[]): boolean =>
  words.some((word) => row === word || row.startsWith(`${word}-`));

/** Why a row fails beside those that a mutant names, in a sentence; nothing where no reason is known. */
export const reasonOf = (named: readonly RowId[], beside: RowId): string | undefined =>
  reasons.find((one) => isAmong(beside, one.beside) && named.some((row) => isAmong(row, one.named)))?.because;
