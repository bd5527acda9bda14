import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import ts from 'typescript';
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
    const files = samples.map(({ source }, index) => {
      const file = join(folder, `sample-${index}.ts`);
      // Samples lean on names that the prose around them explains.
      writeFileSync(file, `${source}\nexport {};\n`);
      return file;
    });
    writeFileSync(
      join(folder, 'given.d.ts'),
      'declare const token: string;\ndeclare const baseUrl: string;\ndeclare const authUrl: string;\n',
    );
    const program = ts.createProgram([...files, join(folder, 'given.d.ts')], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'],
      lib: ['lib.es2023.d.ts'],
      baseUrl: root,
      paths: { 'game-data-contract': ['src/index.ts'], 'game-data-contract/client': ['src/client/index.ts'] },
    });
    const problems = files.flatMap((file, index) => {
      const source = program.getSourceFile(file);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return found.map(
        ({ messageText }) => `${samples[index]?.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    });
    expect(samples.length).toBeGreaterThan(10);
    expect(problems).toEqual([]);
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
    .replaceAll(/^import \{([^}]*)\} from .*$/gm, 'const {$1} = given;');
  const code = ts.transpile(source, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });
  await new AsyncFunction('given', 'console', 'process', code)(given, { log }, process);
}
