import { groups } from '../checks/index.js';
import { ledger } from '../ledger.gen.js';
import type { RowId } from '../ledger.gen.js';
import type { LedgerRow } from '../ledger.js';
import { SetupError } from '../target/setup-error.js';
import type { Check, Phase } from './check.js';

/** A row that was asked for, with its check where it has one. */
export interface Planned {
  readonly row: LedgerRow<RowId>;
  readonly check?: Check;
  /** Name of the group that the check runs in. */
  readonly group?: string;
}

/** Requests that a run shares: tokens, lists, the survey that monitors look at. */
const shared = 700;
/** Cases of a property that a check's own figure is for. */
const usualRuns = 100;

/**
 * The rows that words name: an id, the beginning of one up to a dash (`TOK-REFRESH`), or a check group
 * (`oauth/refresh`). No words are all rows.
 *
 * @throws SetupError where a word names nothing.
 */
export function planOf(words: readonly string[]): readonly Planned[] {
  const checks = new Map(
    groups.flatMap(({ name, checks }) => checks.map((check) => [check.row as string, { name, check }])),
  );
  const all = ledger.map((row): Planned => {
    const found = checks.get(row.id);
    return found ? { row, check: found.check, group: found.name } : { row };
  });
  if (words.length === 0) return all;
  const named = (word: string, { row, group }: Planned): boolean =>
    row.id === word || row.id.startsWith(`${word}-`) || group === word;
  for (const word of words) {
    if (!all.some((one) => named(word, one))) {
      throw new SetupError(
        `--only ${word}: no requirement and no group of that name; gamedata verify --list prints them`,
      );
    }
  }
  return all.filter((one) => words.some((word) => named(word, one)));
}

/** The checks of a phase, by group. */
export function lanes(plan: readonly Planned[], phase: Phase): readonly (readonly Check[])[] {
  const byGroup = new Map<string, Check[]>();
  for (const { check, group } of plan) {
    if (check?.phase !== phase) continue;
    byGroup.set(group!, [...(byGroup.get(group!) ?? []), check]);
  }
  return [...byGroup.values()];
}

/** The most requests that the plan sends where nothing fails. */
export function announced(plan: readonly Planned[], runs: number): number {
  const own = plan.reduce((sum, { check }) => sum + (check?.requests ?? 0), 0);
  return Math.ceil(own * Math.max(1, runs / usualRuns)) + shared;
}
