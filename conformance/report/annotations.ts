import type { RunReport } from '../result.js';
import { alike, evidence, pageOf, standingAt } from './rows.js';
import { count, line } from '../text.js';

/** GitHub shows at most ten errors per step. */
const most = 10;

/**
 * Workflow commands for GitHub Actions: an error for each group of failures with one message, at most ten, and a notice
 * with the summary. Written to standard output where GITHUB_ACTIONS is `true`.
 */
export function annotations(report: RunReport): string {
  const causes = alike(standingAt(report.rows, 'fail'));
  const failures = causes.slice(0, most).map((rows) => {
    const [row] = rows as [(typeof rows)[number]];
    const { expected, got } = evidence(row);
    const others =
      rows.length > 1 ? `\n${count(rows.length - 1, 'other requirement')} failed with the same message.` : '';
    const text = `expected ${line(expected, 500)}; got ${line(got, 500)}\n${line(pageOf(row), 500)}\n${line(row.failure?.replay ?? '', 500)}`;
    return command('error', line(row.title, 200), `${text.trim()}${others}`);
  });
  const rest = causes.slice(most).reduce((sum, rows) => sum + rows.length, 0);
  const summary = `${line(report.summary, 1000)}${rest > 0 ? `\n${count(rest, 'more failure')} in report.html.` : ''}`;
  return `${[...failures, command('notice', 'Game Data conformance', summary)].join('\n')}\n`;
}

function command(name: 'error' | 'notice', title: string, message: string): string {
  return `::${name} title=${property(title)}::${data(message)}`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
