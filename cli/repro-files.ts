import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { RowId } from '../conformance/ledger.gen.js';
import { rowOf } from '../conformance/engine/assemble.js';
import type { RunReport } from '../conformance/result.js';
import { makeFolder } from '../conformance/report/folder.js';
import { reproFolder } from '../conformance/report/write.js';
import { jsonText, line } from '../conformance/text.js';
import { textFile } from '../src/input/file.js';
import type { Overrides } from './target-options.js';
import { UsageError } from './usage-error.js';

/** What `gamedata replay` needs to run one failure again. */
export interface Repro {
  readonly row: RowId;
  readonly seed: number;
  readonly runs: number;
  readonly wait: boolean;
  /** How the run treated the server and its answers: `verify --safe`, `--strict`, `--thorough`, `--rate`. */
  readonly safe?: boolean;
  readonly strict?: boolean;
  readonly thorough?: boolean;
  readonly rate?: number;
  readonly paths: Readonly<Record<string, string>>;
  readonly expected: string;
  readonly got: string;
  /** The target file of the run, absolute; undefined where flags named the server. */
  readonly target?: string;
  /** What flags said of the target over its file, secrets left out. */
  readonly overrides?: Overrides;
}

/** What a run has to be told again so that it does the same. */
type Manner = Partial<Pick<Repro, 'wait' | 'safe' | 'strict' | 'thorough' | 'rate'>>;

/** A JSON file to replay for every failure, beside its shell script. Answers the folder, or nothing where all is well. */
export async function writeRepros(
  report: RunReport,
  folder: string,
  { target, overrides = {}, wait = false, ...manner }: Manner & Pick<Repro, 'target' | 'overrides'>,
): Promise<string[]> {
  const failures = report.rows.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : []));
  if (failures.length === 0) return [];
  const place = reproFolder(folder);
  await makeFolder(place);
  await Promise.all(
    failures.map(({ id, failure: { expected, got, paths, seed } }) => {
      const repro: Repro = {
        row: id as RowId,
        seed,
        runs: report.runs,
        wait,
        ...manner,
        paths,
        expected,
        got,
        ...(target !== undefined && target !== '-' && { target: resolve(target) }),
        overrides,
      };
      return writeFile(join(place, `${id}.json`), `${jsonText(repro, 2)}\n`);
    }),
  );
  return [`${place}/ (${failures.length} to replay)`];
}

const wanted = 'a file that verify --report wrote below repro/';

/** @throws SetupError, UsageError where the file is not one that `verify --report` wrote */
export function readRepro(file: string): Repro {
  const text = textFile(file, wanted);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file}: is ${text.trim() === '' ? 'empty' : 'not JSON'}; name ${wanted}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${file}: is JSON, but no object; name ${wanted}`);
  if ('rows' in value)
    throw new UsageError(
      `${file}: is a whole report; ${'subject' in value ? 'the replay line of a failure of an audit is a command: paste it' : `name ${wanted}`}`,
    );
  const faulty = Object.entries(members).filter(([name, holds]) => !holds((value as Record<string, unknown>)[name]));
  if (faulty.length > 0)
    throw new UsageError(`${file}: lacks a right ${faulty.map(([name]) => name).join(', ')}; name ${wanted}`);
  const repro = value as Repro;
  if (!rowOf(repro.row))
    throw new UsageError(`${file}: ${line(repro.row, 60)} is no requirement of this version; name another file`);
  return repro;
}

const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean';
const isText = (value: unknown): boolean => typeof value === 'string';
const isWhole =
  (least: number, most: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** What each member of a repro has to be. */
const members: Readonly<Record<keyof Repro, (value: unknown) => boolean>> = {
  row: isText,
  seed: isWhole(-(2 ** 31), 2 ** 31 - 1),
  runs: isWhole(1, 100_000),
  wait: (value) => typeof value === 'boolean',
  safe: isFlag,
  strict: isFlag,
  thorough: isFlag,
  rate: (value) => value === undefined || (typeof value === 'number' && value > 0),
  paths: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((path) => typeof path === 'string' && /^\d+(:\d+)*$/.test(path)),
  expected: isText,
  got: isText,
  target: (value) => value === undefined || isText(value),
  overrides: (value) =>
    value === undefined ||
    (typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((one) => [one].flat().every((text) => isText(text) || text === true))),
};
