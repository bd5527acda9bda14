/**
 * `npm run mutate`: mutants that nobody chose. The standard operators of Stryker change our rules, the mock runs with one
 * of the changes at a time, and the whole suite runs against it until a binding row fails. Each result is kept in
 * `dist/standard`, so that an interrupted run goes on where it stopped.
 */
import { fork } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import fc from 'fast-check';

import type { Mutant, Result } from '../conformance/proof/standard/mutant.js';
import { instrumented } from './mutate/instrument.js';
import type { Reached } from './mutate/instrument.js';
import { folder, judged } from './mutate/judge.js';
import type { Judgement } from './mutate/judge.js';

/** Rows that are tried before the whole suite. */
const early = 12;

interface Flags {
  readonly sample: number;
  readonly seed: number;
  readonly jobs: number;
  readonly mutant?: readonly string[];
  readonly again?: boolean;
}

/** What a process is to try. */
interface Order {
  readonly id: string;
  /** Rows that are tried before the others. */
  readonly first: readonly string[];
  /** The parts of the suite that reach the mutant. */
  readonly parts: readonly string[];
}

/** A sample of the same mutants for the same seed. */
const sampleOf = <T>(all: readonly T[], size: number, seed: number): readonly T[] => {
  const length = Math.min(size, all.length);
  const subarrays = fc.shuffledSubarray([...all], { minLength: length, maxLength: length });
  return fc.sample(subarrays, { numRuns: 1, seed })[0]!;
};

/** Results of this code, by mutant: a line each, the last one of a mutant counts. */
class Log {
  readonly #file: string;
  readonly results = new Map<string, Result>();

  constructor(digest: string) {
    this.#file = join(folder, `results-${digest}.jsonl`);
    if (!existsSync(this.#file)) return;
    for (const line of readFileSync(this.#file, 'utf8').split('\n')) {
      if (line === '') continue;
      const result = JSON.parse(line) as Result;
      this.results.set(result.id, result);
    }
  }

  add(result: Result): void {
    this.results.set(result.id, result);
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }

  /** The rows that killed most mutants of the same file. */
  killersBeside({ place }: Mutant): readonly string[] {
    const counts = new Map<string, number>();
    for (const { place: other, row } of this.results.values()) {
      if (row !== undefined && fileOf(other) === fileOf(place)) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, early)
      .map(([row]) => row);
  }
}

const fileOf = (place: string): string => place.slice(0, place.indexOf(':'));

async function mutate({ sample, seed, jobs, mutant: only, again }: Flags): Promise<void> {
  const { digest, mutants, all } = await instrumented();
  console.log(`${all} mutants; the suite reaches ${mutants.length} of them.`);
  const log = new Log(digest);
  const wanted = only ? mutants.filter(({ id }) => only.includes(id)) : sampleOf(mutants, sample, seed);
  const isDone = ({ id }: Mutant): boolean => {
    const before = log.results.get(id);
    return before !== undefined && !only && !(again && before.end !== 'killed');
  };
  const queue = wanted.filter((one) => !isDone(one));
  console.log(`${wanted.length - queue.length} of ${wanted.length} have a result already.`);
  await Promise.all(Array.from({ length: jobs }, () => lane(queue, log)));
  const results = wanted.flatMap(({ id }) => log.results.get(id) ?? []);
  const ends = (['killed', 'no start', 'no end', 'survived'] as const).map(
    (one) => `${results.filter(({ end }) => end === one).length} ${one}`,
  );
  console.log(`${results.length} tried: ${ends.join(', ')}.`);
}

/** A process that tries one mutant after the other. */
async function lane(queue: Reached[], log: Log): Promise<void> {
  const worker = fork(fileURLToPath(import.meta.url), ['--worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const died = new Promise<never>((_, reject) => {
    worker.once('exit', (code) => reject(new Error(`a process that tries mutants ended with exit code ${code}`)));
  });
  died.catch(() => {});
  for (let next = queue.shift(); next; next = queue.shift()) {
    const answered = new Promise<Judgement>((done) => worker.once('message', done));
    const { parts, ...mutant } = next;
    worker.send({ id: next.id, first: log.killersBeside(next), parts } satisfies Order);
    const result = { ...mutant, ...(await Promise.race([answered, died])) };
    log.add(result);
    console.log(
      `${String(queue.length).padStart(4)} left; ${result.end.padEnd(8)} ${String(result.seconds).padStart(5)} s ${result.id} ${result.place} ${result.operator} ${result.row ?? result.replacement}`,
    );
  }
  worker.kill();
}

const whole = (text: string): number => Number.parseInt(text, 10);

if (process.argv[2] === '--worker') {
  process.on('message', ({ id, first, parts }: Order) => {
    void judged(id, first, parts).then((result) => process.send!(result));
  });
  process.on('disconnect', () => process.exit());
} else {
  await new Command('mutate')
    .description('Runs the suite against the mock with single changes by standard operators of mutation testing.')
    .option('--sample <number>', 'so many mutants', whole, 320)
    .option('--seed <number>', 'seed of the sample', whole, 1)
    .option('--jobs <number>', 'processes', whole, 2)
    .option('--mutant <ids>', 'these mutants alone', (text) => text.split(','))
    .option('--again', 'try those of the sample again that were not killed')
    .action(mutate)
    .parseAsync();
}
