import type { RowResult } from './result.js';
import type { Verdict } from './verdict.js';

/** Where a row stands in the end: its verdict, unless it has no check or its failure is known and waived. */
export type Standing = Verdict | 'waived' | 'excluded';

/** The most urgent first. */
export const standings: readonly Standing[] = [
  'fail',
  'suite error',
  'waived',
  'warn',
  'could not run',
  'not exercised',
  'not applicable',
  'pass',
  'excluded',
];

/** A row has one standing only, so that all of them add up to the number of rows. */
export function standing({ how, verdict, waived }: Pick<RowResult, 'how' | 'verdict' | 'waived'>): Standing {
  if (how === 'excluded') return 'excluded';
  return verdict === 'fail' && waived ? 'waived' : verdict;
}

/** How many rows stand where: the report's `counts`. */
export function tally(rows: readonly RowResult[]): Record<Standing, number> {
  const counts = Object.fromEntries(standings.map((name) => [name, 0])) as Record<Standing, number>;
  for (const row of rows) counts[standing(row)] += 1;
  return counts;
}
