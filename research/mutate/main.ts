/**
 * `npm run mutate`: mutants that nobody chose. The standard operators of Stryker change the rules of the mock, the mock
 * runs with one of the changes at a time, and the suite runs against it until a binding row fails. Each result is kept in
 * `dist/standard`, so that an interrupted run goes on where it stopped; `research/mutate` publishes them.
 */
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { format, resolveConfig } from 'prettier';

import type { Mutant } from './mutant.js';
import { pageOf, publishedOf } from './page.js';
import type { Sample } from './page.js';
import { readSurvivors } from './reasons.js';
import { root } from '../../scripts/generate/document.js';
import { instrumented, manifest } from './instrument.js';
import type { Reached } from './instrument.js';
import { judged } from './judge.js';
import type { Judgement, Order } from './judge.js';
import { Log } from './log.js';
import { sampleOf } from './sample.js';

interface Flags {
  readonly sample: number;
  readonly seed: number;
  readonly jobs: number;
  readonly mutant?: readonly string[];
  readonly again?: boolean;
  readonly page?: boolean;
}

async function mutate({ sample: size, seed, jobs, mutant: only, again, page }: Flags): Promise<void> {
  const { digest, mutants, all } = await instrumented();
  console.log(`${all} mutants; the suite reaches ${mutants.length} of them.`);
  const log = new Log(digest);
  const wanted = only ? mutants.filter(({ id }) => only.includes(id)) : sampleOf(mutants, seed, size);
  if (wanted.length === 0) throw new Error(`--mutant ${only?.join(',')}: the suite reaches no mutant of that id`);
  const isDone = ({ id }: Mutant): boolean => {
    const before = log.results.get(id);
    return before !== undefined && !only && !(again && before.end !== 'killed');
  };
  const queue = page ? [] : wanted.filter((one) => !isDone(one));
  console.log(`${queue.length} of ${wanted.length} are to be tried.`);
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, () => lane(queue, log)));
  const results = wanted.flatMap(({ id }) => log.results.get(id) ?? []);
  const killed = results.filter(({ end }) => end === 'killed').length;
  console.log(`${results.length} of ${wanted.length} tried, ${killed} killed.`);
  if (!only) await publish({ tool: toolOf(), seed, size: wanted.length, all, reached: mutants.length }, results);
}

/** A process that tries one mutant after the other. */
async function lane(queue: Reached[], log: Log): Promise<void> {
  const worker = fork(fileURLToPath(import.meta.url), ['--worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const died = new Promise<never>((_, reject) => {
    worker.once('exit', (code) => reject(new Error(`a process that tries mutants ended with exit code ${code}`)));
  });
  died.catch(() => {});
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { parts, ...mutant } = next;
    const answered = new Promise<Judgement>((done) => worker.once('message', done));
    worker.send({ id: next.id, first: log.killersBeside(next), parts } satisfies Order);
    const result = { ...mutant, ...(await Promise.race([answered, died])) };
    log.add(result);
    const { end, seconds, id, place, operator, row, replacement } = result;
    console.log(
      `${String(queue.length).padStart(4)} left; ${end.padEnd(8)} ${String(seconds).padStart(5)} s ${id} ${place} ${operator} ${row ?? replacement}`,
    );
  }
  worker.kill();
}

const toolOf = (): string =>
  Object.entries((JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> }).dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');

/** Writes `results.json` and `README.md` of the folder. */
async function publish(sample: Sample, results: Parameters<typeof publishedOf>[1]): Promise<void> {
  const folder = join(root, 'research', 'mutate');
  const published = publishedOf(sample, results, readSurvivors(join(folder, 'survivors.yaml')));
  await write(join(folder, 'results.json'), JSON.stringify(published), 'json');
  await write(join(folder, 'README.md'), pageOf(published), 'markdown');
  console.log('research/mutate: results.json and README.md are written.');
}

async function write(file: string, text: string, parser: 'json' | 'markdown'): Promise<void> {
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser }));
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number above 0 is wanted.');
  return Number(text);
}

if (process.argv[2] === '--worker') {
  process.on('message', (order: Order) => {
    void judged(order).then((judgement) => process.send!(judgement));
  });
  process.on('disconnect', () => process.exit());
} else {
  const command = new Command('mutate')
    .description('Runs the suite against the mock with single changes by standard operators of mutation testing.')
    .option('--sample <number>', 'so many mutants', whole, 400)
    .option('--seed <number>', 'seed of the sample', whole, 1)
    .option('--jobs <number>', 'processes', whole, 2)
    .option('--mutant <ids>', 'these mutants alone; publishes nothing', (text) => text.split(','))
    .option('--again', 'those of the sample again that were not killed')
    .option('--page', 'publish the results that there are, and try nothing')
    .action(mutate);
  await command.parseAsync().catch((error: unknown) => {
    console.error(`mutate: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
