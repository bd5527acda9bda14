import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { shell } from '../../scripts/machine.js';
import { contract, filled, knownIds } from './contract.js';
import { startSubject } from './subject.js';
import type { Tool } from './tool.js';
import { workshop } from './tool.js';

const place = join(workshop, 'respect');
const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const program = `${process.execPath} ${join(dirname(manifest), 'bin', 'cli.js')}`;

/** What of its report is read. */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly executedWorkflows: readonly {
          readonly executedSteps: readonly {
            readonly stepId: string;
            readonly checks?: readonly { readonly name: string; readonly passed: boolean; readonly message: string }[];
          }[];
        }[];
      }
    >
  >;
}

export const respect: Tool = {
  id: 'respect',
  name: 'Redocly Respect',
  version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version,
  needs: [],
  command: 'redocly generate-arazzo contract.json && redocly respect contract.arazzo.yaml --input oauth=TOKEN',
  settings:
    'A workflow for each operation, as its own command makes them from the contract. Its default checks are on: status, content type, schema, and that the call succeeds. Its report has no schema check for replies whose schema refers to itself, which those of characters, tabs and the stream do.',
  blind: 'refusals, a wrong value of the right form, and what one call of each operation does not show',
  baselines: 2,
  async run({ setup, mutation, timeout }) {
    mkdirSync(place, { recursive: true });
    const ids = await knownIds();
    const subject = await startSubject(setup, mutation);
    const report = join(place, 'report.json');
    rmSync(report, { force: true });
    try {
      writeFileSync(join(place, 'contract.json'), JSON.stringify(filled(contract('openapi.json'), ids, subject)));
      const env = { TOKEN: subject.token, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const made = await shell(`exec ${program} generate-arazzo contract.json -o contract.arazzo.yaml`, place, env);
      if (made.code !== 0) throw new Error(`redocly generate-arazzo: ${made.output.slice(-300)}`);
      const { late } = await shell(
        `exec ${program} respect contract.arazzo.yaml --input oauth=$TOKEN --json-output report.json`,
        place,
        env,
        timeout,
      );
      const failures = existsSync(report) ? failuresIn(JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined;
      return { late, failures: failures ?? (late ? [] : ['ended without a report']) };
    } finally {
      await subject.stage.close();
    }
  },
};

const failuresIn = ({ files }: Report): readonly string[] =>
  Object.values(files)
    .flatMap(({ executedWorkflows }) => executedWorkflows)
    .flatMap(({ executedSteps }) => executedSteps)
    .flatMap(({ stepId, checks = [] }) =>
      checks.flatMap(({ name, passed, message }) =>
        passed ? [] : [`${stepId}: ${name}: ${message.split('\n')[0]?.slice(0, 200)}`],
      ),
    );
