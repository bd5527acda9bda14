import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { RunReport } from '../../conformance/result.js';
import { root } from '../../scripts/generate/document.js';
import { written } from '../../scripts/machine.js';
import { mutantOf, withMutants } from '../mutate/instrument.js';
import { variable } from '../mutate/judge.js';
import type { Ending, Numbered } from '../mutate/mutant.js';
import { sampleOf } from '../mutate/sample.js';
import { folder } from './client.js';
import type { Client } from './client.js';

/** Worlds that a mutant is audited in, beside the calm one: those that a login, a refresh and a few requests react to. */
export const worlds = [
  'forged-callback',
  'denied',
  'redirect-parameters',
  'access-ends',
  'odd-tokens',
  'odd-secret',
  'odd-names',
  'token-503',
  'lost-refresh-reply',
];

/** Of the sample. */
export const seed = 1;

/** Audits a sample of the mutants that standard operators make of a program and its library, and stores what came of it. */
export async function mutate(name: string, client: Client, size: number): Promise<void> {
  const place = join(root, 'dist', 'clients', 'mutants', name);
  const files = prepared(place, client);
  const { files: changed, mutants } = await withMutants(files);
  // What a mutant replaces is read from the files as they are.
  const all = mutants.map(mutantOf).map(({ within: _, ...one }) => ({ ...one, place: placed(one.place, place) }));
  for (const { name: file, content } of changed) writeFileSync(file, content);
  const before = await audit(place, client, '');
  if (before.how !== 'judged') throw new Error(`${name} without a mutant: ${before.how}`);
  const reached = all.filter(({ id }) => before.reached.has(id));
  const sample = sampleOf(reached, seed, size);
  console.log(`  ${all.length} mutants, ${reached.length} reached, ${sample.length} drawn`);
  const results: Tried[] = [];
  mkdirSync(join(folder, 'mutants'), { recursive: true });
  for (const mutant of sample) {
    const result = await judged(mutant, place, client, before.found);
    console.log(`  ${result.end} ${result.row ?? ''} ${result.seconds} s ${result.place} ${result.replacement}`);
    results.push(result);
    await written(
      join(folder, 'mutants', `${name}.json`),
      JSON.stringify({ all: all.length, reached: reached.length, results }),
    );
  }
}

/** A place as it is told: from the folder of the language, a library by its name. */
const placed = (at: string, place: string): string => relative(relative(root, place), at).replace('node_modules/', '');

/** A copy of the language's folder, and the files in it that are mutated. */
function prepared(place: string, { folder: language, mutated = [] }: Client): readonly string[] {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, '..'), { recursive: true });
  cpSync(join(root, 'dist', 'clients', language), place, { recursive: true });
  writeFileSync(join(place, 'coverage.mjs'), preload);
  return mutated.flatMap((path) =>
    path.endsWith('/')
      ? readdirSync(join(place, path), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.js'))
          .toSorted()
          .map((file) => join(place, path, file))
      : join(place, path),
  );
}

const preload = `import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  const covered = globalThis.__stryker__?.mutantCoverage?.static;
  if (covered) writeFileSync(process.env.COVERAGE + process.pid, JSON.stringify(Object.keys(covered)));
});
`;

interface Audit {
  readonly how: 'judged' | 'no verdict';
  /** The rows that failed or warned. */
  readonly found: readonly string[];
  /** Mutants whose code was reached. */
  readonly reached: ReadonlySet<string>;
}

async function audit(place: string, { start }: Client, id: string): Promise<Audit> {
  const report = join(place, 'report');
  rmSync(report, { recursive: true, force: true });
  for (const name of readdirSync(place).filter((one) => one.startsWith('covered-'))) rmSync(join(place, name));
  const flags = ['--world', worlds.join(','), '--time-limit', '20', '--report', report];
  const command = ['dist/cli/main.js', 'audit', ...flags, '--', 'sh', '-c', `cd '${place}' && exec ${start}`];
  const counted = id === '' ? { NODE_OPTIONS: `--import=${join(place, 'coverage.mjs')}` } : {};
  const child = spawn(process.execPath, command, {
    stdio: 'ignore',
    env: { ...process.env, ...counted, COVERAGE: join(place, 'covered-'), [variable]: id },
  });
  await new Promise((resolve) => child.on('exit', resolve));
  const file = join(report, 'report.json');
  const read = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunReport) : undefined;
  const covered = readdirSync(place).filter((one) => one.startsWith('covered-'));
  return {
    how: read && read.exitCode < 2 ? 'judged' : 'no verdict',
    found: (read?.rows ?? []).flatMap(({ id, verdict }) => (['fail', 'warn'].includes(verdict) ? [id] : [])),
    reached: new Set(covered.flatMap((one) => JSON.parse(readFileSync(join(place, one), 'utf8')) as string[])),
  };
}

/** Killed: a row fails or warns that does not without the mutant. No start: it does not get through the calm world. */
async function judged(mutant: Numbered, place: string, client: Client, before: readonly string[]): Promise<Tried> {
  const begun = performance.now();
  const { how, found } = await audit(place, client, mutant.id);
  const row = found.find((one) => !before.includes(one));
  return {
    ...mutant,
    end: row !== undefined ? 'killed' : how === 'judged' ? 'survived' : 'no start',
    ...(row !== undefined && { row }),
    seconds: Math.round((performance.now() - begun) / 100) / 10,
  };
}

/** A mutant that was tried. */
export interface Tried extends Numbered, Ending {
  readonly seconds: number;
}

/** What is stored of a client's mutants. */
export interface Mutated {
  readonly name: string;
  /** Of the files that are mutated. */
  readonly all: number;
  readonly reached: number;
  readonly results: readonly Tried[];
}

export function scores(): readonly Mutated[] {
  const place = join(folder, 'mutants');
  if (!existsSync(place)) return [];
  return readdirSync(place).map((file) => ({
    name: file.replace(/[.]json$/, ''),
    ...(JSON.parse(readFileSync(join(place, file), 'utf8')) as Omit<Mutated, 'name'>),
  }));
}
