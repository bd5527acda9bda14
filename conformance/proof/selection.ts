import { planOf } from '../plan.js';
import type { Planned } from '../engine/plan.js';
import type { Mutant } from './mutant.js';

type Named = Pick<Mutant, 'rows' | 'exercise'>;

/** The rows that must kill, and those whose checks bring about what they watch for. */
export function selectionOf({ rows, exercise = [] }: Named, all = planOf([])): readonly Planned[] {
  const chosen = new Set<string>([...rows, ...exercise]);
  return all.filter(({ row }) => chosen.has(row.id));
}

/**
 * Where rows are looked for that fail beside those that must: their own groups, all of OAuth for a row of OAuth, and every
 * monitor. The whole suite would take hours. Random sequences (`oauth/lifecycle`) meet every bug of OAuth and are left out,
 * as are the checks of other groups that move the clock.
 */
export function relatedRows({ rows, exercise = [] }: Named, all = planOf([])): readonly Planned[] {
  const chosen = new Set<string>([...rows, ...exercise]);
  const groups = new Set(all.filter(({ row }) => chosen.has(row.id)).map(({ group }) => group));
  const isOAuth = (group = ''): boolean => group.startsWith('oauth/') && group !== 'oauth/lifecycle';
  const wide = [...groups].some(isOAuth);
  return all.filter(({ row, group, check }) => {
    if (!check) return row.how === 'monitor';
    return groups.has(group) || (wide && isOAuth(group) && check.phase !== 'clock');
  });
}
