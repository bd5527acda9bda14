import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { RowId } from '../../conformance/ledger.gen.js';
import { rowOf } from '../../conformance/engine/assemble.js';
import type { RunReport } from '../../conformance/result.js';
import { UsageError } from './usage-error.js';

/** What `gamedata replay` needs to run one failure again. */
export interface Repro {
  readonly row: RowId;
  readonly seed: number;
  readonly runs: number;
  readonly wait: boolean;
  readonly paths: Readonly<Record<string, string>>;
  readonly expected: string;
  readonly got: string;
  /** The target file of the run, absolute; undefined where flags named the server. */
  readonly target?: string;
}

export const reproFolder = (folder: string): string => join(folder, 'repro');

/** A JSON file to replay for every failure, beside its shell script. Answers the folder, or nothing where all is well. */
export async function writeRepros(report: RunReport, folder: string, target: string | undefined): Promise<string[]> {
  const failures = report.rows.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : []));
  if (failures.length === 0) return [];
  const place = reproFolder(folder);
  await mkdir(place, { recursive: true });
  await Promise.all(
    failures.map(({ id, failure: { expected, got, paths, seed } }) => {
      const repro: Repro = {
        row: id as RowId,
        seed,
        runs: report.runs,
        wait: report.command.includes(' --wait'),
        paths,
        expected,
        got,
        ...(target !== undefined && target !== '-' && { target: resolve(target) }),
      };
      return writeFile(join(place, `${id}.json`), `${JSON.stringify(repro, null, 2)}\n`);
    }),
  );
  return [`${place}/ (${failures.length} to replay)`];
}

/** @throws UsageError where the file is not one that `verify --report` wrote */
export async function readRepro(file: string): Promise<Repro> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${file}: cannot be read (${(error as NodeJS.ErrnoException).code}); name a file that verify --report wrote below repro/`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file}: is not JSON; name a file that verify --report wrote below repro/`);
  }
  const { row, seed, runs, paths } = value as Partial<Repro>;
  if (typeof row !== 'string' || typeof seed !== 'number' || typeof runs !== 'number' || typeof paths !== 'object') {
    throw new UsageError(
      `${file}: lacks row, seed, runs or paths; name a file that verify --report wrote below repro/`,
    );
  }
  if (!rowOf(row)) throw new UsageError(`${file}: ${row} is no requirement of this version`);
  return value as Repro;
}
