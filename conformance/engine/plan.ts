import type { RowId } from '../ledger.gen.js';
import type { LedgerRow } from '../ledger.js';
import type { Check, Phase } from './check.js';
import { measured } from './requests.gen.js';

/** A row that was asked for, with its check where it has one. */
export interface Planned {
  readonly row: LedgerRow<RowId>;
  readonly check?: Check;
  /** Name of the group that the check runs in. */
  readonly group?: string;
  /** Its check runs in another shard of the run; here monitors alone watch it. */
  readonly elsewhere?: true;
}

/** Requests that a run shares: tokens, lists, the survey that monitors look at. */
const shared = 700;
/** Cases of a property that a check's own figure is for. */
const usualRuns = 100;

/** The checks of a phase, by group. */
export function lanes(plan: readonly Planned[], phase: Phase): readonly (readonly Check[])[] {
  const byGroup = new Map<string, Check[]>();
  for (const { check, group } of plan) {
    if (check?.phase !== phase) continue;
    byGroup.set(group!, [...(byGroup.get(group!) ?? []), check]);
  }
  return [...byGroup.values()];
}

/** What `npm run measure` found is of our own mock: a server has other data, and what the run shares may fall to another check. */
const margin = 1.25;

/** The most requests of a check with the usual number of runs, where nothing fails. */
export const requestsOf = ({ row, requests = 0 }: Check): number =>
  Math.ceil(Math.max(requests, measured[row] ?? 0) * margin);

/** The most requests that the plan sends where nothing fails. */
export function announced(plan: readonly Planned[], runs: number): number {
  const own = plan.reduce((sum, { check }) => sum + (check ? requestsOf(check) : 0), 0);
  return Math.ceil(own * Math.max(1, runs / usualRuns)) + shared;
}
