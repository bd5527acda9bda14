import { certificateLines } from './certificate.js';
import { copyLines } from './copies.js';
import { name, labelled } from './console.js';
import { drawText } from '../histories/draw.js';
import type { RowResult, RunReport } from '../result.js';
import type { Standing } from '../standing.js';
import {
  alike,
  bareTitle,
  by,
  evidence,
  extent,
  isPlain,
  lacks,
  mostAdvice,
  pageOf,
  reasons,
  severalReasons,
  standingAt,
} from './rows.js';
import { standings, tally } from '../standing.js';
import type { Terminal } from './terminal.js';
import { paintFor } from './terminal.js';
import { block, count, duration, line, unticked, wrap } from '../text.js';

/** Failures printed in full; report.html has the rest. */
const mostWhole = 10;
const mostListed = 12;

/** The end of a run's output, with the summary last. `files` were written. A run that did not start has nothing else. */
export function ending(report: RunReport, files: readonly string[], terminal: Terminal): string {
  const { counts, outcome } = report;
  const started = counts.pass + counts.warn + counts.fail + counts.waived + counts['suite error'] > 0;
  if (outcome.endsWith('error') && !started) return `${summary(report, files, terminal).join('\n')}\n`;
  const parts = [
    groupTable(report.rows, terminal),
    failures(report, terminal),
    errors(report, terminal),
    warnings(report, terminal),
    couldNotRun(report, terminal),
    notExercised(report, terminal),
    waivers(report, terminal),
    lifecycle(report, terminal),
    problems(report, terminal),
    advice(report, terminal),
    copyLines(report, terminal),
    observations(report, terminal),
    closing(report, files, terminal),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

/** Failures, the ids of warnings and the verdict, and nothing else: what `--quiet` leaves. */
export function brief(report: RunReport, terminal: Terminal): string {
  const { bad, fair, strong } = paintFor(terminal);
  const warned = standingAt(report.rows, 'warn');
  const verdict = wrap(line(report.summary), terminal.columns).map((text) =>
    strong(isPlain(report) ? text : bad(text)),
  );
  const parts = [
    failures(report, terminal),
    errors(report, terminal),
    problems(report, terminal),
    warned.length === 0 ? [] : wrap(`Warnings: ${ids(warned)}`, terminal.columns).map(fair),
    verdict,
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

const columns: readonly (readonly [Standing, string])[] = [
  ['fail', 'fail'],
  ['suite error', 'error'],
  ['waived', 'waived'],
  ['warn', 'warn'],
  ['pass', 'pass'],
];

/** Groups in which something was judged and did not pass. What was not judged stands with its reasons below. */
function groupTable(rows: readonly RowResult[], terminal: Terminal): string[] {
  const { strong, faint, bad, fair, good } = paintFor(terminal);
  const groups = [...by(rows, ({ group }) => group)]
    .map(([group, its]) => ({ group, counts: tally(its) }))
    .filter(({ counts }) => columns.some(([at]) => at !== 'pass' && counts[at] > 0))
    .sort((a, b) => urgency(b.counts) - urgency(a.counts));
  if (groups.length === 0) return [];
  const shown = groups.slice(0, 25);
  const used = columns.filter(([at]) => at === 'pass' || shown.some(({ counts }) => counts[at] > 0));
  const first = Math.max(5, ...shown.map(({ group }) => line(group, 24).length));
  const colour = (at: Standing, text: string): string =>
    text.trim() === ''
      ? text
      : at === 'pass'
        ? good(text)
        : at === 'fail' || at === 'suite error'
          ? bad(text)
          : fair(text);
  return [
    `  ${faint(`${'Group'.padEnd(first)}${used.map(([, title]) => `  ${title}`).join('')}`)}`,
    ...shown.map(({ group, counts }) =>
      `  ${strong(line(group, 24).padEnd(first))}${used
        .map(([at, title]) => `  ${colour(at, (counts[at] === 0 ? '' : String(counts[at])).padStart(title.length))}`)
        .join('')}`.trimEnd(),
    ),
    ...(groups.length > shown.length ? [faint(`  and ${count(groups.length - shown.length, 'more group')}`)] : []),
  ];
}

const urgency = (counts: Record<Standing, number>): number =>
  standings.findLastIndex((at) => at === 'pass') - standings.findIndex((at) => counts[at] > 0);

function failures(report: RunReport, terminal: Terminal): string[] {
  const { bad, faint } = paintFor(terminal);
  const failed = standingAt(report.rows, 'fail');
  if (failed.length === 0) return [];
  const causes = alike(failed);
  return [
    bad(
      `Failed: ${count(failed.length, 'requirement')}${causes.length < failed.length ? `, ${count(causes.length, 'different message')}` : ''}`,
    ),
    ...causes.slice(0, mostWhole).flatMap((rows) => ['', ...failure(rows, terminal)]),
    ...others('failure', causes.slice(mostWhole).flat(), terminal),
    // A client is a command, and inherits what is not in its arguments.
    ...(report.subject === 'client'
      ? [
          '',
          ...labelled(
            '',
            0,
            faint(
              report.command.includes(' audit watch')
                ? 'To replay, start the watch, give the client the values that it prints, and run it again.'
                : 'To replay, set the environment variables that you set for the client; the audit sets its own.',
            ),
            terminal,
          ),
        ]
      : []),
  ];
}

/** Failures with one cause: the first in full, the others by id. */
function failure(rows: readonly RowResult[], terminal: Terminal): string[] {
  const paint = paintFor(terminal);
  const { faint, link, bad } = paint;
  const [row] = rows;
  if (!row) return [];
  const { expected, got } = evidence(row);
  const labelledText = (label: string, text: string | undefined): string[] =>
    text ? labelled(faint(label.padEnd(8)), 8, line(text, 600), terminal) : [];
  return [
    ...(rows.length > 1
      ? [
          bad(
            `  ${count(rows.length, 'requirement')}: ${line(`expected ${expected}; got ${got}`, terminal.columns * 2)}`,
          ),
        ]
      : []),
    `  ${name(row, paint)} ${line(unticked(bareTitle(row)), 300)}`,
    ...(rows.length > 1
      ? []
      : [
          ...labelledText('expected', expected),
          ...labelledText('got', got),
          ...labelledText('request', row.failure?.request),
        ]),
    ...(row.failure?.history ? block(drawText(row.failure.history), 2000).split('\n') : []),
    ...(bareTitle(row) === row.statement.replace(/[.]$/, '') ? [] : labelledText('violates', unticked(row.statement))),
    ...labelledText('follows', row.entailed && `from ${unticked(row.entailed)}`),
    `  ${faint('see     ')}  ${link(line(pageOf(row), 300))}`,
    ...labelledText('minimal', row.failure?.smallest),
    ...(row.failure ? [`  ${faint('replay  ')}  ${line(row.failure.replay, 400)}`] : []),
    ...row.notes.filter((note) => note.startsWith('First seen in ')).flatMap((note) => labelledText('where', note)),
    ...(rows.length > 1 ? labelledText('also', ids(rows.slice(1))) : []),
  ];
}

/** Those that are not printed in full, by id. */
const others = (what: string, rows: readonly RowResult[], terminal: Terminal): string[] =>
  rows.length === 0
    ? []
    : [
        '',
        ...labelled(
          '',
          0,
          `${count(rows.length, `more ${what}`)}: ${ids(rows)}. report.html shows ${rows.length === 1 ? 'it' : 'each'} (--report <folder>).`,
          terminal,
        ),
      ];

/** At most a dozen ids. */
const ids = (rows: readonly RowResult[]): string =>
  rows
    .slice(0, mostListed)
    .map(({ id }) => id)
    .join(', ') + (rows.length > mostListed ? ` and ${(rows.length - mostListed).toLocaleString('en-US')} more` : '');

/** Coverage of the token lifecycle; report.html and report.json have the table. */
function lifecycle(report: RunReport, terminal: Terminal): string[] {
  const { lifecycle: seen } = report;
  if (!seen || (seen.words === 0 && Object.keys(seen.races).length === 0)) return [];
  const races = Object.entries(seen.races).map(([race, times]) => `${race} (${count(times, 'time')})`);
  const transitions = Object.keys(seen.transitions).length;
  return [
    `Token lifecycle: ${count(seen.words, 'sequence')}, ${count(seen.states.length, 'state')}, ${count(transitions, 'transition')} covered`,
    ...(races.length > 0 ? labelled('', 0, races.join('; '), terminal) : []),
    ...certificateLines(report).flatMap((text) => labelled('', 0, text, terminal)),
  ];
}

const errors = (report: RunReport, terminal: Terminal): string[] => {
  const rows = standingAt(report.rows, 'suite error');
  const heading = `Suite errors: ${count(rows.length, 'requirement')} not judged. Please report them.`;
  return rowList(paintFor(terminal).bad(heading), rows, terminal, ({ reason }) => reason ?? '');
};

const warnings = (report: RunReport, terminal: Terminal): string[] => {
  const rows = standingAt(report.rows, 'warn');
  if (rows.length === 0) return [];
  return [
    paintFor(terminal).fair(`Warnings: ${rows.length}`),
    ...rows
      .slice(0, mostWhole)
      .flatMap((row) => ['', ...(row.failure ? failure([row], terminal) : remark(row, terminal))]),
    ...others('warning', rows.slice(mostWhole), terminal),
  ];
};

/** A warning that no expectation failed for. */
function remark(row: RowResult, terminal: Terminal): string[] {
  const paint = paintFor(terminal);
  return [
    `  ${name(row, paint)} ${line(unticked(bareTitle(row)), 300)}`,
    ...labelled(paint.faint('details '), 8, line(unticked(row.reason ?? row.notes[0] ?? row.statement), 600), terminal),
    `  ${paint.faint('see     ')}  ${paint.link(line(pageOf(row), 300))}`,
  ];
}

const waivers = (report: RunReport, terminal: Terminal): string[] => {
  const rows = standingAt(report.rows, 'waived');
  const say = ({ waived }: RowResult): string =>
    [waived?.reason, waived?.issue, waived?.expires && `until ${waived.expires}`].filter(Boolean).join('; ');
  return rowList(`Known deviations: ${rows.length}`, rows, terminal, say);
};

/** A heading and rows by their ids, with what is said of each. */
function rowList(
  heading: string,
  rows: readonly RowResult[],
  terminal: Terminal,
  say: (row: RowResult) => string,
): string[] {
  const paint = paintFor(terminal);
  const width = ({ id, level }: RowResult): number => id.length + level.length + 1;
  return list(
    heading,
    rows.map((row) => [name(row, paint), width(row), say(row)]),
    terminal,
  );
}

type Item = readonly [label: string, width: number, text: string];

/** A heading and at most a dozen items, with the number of the others. Empty without items. */
function list(heading: string, items: readonly Item[], terminal: Terminal, most = 400): string[] {
  if (items.length === 0) return [];
  return [
    heading,
    ...items
      .slice(0, mostListed)
      .flatMap(([label, width, text]) => labelled(label, width, line(unticked(text), most), terminal)),
    ...(items.length > mostListed ? [`  and ${count(items.length - mostListed, 'more', 'more')}`] : []),
  ];
}

function couldNotRun(report: RunReport, terminal: Terminal): string[] {
  const total = standingAt(report.rows, 'could not run').length;
  const missing = lacks(report.rows);
  const entries = missing.map(({ what, remedy, rows }) => ({
    number: rows.length,
    text: `${what}${rows.length > 0 && rows.length <= 4 ? ` (${ids(rows)})` : ''}`,
    remedy,
  }));
  return reasonList(
    paintFor(terminal).fair(`Could not run: ${count(total, 'requirement')}${severalReasons(total, missing)}`),
    total === 0 ? [] : entries,
    terminal,
  );
}

/** A heading and reasons, each with the number of requirements that give it. Empty without reasons. */
function reasonList(
  heading: string,
  reasonsGiven: readonly { readonly number: number; readonly text: string; readonly remedy?: string | undefined }[],
  terminal: Terminal,
): string[] {
  const { strong, faint } = paintFor(terminal);
  if (reasonsGiven.length === 0) return [];
  const more = reasonsGiven.length - mostListed;
  return [
    heading,
    ...reasonsGiven
      .slice(0, mostListed)
      .flatMap(({ number, text, remedy }) => [
        ...labelled(strong(String(number).padStart(4)), 4, unticked(text), terminal),
        ...(remedy ? labelled(faint('    '), 4, `→ ${unticked(remedy)}`, terminal) : []),
      ]),
    ...(more > 0 ? [faint(`  and ${count(more, 'more reason')}`)] : []),
  ];
}

/** Why nothing came up, in words. */
function absence({ recording }: RunReport): string {
  return `no reply in this ${recording ? 'recording' : 'run'} was such a case`;
}

function notExercised(report: RunReport, terminal: Terminal): string[] {
  const rows = standingAt(report.rows, 'not exercised');
  const entries = reasons(rows).map(([reason, its]) => ({
    number: its.length,
    text: `${line(reason, 240)} (${ids(its.slice(0, 4))}${its.length > 4 ? ' …' : ''})`,
  }));
  const heading = `Not exercised: ${count(rows.length, 'requirement')}`;
  return reasonList(report.subject === 'client' ? `${heading}:` : `${heading}: ${absence(report)}`, entries, terminal);
}

const problems = (report: RunReport, terminal: Terminal): string[] =>
  list(
    paintFor(terminal).bad(`Problems: ${report.problems.length}`),
    report.problems.map((text) => ['-', 1, text]),
    terminal,
  );

const advice = ({ advice: texts = [] }: RunReport, terminal: Terminal): string[] =>
  list(
    paintFor(terminal).fair('Advice'),
    texts.map((text) => ['-', 1, text]),
    terminal,
    mostAdvice,
  );

/** Of a recording, whose reader asks what else is in it; the reports of a run have them too. */
const observations = ({ recording, observations: texts }: RunReport, terminal: Terminal): string[] =>
  recording
    ? list(
        'Observations',
        texts.map((text) => ['-', 1, text]),
        terminal,
      )
    : [];

/** The outcome in a sentence, and the files. */
function summary(report: RunReport, files: readonly string[], terminal: Terminal, ...facts: string[]): string[] {
  const { strong, good, fair, bad } = paintFor(terminal);
  const colour = isPlain(report)
    ? good
    : report.outcome === 'conformant' || report.outcome === 'incomplete'
      ? fair
      : bad;
  return [
    ...wrap(line(report.summary), terminal.columns).map((text) => strong(colour(text))),
    ...facts,
    ...(files.length > 0 ? ['', `Written: ${files.map((file) => line(file)).join(', ')}`] : []),
  ];
}

function closing(report: RunReport, files: readonly string[], terminal: Terminal): string[] {
  const { faint } = paintFor(terminal);
  const counts = tally(report.rows);
  const numbers = standings
    .filter((at) => counts[at] > 0)
    .map((at) => `${counts[at].toLocaleString('en-US')} ${at === 'pass' ? 'passed' : at === 'fail' ? 'failed' : at}`)
    .join(', ');
  return summary(
    report,
    files,
    terminal,
    ...wrap(numbers, terminal.columns).map(faint),
    faint(`${duration(report.seconds)}, ${extent(report)}`),
  );
}
