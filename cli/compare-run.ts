import { readContract } from '../conformance/contract-change/document.js';
import { contractChanges } from '../conformance/contract-change/operations.js';
import { compare, isLoss } from '../conformance/compare.js';
import { comparisonMarkdown, comparisonText } from '../conformance/report/comparison.js';
import { changesMarkdown, changesText, isBreaking } from '../conformance/report/contract-changes.js';
import { readReport } from '../conformance/report-file.js';
import { terminalOf } from '../conformance/report/terminal.js';
import { textFile } from '../src/input/file.js';

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

/**
 * Prints what differs between two contracts, and whom it breaks.
 *
 * @returns the exit code
 * @throws SetupError where a file is no OpenAPI description
 */
export function compareContractsAndPrint(before: string, after: string, markdown: boolean): number {
  const [old, now] = [before, after].map((file) =>
    readContract(textFile(file, 'an OpenAPI description', { most: 16 }), file),
  );
  const changes = contractChanges(old!, now!);
  process.stdout.write(
    markdown ? changesMarkdown(changes) : changesText(changes, terminalOf(process.stdout, process.env)),
  );
  return isBreaking(changes) ? 1 : 0;
}
