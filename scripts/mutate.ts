/**
 * `npm run mutate`: mutants that nobody chose. The standard operators of Stryker change our rules, the mock runs with one
 * of the changes at a time, and the whole suite runs against it until a binding row fails. The result of a sample is
 * `dist/standard/results.json`: what killed each mutant, and which survived.
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { build } from 'esbuild';
import fc from 'fast-check';

import { ledger } from '../conformance/ledger.gen.js';
import { isBinding } from '../conformance/ledger.js';
import { loadTarget } from '../conformance/target/load.js';
import { verify } from '../conformance/verify.js';
import { root } from './generate/document.js';

/** The rules: what the mock answers, and the codec. Tests and their fixtures are none of it. */
const mutated = ['src/oauth', 'src/game', 'src/passive-tree'];
/** What the tool needs, which is no dependency of the project. */
const manifest = join(root, 'conformance', 'proof', 'standard', 'package.json');
const folder = join(root, 'dist', 'standard');
const program = join(root, 'dist', 'mutated', 'src', 'cli', 'main.js');
/** Read by what the instrumenter writes into the code. */
const variable = '__STRYKER_ACTIVE_MUTANT__';
/** Seconds of one run: an endless loop of a mutant ends there. */
const patience = 120;

/** A mutant of the tool. */
interface Mutant {
  readonly id: string;
  readonly operator: string;
  /** `src/oauth/pkce.ts:12`, lines from 1. */
  readonly place: string;
  readonly replacement: string;
}

/** How a run against a mutant ended: the first binding row that failed, or why there is none. */
interface Result extends Mutant {
  readonly end: 'killed' | 'survived' | 'no start' | 'no end';
  readonly row?: string;
}

interface Flags {
  readonly sample: number;
  readonly seed: number;
  readonly jobs: number;
  readonly mutant?: string;
}

/** @returns the mutants that some request of the suite runs into, and how many there are in all */
async function instrumented(): Promise<{ readonly mutants: readonly Mutant[]; readonly all: number }> {
  const instrumenter = await instrumenterOf();
  const files = mutated.flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(?!.*\.(?:test|fixture)\.ts$).*\.ts$/.test(name))
      .map((name) => join(root, part, name)),
  );
  const { files: changed, mutants } = await instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { ignorers: [], excludedMutations: [], plugins: null },
  );
  const contents = new Map(changed.map(({ name, content }) => [name, content]));
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
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
  const coverage = join(folder, 'coverage-');
  await judged('', { COVERAGE: coverage });
  const covered = new Set(
    readdirSync(folder)
      .filter((name) => name.startsWith('coverage-'))
      .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[]),
  );
  return {
    all: mutants.length,
    mutants: mutants
      .filter(({ id }) => covered.has(id))
      .map(({ id, mutatorName, fileName, location, replacement }) => ({
        id,
        operator: mutatorName,
        place: `${relative(root, fileName)}:${location.start.line + 1}`,
        replacement: replacement.replace(/\s+/g, ' ').slice(0, 120),
      })),
  };
}

