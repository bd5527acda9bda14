import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

import type { Document } from './generate/document.js';
import { operationsOf, root } from './generate/document.js';

interface Sample {
  readonly name: string;
  readonly source: string;
}

const document = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;

/** The TypeScript that readers copy: code samples of the contract, and blocks of the README. */
const samples: Sample[] = [
  ...[...operationsOf(document)].flatMap(({ operation }) =>
    ((operation['x-codeSamples'] ?? []) as { lang: string; label?: string; source: string }[])
      .filter(({ lang }) => lang === 'TypeScript')
      .map(({ label, source }) => ({ name: `${operation.operationId}: ${label ?? 'TypeScript'}`, source })),
  ),
  ...[...readFileSync('README.md', 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, source = ''], index) => ({
    name: `README block ${index + 1}`,
    source,
  })),
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
    const [block] = samples.filter(({ name }) => name.startsWith('README'));
    const printed: unknown[] = [];
    const code = ts.transpile(block?.source.replaceAll(/^import \{(.*)\} from .*$/gm, 'const {$1} = given;') ?? '', {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
    });
    const AsyncFunction = (async () => {}).constructor as new (
      ...names: string[]
    ) => (given: object, console: object) => Promise<void>;
    await new AsyncFunction('given', 'console', code)(await import('../src/index.js'), {
      log: (value: unknown) => printed.push(value),
    });
    expect(printed).toEqual([expect.arrayContaining([expect.stringMatching(/^\S+ \(\d+\)$/)]), 401]);
  });
});
