import { contractHash, ledger, ledgerHash } from '../ledger.gen.js';
import { isObservation } from '../ledger.js';
import type { LedgerRow } from '../ledger.js';
import { reportSchema } from '../result.js';
import type { RowResult, RunReport } from '../result.js';
import type { Outcome } from './outcome.js';

/** `[TOK-REFRESH-004 MUST] The used refresh token is expired immediately`. */
export const titleOf = ({ id, level, statement }: LedgerRow): string =>
  `[${id} ${level}] ${statement.replace(/\.$/, '')}`;

/** A row with its outcome, as reports have it. */
export function rowResult(row: LedgerRow, { row: _, forTheRun: __, incomplete, ...outcome }: Outcome): RowResult {
  const { id, level, statement, section, entailed, plausible, link, pointer, group, how } = row;
  return {
    id,
    level,
    title: titleOf(row),
    statement,
    section,
    ...(entailed !== undefined && { entailed }),
    ...(plausible !== undefined && { plausible }),
    link,
    ...(pointer !== undefined && { pointer }),
    group,
    how,
    ...outcome,
    ...(incomplete && !isObservation(row) && { incomplete }),
  };
}

/** The outcome of a row that the run did not reach. */
export const unreached = (row: LedgerRow, reason: string): Outcome => ({
  row: row.id as Outcome['row'],
  verdict: row.how === 'excluded' ? 'not applicable' : 'could not run',
  reason: row.how === 'excluded' ? row.reason : reason,
  ...(row.how !== 'excluded' && { incomplete: true }),
  exercised: 0,
  notes: [],
  ms: 0,
});

export type Counts = RunReport['counts'];

/** Exit code, outcome and summary. */
export function judged(
  counts: Counts,
  {
    incomplete,
    problems,
    interrupted = false,
  }: {
    readonly incomplete: readonly Partial<Pick<RowResult, 'id' | 'reason'>>[];
    readonly problems: readonly string[];
    /** An interrupted run gives no verdict on the server, whatever it found. */
    readonly interrupted?: boolean;
  },
): Pick<RunReport, 'exitCode' | 'outcome' | 'summary'> {
  const ran = counts.pass + counts.warn + counts.fail + counts.waived;
  const applicable = ran + counts['could not run'] + counts['not exercised'] + counts['suite error'];
  const known = counts.waived > 0 ? `${counts.waived} known deviation${counts.waived === 1 ? '' : 's'}` : '';
  const undecided = [
    ...(counts['could not run'] > 0 ? [`${counts['could not run']} could not run`] : []),
    ...(counts['not exercised'] > 0 ? [`${counts['not exercised']} not exercised`] : []),
  ];
  const tail = (parts: readonly string[]): string => (parts.length > 0 ? `; ${parts.join(', ')}` : '');
  const also = tail(known === '' ? undecided : [...undecided, known]);
  const [{ id, reason } = {}] = incomplete;
  const which = id !== undefined && incomplete.length === 1 ? `${id}: ` : '';
  const because = reason === undefined ? '' : ` (${which}${reason})`;
  if (!interrupted && (counts.fail > 0 || problems.length > 0)) {
    const broken =
      counts.fail > 0 ? `${counts.fail} of ${applicable} applicable requirements violated` : waiversFail(problems);
    return { exitCode: 1, outcome: 'not conformant', summary: `Not conformant: ${broken}${also}.` };
  }
  if (!interrupted && counts['suite error'] > 0) {
    const rows = counts['suite error'] === 1 ? 'a requirement' : `${counts['suite error']} requirements`;
    const summary = `Suite error on ${rows}. There is no verdict on the server${also}.`;
    return { exitCode: 2, outcome: 'suite error', summary };
  }
  if (interrupted || incomplete.length > 0 || ran === 0) {
    const broken = counts.fail > 0 ? `, ${counts.fail} of them violated` : '';
    const summary = `Incomplete: ${ran} of ${applicable} applicable requirements judged${broken}${also}${because}.`;
    return { exitCode: 3, outcome: 'incomplete', summary };
  }
  const passed = counts.pass + counts.warn;
  const warned = counts.warn > 0 ? `, ${counts.warn} with a warning` : '';
  const left = undecided.length > 0 ? `; ${applicable - ran} not judged (${undecided.join(', ')})` : '';
  return {
    exitCode: 0,
    outcome: 'conformant',
    summary: `Conformant${known === '' ? '' : ` with ${known}`}: ${passed} of ${ran} judged requirements passed${warned}${left}.`,
  };
}

/** The capabilities that rows need, offered or missing, with the number of rows that need each. */
export function capabilitiesOf(
  rows: readonly LedgerRow[],
  unmetBy: (row: LedgerRow) => readonly { readonly need: string; readonly remedy: string }[],
): RunReport['capabilities'] {
  const needs = new Map<string, { offered: boolean; rows: number; remedy?: string }>();
  for (const row of rows) {
    if (row.how === 'excluded') continue;
    const lacking = new Map(unmetBy(row).map(({ need, remedy }) => [need, remedy]));
    for (const alternatives of row.needs) {
      const name = alternatives.join(' | ');
      const entry = needs.get(name) ?? { offered: true, rows: 0 };
      entry.rows += 1;
      const remedy = lacking.get(name);
      if (remedy !== undefined) Object.assign(entry, { offered: false, remedy });
      needs.set(name, entry);
    }
  }
  return [...needs].map(([name, entry]) => ({ name, ...entry })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What every report says of its run: who judged what, when, for how long. */
export const headOf = (
  { name, base_url, auth_url, consent }: Pick<RunReport['target'], 'name' | 'base_url' | 'auth_url' | 'consent'>,
  settings: RunReport['target']['settings'],
  { suite, command, started }: { readonly suite: RunReport['suite']; readonly command: string; readonly started: Date },
): Pick<RunReport, '$schema' | 'suite' | 'target' | 'command' | 'started' | 'seconds'> => ({
  $schema: reportSchema,
  suite,
  target: { name, base_url, auth_url, consent, settings },
  command,
  started: started.toISOString(),
  seconds: Math.round((Date.now() - started.getTime()) / 100) / 10,
});

/** What the answers showed of each edition flag, beside what the target declares. */
export const editionOf = (
  declared: Readonly<Record<string, string>>,
  seen: Readonly<Record<string, string>>,
): RunReport['edition'] =>
  Object.fromEntries(
    Object.entries(seen).map(([flag, state]) => [flag, { declared: declared[flag] ?? 'any', seen: state }]),
  );

export const suiteOf = (version: string): RunReport['suite'] => ({
  version,
  ledger: ledgerHash,
  contract: contractHash,
});

export const rowOf = (id: string): LedgerRow | undefined => ledger.find((row) => row.id === id);

/** A verdict that no row gives but its waivers: the one that does not hold, or how many. */
export const waiversFail = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0
    ? first.replace(/[.]$/, '')
    : `no requirement fails, but ${others.length + 1} waivers do not hold (see Problems)`;
