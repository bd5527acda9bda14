import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';

import { startMock } from '../src/index.js';
import type { Document } from './generate/document.js';
import { operationsOf, root } from './generate/document.js';

interface Sample {
  readonly name: string;
  readonly source: string;
}

const document = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;

/** The blocks of TypeScript of a page. */
const blocksOf = (page: string): Sample[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, source = ''], index) => ({
    name: `${page} block ${index + 1}`,
    source,
  }));

/** The TypeScript that readers copy: code samples of the contract, and blocks of pages. */
const samples: Sample[] = [
  ...[...operationsOf(document)].flatMap(({ operation }) =>
    ((operation['x-codeSamples'] ?? []) as { lang: string; label?: string; source: string }[])
      .filter(({ lang }) => lang === 'TypeScript')
      .map(({ label, source }) => ({ name: `${operation.operationId}: ${label ?? 'TypeScript'}`, source })),
  ),
  ...blocksOf('README.md'),
  ...blocksOf('docs/authorization.md'),
];

const folder = join(root, 'dist', 'samples');

describe('TypeScript that readers copy', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles', () => {
    mkdirSync(folder, { recursive: true });
    // Samples lean on names that the prose around them explains.
    const given = 'declare const token: string;\ndeclare const baseUrl: string;\ndeclare const authUrl: string;\n';
    writeFileSync(join(folder, 'given.d.ts'), given);
    for (const [index, { source }] of samples.entries())
      writeFileSync(join(folder, `sample-${index}.ts`), `${source}\nexport {};\n`);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      lib: ['es2023'],
      paths: {
        'game-data-contract': ['../../src/index.ts'],
        'game-data-contract/client': ['../../src/client/index.ts'],
      },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const compiler = join(root, 'node_modules', 'typescript-newest', 'bin', 'tsc');
    const compiled = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    expect(samples.length).toBeGreaterThan(10);
    const said = compiled.stdout.replaceAll(/^.*sample-(\d+)[.]ts/gm, (_, index) => samples[Number(index)]!.name);
    expect([said, compiled.status]).toEqual(['', 0]);
  });

  it('runs, where the README says what it prints', async () => {
    const printed: unknown[] = [];
    await run('README.md', await import('../src/index.js'), (value) => printed.push(value));
    expect(printed).toEqual([expect.arrayContaining([expect.stringMatching(/^\S+ \(\d+\)$/)]), 401]);
  });

  it('logs in, as the page on authorization has it', async () => {
    await using mock = await startMock({ autoApprove: 'alice' });
    const printed: unknown[] = [];
    const environment = { env: { AUTH_URL: mock.url } };
    const modules = { ...(await import('../src/client/index.js')), once, createServer, writeFile: () => {} };
    await run(
      'docs/authorization.md',
      modules,
      (value) => {
        printed.push(value);
        if (printed.length === 1) void fetch(String(value));
      },
      environment,
    );
    expect(printed).toEqual([expect.stringContaining('/oauth/authorize?'), 'alice']);
  });
});

const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (given: object, console: object, process: object) => Promise<void>;

/** Runs the first block of a page, with what it imports given. */
async function run(page: string, given: object, log: (value: unknown) => void, process: object = {}): Promise<void> {
  const block = samples.find(({ name }) => name.startsWith(page));
  const source = (block?.source ?? '')
    .replaceAll(/^import type .*$/gm, '')
    .replaceAll(
      /^import \{([^}]*)\} from .*$/gm,
      (_, names: string) => `const {${names.replaceAll(' as ', ': ')}} = given;`,
    );
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'es2022' });
  await new AsyncFunction('given', 'console', 'process', code)(given, { log }, process);
}
