import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { machineOf, violations } from '../../conformance/machine/certificate.js';
import { compared } from '../../conformance/machine/compare.js';
import { contractMachine, mockReadings } from '../../conformance/machine/contract.js';
import type { LearnedMachine } from '../../conformance/machine/learn.js';
import { readings } from '../../conformance/model/grant.js';
import type { Reading } from '../../conformance/model/grant.js';
import { isWait } from '../../conformance/model/inputs.js';
import { livesOf } from '../../conformance/model/run-server.js';
import type { Role } from '../../conformance/target/target.js';
import type { Verdict } from '../../conformance/verdict.js';
import { table } from './page.js';
import { folder, serverNames, serverOf } from './server.js';
import type { Server } from './server.js';

/** `machine.json` in a server's folder: what was learned of it, and what `verify` says of the same rows. */
export type StoredMachine = LearnedMachine & {
  readonly rows: Readonly<Record<string, Verdict>>;
  /** What `verify` certifies; null where it could not ask. */
  readonly certificate: { readonly states: number; readonly extra: number; readonly withheld?: string } | null;
  /** Null where nobody can move the server's clock. */
  readonly timed: TimedMachine | null;
};

/** What is stored of the machine in which time passes. */
type TimedMachine = Pick<
  LearnedMachine,
  'states' | 'verdict' | 'words' | 'requests' | 'seconds' | 'readings' | 'differences'
>;

export interface NamedMachine {
  readonly name: string;
  readonly server: Server;
  readonly stored: StoredMachine;
}

