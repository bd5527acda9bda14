import type { RowResult, RunReport } from '../result.js';
import { by, evidence, headline, pageOf } from './rows.js';
import { standing, tally } from '../standing.js';
import { block, line } from '../text.js';

/**
 * JUnit XML as Jenkins' and Surefire's schemas have it: a suite for each requirement group, a case for each requirement
 * that has a check. Undecided and waived requirements are skipped, with the reason. Suite errors are errors, and so is a run
 * that came to no verdict: whoever reads the cases alone would take it for one without failures.
 */
export function junit(report: RunReport): string {
  const checked = report.rows.filter((row) => standing(row) !== 'excluded');
  const groups = [...by(checked, ({ group }) => group)];
  const { tests, failures, errors } = totals(checked);
  const own = report.exitCode > 1 ? [unjudged(report)] : [];
  const all = { tests: tests + own.length, failures, errors: errors + own.length };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element(
      'testsuites',
      { name: `${headline(report)} of ${report.target.name}`, ...all, time: report.seconds.toFixed(3) },
      [...own, ...groups.map(([group, rows]) => suite(report, group, rows))],
    ),
    '',
  ].join('\n');
}

type XmlAttributes = Readonly<Record<string, string | number | undefined>>;

function totals(rows: readonly RowResult[]): { tests: number; failures: number; errors: number } {
  const counts = tally(rows);
  return { tests: rows.length, failures: counts.fail, errors: counts['suite error'] };
}

const skipped: ReadonlySet<string> = new Set(['waived', 'could not run', 'not exercised', 'not applicable']);

function suite(report: RunReport, group: string, rows: readonly RowResult[]): string {
  const { suite, seed, runs, command, target, started } = report;
  const properties = {
    target: target.base_url,
    suite: suite.version,
    ledger: suite.ledger,
    contract: suite.contract,
    seed,
    runs,
    command,
  };
  const attributes = {
    name: group,
    ...totals(rows),
    skipped: rows.filter((row) => skipped.has(standing(row))).length,
    time: seconds(rows.reduce((sum, { ms }) => sum + ms, 0)),
    timestamp: started.replace(/([.]\d+)?Z$/, ''),
  };
  return element('testsuite', attributes, [
    element(
      'properties',
      {},
      Object.entries(properties).map(([name, value]) => element('property', { name, value })),
    ),
    ...rows.map(testcase),
  ]);
}

/** A suite of one case: the run itself, which came to no verdict. */
function unjudged({ outcome: type, summary }: RunReport): string {
  const time = seconds(0);
  const error = element('error', { type, message: line(summary, 1000) });
  const found = element('testcase', { name: 'the run comes to a verdict', classname: 'conformance.run', time }, [
    error,
  ]);
  return element('testsuite', { name: 'run', tests: 1, failures: 0, errors: 1, skipped: 0, time }, [found]);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function testcase(row: RowResult): string {
  const attributes = { name: row.title, classname: `conformance.${row.group}`, time: seconds(row.ms) };
  return element('testcase', attributes, outcome(row));
}

function outcome(row: RowResult): string[] {
  const at = standing(row);
  const remarks = [...row.notes, ...(at === 'warn' ? [row.reason ?? row.statement] : [])];
  const out = remarks.length > 0 ? [element('system-out', {}, [text(remarks.join('\n'))])] : [];
  if (at === 'pass' || at === 'warn') return out;
  if (at === 'fail') return [failure(row), ...out];
  const reason = at === 'waived' ? row.waived?.reason : row.reason;
  const message = `${at}: ${reason ?? 'no reason given'}`;
  return [element(at === 'suite error' ? 'error' : 'skipped', { type: at, message: line(message, 1000) }), ...out];
}

function failure(row: RowResult): string {
  const { expected, got } = evidence(row);
  const lines = [
    `expected: ${expected}`,
    `got: ${got}`,
    `requirement: ${row.statement}`,
    `see: ${pageOf(row)} (section ${row.section})`,
    ...(row.failure?.request === undefined ? [] : [`request: ${row.failure.request}`]),
    ...(row.failure?.smallest === undefined ? [] : [`minimal case: ${row.failure.smallest}`]),
    ...(row.failure ? [`seed: ${row.failure.seed}`, `replay: ${row.failure.replay}`] : []),
  ];
  const message = line(`expected ${expected}; got ${got}`, 1000);
  return element('failure', { type: row.level, message }, [text(lines.join('\n'))]);
}

const escape = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const text = (value: string): string => escape(block(value, 8000));

function element(name: string, attributes: XmlAttributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escape(line(String(value), 2000))}"`)
    .join('');
  if (children.length === 0) return `<${name}${written}/>`;
  const inner = children.every((child) => child.startsWith('<')) ? `\n${children.join('\n')}\n` : children.join('');
  return `<${name}${written}>${inner}</${name}>`;
}
