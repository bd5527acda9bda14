/**
 * `npm run mutate`: mutants that nobody chose. The standard operators of Stryker change the rules of the mock, the mock
 * runs with one of the changes at a time, and the suite runs against it until a binding row fails. `results.jsonl` keeps
 * each result, so that an interrupted run goes on where it stopped, and one after a change tries what the change may alter.
 */
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { format, resolveConfig } from 'prettier';

import { keyOf } from './mutant.js';
import { pageOf, publishedOf } from './page.js';
import { readSurvivors } from './reasons.js';
import { root } from '../../scripts/generate/document.js';
import { digestsOf, instrumented, manifest, replies, rules } from './instrument.js';
import type { Reached } from './instrument.js';
import { judged } from './judge.js';
import type { Judgement, Order } from './judge.js';
import { Log } from './log.js';
import { sampleOf } from './sample.js';

const here = join(root, 'research', 'mutate');
/** Of the order: those tried so far are a sample of all. */
const seed = 1;
/** So few parts are run at once. */
const few = 40;

interface Flags {
  readonly in: readonly string[];
  readonly jobs: number;
  readonly mutant?: readonly string[];
  readonly again?: boolean;
  readonly page?: boolean;
}

async function mutate({ in: places, jobs, mutant: only, again, page }: Flags): Promise<void> {
  const { mutants } = await instrumented();
  const log = new Log(join(here, 'results.jsonl'), digestsOf(mutants));
  if (only) {
    const named = mutants.filter((one) => only.some((name) => keyOf(one).startsWith(name)));
    if (named.length === 0) throw new Error(`--mutant ${only.join(',')}: no mutant has a name that begins so`);
    return lanes(jobs, [...named], log);
  }
  const wanted = mutants.filter(({ place }) => places.some((one) => place.startsWith(one)));
  for (const one of wanted.filter(({ parts }) => parts.length === 0)) {
    if (!log.result(one)) log.add(one, { end: 'not reached' });
  }
  const isDone = (one: Reached): boolean => {
    const before = log.result(one);
    return before !== undefined && (before.end === 'not reached' || !again || before.end === 'killed');
  };
  const queue = page ? [] : sampleOf(wanted, seed, wanted.length).filter((one) => !isDone(one));
  console.log(`${wanted.length} mutants; ${queue.length} are to be tried.`);
  await lanes(jobs, queue, log);
  await publish(log, mutants);
}

async function lanes(jobs: number, queue: Reached[], log: Log): Promise<void> {
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, () => lane(queue, log)));
}

/** A process that tries one mutant after the other. */
async function lane(queue: Reached[], log: Log): Promise<void> {
  const worker = fork(fileURLToPath(import.meta.url), ['--worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const died = new Promise<never>((_, reject) => {
    worker.once('exit', (code) => reject(new Error(`a process that tries mutants ended with exit code ${code}`)));
  });
  died.catch(() => {});
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { id, parts } = next;
    const answered = new Promise<Judgement>((done) => worker.once('message', done));
    const first = parts.length < few ? [] : log.killersBeside(next, parts);
    worker.send({ id, first, parts } satisfies Order);
    const { seconds, ...ending } = await Promise.race([answered, died]);
    log.add(next, ending);
    console.log(
      `${String(queue.length).padStart(4)} left; ${ending.end.padEnd(8)} ${String(seconds).padStart(5)} s ${keyOf(next)} ${ending.row ?? ''}`,
    );
  }
  worker.kill();
}

const toolOf = (): string =>
  Object.entries((JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> }).dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');

/** Writes README.md of the folder. */
async function publish(log: Log, mutants: readonly Reached[]): Promise<void> {
  const results = log.compact(mutants);
  const published = publishedOf(toolOf(), mutants.length, results, readSurvivors(join(here, 'survivors.yaml')));
  const file = join(here, 'README.md');
  writeFileSync(file, await format(pageOf(published), { ...(await resolveConfig(file)), parser: 'markdown' }));
  console.log('research/mutate: README.md is written.');
}

const list = (text: string): readonly string[] => text.split(',');

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
    .option('--in <places>', 'mutants of these folders or files alone', list, [...rules, ...replies])
    .option('--jobs <number>', 'processes', whole, 2)
    .option('--mutant <names>', 'those whose name in survivors.yaml begins so; publishes nothing', list)
    .option('--again', 'those again that were not killed')
    .option('--page', 'publish the results that there are, and try nothing')
    .action(mutate);
  await command.parseAsync().catch((error: unknown) => {
    console.error(`mutate: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
