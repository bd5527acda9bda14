import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';

import type { Result } from '../conformance/proof/judge.js';
import { lineOf } from '../conformance/proof/matrix.js';
import { areas } from '../conformance/proof/mutants/index.js';
import { inPool } from '../conformance/proof/pool.js';
import { codeHash, Kept } from '../conformance/proof/state.js';
import { survivors } from '../conformance/proof/survivors.js';
import { carryOut } from '../conformance/proof/task.js';
import type { Task } from '../conformance/proof/task.js';
import { variants } from '../conformance/proof/variants/index.js';
import { proofOf } from '../conformance/proof/verdict.js';

interface Flags {
  readonly mutant?: string[];
  readonly variant?: string[];
  readonly area?: string[];
  readonly sample?: string;
  readonly seed: string;
  readonly jobs: string;
  readonly fresh?: boolean;
  readonly worker?: boolean;
}

const all: readonly Task[] = [
  { kind: 'clean', id: 'clean' },
  { kind: 'canary', id: 'canary' },
  ...Object.values(areas).flatMap((list) => list.map(({ id }): Task => ({ kind: 'mutant', id }))),
  ...variants.map(({ id }): Task => ({ kind: 'variant', id })),
];

/** What the flags ask for; everything, where they ask for nothing. */
function chosen({ mutant, variant, area }: Flags): readonly Task[] {
  if (!mutant && !variant && !area) return all;
  for (const name of area ?? []) {
    if (!(name in areas)) throw new Error(`--area ${name}: there are ${Object.keys(areas).join(', ')}`);
  }
  const ofArea = new Set((area ?? []).flatMap((name) => areas[name]!.map(({ id }) => id)));
  const named = ({ kind, id }: Task): boolean => {
    const words = kind === 'mutant' ? mutant : kind === 'variant' ? variant : undefined;
    return (
      ofArea.has(id) || (words?.some((word) => word === 'all' || id === word || id.startsWith(`${word}-`)) ?? false)
    );
  };
  const found = all.filter(named);
  if (found.length === 0) throw new Error('there is no mutant and no variant of that name');
  return found;
}

/** As many tasks as asked for, others with every seed; the clean mock and the canary are always among them. */
function sampled(tasks: readonly Task[], sample: string | undefined, seed: number): readonly Task[] {
  if (sample === undefined) return tasks;
  const rank = (index: number): number => Math.imul(index + 1, 2_654_435_761 ^ (seed * 40_503)) >>> 0;
  const order = tasks.map((task, index) => ({
    task,
    rank: task.kind === 'clean' || task.kind === 'canary' ? -1 : rank(index),
  }));
  return order
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, Number(sample) + 2)
    .map(({ task }) => task);
}

/** Long tasks first, so that the processes end together. */
const longest = (tasks: readonly Task[]): readonly Task[] =>
  tasks.toSorted(
    (a, b) => Number(b.kind === 'variant' || b.kind === 'clean') - Number(a.kind === 'variant' || a.kind === 'clean'),
  );

async function prove(flags: Flags): Promise<void> {
  const started = performance.now();
  const seed = Number(flags.seed);
  const tasks = longest(sampled(chosen(flags), flags.sample, seed));
  const kept = new Kept('dist/proof-state.json', flags.fresh ? `${Date.now()}` : codeHash(), seed);
  const kindOf = ({ kind }: Task): Result['kind'] => (kind === 'mutant' || kind === 'canary' ? 'mutant' : 'variant');
  const before = tasks.map((task) => kept.find(kindOf(task), task.id)).filter((result) => result !== undefined);
  const left = tasks.filter((task) => !before.some(({ kind, id }) => kind === kindOf(task) && id === task.id));
  if (before.length > 0)
    console.log(`${before.length} results of an earlier, interrupted run of the same code are taken over.`);

  const results: Result[] = [...before];
  before.forEach((result) => console.log(lineOf(result)));
  const program = fileURLToPath(import.meta.url);
  await inPool(left, { jobs: Number(flags.jobs), seed, program }, (result) => {
    results.push(result);
    kept.add(result);
    console.log(lineOf(result));
  });

  const proof = proofOf(results, survivors);
  const time = Math.round((performance.now() - started) / 1000);
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/proof.json', `${JSON.stringify({ seed, seconds: time, ...proof, results }, null, 2)}\n`);
  for (const excuse of proof.excused) console.log(`\nsurvives ${excuse}`);
  for (const fault of proof.faults) console.log(`\n${fault}`);
  console.log(
    `\n${proof.killed} of ${proof.mutants} bugs noticed by every row that must; ` +
      `${proof.quiet} of ${proof.variants} right servers let be; ${proof.faults.length} faults; ${time} s.`,
  );
  process.exitCode = proof.faults.length > 0 ? 1 : 0;
}

/** Answers tasks of the parent process, one after the other, until it goes away. */
function work(seed: number): void {
  process.on('message', (task: Task) => {
    void carryOut(task, seed).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit());
}

const several = (value: string, before: string[] = []): string[] => [...before, ...value.split(',')];

const flags = new Command('prove')
  .description('Shows that the suite notices bugs, and that it blames no right server.')
  .option('--mutant <ids>', 'only these bugs, or all', several)
  .option('--variant <ids>', 'only these variants, or all', several)
  .option('--area <names>', 'only the bugs of these areas', several)
  .option('--sample <number>', 'only so many, chosen by the seed')
  .option('--seed <number>', 'seed of generated values, and of the sample', '1')
  .option('--jobs <number>', 'processes', String(availableParallelism()))
  .option('--fresh', 'take over nothing from an interrupted run')
  .option('--worker', 'carry out tasks of another process')
  .parse()
  .opts<Flags>();
if (flags.worker) work(Number(flags.seed));
else await prove(flags);
