import type { RowResult, RunReport } from './result.js';
import { standing } from './standing.js';
import type { Standing } from './standing.js';

/** A row whose standing differs between two runs; `undefined` where a run does not know the row. */
export interface Change {
  readonly row: RowResult;
  readonly before: Standing | undefined;
  readonly after: Standing | undefined;
}

/** What became of the rows between two runs. A row is in one list at most. */
export interface Comparison {
  /** They fail, and did not. */
  readonly broken: readonly Change[];
  /** They failed and pass. */
  readonly fixed: readonly Change[];
  /** They were judged and no longer are, or are gone. */
  readonly lost: readonly Change[];
  /** They were not judged, and are kept now. */
  readonly gained: readonly Change[];
  /** What makes the two runs differ beside the server: another suite, another selection. */
  readonly notes: readonly string[];
}

const kept: ReadonlySet<Standing | undefined> = new Set(['pass', 'warn']);
const failing: ReadonlySet<Standing | undefined> = new Set(['fail', 'waived']);
const judged = (standing: Standing | undefined): boolean => kept.has(standing) || failing.has(standing);

/** Compares two reports row by row. A failure that is waived now is no loss: somebody has accepted it. */
export function compare(before: RunReport, after: RunReport): Comparison {
  const [was, is] = [before, after].map(({ rows }) => new Map(rows.map((row) => [row.id, row])));
  const ids = new Set([...was!.keys(), ...is!.keys()]);
  const changes = [...ids].map((id): Change => {
    const [old, now] = [was!.get(id), is!.get(id)];
    return { row: (now ?? old)!, before: old && standing(old), after: now && standing(now) };
  });
  return {
    broken: changes.filter((change) => change.after === 'fail' && change.before !== 'fail'),
    fixed: changes.filter((change) => failing.has(change.before) && kept.has(change.after)),
    lost: changes.filter((change) => judged(change.before) && !judged(change.after)),
    gained: changes.filter((change) => !judged(change.before) && kept.has(change.after)),
    notes: notesOf(before, after),
  };
}

/** Whether the later run lost anything: a row that fails, or one that is no longer judged. */
export const isLoss = ({ broken, lost }: Comparison): boolean => broken.length > 0 || lost.length > 0;

function notesOf(before: RunReport, after: RunReport): readonly string[] {
  return [
    ...(before.suite.ledger === after.suite.ledger ? [] : ['The two runs have different ledgers.']),
    ...(before.suite.contract === after.suite.contract ? [] : ['The two runs have different contracts.']),
    ...(before.target.name === after.target.name
      ? []
      : [`The targets differ: ${before.target.name} before, ${after.target.name} after.`]),
    ...(after.outcome === 'incomplete' ? ['The later run is incomplete.'] : []),
    ...(after.outcome.endsWith('error') ? ['The later run gives no verdict.'] : []),
  ];
}
