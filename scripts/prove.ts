/** `npm run prove`: runs the suite against mutants of the mock, which it must kill, and conforming variants, which it must accept. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';

import { proveByEnumeration } from '../conformance/machine/faults.js';
import { clientTrials, publishable, tryClient } from '../conformance/audit/proof/prove.js';
import type { ClientTrial, Named } from '../conformance/audit/proof/prove.js';
import { tasksOf, kinOf, partOf, rotation } from '../conformance/proof/tasks.js';
import type { Wanted } from '../conformance/proof/tasks.js';
import { publishedClients } from '../conformance/proof/clients.js';
import { lineOf } from '../conformance/proof/line.js';
import { publishedMatrix } from '../conformance/proof/matrix.js';
import { inPool } from '../conformance/proof/pool.js';
import type { Pool } from '../conformance/proof/pool.js';
import { matrixOf, withBeside } from '../conformance/proof/publish.js';
import { rankBy } from '../conformance/proof/rank.js';
import { codeHash, ResultCache } from '../conformance/proof/state.js';
import { survivors } from '../conformance/proof/survivors.js';
import { carryOut, failed, nameOf } from '../conformance/proof/task.js';
import type { Done, Task } from '../conformance/proof/task.js';
import { split, ungrouped } from '../conformance/proof/ungrouped.js';
import { proofOf } from '../conformance/proof/verdict.js';
import { written } from './formatted.js';
import { root } from './generate/document.js';
import { wholeNumber } from '../cli/whole-number.js';

interface Flags extends Wanted {
  readonly machine?: boolean;
  readonly audit?: true | readonly string[];
  readonly beside?: true;
  readonly within?: number;
  readonly seed: readonly number[];
  readonly jobs?: number;
  readonly fresh?: boolean;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly merge?: readonly string[];
  readonly worker?: boolean;
}

/** A trial of the audit, and the seed of generated values. */
interface ClientTask {
  readonly trial: Named;
  readonly seed: number;
}

const matrixFile = join(root, 'conformance', 'proof', 'matrix.json');
const clientsFile = join(root, 'conformance', 'proof', 'clients.json');
const program = fileURLToPath(import.meta.url);

async function prove({ within, seed: seeds, jobs, fresh, shard, merge, ...wanted }: Flags): Promise<void> {
  const started = performance.now();
  const elapsed = (): number => Math.round((performance.now() - started) / 1000);
  const { tasks, changed } =
    within === undefined
      ? { tasks: shard ? partOf(tasksOf(wanted, seeds), shard) : tasksOf(wanted, seeds), changed: new Set<string>() }
      : rotation(publishedMatrix(), seeds[0]!);
  const kept = within === undefined ? new ResultCache(stateFile(shard), codeHash(), fresh) : undefined;
  for (const file of merge ?? []) kept?.take(file);
  const results: Done[] = [];
  const more = (): boolean => within === undefined || elapsed() < within;
  // A sample keeps to its order, so that whatever its seed brings up first does get its turn.
  const kin = within === undefined ? kinOf : nameOf;
  const tryAll = async (wantedTasks: readonly Task[]): Promise<void> => {
    const before = wantedTasks.flatMap((task) => kept?.find(task) ?? []);
    if (before.length > 0)
      console.log(`${before.length} results of an earlier, interrupted run of the same code are kept.`);
    for (const one of before) console.log(lineOf(one));
    results.push(...before);
    const left = wantedTasks.filter((task) => !kept?.find(task));
    if (merge && left.length > 0)
      throw new Error(`--merge: ${left.length} of ${tasks.length} results are missing; name the file of every shard`);
    await inPool(left, { jobs: jobs ?? availableParallelism(), program, more, kinOf: kin, failed }, (one) => {
      results.push(one);
      kept?.add(one);
      console.log(lineOf(one));
    });
  };
  await tryAll(tasks);
  await tryAll(split(results));

  const done = ungrouped(results);
  refuseNone(done, within);
  const proof = proofOf(done, survivors);
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/proof.json', `${JSON.stringify({ seeds, seconds: elapsed(), ...proof, done }, null, 2)}\n`);
  tell(proof, within === undefined ? undefined : sampleLine(tasks, done, changed, seeds[0]!), elapsed());
  if (isWhole({ ...wanted, within, shard })) {
    await written(matrixFile, JSON.stringify(matrixOf(done)));
    console.log('conformance/proof/matrix.json is written; npm run readme and npm run docs publish it.');
  }
  if (proof.failures.length > 0) process.exitCode = 1;
}

/** @throws Error where nothing was tried, which proves nothing */
function refuseNone(done: readonly unknown[], within: number | undefined): void {
  if (done.length === 0) throw new Error(`--within ${within}: nothing was tried in this time; give it more seconds`);
}

