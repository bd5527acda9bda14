import type { RowId } from '../ledger.gen.js';
import type { LedgerRow } from '../ledger.js';
import type { Check, Phase } from './check.js';
import { measured } from './requests.gen.js';

/** A row that was asked for, with its check where it has one. */
export interface Planned {
  readonly row: LedgerRow<RowId>;
  readonly check?: Check;
  /** Name of the group that the check is in. */
  readonly group?: string;
  /** Checks of one lane run one after the other; a check without one waits for no other. */
  readonly lane?: string;
  /** Its check runs in another shard of the run; here monitors alone watch it. */
  readonly elsewhere?: true;
}

/** Requests that a run shares: tokens, lists, the survey that monitors look at. */
const shared = 700;
/** Cases of a property that a check's own figure is for. */
const usualRuns = 100;

/** The checks that run beside each other, by lane: the lane that sends most comes first, as it takes longest. */
export function lanes(plan: readonly Planned[], phase: Exclude<Phase, 'alone'>): readonly (readonly Check[])[] {
  const all = grouped(plan, phase, ({ row, lane }) => lane ?? row.id);
  const cost = (lane: readonly Check[]): number => lane.reduce((sum, check) => sum + requestsOf(check), 0);
  return all.toSorted((one, other) => cost(other) - cost(one));
}

/** The checks that run alone, by group. */
export const sequence = (plan: readonly Planned[]): readonly Check[] =>
  grouped(plan, 'alone', ({ group }) => group!).flat();

function grouped(plan: readonly Planned[], phase: Phase, key: (planned: Planned) => string): (readonly Check[])[] {
  const found = new Map<string, Check[]>();
  for (const one of plan) {
    if (one.check?.phase !== phase) continue;
    found.set(key(one), [...(found.get(key(one)) ?? []), one.check]);
  }
  return [...found.values()];
}

/** What `npm run measure` found is of our own mock: a server has other data, and what the run shares may fall to another check. */
const margin = 1.25;

/** The most requests of a check with the usual number of runs, where nothing fails. */
export const requestsOf = ({ row, requests = 0 }: Check): number =>
  Math.ceil(Math.max(requests, measured[row] ?? 0) * margin);

/** Requests of the complete suite of the token lifecycle for a state more (`--thorough`), as the mock's 9 states take. */
const thoroughly = 25_000;

/** The most requests that the plan sends where nothing fails. */
export function announced(
  plan: readonly Planned[],
  { runs, thorough = false }: { readonly runs: number; readonly thorough?: boolean },
): number {
  const own = plan.reduce((sum, { check }) => sum + (check ? requestsOf(check) : 0), 0);
  const more = thorough && plan.some(({ check }) => check?.row === 'LIFE-009') ? thoroughly : 0;
  return Math.ceil(own * Math.max(1, runs / usualRuns)) + shared + more;
}
