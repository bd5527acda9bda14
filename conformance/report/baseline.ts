import { editorLine } from '../../src/input/editor-line.js';
import type { RunReport } from '../result.js';
import { line } from '../text.js';
import { evidence, standingAt } from './rows.js';

/** Baseline entries for the failures that no waiver covers. Their reasons are empty, so they are rejected until filled in. */
export function printBaseline(report: RunReport): string {
  const failed = standingAt(report.rows, 'fail');
  const kept = standingAt(report.rows, 'waived').length;
  const head = failed.length
    ? `# Failures of ${report.started.slice(0, 10)}: ${failed.length}${kept ? `, and ${kept} known` : ''}. Give each a reason; an entry without one is rejected.`
    : '# No new failures.';
  return [
    editorLine('baseline'),
    line(head),
    ...failed.flatMap((row) => {
      const { expected, got } = evidence(row);
      return [
        '',
        `# ${line(row.statement, 200)}`,
        `# expected ${line(expected, 200)}; got ${line(got, 200)}`,
        `- id: ${/^[\w.-]+$/.test(row.id) ? row.id : JSON.stringify(line(row.id))}`,
        "  reason: ''",
      ];
    }),
    '',
  ].join('\n');
}
