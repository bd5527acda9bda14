import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { newFolder } from '../src/input/folder.fixture.js';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}

const read = (file: string): Action => parse(readFileSync(file, 'utf8')) as Action;
const verify = read('action.yml');
const audit = read('audit/action.yml');

/** Runs an action's step with an npx that notes its arguments, writes a report and ends with a code. */
function run(
  { inputs: known, runs }: Action,
  inputs: Readonly<Record<string, string>>,
  npx: string,
): { code: number; outputs: string; given: string[] } {
  const folder = newFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nprintf '%s\\n' "$@" > given.txt\n${npx}\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  writeFileSync(join(folder, 'output'), '');
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    GITHUB_OUTPUT: join(folder, 'output'),
    ...Object.fromEntries(
      Object.entries(known).map(([name, { default: value = '' }]) => [
        `INPUT_${name.toUpperCase()}`,
        inputs[name] ?? value,
      ]),
    ),
  };
  let code = 0;
  try {
    execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', runs.steps[0]!.run], { cwd: folder, env });
  } catch (error) {
    code = (error as { status: number }).status;
  }
  return {
    code,
    outputs: readFileSync(join(folder, 'output'), 'utf8'),
    given: readFileSync(join(folder, 'given.txt'), 'utf8').trimEnd().split('\n'),
  };
}

const reporting = (code: number, report: object): string =>
  `mkdir -p gamedata-report; printf '%s' '${JSON.stringify(report)}' > gamedata-report/report.json; exit ${code}`;

describe('the GitHub Action of verify', () => {
  it('hands every input to the command, and none of them to the shell', () => {
    const { code, given } = run(
      verify,
      {
        target: 'my target.yaml',
        only: 'CX,PSTASH',
        baseline: '$(touch hacked).yaml',
        seed: '7',
        arguments: '--wait --runs 5',
        version: '1.2.3',
      },
      reporting(0, { outcome: 'conformant', summary: 'Fine.', counts: { fail: 0 } }),
    );
    expect(code).toBe(0);
    expect(given).toEqual([
      '--yes',
      'game-data-contract@1.2.3',
      'verify',
      '--target',
      'my target.yaml',
      '--report',
      'gamedata-report',
      '--only',
      'CX,PSTASH',
      '--baseline',
      '$(touch hacked).yaml',
      '--seed',
      '7',
      '--wait',
      '--runs',
      '5',
    ]);
  });
});

describe('the GitHub Action of audit', () => {
  it('hands every input to the command, and only the client to a shell', () => {
    const { code, given } = run(
      audit,
      {
        command: 'npm test && ./sync --once',
        plan: 'my plan.yaml',
        only: 'PACE,TOK',
        world: 'access-ends',
        baseline: '$(touch hacked).yaml',
        arguments: '--stop-after 20',
        version: '1.2.3',
      },
      reporting(0, { outcome: 'conformant', summary: 'Fine.', counts: { fail: 0 } }),
    );
    expect(code).toBe(0);
    expect(given).toEqual([
      '--yes',
      'game-data-contract@1.2.3',
      'audit',
      '--report',
      'gamedata-report',
      '--plan',
      'my plan.yaml',
      '--only',
      'PACE,TOK',
      '--world',
      'access-ends',
      '--baseline',
      '$(touch hacked).yaml',
      '--stop-after',
      '20',
      '--',
      'sh',
      '-c',
      'npm test && ./sync --once',
    ]);
    const { given: planned } = run(audit, { plan: 'client.yaml' }, 'exit 2');
    expect(planned.slice(3)).toEqual(['--report', 'gamedata-report', '--plan', 'client.yaml']);
  });
});

describe.each([
  ['verify', verify],
  ['audit', audit],
])('the GitHub Action of %s', (id, action) => {
  it('gives every input to its step', () => {
    expect(Object.keys(action.runs.steps[0]!.env).sort()).toEqual(
      Object.keys(action.inputs)
        .map((name) => `INPUT_${name.toUpperCase()}`)
        .sort(),
    );
  });

  it('gives the outcome as outputs and ends as the command did', () => {
    const { code, outputs } = run(
      action,
      {},
      reporting(1, { outcome: 'not conformant', summary: 'Two\nlines', counts: { fail: 3 } }),
    );
    expect(code).toBe(1);
    expect(outputs.split('\n').filter(Boolean)).toEqual([
      'exit-code=1',
      'outcome=not conformant',
      'summary=Two lines',
      'failed=3',
    ]);
    const named = new Set(outputs.match(/^[a-z-]+(?==)/gm));
    for (const [name, { value }] of Object.entries(action.outputs)) {
      if (value.includes(`steps.${id}`)) expect(named).toContain(name);
    }
  });

  it('says so where no report came about', () => {
    const { code, outputs } = run(action, {}, 'exit 2');
    expect(code).toBe(2);
    expect(outputs).toContain('outcome=configuration error\nsummary=No report was written.');
  });
});
