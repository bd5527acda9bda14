import { ledger } from '../../conformance/ledger.gen.js';
import type { Verdict } from '../../conformance/verdict.js';
import type { Cause, TestedServer, FalseAlarm, Onboarding, Results, Server } from './server.js';

const groups = /^(AUTH|TOK|REV|INTRO|LIFE)-/;

/** What the consent page shows, and the scope that calls by bearer need, is the wrapper's: no server is judged by it. */
const wrappedRows = ['AUTH-WARN-001', 'AUTH-WARN-002', 'REV-001', 'INTRO-001'];

/** The rows that servers are tested against. */
export const testedRows: readonly string[] = ledger.flatMap(({ id }) =>
  groups.test(id) && !wrappedRows.includes(id) ? [id] : [],
);

/** What no server here offers: an application that reaches its owner's account, and pages that revoke. */
export const unoffered = ['TOK-CC-011', 'TOK-CC-012', 'LIFE-005', 'LIFE-006', 'LIFE-007'];

/** The rows of these verdicts. */
export const rowsOf = ({ rows }: Results, ...verdicts: readonly Verdict[]): readonly string[] =>
  Object.entries(rows).flatMap(([id, verdict]) => (verdicts.includes(verdict) ? [id] : []));

/** README.md of the folder, before it is formatted. */
export const pageOf = (
  entries: readonly TestedServer[],
  alarms: readonly FalseAlarm[],
  onboardings: readonly Onboarding[],
): string => `# Third-party servers

\`npm run foreign\` tests authorization servers that this project did not write against the ${testedRows.length} rows of
authorization; \`npm run foreign -- oidc-provider\` tests one and needs nothing but npm. Each server is installed from its
registry into \`dist/foreign\`, with the versions that its manifest in \`servers/\` pins, and tested through its public
address, with seed 1 and 10 cases of each property. A server whose programs the machine lacks is named and left out. This page is written by that command.

Every red row is one of three: a **deviation**, which the server documents or chose; a **defect** of the server, with the
smallest trace; a **false alarm** of the suite, which is then fixed.

${summary(entries)}

## The wrapper

A server's folder holds its start script: the accounts and clients of \`servers/world.json\`, a page for login and consent
where the server has none, and a way to move the clock.
${named(entries, true)} are tested directly, with a target file that names their paths, the
passwords of their login pages, and what they do not offer. In front of ${named(entries, false)}
stands the gateway (\`gateway.ts\`), which maps paths, shows three resources behind the server's own introspection, and
lets a bearer token with \`oauth:revoke\` or \`oauth:introspect\` stand for the client that it was issued to, as these
servers know clients only. No rule of the interface is in either.
${wrappedRows.join(', ')} would be answered by the wrapper and are left out. No server offers what ${unoffered.join(', ')}
need: an application that reaches its owner's account, and the pages where users and owners revoke.

## From an empty folder to a first report

The server runs, and its clients are registered. Filling in the target file by hand is not counted.

${onboardings.map(onboardingOf).join('\n\n')}

## False alarms

Found here and fixed. A variant keeps each from coming back, where a conforming server can show it.

${table(
  ['Row', 'Shown by', 'The suite was wrong', 'Kept by'],
  alarms.map(({ rows, server, why, variant }) => [rows.join(', '), server, why, variant]),
)}

${entries.map(sectionOf).join('\n\n')}

## Their machines

[machines](machines/README.md) draws the token lifecycle of each beside that of the contract, with every difference.
`;

const summary = (entries: readonly TestedServer[]): string =>
  table(
    ['Server', 'Language', 'Version', 'Passed', 'Failed', 'Warned', 'Could not run', 'Not exercised', 'Seconds'],
    entries.map(({ server, results }) => [
      server.package,
      server.language,
      server.version,
      results.passed,
      rowsOf(results, 'fail').length,
      rowsOf(results, 'warn').length,
      rowsOf(results, 'could not run').length,
      rowsOf(results, 'not exercised', 'not applicable').length,
      results.seconds,
    ]),
  );

/** The servers that are tested directly, or those behind the gateway. */
const named = (entries: readonly TestedServer[], direct: boolean): string =>
  entries
    .filter(({ server }) => (server.target !== undefined) === direct)
    .map(({ server }) => server.package)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');

const onboardingOf = ({ server, steps, filled, found }: Onboarding): string => `### ${server}

${table(
  ['Command', 'Seconds'],
  [
    ...steps.map(({ command, seconds }) => [`\`${command}\``, seconds] as const),
    ['all', Math.round(steps.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10],
  ],
)}

Filled in by hand: ${filled}. ${found}`;

function sectionOf({ server, results }: TestedServer): string {
  const { causes, unjudged = [] } = server;
  const notJudged = unjudged.map(({ rows, why }) => [rows.join(', '), why]);
  const red = rowsOf(results, 'fail');
  const count = (wanted: Cause['class']): number =>
    causes.filter((cause) => cause.class === wanted).flatMap(({ rows }) => rows.filter((row) => red.includes(row)))
      .length;
  return `## ${server.package}

${server.package} ${server.version}, ${server.language}, from ${server.registry}: ${red.length} red rows,
${count('deviation')} by deviations and ${count('defect')} by defects.

${[...list('Settings', server.settings), ...list('Wrapper', server.wrapper)].join('\n')}

${table(
  ['Class', 'Rows', 'Why'],
  causes.map(({ class: kind, rows, why, varies }) => [
    kind,
    rows.join(', '),
    varies ? `${why} Not in every run.` : why,
  ]),
)}
${notJudged.length > 0 ? `\n${table(['Not judged', 'Why'], notJudged)}` : ''}`;
}

const list = (what: string, items: Server['settings']): readonly string[] =>
  items.length > 0 ? [`- ${what}: ${items.join('; ')}.`] : [];

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
