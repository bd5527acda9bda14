import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

import type { RunReport } from '../conformance/result.js';
import { startMock } from '../src/index.js';
import { newFolder } from '../src/input/folder.fixture.js';

interface Workflow {
  readonly jobs: Readonly<
    Record<
      'shard' | 'verdict',
      {
        readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
        readonly steps: readonly { readonly run?: string }[];
      }
    >
  >;
}

const [, text = ''] = /## In parts.*?```yaml\n(.*?)```/s.exec(readFileSync('conformance/README.md', 'utf8')) ?? [];
const { shard, verdict } = (parse(text) as Workflow).jobs;
const stepsOf = ({ steps }: { readonly steps: readonly { readonly run?: string }[] }): string[] =>
  steps.flatMap(({ run }) => run ?? []);

it('gives one verdict from the shards of the CI example', async () => {
  await using mock = await startMock({ port: 0 });
  const folder = newFolder();
  const service = { client_id: 'example-service', client_secret: 'service-secret', scopes: ['service:leagues'] };
  writeFileSync(join(folder, 'target.yaml'), stringify({ name: 'mock', base_url: mock.url, clients: { service } }));
  mkdirSync(join(folder, 'bin'));
  // A part of the ledger is enough here.
  const program = `${process.execPath} --import ${resolve('node_modules/tsx/dist/loader.mjs')} ${resolve('cli/main.ts')}`;
  writeFileSync(
    join(folder, 'bin', 'npx'),
    `#!/bin/sh\nwhile [ "$1" != gamedata ]; do shift; done\nshift\nif [ "$1" = verify ]; then set -- "$@" --only LEAGUE-LIST,GEN-001,GEN-002; fi\nexec ${program} "$@"\n`,
  );
  chmodSync(join(folder, 'bin', 'npx'), 0o755);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  const run = (script: string) => promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
  const { matrix } = shard.strategy!;
  await Promise.all(
    matrix.shard.flatMap((index) =>
      stepsOf(shard).map((step) => run(step.replaceAll('${{ matrix.shard }}', `${index}`))),
    ),
  );
  for (const step of stepsOf(verdict)) await run(step);
  const [whole, ...parts] = ['whole', ...matrix.shard.map((index) => join('out', `${index}`))].map(
    (name) => JSON.parse(readFileSync(join(folder, name, 'report.json'), 'utf8')) as RunReport,
  );
  expect(whole).toMatchObject({ exitCode: 0, outcome: 'conformant' });
  const checked = (report: RunReport): string[] => report.rows.flatMap(({ id, how }) => (how === 'check' ? [id] : []));
  expect(checked(whole!)).toEqual(expect.arrayContaining(parts.flatMap(checked)));
  expect(checked(whole!)).toHaveLength(parts.flatMap(checked).length);
});