/** Every server whose machine was learned. */
export const storedMachines = (): readonly NamedMachine[] =>
  serverNames()
    .map((name) => ({ name, file: join(folder, name, 'machine.json') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({
      name,
      server: serverOf(name),
      stored: JSON.parse(readFileSync(file, 'utf8')) as StoredMachine,
    }));

type Class = 'violation' | 'reading' | 'extension';

interface Named {
  readonly class: Class;
  readonly text: string;
  readonly contract: string;
  readonly server: string;
  readonly concerns: string;
}

/** Every difference from the contract's machine, named. What the interface forbids is a violation; what it leaves open is a reading. */
export async function differencesOf({ machine, client }: StoredMachine): Promise<readonly Named[]> {
  const own = machineOf(machine);
  const lives = livesOf(client as Role);
  const wrong = compared(own, { violations: violations(own, lives), lives }).map(
    ({ text, expected, got, concerns }): Named => ({
      class: 'violation',
      text,
      contract: expected,
      server: got,
      concerns,
    }),
  );
  const other = compared(own, { other: await contractMachine(), lives }).map(
    ({ text, expected, got, concerns }): Named => ({
      class: concerns.includes('(K-') ? 'reading' : 'extension',
      text,
      contract: expected,
      server: got,
      concerns,
    }),
  );
  return [...wrong, ...other.filter(({ concerns }) => !/^[A-Z]+-/.test(concerns))];
}

/** README.md of the folder `machines`, before it is formatted. */
export async function machinesPage(all: readonly NamedMachine[]): Promise<string> {
  const found = await Promise.all(all.map(async (one) => ({ ...one, differences: await differencesOf(one.stored) })));
  const count = (differences: readonly Named[], wanted: Class): number =>
    differences.filter(({ class: kind }) => kind === wanted).length;
  const sections = found.map((one) => sectionOf(one));
  return `# The machines of other servers

\`npm run foreign -- --machine\` learns the token lifecycle of each [server](../README.md) with \`gamedata learn\`, runs
\`gamedata verify\` for the rows of the certificate, and writes this page. What a machine is, and what it proves, is told in
[conformance/machine](../../../conformance/machine/README.md). Each difference comes with its shortest sequence. It is one
of three: a **violation** of a requirement; a **reading** of what the interface leaves open, with its entry of
\`openapi/gaps.yaml\`, where the mock does otherwise; an **extension**, of which the interface says nothing.

${table(
  ['Server', 'States', 'Complete', 'Violations', 'Readings', 'Extensions', 'Sequences', 'Requests', 'Seconds'],
  found.map(({ server, stored, differences }) => [
    server.package,
    stored.states,
    stored.complete ? `up to ${stored.extra ?? 0} more` : 'no',
    count(differences, 'violation'),
    count(differences, 'reading'),
    count(differences, 'extension'),
    stored.words,
    stored.requests,
    Math.round(stored.seconds),
  ]),
)}

## What the interface leaves open

How each server that was learned decides it. \`depends\` means that it does in some states and not in others, which no row
shows; an empty cell, that nothing of it was met.

${readingsTable(found.filter(({ stored }) => stored.complete))}

${sections.join('\n\n')}
`;
}

function sectionOf({
  name,
  server,
  stored,
  differences,
}: NamedMachine & { readonly differences: readonly Named[] }): string {
  const { certificate, rows } = stored;
  const red = Object.entries(rows).filter(([, verdict]) => verdict !== 'pass');
  const certified =
    certificate === null
      ? 'No certificate: `verify` could not ask for it.'
      : certificate.withheld === undefined
        ? `Certified by \`verify\` for ${certificate.states + certificate.extra} states.`
        : `No certificate: ${certificate.withheld}.`;
  return `## ${server.package}

${server.package} ${server.version}, ${server.language}; client ${stored.client}, ${stored.inputs} inputs. ${stored.verdict}
${certified}${red.length > 0 ? ` In \`verify\`: ${red.map(([id, verdict]) => `${id} ${verdict}`).join(', ')}.` : ''}

| The contract | ${server.package} |
| --- | --- |
| ![The token lifecycle of the contract](../../../conformance/machine/contract.svg) | ![The token lifecycle of ${server.package}](${name}.svg) |

${
  differences.length === 0
    ? 'No difference from the contract.'
    : table(
        ['Class', 'Shortest sequence', 'Contract', 'Server', 'Concerns'],
        differences.map(({ class: kind, text, contract, server: got, concerns }) => [
          kind,
          text,
          contract,
          got,
          concerns,
        ]),
      )
}

${timedText(stored)}
${causesOf(server, stored, differences)}
To repeat it: \`npm run foreign -- --machine ${name}\`, which leaves a script for each difference in
\`dist/foreign/${name}.machine/differences\`.`;
}

/** What only the passing of time shows. */
function timedText({ timed }: StoredMachine): string {
  if (timed === null) return 'Nobody can move its clock, so that no machine in which time passes was learned.';
  const late = timed.differences.filter(({ word }) => word.some(isWait));
  const said = `Where time passes (\`--time\`): ${timed.states} states, ${timed.words} sequences, ${timed.requests} requests, ${Math.round(timed.seconds)} s. ${timed.verdict}`;
  if (late.length === 0) return `${said} No violation is added.`;
  const lines = late.map(({ text, expected, got, concerns }) => ['violation', text, expected, got, concerns]);
  return `${said}\n\n${table(['Class', 'Shortest sequence', 'Contract', 'Server', 'Concerns'], lines)}`;
}

/** What is known of the causes of its violations, and of the rows that `verify` fails. */
const causesOf = ({ causes }: Server, stored: StoredMachine, differences: readonly Named[]): string =>
  causes
    .filter(({ rows }) =>
      rows.some(
        (row) =>
          stored.rows[row] === 'fail' ||
          differences.some(({ class: kind, concerns }) => kind === 'violation' && concerns === row) ||
          stored.timed?.differences.some(({ concerns }) => concerns === row),
      ),
    )
    .map(({ rows, class: kind, why }) => `\n${rows.join(', ')} (${kind}): ${why}\n`)
    .join('');

function readingsTable(all: readonly NamedMachine[]): string {
  return table(
    ['Reading', 'Gap', 'mock', ...all.map(({ name }) => name)],
    Object.entries(readings).map(([reading, gap]) => [
      reading,
      gap,
      mockReadings[reading as Reading] ? 'yes' : 'no',
      ...all.map(
        ({ stored }) =>
          [...stored.readings, ...(stored.timed?.readings ?? [])].find((one) => one.reading === reading)?.answer ?? '',
      ),
    ]),
  );
}
