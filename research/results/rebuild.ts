import { spawnSync } from 'node:child_process';

import { cellName, differenceOf, textOf } from './cell.js';
import type { Cell, Run } from './run.js';
import type { Source } from './sources.js';
import { sources } from './sources.js';
import { workingTree } from './tree.js';

/** A cell as it was published and as it is now. */
export interface Rebuilt {
  readonly was: Cell;
  readonly is: Cell;
  /** A clause for each difference. */
  readonly differences: readonly string[];
  /** Differences of requirements that are known to vary: races, roundings. */
  readonly varying: readonly string[];
}

/** The cell that a name names. @throws Error that lists what there is */
export function cellOf(
  name: string,
  runs: readonly Run[],
): { readonly run: Run; readonly column: string; readonly source: Source } {
  const [kind = '', id = '', ...rest] = name.split('/');
  const column = rest.join('/');
  const run = runs.find((one) => one.kind === kind && one.subject.id === id);
  if (!run) {
    const known = [...new Set(runs.map((one) => `${one.kind}/${one.subject.id}`))].join(', ');
    throw new Error(`${name}: no run of ${kind}/${id}; there are ${known}`);
  }
  if (!Object.hasOwn(run.cells, column))
    throw new Error(`${name}: ${kind}/${id} has no cell ${column}; there are ${Object.keys(run.cells).join(', ')}`);
  const source = sources().find((one) => one.kind === kind && one.id === id);
  if (!source) throw new Error(`${name}: nothing here runs ${kind}/${id} any more`);
  return { run, column, source };
}

/** Runs a subject by its command, and compares a cell with the published one. @throws Error where it cannot be run */
export function rebuild(name: string, runs: readonly Run[]): Rebuilt {
  const { run, column, source } = cellOf(name, runs);
  const [program = '', ...words] = source.command;
  const before = workingTree.read(source.file);
  const { status } = spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const text = workingTree.read(source.file);
  if (text === undefined || (status !== 0 && text === before))
    throw new Error(`${source.command.join(' ')} ended with ${status} and published nothing; see what it says above`);
  const is = source.run(text, source.file, workingTree)?.cells[column];
  if (!is) throw new Error(`${cellName(run, column)} is not in what ${source.command.join(' ')} published`);
  const was = run.cells[column]!;
  const varies = new Set(run.causes.flatMap(({ rows, varies: isVarying }) => (isVarying ? rows : [])));
  const all = differenceOf(was, is);
  const varying = all.filter((one) => varies.has(one.split(' ')[0] ?? ''));
  return { was, is, differences: all.filter((one) => !varying.includes(one)), varying };
}

/** The comparison, a few lines. */
export function rebuiltText(name: string, { was, is, differences, varying }: Rebuilt): string {
  const verdict = differences.length === 0 ? 'equal' : 'different';
  return [
    `${name}: ${verdict}; published ${textOf(was)}, now ${textOf(is)}`,
    ...differences.map((one) => `  ${one}`),
    ...varying.map((one) => `  ${one}, which varies from run to run`),
  ].join('\n');
}
