import { sourceWords } from './source-words.js';
import { createHash } from 'node:crypto';

import type { RowResult, RunReport } from '../result.js';
import { addressOf, bareTitle, evidence, pageOf, standingAt } from './rows.js';
import { standing } from '../standing.js';
import { block, line } from '../text.js';

/** Where the contract stands in the repository of whoever reads the log. */
const contract = 'openapi/openapi.yaml';

/**
 * SARIF 2.1.0 for code scanning: a rule for each requirement that failed or warned, its results at their place in the
 * contract. Waived failures are suppressed results. An undecided requirement is a notification, never a result.
 */
export function sarif(report: RunReport): string {
  const rows = standingAt(report.rows, 'fail', 'waived', 'warn');
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: toolOf(report),
            version: report.suite.version,
            properties: { ledger: report.suite.ledger, contract: report.suite.contract },
            rules: rows.map(rule),
          },
        },
        automationDetails: { id: `game-data-conformance/${line(report.target.name, 100)}/` },
        invocations: [invocation(report)],
        artifacts: [{ location: { uri: contract } }],
        columnKind: 'utf16CodeUnits',
        results: rows.map(result),
        properties: {
          target: report.target.base_url,
          outcome: report.outcome,
          summary: report.summary,
          seed: report.seed,
          runs: report.runs,
          requests: report.requests.sent,
        },
      },
    ],
  };
  const shown = (_: string, value: unknown): unknown => (typeof value === 'string' ? block(value, 4000) : value);
  return `${JSON.stringify(log, shown, 2)}\n`;
}

/** The command that judged: the report names it, with its options. */
function toolOf({ command, subject }: RunReport): string {
  const [, name = subject === 'client' ? 'audit' : 'verify'] =
    /(?:^|[\s/])(?:gamedata|main\.[jt]s) (verify|audit|check|proxy)\b/.exec(command) ?? [];
  return `gamedata ${name}`;
}

/** A phrase for the middle of a sentence, or before its period. */
const bare = (text: string): string => text.replace(/\.$/, '');

/** As the verdict of the run has it, whatever the level: a failure fails it. */
const severity = (row: RowResult): 'error' | 'warning' => (standing(row) === 'warn' ? 'warning' : 'error');

function rule(row: RowResult): object {
  const helpUri = addressOf(row);
  const source = sourceWords(line(row.section, 60));
  return {
    id: row.id,
    shortDescription: { text: line(bareTitle(row), 300) },
    fullDescription: { text: line(row.statement, 1000) },
    help: { text: `${source}: ${line(pageOf(row), 500)}`, markdown: helpUri ? `[${source}](<${helpUri}>)` : source },
    ...(helpUri && { helpUri }),
    defaultConfiguration: { level: severity(row) },
    properties: { tags: ['conformance', row.level, row.group] },
  };
}

function result(row: RowResult, ruleIndex: number): object {
  const { expected, got } = evidence(row);
  const warned = standing(row) === 'warn';
  const smallest =
    row.failure?.smallest === undefined ? '' : ` Minimal case: ${bare(line(row.failure.smallest, 500))}.`;
  const title = bare(line(row.title, 300));
  const failed = `${title}. Expected ${bare(line(expected, 600))}; got ${bare(line(got, 600))}.${smallest}`;
  return {
    ruleId: row.id,
    ruleIndex,
    kind: 'fail',
    level: severity(row),
    message: {
      text: warned ? `${title}. ${line(row.reason ?? row.notes[0] ?? 'no reason given', 600)}` : failed,
    },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: contract, index: 0 }, region: { startLine: 1 } },
        ...(row.pointer && {
          logicalLocations: [{ fullyQualifiedName: row.pointer, name: lastPart(row.pointer), kind: 'object' }],
        }),
      },
    ],
    partialFingerprints: { 'requirement/v1': createHash('sha256').update(row.id).digest('hex') },
    ...(row.waived && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: line(row.waived.reason, 1000) }],
    }),
    properties: {
      level: row.level,
      section: row.section,
      ...(row.failure && { seed: row.failure.seed, replay: line(row.failure.replay, 500) }),
    },
  };
}

/** `/paths/~1profile/get` -> `get`. */
const lastPart = (pointer: string): string =>
  (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

function invocation(report: RunReport): object {
  const start = Date.parse(report.started);
  const errors = standingAt(report.rows, 'suite error').map(({ id, reason }) =>
    notification('error', `${id} was not judged: ${reason ?? 'no reason given'}`),
  );
  const undecided = standingAt(report.rows, 'could not run', 'not exercised').map((row) =>
    notification('note', `${row.id}: ${standing(row)}: ${row.reason ?? 'no reason given'}`),
  );
  return {
    executionSuccessful: report.exitCode < 2,
    exitCode: report.exitCode,
    commandLine: line(report.command, 2000),
    ...(Number.isNaN(start) ? {} : { startTimeUtc: utc(start), endTimeUtc: utc(start + report.seconds * 1000) }),
    toolExecutionNotifications: [...errors, ...undecided],
    toolConfigurationNotifications: report.problems.map((problem) => notification('error', problem)),
  };
}

const utc = (milliseconds: number): string => new Date(milliseconds).toISOString();

const notification = (level: 'error' | 'note', text: string): object => ({
  level,
  message: { text: line(text, 1000) },
});
