import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

import type { Mutant } from './mutant.js';
import { root } from '../../scripts/generate/document.js';
import { folder, parts, run } from './judge.js';

/** The rules: what the mock answers, and the codec. Tests and their fixtures are none of it. */
const mutated = ['src/oauth', 'src/game', 'src/passive-tree'];
/** What the tool needs, which is no dependency of the project. */
export const manifest = join(root, 'research', 'mutate', 'package.json');
const cache = join(folder, 'instrumented.json');

/** A mutant, and the parts of the suite that reach its code. */
export interface Reached extends Mutant {
  readonly parts: readonly string[];
}

/** The mutants of the code as it is. */
export interface Instrumented {
  /** Of the files of `src`. */
  readonly digest: string;
  /** The number of all mutants. */
  readonly all: number;
  /** Those whose code the suite reaches. */
  readonly mutants: readonly Reached[];
}

/** Builds the mock with all mutants in it, and finds those that the suite reaches; both stay until a file of `src` changes. */
export async function instrumented(): Promise<Instrumented> {
  const digest = digestOf(filesOf('src', /[.]ts$/));
  if (existsSync(cache)) {
    const before = JSON.parse(readFileSync(cache, 'utf8')) as Instrumented;
    if (before.digest === digest) return before;
  }
  const { files, mutants } = await instrument();
  await bundle(new Map(files.map(({ name, content }) => [name, content])));
  const covered = await coverage();
  const reached = mutants.map((one) => ({
    ...mutantOf(one),
    parts: [...covered].flatMap(([part, ids]) => (ids.has(one.id) ? [part] : [])),
  }));
  const found = { digest, all: mutants.length, mutants: reached.filter((one) => one.parts.length > 0) };
  writeFileSync(cache, JSON.stringify(found));
  return found;
}

const filesOf = (part: string, name: RegExp): readonly string[] =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .toSorted()
    .map((file) => join(root, part, file));

const digestOf = (files: readonly string[]): string =>
  files
    .reduce((hash, file) => hash.update(file).update(readFileSync(file)), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);

interface ToolMutant {
  readonly id: string;
  readonly mutatorName: string;
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement: string;
}

/** Both from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface Instrumenter {
  instrument(
    files: readonly { readonly name: string; readonly mutate: boolean; readonly content: string }[],
    options: object,
  ): Promise<{
    readonly files: readonly { readonly name: string; readonly content: string }[];
    readonly mutants: readonly ToolMutant[];
  }>;
}

async function instrument(): ReturnType<Instrumenter['instrument']> {
  return withMutants(mutated.flatMap((part) => filesOf(part, /^(?!.*[.](?:test|fixture)[.]ts$).*[.]ts$/)));
}

/** The files with all their mutants in them, of which `variable` of the environment chooses one. */
export async function withMutants(files: readonly string[]): ReturnType<Instrumenter['instrument']> {
  const instrumenter = await instrumenterOf();
  return instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { ignorers: [], excludedMutations: [], plugins: null },
  );
}

/** Stryker's instrumenter, which is no dependency of the project. */
async function instrumenterOf(): Promise<Instrumenter> {
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, join(folder, 'package.json'));
  const at = join(folder, 'node_modules', '@stryker-mutator', 'instrumenter', 'dist', 'src', 'index.js');
  if (!existsSync(at)) execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  const { createInstrumenter } = (await import(pathToFileURL(at).href)) as {
    createInstrumenter: (injector: unknown) => Instrumenter;
  };
  // Its logger speaks of nothing that is wanted here.
  const silent = new Proxy({}, { get: (_, name) => () => (String(name).startsWith('is') ? false : undefined) });
  const values = new Map<string, unknown>([['logger', silent]]);
  const injector = {
    provideValue: (name: string, value: unknown) => (values.set(name, value), injector),
    injectClass: (made: { readonly inject: readonly string[]; new (...given: unknown[]): Instrumenter }) =>
      new made(...made.inject.map((name) => values.get(name))),
  };
  return createInstrumenter(injector);
}

/** Bundles the mock, with other contents of some files, into `dist/mutated`. */
async function bundle(contents: ReadonlyMap<string, string>): Promise<void> {
  rmSync(join(root, 'dist', 'mutated'), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['cli/main.ts'],
    outdir: 'dist/mutated',
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'error',
    // What ran is written when the mock ends.
    banner: {
      js: `import { writeFileSync as writeCoverage } from 'node:fs';
if (process.env.COVERAGE && !globalThis.covered) process.on('exit', () => writeCoverage(process.env.COVERAGE + process.pid, JSON.stringify(Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {}))));
globalThis.covered = true;`,
    },
    plugins: [
      {
        name: 'mutants',
        setup: ({ onLoad }) =>
          onLoad({ filter: /[.]ts$/ }, ({ path }) =>
            contents.has(path) ? { contents: contents.get(path)!, loader: 'ts' } : undefined,
          ),
      },
    ],
  });
}

/** The mutants whose code each part of the suite reaches. Nothing is mutated, so a part must find nothing. */
async function coverage(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const written = (): readonly string[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith('coverage-'))
      .map((name) => join(folder, name));
  const covered = new Map<string, ReadonlySet<string>>();
  process.env['COVERAGE'] = join(folder, 'coverage-');
  for (const [part, only] of parts) {
    for (const file of written()) rmSync(file);
    const { end, row, why } = await run('', only);
    if (end !== 'survived') throw new Error(`the mock without a mutant, ${part}: ${end} ${row ?? why ?? ''}`);
    const ids = written().flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as string[]);
    covered.set(part, new Set(ids));
    console.log(`${part} reaches ${covered.get(part)!.size}`);
  }
  delete process.env['COVERAGE'];
  return covered;
}

/** What is told of a mutant of the tool; its file from the root of the repository. */
export const mutantOf = ({ id, mutatorName, fileName, location: { start, end }, replacement }: ToolMutant): Mutant => ({
  id,
  operator: mutatorName,
  place: `${relative(root, fileName)}:${start.line + 1}:${start.column + 1}`,
  original: brief(textBetween(readFileSync(fileName, 'utf8'), start, end)),
  replacement: brief(replacement),
});

const brief = (code: string): string => code.replace(/\s+/g, ' ').slice(0, 120);

function textBetween(text: string, start: Position, end: Position): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  return lines.join('\n');
}
