import { compare, isLoss } from '../conformance/compare.js';
import { comparisonMarkdown, comparisonText } from '../conformance/report/comparison.js';
import { readReport } from '../conformance/report-file.js';
import { terminalOf } from '../conformance/report/terminal.js';

/**
 * Prints what differs between two reports.
 *
 * @returns the exit code
 * @throws SetupError where a file is no report
 */
export function compareAndPrint(before: string, after: string, markdown: boolean): number {
  const comparison = compare(readReport(before), readReport(after));
  process.stdout.write(
    markdown ? comparisonMarkdown(comparison) : comparisonText(comparison, terminalOf(process.stdout, process.env)),
  );
  return isLoss(comparison) ? 1 : 0;
}