function tell(proof: ReturnType<typeof proofOf>, sample: string | undefined, seconds: number): void {
  const { excused, failures, killed, mutants, accepted, variants } = proof;
  for (const excuse of excused) console.log(`\nsurvives ${excuse}`);
  for (const failure of failures) console.log(`\n${failure}`);
  if (sample !== undefined) console.log(`\n${sample}`);
  console.log(
    `\n${killed} of ${mutants} mutants killed by every row that must; ${accepted} of ${variants} ` +
      `conforming variants accepted; ${failures.length} proof failures; ${seconds} s.`,
  );
}

const isWhole = ({ mutant, variant, area, within, shard }: Wanted & Pick<Flags, 'within' | 'shard'>): boolean =>
  !mutant && !variant && !area && within === undefined && !shard;

/** What mutants fail beside the rows that they name; all of it, and what has a reason, goes into the matrix. */
async function proveBeside({ seed: seeds, jobs, mutant, area, fresh }: Flags): Promise<void> {
  const all = tasksOf(mutant || area ? { mutant, area } : { mutant: ['all'] }, seeds.slice(0, 1));
  const kept = new ResultCache('dist/proof-beside.json', codeHash(), fresh);
  const tasks = all.map((task): Task => ({ ...task, kind: 'beside' }));
  const done = tasks.flatMap((task) => kept.find(task) ?? []);
  if (done.length > 0) console.log(`${done.length} results of an earlier, interrupted run of the same code are kept.`);
  const pool = { jobs: jobs ?? availableParallelism(), program, more: () => true };
  const left = tasks.filter((task) => !kept.find(task));
  await inPool(left, { ...pool, kinOf: nameOf, failed }, (one) => {
    done.push(one);
    kept.add(one);
    console.log(lineOf(one));
  });
  const broken = done
    .filter(({ result }) => result.status === 'error')
    .map(({ id, result }) => `${id}: ${result.reason}`);
  const { matrix, unexplained } = withBeside(publishedMatrix(), done);
  for (const failure of [...broken, ...unexplained]) console.log(`\n${failure}`);
  const counts = done
    .map(({ result }) => (result.kind === 'beside' ? result.beside.length : 0))
    .toSorted((a, b) => a - b);
  const sum = counts.reduce((total, count) => total + count, 0);
  console.log(
    `\n${counts.length} mutants fail ${sum} rows beside those they name: ${counts.filter((count) => count === 0).length} none, ` +
      `the median ${counts[counts.length >> 1]}, the most ${counts.at(-1)}; ${unexplained.length} without a reason.`,
  );
  if (broken.length + unexplained.length > 0) process.exitCode = 1;
  else await written(matrixFile, JSON.stringify(matrix));
}

const stateFile = (shard: Flags['shard']): string =>
  `dist/proof-state${shard ? `-${shard.index}-of-${shard.count}` : ''}.json`;

function sampleLine(tasks: readonly Task[], done: readonly Done[], changed: ReadonlySet<string>, seed: number): string {
  const late = [...changed].filter((id) => !done.some((one) => one.id === id));
  const told = late.length > 0 ? `; ${late.length} of these did not fit into the time: npm run prove tries all` : '';
  return `A sample of ${done.length} of ${tasks.length}, seed ${seed}; ${changed.size} new or changed since the matrix was published${told}.`;
}

/** The audit's own proof: every mutant of the reference client is blamed by its row, no variant is blamed at all. */
async function proveAudit(
  ids: readonly string[],
  { within, seed: seeds, jobs }: Pick<Flags, 'within' | 'seed' | 'jobs'>,
): Promise<void> {
  const begin = performance.now();
  const elapsed = (): number => Math.round((performance.now() - begin) / 1000);
  const trials = within === undefined ? clientTrials(ids) : clientRotation(clientTrials(ids), seeds[0]!);
  const tasks = seeds.flatMap((seed) => trials.map((trial): ClientTask => ({ trial, seed })));
  const done: ClientTrial[] = [];
  const pool: Pool<ClientTask, ClientTrial> = {
    // A client waits more than it works.
    jobs: jobs ?? 2 * availableParallelism(),
    program,
    more: () => elapsed() < (within ?? Infinity),
    // A client that waits in its world takes most of a minute.
    ...(within !== undefined && { dropAfter: 2000 * within }),
    failed: ({ trial, seed }, words) => ({ ...trial, seed, good: false, words, seconds: 0 }),
  };
  await inPool(tasks, pool, (one) => {
    done.push(one);
    const { good, skipped, kind, id, seed, words, seconds } = one;
    console.log(`${skipped ? 'skip' : good ? 'ok  ' : 'FAIL'} ${kind} ${id} (seed ${seed}, ${seconds} s): ${words}`);
  });
  refuseNone(done, within);
  const failures = done.filter(({ good }) => !good).length;
  const skipped = done.filter((one) => one.skipped).length;
  console.log(
    `\n${done.length - failures - skipped} of ${done.length} as they must be, ${failures} proof failures, ${skipped} SKIPPED${within === undefined ? '' : `; a sample of ${tasks.length}`}; seeds ${seeds.join(', ')}; ${elapsed()} s.`,
  );
  if (ids.length === 0 && within === undefined) {
    await written(clientsFile, JSON.stringify(publishable(done, seeds)));
    console.log('conformance/proof/clients.json is written; npm run docs publishes it.');
  }
  process.exitCode = failures > 0 ? 1 : process.exitCode;
}