interface Instrumenter {
  instrument(
    files: readonly { readonly name: string; readonly mutate: boolean; readonly content: string }[],
    options: object,
  ): Promise<{
    readonly files: readonly { readonly name: string; readonly content: string }[];
    readonly mutants: readonly {
      readonly id: string;
      readonly mutatorName: string;
      readonly fileName: string;
      readonly location: { readonly start: { readonly line: number } };
      readonly replacement: string;
    }[];
  }>;
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

/** Runs the suite against the mock with a mutant, until a binding row fails. */
async function judged(id: string, more: NodeJS.ProcessEnv = {}): Promise<Pick<Result, 'end' | 'row'>> {
  Object.assign(process.env, { [variable]: id, ...more });
  const file = join(folder, `target-${process.pid}.yaml`);
  const mock = spawn(process.execPath, [program, 'mock', '--port', '0', '--json', '--write-target', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((done) => mock.on('close', () => done()));
  const stop = new AbortController();
  let row: string | undefined;
  try {
    if (!(await started(mock))) return { end: 'no start' };
    const target = await loadTarget({ file, env: {}, stdin: async () => '' });
    const binding = new Set(ledger.filter(isBinding).map(({ id: name }) => name as string));
    const { outcome } = await verify({
      version: '0',
      command: 'mutate',
      waivers: [],
      today: '2000-01-01',
      target,
      only: [],
      seed: 1,
      runs: 100,
      wait: false,
      budget: 0,
      timeLimit: patience,
      replay: '',
      signal: stop.signal,
      onRow: ({ id: name, verdict }) => {
        if (verdict !== 'fail' || row !== undefined || !binding.has(name)) return;
        row = name;
        stop.abort('a row failed');
      },
    });
    if (row !== undefined) return { end: 'killed', row };
    return { end: outcome === 'conformant' ? 'survived' : 'no end' };
  } finally {
    mock.kill('SIGTERM');
    await ended;
  }
}

/** Whether the mock says that it is ready. */
const started = (mock: ChildProcess): Promise<boolean> =>
  new Promise((done) => {
    createInterface({ input: mock.stdout! }).once('line', () => done(true));
    mock.once('close', () => done(false));
  });

/** A sample of the same mutants for the same seed. */
const sampleOf = <T>(all: readonly T[], size: number, seed: number): readonly T[] =>
  fc.sample(
    fc.shuffledSubarray([...all], { minLength: Math.min(size, all.length), maxLength: Math.min(size, all.length) }),
    {
      numRuns: 1,
      seed,
    },
  )[0]!;

async function mutate({ sample, seed, jobs, mutant: only }: Flags): Promise<void> {
  const begun = performance.now();
  const { mutants, all } = await instrumented();
  console.log(`${all} mutants; the suite runs into ${mutants.length} of them.`);
  const queue = only === undefined ? [...sampleOf(mutants, sample, seed)] : mutants.filter(({ id }) => id === only);
  const count = queue.length;
  const results: Result[] = [];
  const lane = async (): Promise<void> => {
    const worker = fork(fileURLToPath(import.meta.url), ['--worker'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    for (let next = queue.shift(); next; next = queue.shift()) {
      const answered = new Promise((done) => worker.once('message', done));
      worker.send(next.id);
      const result = { ...next, ...((await answered) as Pick<Result, 'end' | 'row'>) };
      results.push(result);
      console.log(
        `${String(results.length).padStart(4)} ${result.end.padEnd(9)} ${result.place} ${result.operator} ${result.row ?? result.replacement}`,
      );
    }
    worker.kill();
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  const seconds = Math.round((performance.now() - begun) / 1000);
  const ends = (['killed', 'no start', 'no end', 'survived'] as const).map(
    (one) => `${results.filter(({ end }) => end === one).length} ${one}`,
  );
  console.log(`${count} tried: ${ends.join(', ')}; ${seconds} s.`);
  if (only !== undefined) return;
  const order = results.toSorted((a, b) => Number(a.id) - Number(b.id));
  writeFileSync(
    join(folder, 'results.json'),
    `${JSON.stringify({ all, covered: mutants.length, seed, seconds, results: order }, null, 1)}\n`,
  );
}

const whole = (text: string): number => Number.parseInt(text, 10);

if (process.argv[2] === '--worker') {
  process.on('message', (id: string) => {
    void judged(id).then((result) => process.send!(result));
  });
} else {
  await new Command('mutate')
    .description('Runs the suite against the mock with single changes by standard operators of mutation testing.')
    .option('--sample <number>', 'so many mutants', whole, 300)
    .option('--seed <number>', 'seed of the sample', whole, 1)
    .option('--jobs <number>', 'processes', whole, 2)
    .option('--mutant <id>', 'this mutant alone')
    .action(mutate)
    .parseAsync();
}
