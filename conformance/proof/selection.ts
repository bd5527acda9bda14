import { planOf } from '../plan.js';
import { requestsOf } from '../engine/plan.js';
import type { Planned } from '../engine/plan.js';
import type { Mutant } from './mutant.js';

/** Neighbours on either side of a named row that run beside it. */
const reach = 1;
/** A neighbour that costs more requests is left out. */
const cheap = 60;

/** The rows that must kill, and a few of their groups beside them. */
export function selectionOf(
  { rows, exercise = [] }: Pick<Mutant, 'rows' | 'exercise'>,
  all: readonly Planned[] = planOf([]),
): readonly Planned[] {
  const chosen = new Set<string>([...rows, ...exercise]);
  for (const row of rows) {
    const group = all.find((one) => one.row.id === row)?.group;
    if (group === undefined) continue;
    const members = all.filter((one) => one.group === group);
    const place = members.findIndex((one) => one.row.id === row);
    for (const { row: near, check } of members.slice(Math.max(0, place - reach), place + reach + 1)) {
      if (check?.phase === 'together' && requestsOf(check) <= cheap) chosen.add(near.id);
    }
  }
  return all.filter(({ row }) => chosen.has(row.id));
}