/**
 * Trials in the order of their urgency: what the published proof does not have, then the rest in the order of the seed. A
 * variant, which is audited in every world, comes after three mutants each, so that something ends in a short time.
 */
function clientRotation(trials: readonly Named[], seed: number): readonly Named[] {
  const { mutants, variants } = publishedClients();
  const known = new Set([...mutants, ...variants].map(({ id }) => id));
  const rank = rankBy(seed);
  const inOrder = trials
    .map((one, index) => ({ one, rank: rank(index) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
  const [unknown, rest] = [inOrder.filter(({ id }) => !known.has(id)), inOrder.filter(({ id }) => known.has(id))];
  const long = rest.filter(({ kind }) => kind === 'variant');
  const mixed = rest
    .filter(({ kind }) => kind === 'mutant')
    .flatMap((one, index) => (index % 3 === 2 ? [one, ...long.splice(0, 1)] : [one]));
  return [...unknown, ...mixed, ...long];
}

/** Answers tasks of the parent process, one after the other, until it goes away. */
function work(): void {
  process.on('message', (task: Task | ClientTask) => {
    const carriedOut = 'trial' in task ? tryClient(task.trial, task.seed) : carryOut(task);
    void carriedOut.then((one) => process.send?.(one));
  });
  process.on('disconnect', () => process.exit());
}

async function chosen(flags: Flags): Promise<void> {
  if (flags.beside) return proveBeside(flags);
  if (flags.audit !== undefined) return proveAudit(flags.audit === true ? [] : flags.audit, flags);
  // Clients wait much, and servers work meanwhile.
  await Promise.all([prove(flags), ...(isWhole(flags) && !flags.merge ? [proveAudit([], flags)] : [])]);
}

const atLeastOne = wholeNumber(1);
const several = (value: string, before: readonly string[] = []): string[] => [...before, ...value.split(',')];
function part(value: string): NonNullable<Flags['shard']> {
  const [, index = 0, count = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(value) ?? []).map(Number);
  if (index < 1 || index > count) throw new InvalidArgumentError('It takes a part such as 2/4.');
  return { index, count };
}

const flags = new Command('prove')
  .description(
    'Runs the suite against mutants of the mock, which it must kill, and conforming variants, which it must accept.',
  )
  .option('--mutant <ids>', 'only these mutants, or all', several)
  .option('--variant <ids>', 'only these variants, or all', several)
  .option('--area <names>', 'only the mutants of these areas', several)
  .option('--alone', 'each conforming variant by itself, and not in groups: for a release')
  .addOption(
    new Option('--within <seconds>', 'what has changed since the matrix was published, and as much else as fits')
      .argParser(atLeastOne)
      .conflicts(['mutant', 'variant', 'area', 'alone', 'shard', 'merge', 'beside', 'machine']),
  )
  .option(
    '--seed <numbers>',
    'seeds of generated values, and of what --within picks',
    (value) => value.split(',').map(atLeastOne),
    [1],
  )
  .option(
    '--jobs <number>',
    'processes (default: as many as there are cores, and twice as many for the audit)',
    atLeastOne,
  )
  .option('--shard <part>', 'a part of all, such as 2/4; its results stay in dist/proof-state-2-of-4.json', part)
  .option('--merge <files...>', 'judge and publish the results of all shards, and run nothing')
  .addOption(
    new Option('--audit [ids]', 'the audit of clients instead: all of its mutants and variants, or these')
      .argParser((value) => value.split(','))
      .conflicts(['mutant', 'variant', 'area', 'alone', 'shard', 'merge', 'beside', 'machine']),
  )
  .addOption(
    new Option('--beside', 'which rows fail beside those that the mutants name; writes them into the matrix').conflicts(
      ['variant', 'alone', 'shard', 'merge', 'machine'],
    ),
  )
  .option(
    '--machine',
    'every fault of the machine of the token lifecycle instead; writes conformance/proof/faults.json',
  )
  .option('--fresh', 'keep nothing of an interrupted run')
  .option('--worker', 'carry out tasks of another process')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Flags>();
if (flags.worker) work();
else if (flags.machine) {
  const proof = await proveByEnumeration();
  await written('conformance/proof/faults.json', JSON.stringify(proof));
  for (const { suites, faults } of [proof, proof.timed])
    for (const { suite, killed } of suites) console.log(suite, killed, 'of', faults);
} else {
  await chosen(flags).catch((error: unknown) => {
    console.error(`prove: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  });
  // A client that left its session may still hold a pipe of ours when it was ended, and nothing more comes of it.
  process.exit();
}
