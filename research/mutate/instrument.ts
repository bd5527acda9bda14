import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';

import { distinct, fileOf, withinOf } from './mutant.js';
import type { Mutant, Numbered } from './mutant.js';
import { root } from '../../scripts/generate/document.js';
import { folder, parts, profiles } from './judge.js';
import type { Part } from './judge.js';
import { reachAll } from './process.js';

/** The rules: what the mock answers, and the codec. Tests and their fixtures are none of it. */
export const rules = ['src/oauth', 'src/game', 'src/passive-tree'];
/**
 * What turns rules into replies, and the world that they show. What only the mock has is left out: control surface, journal,
 * dashboard, faults, namespaces, snapshots, replicas, and the reading of fixtures.
 */
export const replies = [
  'src/server/access.ts',
  'src/server/app.ts',
  'src/server/authorization.ts',
  'src/server/body.ts',
  'src/server/data-reply.ts',
  'src/server/data.ts',
  'src/server/express.ts',
  'src/server/limits/edge.ts',
  'src/server/limits/headers.ts',
  'src/server/limits/limits.ts',
  'src/server/limits/meter.ts',
  'src/server/limits/realistic.ts',
  'src/server/malformed.ts',
  'src/server/pages/applications.ts',
  'src/server/pages/consent.ts',
  'src/server/pages/html.ts',
  'src/server/pipeline.ts',
  'src/server/present.ts',
  'src/server/refusal-reply.ts',
  'src/server/refusal.ts',
  'src/server/request.ts',
  'src/server/routes.ts',
  'src/server/send.ts',
  'src/server/served-scopes.ts',
  'src/world/characters.ts',
  'src/world/exchange.ts',
  'src/world/filters.ts',
  'src/world/items',
  'src/world/known.ts',
  'src/world/ladders.ts',
  'src/world/league-accounts.ts',
  'src/world/leagues.ts',
  'src/world/names.ts',
  'src/world/passives',
  'src/world/people.ts',
  'src/world/project.ts',
  'src/world/pvp.ts',
  'src/world/recent.ts',
  'src/world/stashes.ts',
  'src/world/stream.ts',
  'src/world/wire.ts',
  'src/world/world.ts',
];
/** What the tool needs, which is no dependency of the project. */
export const manifest = join(root, 'research', 'mutate', 'package.json');
const cache = join(folder, 'instrumented.json');

/** A mutant, and the parts of the suite that reach its code, by how the mock runs. */
export interface Reached extends Numbered {
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

/** The mutants of the code as it is. */
export interface Instrumented {
  /** Of the files of `src`. */
  readonly digest: string;
  readonly mutants: readonly Reached[];
}

/** Builds the mock with all mutants in it, and finds what the suite reaches; both stay until a file of `src` changes. */
export async function instrumented(jobs: number): Promise<Instrumented> {
  const digest = digestOf(filesOf('src', /[.]ts$/));
  if (existsSync(cache)) {
    const before = JSON.parse(readFileSync(cache, 'utf8')) as Instrumented;
    if (before.digest === digest) return before;
  }
  const { files, mutants } = await instrument();
  await bundle(new Map(files.map(({ name, content }) => [name, content])));
  const covered = await coverage(jobs);
  const reached = distinct(mutants.map(mutantOf)).map((one) => ({ ...one, parts: covered.get(one.id) ?? {} }));
  const found = { digest, mutants: reached };
  writeFileSync(cache, JSON.stringify(found));
  return found;
}

const filesOf = (part: string, name: RegExp): readonly string[] =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .toSorted()
    .map((file) => join(root, part, file));

/** The files of a folder that are mutated, or the one file. */
export const sourcesOf = (part: string): readonly string[] =>
  part.endsWith('.ts') ? [join(root, part)] : filesOf(part, /^(?!.*[.](?:test|fixture|gen)[.]ts$).*[.]ts$/);

/** The digests of the files of some mutants, by their path from the root. */
export const digestsOf = (mutants: readonly Mutant[]): ReadonlyMap<string, string> =>
  new Map([...new Set(mutants.map(({ place }) => fileOf(place)))].map((file) => [file, digestOf([join(root, file)])]));

/** The digest of some files. */
export const digestOf = (files: readonly string[]): string =>
  files
    .reduce((hash, file) => hash.update(relative(root, file)).update(readFileSync(file)), createHash('sha256'))
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
  return withMutants([...rules, ...replies].flatMap(sourcesOf));
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
if (globalThis.process.env.COVERAGE && !globalThis.covered) globalThis.process.on('exit', () => writeCoverage(globalThis.process.env.COVERAGE + globalThis.process.pid, JSON.stringify(Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {}))));
globalThis.covered = true;`,
    },
    plugins: [withContents(contents)],
  });
}

/** Reads some files as they are with mutants in them. */
export const withContents = (contents: ReadonlyMap<string, string>): Plugin => ({
  name: 'mutants',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[.]ts$/ }, ({ path }) =>
      contents.has(path) ? { contents: contents.get(path)!, loader: 'ts' } : undefined,
    ),
});

/** By the number of each mutant that the suite reaches: how the mock runs then, and the parts that reach it. */
async function coverage(jobs: number): Promise<ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>> {
  const covered = new Map<string, Record<string, string[]>>();
  const queue = Object.keys(profiles).flatMap((profile) => [...parts.keys()].map((part): Part => ({ profile, part })));
  await reachAll(queue, jobs, ({ profile, part }, ids, left) => {
    for (const id of ids) {
      const one = covered.get(id) ?? {};
      covered.set(id, one);
      (one[profile] ??= []).push(part);
    }
    if (left % 100 === 0) console.log(`${left} parts of the suite are left to say what they reach`);
  });
  return covered;
}

/** What is told of a mutant of the tool; its file from the root of the repository. */
export function mutantOf({ id, mutatorName, fileName, location: { start, end }, replacement }: ToolMutant): Numbered {
  const text = readFileSync(fileName, 'utf8');
  return {
    id,
    operator: mutatorName,
    place: `${relative(root, fileName)}:${start.line + 1}:${start.column + 1}`,
    within: withinOf(text.split('\n'), start.line),
    original: brief(textBetween(text, start, end)),
    replacement: brief(replacement),
  };
}

const brief = (code: string): string => code.replace(/\s+/g, ' ').slice(0, 120);

function textBetween(text: string, start: Position, end: Position): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  return lines.join('\n');
}
