import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { shell } from '../../scripts/machine.js';
import { contract, filled, knownIds } from './contract.js';
import { startSubject } from './subject.js';
import type { Tool } from './tool.js';
import { folder, workshop } from './tool.js';

const place = join(workshop, 'schemathesis');
const program = join(place, 'venv', 'bin', 'schemathesis');
const requirements = join(folder, 'schemathesis', 'requirements.txt');

const options =
  '--phases=examples,coverage,fuzzing,stateful --checks=all --max-examples=10 --no-shrink --continue-on-failure';

/** A failure in its report of events. */
interface Failure {
  readonly code: string;
  readonly operation: string;
  readonly message: string;
}

export const schemathesis: Tool = {
  id: 'schemathesis',
  name: 'Schemathesis',
  version: /==(\S+)/.exec(readFileSync(requirements, 'utf8'))?.[1] ?? '',
  needs: ['python3'],
  command: `schemathesis run contract.json --url URL -H 'Authorization: Bearer TOKEN' ${options} --seed 1`,
  settings:
    'All phases with inferred links, all checks, 10 examples of each operation and failures not shrunk, which are bounds of ours so that a run takes seconds. Baseline runs have seeds 1, 2 and 3.',
  blind: 'a wrong value of the right form, and sequences of calls that no link joins, such as a login',
  baselines: 3,
  async install() {
    if (existsSync(program)) return;
    mkdirSync(place, { recursive: true });
    cpSync(requirements, join(place, 'requirements.txt'));
    const { code, output } = await shell(
      'python3 -m venv venv && venv/bin/pip install --quiet --requirement requirements.txt',
      place,
    );
    if (code !== 0) throw new Error(`pip could not install it: ${output.trim().split('\n').at(-1)}`);
  },
  async run({ setup, mutation, seed, timeout }) {
    const ids = await knownIds();
    const subject = await startSubject(setup, mutation);
    const [file, report] = [join(place, 'contract.json'), join(place, 'report.ndjson')];
    rmSync(report, { force: true });
    try {
      writeFileSync(file, JSON.stringify(filled(contract('openapi.json'), ids, subject)));
      const { code, late, output } = await shell(
        `exec ${program} run ${file} --url ${subject.url} -H "Authorization: Bearer $TOKEN" ${options} --seed ${seed} ` +
          `--generation-database=none --suppress-health-check=all --no-color --report-ndjson-path ${report}`,
        place,
        { TOKEN: subject.token },
        timeout,
      );
      const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
      const failures = failuresIn(text);
      // 1 is for failures; whatever else it ends with is said by itself.
      const crashed = !late && (code > 1 || (code === 1 && failures.length === 0));
      return { late, failures: [...failures, ...(crashed ? [`ended with ${code}: ${lastLine(output)}`] : [])] };
    } finally {
      await subject.stage.close();
    }
  },
};

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? '';

/** Failures in a report: code, operation and first line of the message. */
function failuresIn(report: string): readonly string[] {
  const found = new Set<string>();
  JSON.parse(`[${report.trim().split('\n').filter(isWhole).join(',')}]`, (key, value: unknown) => {
    if (key !== 'failure' || typeof value !== 'object' || value === null) return value;
    const { code, operation, message } = value as Failure;
    found.add(`${code} ${operation}: ${message.split('\n')[0]}`);
    return value;
  });
  return [...found];
}

/** The last line of a run that was ended may be broken off. */
function isWhole(line: string): boolean {
  try {
    return line !== '' && JSON.parse(line) !== undefined;
  } catch {
    return false;
  }
}
