import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { newIn, noisy } from './found.js';
import type { Sampled } from './sample.js';
import type { Tool } from './tool.js';
import { folder, workshop } from './tool.js';

/** One run of a tool. */
export interface Run {
  readonly tool: Tool['id'];
  readonly version: string;
  /** The mutant; absent for a baseline run. */
  readonly mutant?: string;
  /** What the run was of, where it is a baseline run: setup and seed. */
  readonly baseline?: string;
  readonly failures: readonly string[];
  readonly late: boolean;
  readonly seconds: number;
}

/** What has run so far, kept from run to run: an interrupted one goes on where it stopped. */
export class State {
  readonly #file = join(workshop, 'state.json');
  readonly runs: Run[];

  constructor(fresh = false) {
    mkdirSync(workshop, { recursive: true });
    this.runs = fresh || !existsSync(this.#file) ? [] : (JSON.parse(readFileSync(this.#file, 'utf8')) as Run[]);
  }

  has = ({ tool, version, mutant, baseline }: Pick<Run, 'tool' | 'version' | 'mutant' | 'baseline'>): boolean =>
    this.runs.some(
      (run) => run.tool === tool && run.version === version && run.mutant === mutant && run.baseline === baseline,
    );

  /** Failures of the baseline runs of a tool. */
  baselines = ({ id, version }: Pick<Tool, 'id' | 'version'>): readonly (readonly string[])[] =>
    this.runs.flatMap((run) => (run.tool === id && run.version === version && !run.mutant ? [run.failures] : []));

  add(run: Run): void {
    this.runs.push(run);
    // A file that is half written when the process ends would lose everything before.
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.runs));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** `results.json`. */
export interface Results {
  readonly seed: number;
  /** Mutants that were sampled; those of them that every tool was run against are below. */
  readonly sample: number;
  /** All that there are, by kind. */
  readonly all: Readonly<Record<string, number>>;
  readonly tools: Readonly<Record<string, ToolResults>>;
  readonly mutants: readonly MutantResults[];
}

export interface ToolResults {
  readonly version: string;
  readonly baselines: number;
  /** Baseline runs that report something that no other does: how much of a count is chance. */
  readonly noisy: number;
  /** Of a run against a mutant, the median. */
  readonly seconds: number;
  /** Runs that were ended for the time that they took. */
  readonly late: number;
}

export interface MutantResults extends Pick<Sampled, 'kind' | 'area'> {
  readonly id: string;
  readonly what: string;
  /** By tool: up to three of the failures that no baseline run has. A tool that found nothing is absent. */
  readonly found: Readonly<Record<string, readonly string[]>>;
}

/** The results of those mutants that every tool was run against. */
export function resultsOf(
  sample: readonly Sampled[],
  runs: readonly Run[],
  tools: readonly Pick<Tool, 'id' | 'version'>[],
  { seed, all }: Pick<Results, 'seed' | 'all'>,
): Results {
  const of = ({ id, version }: Pick<Tool, 'id' | 'version'>): readonly Run[] =>
    runs.filter((run) => run.tool === id && run.version === version);
  const baselines = new Map(
    tools.map((tool) => [tool.id, of(tool).flatMap(({ mutant, failures }) => (mutant ? [] : [failures]))]),
  );
  const done = sample.filter(({ mutant }) => tools.every((tool) => of(tool).some((run) => run.mutant === mutant.id)));
  const names = new Set(done.map(({ mutant }) => mutant.id));
  return {
    seed,
    sample: sample.length,
    all,
    tools: Object.fromEntries(
      tools.map((tool): [string, ToolResults] => {
        const own = of(tool).filter(({ mutant }) => mutant !== undefined && names.has(mutant));
        const [version, ground] = [tool.version, baselines.get(tool.id)!];
        const seconds = own.map((run) => run.seconds).toSorted((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0;
        const late = own.filter((run) => run.late).length;
        return [tool.id, { version, baselines: ground.length, noisy: noisy(ground), seconds, late }];
      }),
    ),
    mutants: done.map(({ mutant: { id, what }, kind, area }): MutantResults => {
      const found = tools.flatMap((tool) => {
        const run = of(tool).find(({ mutant }) => mutant === id)!;
        const fresh = newIn(run.failures, baselines.get(tool.id)!);
        return fresh.length > 0 ? [[tool.id, fresh.slice(0, 3).map((one) => one.slice(0, 160))] as const] : [];
      });
      return { id, kind, area, what, found: Object.fromEntries(found) };
    }),
  };
}

const file = join(folder, 'results.json');

export const readResults = (): Results => JSON.parse(readFileSync(file, 'utf8')) as Results;
export const resultsFile = file;
