/**
 * `npm run tools`: a sample of our mutants under what people test an API with today. Each tool runs against the unchanged
 * mock and then against each mutant; it finds one if it reports a failure there that no baseline run shows. Installs into
 * dist/tools, stores the results and writes their page. An interrupted run goes on where it stopped.
 */
import { Command, InvalidArgumentError } from 'commander';

import { wholeNumber } from '../../cli/whole-number.js';
import { publishedMatrix } from '../../conformance/proof/matrix.js';
import { areas } from '../../conformance/proof/mutants/index.js';
import { selectionOf } from '../../conformance/proof/selection.js';
import { root } from '../../scripts/generate/document.js';
import { written } from '../../scripts/formatted.js';
import { onPath } from '../../scripts/machine.js';
import { dredd } from './dredd.js';
import { pageFile, pageOf } from './page.js';
import { newIn } from './found.js';
import { prism } from './prism.js';
import { respect } from './respect.js';
import { readResults, resultsFile, resultsOf, State } from './results.js';
import { kindOf, kinds, sampleOf } from './sample.js';
import type { Sampled } from './sample.js';
import { schemathesis } from './schemathesis.js';
import { setupOf } from './subject.js';
import type { Setup } from './subject.js';
import type { Tool, Trial } from './tool.js';

const all = [schemathesis, prism, dredd, respect];
const names = all.map(({ id }) => id);
process.chdir(root);

interface Flags {
  readonly sample: number;
  readonly seed: number;
  readonly seconds: number;
  readonly mutant?: string;
  readonly fresh?: boolean;
  readonly page?: boolean;
}

async function tools(
  wanted: readonly Tool[],
  { sample: size, seed, seconds, mutant, fresh, page }: Flags,
): Promise<void> {
  if (page) return publish();
  const state = new State(fresh);
  const sample = mutant === undefined ? sampleOf(areas, size, seed) : [called(mutant)];
  const ready: Tool[] = [];
  for (const tool of wanted.length > 0 ? wanted : all) {
    const reason = await missing(tool);
    if (reason === undefined) ready.push(tool);
    else console.log(`skipped ${tool.name} ${tool.version}: ${reason}`);
  }
  // A machine that lacks a tool does not take back what another has shown.
  const publishes = mutant === undefined && ready.length === all.length;
  for (const one of sample) {
    // One run of a tool at a time, for it has one folder; beside the others.
    await Promise.all(
      ready.map((tool) =>
        judge(tool, one, state, seconds * 1000).catch((error: unknown) =>
          console.log(`${tool.name} ${one.mutant.id}: no result, ${String(error)}`),
        ),
      ),
    );
    if (publishes) await store(sample, state, seed);
  }
  if (publishes) await publish();
  else console.log('Nothing is published: that takes all tools and the whole sample.');
  if (wanted.length > 0 && ready.length < wanted.length) process.exitCode = 1;
}

/** Why a tool cannot run here; installs it where it can. */
async function missing(tool: Tool): Promise<string | undefined> {
  const lacks = tool.needs.filter((program) => !onPath(program));
  if (lacks.length > 0) return `${lacks.join(' and ')} is not on this machine`;
  try {
    await tool.install?.();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Runs a tool against the mock as the mutant's setup has it, where that has not been done yet, and against the mutant. */
async function judge(tool: Tool, { mutant, kind }: Sampled, state: State, timeout: number): Promise<void> {
  const { id, version, baselines } = tool;
  const { rows, exercise } = mutant;
  const setup = setupOf(mutant);
  const trial: Trial = { rows, ...(exercise && { exercise }), setup, seed: 1, timeout };
  const done = state.runs.find((run) => run.tool === id && run.version === version && run.mutant === mutant.id);
  const runs = done ? 0 : isUsual(setup) && !tool.guided ? baselines : 1;
  for (let at = 1; at <= runs; at += 1) {
    const baseline = JSON.stringify([setup, tool.guided ? selectionOf(trial).map(({ row }) => row.id) : [], at]);
    if (state.has({ tool: id, version, baseline })) continue;
    // A baseline run that is broken off would let a tool find what it has not seen before: it gets more time.
    const run = await timed(() => tool.run({ ...trial, seed: at, timeout: timeout * 3 }));
    state.add({ tool: id, version, baseline, ...run });
    console.log(`${tool.name} baseline: ${run.failures.length} failures, ${run.seconds} s${run.late ? ', late' : ''}`);
  }
  const run = done ?? (await timed(() => tool.run({ ...trial, mutation: mutant.mutation })));
  if (!done) state.add({ tool: id, version, mutant: mutant.id, ...run });
  const [fresh] = newIn(run.failures, state.baselines(tool));
  const words = [fresh === undefined ? 'not found' : `found, ${fresh}`, ...(done ? ['kept'] : [`${run.seconds} s`])];
  console.log(`${tool.name} ${kind} ${mutant.id}: ${words.join(', ')}${run.late ? ', late' : ''}`);
}

const isUsual = ({ switches, flags, precondition }: Setup): boolean => !switches && !flags && !precondition;

async function timed<T extends object>(run: () => Promise<T>): Promise<T & { readonly seconds: number }> {
  const begun = performance.now();
  const result = await run();
  return { ...result, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

function called(id: string): Sampled {
  for (const [area, mutants] of Object.entries(areas)) {
    const mutant = mutants.find((one) => one.id === id);
    if (mutant) return { mutant, area, kind: kindOf(area) };
  }
  throw new Error(`--mutant ${id}: no mutant of that id; conformance/proof/matrix.json has them all`);
}

async function store(sample: readonly Sampled[], { runs }: State, seed: number): Promise<void> {
  const count = (kind: string): number =>
    Object.entries(areas).reduce((sum, [area, mutants]) => sum + (kindOf(area) === kind ? mutants.length : 0), 0);
  const numbers = Object.fromEntries(kinds.map((kind) => [kind, count(kind)]));
  await written(resultsFile, JSON.stringify(resultsOf(sample, runs, all, { seed, all: numbers })));
}

const publish = (): Promise<void> => written(pageFile, pageOf(readResults(), all, publishedMatrix().mutants));

function toolOf(name: string, before: readonly Tool[] = []): readonly Tool[] {
  const tool = all.find(({ id }) => id === name);
  if (!tool) throw new InvalidArgumentError(`there are ${names.join(', ')}.`);
  return [...before, tool];
}

await new Command('npm run tools --')
  .description('Run the tools that people use today against a sample of our mutants')
  .argument('[tools...]', `of ${names.join(', ')} (default: all)`, toolOf, [])
  .option('--sample <number>', 'so many mutants, of every kind in proportion', wholeNumber(1), 100)
  .option('--seed <number>', 'seed of the sample', wholeNumber(1), 1)
  .option('--seconds <number>', 'the most that a tool may take for a mutant', wholeNumber(1), 90)
  .option('--mutant <id>', 'this mutant alone; nothing is published')
  .option('--fresh', 'keep nothing of earlier runs: after a change of the mock, the contract or the mutants')
  .option('--page', 'run nothing, and write the page of the stored results')
  .action(tools)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(`tools: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  });
