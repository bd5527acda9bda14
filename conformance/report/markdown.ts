import { sectionLink } from '../section-link.js';
import type { RowResult, RunReport } from '../result.js';
import type { Standing } from '../standing.js';
import { certificateLines } from './certificate.js';
import { alike, bareTitle, evidence, extent, lacks, mostAdvice, reasons, severalReasons, standingAt } from './rows.js';
import { standings, tally } from '../standing.js';
import { count, duration, line, webAddress } from '../text.js';

/** GitHub shows at most a megabyte per step, other places less. This fits everywhere. */
const mostBytes = 60_000;
const mostRows = 25;

/** A short summary in GitHub flavoured Markdown, for a CI job's page or a comment. At most 60 KB of UTF-8. */
export function markdown(report: RunReport): string {
  const parts = [
    ...head(report),
    ...failures(report),
    ...listed('Suite errors', standingAt(report.rows, 'suite error'), ({ reason }) => reason ?? ''),
    ...listed('Warnings', standingAt(report.rows, 'warn'), (row) => row.reason ?? row.notes[0] ?? row.statement),
    ...couldNotRun(report),
    ...notExercised(report),
    ...listed('Known deviations', standingAt(report.rows, 'waived'), ({ waived }) =>
      [waived?.reason, waived?.issue, waived?.expires && `until ${waived.expires}`].filter(Boolean).join('; '),
    ),
    ...certificate(report),
    ...(report.problems.length > 0
      ? [
          `### Problems\n\n${report.problems
            .slice(0, mostRows)
            .map((problem) => `- ${words(problem, 300)}`)
            .join('\n')}`,
        ]
      : []),
    ...(report.advice ?? []).map((text) => `> ${words(text, mostAdvice)}`),
    foot(report),
  ];
  return bounded(parts);
}

/** Whole sections, as many as fit. */
function bounded(parts: readonly string[]): string {
  const rest = '*Truncated. See report.html.*';
  const kept: string[] = [];
  let bytes = Buffer.byteLength(rest) + 3;
  for (const part of parts) {
    bytes += Buffer.byteLength(part) + 2;
    if (bytes > mostBytes) return `${[...kept, rest].join('\n\n')}\n`;
    kept.push(part);
  }
  return `${kept.join('\n\n')}\n`;
}

/** Text of others among Markdown: no markup, no HTML, no mention of a person or an issue. */
export const words = (text: string, most = 300): string =>
  line(text, most)
    .replaceAll(/[\\`*_{}[\]<>()#+!|~&$]/g, '\\$&')
    .replaceAll(/@(?=\w)/g, '@\u2060')
    .replaceAll(/(?<=^|\s)(?=[-=])/g, '\\')
    .replaceAll(/\b(https?|www)(?=[:.])/g, '$1\u2060');

/** Code, also within a table. As HTML: backticks cannot carry every text, least of all between the bars of a table. */
export function code(text: string, most = 300): string {
  const inner = line(text, most).replaceAll(
    /[&<>|`*_{}[\]\\~$!@#]|:(?=\/\/)|(?<=www)[.]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
  return inner === '' ? '' : `<code>${inner}</code>`;
}

/**
 * Linked on the web alone, to the RFC that a requirement comes from: the summary is read on pages of a CI system, where a
 * file of this package cannot be opened.
 */
const linked = (row: RowResult): string => {
  const address = webAddress(row.link) ?? webAddress(sectionLink(row.section));
  return address ? `[${words(row.id, 80)}](<${address}>)` : words(row.id, 80);
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const icons: Readonly<Record<RunReport['outcome'], string>> = {
  conformant: '✅',
  'not conformant': '❌',
  'configuration error': '⛔',
  'suite error': '⛔',
  incomplete: '⚠️',
};

function head(report: RunReport): string[] {
  const counts = tally(report.rows);
  const used = standings.filter((at) => counts[at] > 0);
  const title = (at: Standing): string => (at === 'pass' ? 'passed' : at === 'fail' ? 'failed' : at);
  return [
    `## ${icons[report.outcome]} ${words(report.summary, 400)}`,
    table(used.map(title), [used.map((at) => counts[at].toLocaleString('en-US'))]),
    `${words(report.target.name, 80)} at ${code(report.target.base_url, 200)}, ${extent(report)}, in ${duration(report.seconds)}.`,
  ];
}

function failures(report: RunReport): string[] {
  const failed = standingAt(report.rows, 'fail');
  if (failed.length === 0) return [];
  const causes = alike(failed);
  const rest = causes.slice(mostRows).reduce((sum, rows) => sum + rows.length, 0);
  const rows = causes.slice(0, mostRows).map((its) => {
    const [row] = its as [RowResult];
    const { expected, got } = evidence(row);
    const others = its.length > 1 ? `<br>and ${count(its.length - 1, 'other')}` : '';
    return [
      `${linked(row)} ${row.level}${others}`,
      words(bareTitle(row), 200),
      code(expected, 200),
      code(got, 200),
      code(row.failure?.smallest ?? '', 120),
    ];
  });
  return [
    `### Failed: ${count(failed.length, 'requirement')}`,
    table(['Id', 'Requirement', 'Expected', 'Got', 'Minimal case'], rows),
    ...(rest > 0 ? [`and ${count(rest, 'more failure')} in report.html.`] : []),
  ];
}

function listed(title: string, rows: readonly RowResult[], say: (row: RowResult) => string): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, mostRows).map((row) => `- ${linked(row)} ${row.level}: ${words(say(row), 300)}`);
  const more = rows.length > mostRows ? [`- and ${(rows.length - mostRows).toLocaleString('en-US')} more`] : [];
  return [`### ${title}: ${rows.length}\n\n${[...shown, ...more].join('\n')}`];
}

/** What the complete suite of the token lifecycle proves. */
function certificate(report: RunReport): string[] {
  const lines = certificateLines(report);
  return lines.length === 0 ? [] : [`### Token lifecycle\n\n${lines.map((text) => words(text, 2000)).join('\n\n')}`];
}

function couldNotRun(report: RunReport): string[] {
  const rows = standingAt(report.rows, 'could not run');
  if (rows.length === 0) return [];
  const missing = lacks(report.rows);
  const cells = missing
    .slice(0, mostRows)
    .map(({ what, remedy, rows: its }) => [String(its.length), words(what, 300), words(remedy ?? '', 300)]);
  return [
    folded(
      `Could not run: ${count(rows.length, 'requirement')}${severalReasons(rows.length, missing)}`,
      table(['Requirements', 'Missing', 'Remedy'], cells),
    ),
  ];
}

function notExercised(report: RunReport): string[] {
  const rows = standingAt(report.rows, 'not exercised');
  if (rows.length === 0) return [];
  const cells = reasons(rows)
    .slice(0, mostRows)
    .map(([reason, its]) => [String(its.length), words(reason, 300)]);
  return [folded(`Not exercised: ${count(rows.length, 'requirement')}`, table(['Requirements', 'Reason'], cells))];
}

const folded = (title: string, body: string): string => `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;

const foot = ({ suite, command }: RunReport): string =>
  `Suite ${words(suite.version, 40)}, ledger ${code(suite.ledger, 16)}, contract ${code(suite.contract, 16)}. Run again: ${code(command, 500)}`;
