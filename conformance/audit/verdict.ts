import { judged, waiversFail } from '../engine/assemble.js';
import type { Counts } from '../engine/assemble.js';
import type { RunReport } from '../result.js';
import { count } from '../text.js';

export interface VerdictFacts {
  /** Why there is no verdict on what was not violated. */
  readonly incomplete: readonly string[];
  readonly problems: readonly string[];
  readonly interrupted: boolean;
}

/** Exit code, outcome and headline: what was judged, what it came to, and how much was not judged. */
export function auditVerdict(
  counts: Counts,
  { incomplete, problems, interrupted }: VerdictFacts,
): Pick<RunReport, 'exitCode' | 'outcome' | 'summary'> {
  const { exitCode, outcome } = judged(counts, {
    incomplete: incomplete.map((reason) => ({ reason })),
    problems,
    interrupted,
  });
  const ran = counts.pass + counts.warn + counts.fail + counts.waived;
  const warned = counts.warn > 0 ? `, with ${count(counts.warn, 'warning')}` : '';
  const known = counts.waived > 0 ? `, ${count(counts.waived, 'known deviation')}` : '';
  const parts = [
    ...(counts['not exercised'] > 0 ? [`${counts['not exercised']} not exercised`] : []),
    ...(counts['could not run'] > 0 ? [`${counts['could not run']} could not run`] : []),
  ];
  const left = parts.length > 0 ? ` Not judged: ${parts.join(', ')}.` : '';
  const [reason] = incomplete;
  const because = reason === undefined ? '' : ` ${reason}.`;
  const summary =
    outcome === 'not conformant'
      ? counts.fail > 0
        ? `Not conformant${warned}: ${counts.fail} of ${count(ran, 'judged requirement')} violated${known}.${because}${left}`
        : `Not conformant: ${waiversFail(problems)}.${left}`
      : outcome === 'conformant'
        ? `Conformant${warned}: ${counts.pass} of ${count(ran, 'judged requirement')} passed${known}.${left}`
        : `No verdict${interrupted ? ': interrupted' : ''}.${because} ${count(ran, 'requirement')} judged${warned}${counts.fail > 0 ? `, ${counts.fail} of them violated` : ''}.${left}`;
  return { exitCode, outcome, summary };
}
