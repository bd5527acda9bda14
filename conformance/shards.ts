import { createHash } from 'node:crypto';

import { judged } from './engine/assemble.js';
import { requestsOf } from './engine/plan.js';
import type { Planned } from './engine/plan.js';
import { contractHash, ledger, ledgerHash } from './ledger.gen.js';
import type { Settings } from './run-plan.js';
import type { Lifecycle, RowResult, RunReport, Shard } from './result.js';
import { tally } from './standing.js';
import { describeTarget } from './target/describe.js';
import { SetupError } from '../src/input/setup-error.js';

/** Which part of a run, from 1 to `count`. */
export type ShardPosition = Pick<Shard, 'index' | 'count'>;

/**
 * The part of a plan that a shard runs. A check group stays together, and groups are spread by the requests that they
 * send. Rows of monitors are in every shard, because each watches only the responses to its own requests.
 */
export function shardOf(plan: readonly Planned[], { index, count }: ShardPosition): readonly Planned[] {
  const costs = new Map<string, number>();
  for (const { group, check } of plan) if (check) costs.set(group!, (costs.get(group!) ?? 0) + 1 + requestsOf(check));
  const loads = Array.from({ length: count }, () => 0);
  const shards = new Map<string, number>();
  for (const [group, cost] of [...costs].toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least]! += cost;
    shards.set(group, least + 1);
  }
  return plan.map((planned) => {
    const { row, check, group } = planned;
    if (!check) return { row };
    return shards.get(group!) === index ? planned : { row, elsewhere: true };
  });
}

/** Shows that the rows of a shard are those that it wrote. */
export const digestOf = (rows: readonly RowResult[]): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);

/** Tells the shards of one run from those of any other: the suite, the target and all that decides a verdict. */
export function runOf({
  version,
  target,
  only,
  seed,
  runs,
  wait,
  safe = false,
  thorough = false,
  waivers,
}: Pick<Settings, 'target' | 'only' | 'seed' | 'runs' | 'wait' | 'safe' | 'thorough'> & {
  readonly version: string;
  readonly waivers: readonly unknown[];
}): string {
  const run = [
    version,
    ledgerHash,
    contractHash,
    describeTarget(target),
    only,
    seed,
    runs,
    wait,
    safe,
    thorough,
    waivers,
  ];
  return createHash('sha256').update(JSON.stringify(run)).digest('hex').slice(0, 16);
}

/** A report and the file that it was read from. */
export interface PlacedReport {
  readonly file: string;
  readonly report: RunReport;
}

/**
 * The report of the whole run, from those of its shards: the rows of the unsharded run with the same verdicts.
 *
 * @throws SetupError where a report is no shard, is of another run, stands twice or is missing
 */
export function merge(reports: readonly PlacedReport[], command: string): RunReport {
  const parts = partsOf(reports);
  const rows = mergedRows(parts);
  const counts = tally(rows);
  const problems = distinct(parts.flatMap((part) => part.problems));
  const broken = parts.find(({ outcome, problems: own }) => outcome.endsWith('error') && own.length > 0);
  const { shard: _, lifecycle: __, ...head } = parts[0]!;
  const advice = distinct(parts.flatMap(({ advice: its = [] }) => its));
  const lifecycles = parts.flatMap(({ lifecycle }) => lifecycle ?? []);
  return {
    ...head,
    command,
    started: parts.map(({ started }) => started).toSorted()[0]!,
    seconds: Math.max(...parts.map(({ seconds }) => seconds)),
    ...(broken
      ? { exitCode: 2 as const, outcome: broken.outcome, summary: broken.summary }
      : judged(counts, { incomplete: rows.filter(({ incomplete }) => incomplete), problems })),
    counts,
    requests: { announced: sum(parts, 'announced'), sent: sum(parts, 'sent') },
    edition: mergedEdition(parts),
    rows,
    ...(lifecycles.length > 0 && { lifecycle: mergedLifecycle(lifecycles) }),
    observations: distinct(parts.flatMap(({ observations }) => observations)),
    ...(advice.length > 0 && { advice }),
    problems,
  };
}

/**
 * The shards' reports in their order, each there once.
 *
 * @throws SetupError where a report is no shard, is of another run, stands twice or is missing
 */
function partsOf(reports: readonly PlacedReport[]): readonly RunReport[] {
  const shards = reports.map(({ file, report }) => {
    if (!report.shard)
      throw new SetupError(`${file} is the report of a whole run; merge takes reports of gamedata verify --shard`);
    return { file, report, shard: report.shard };
  });
  const [first] = shards;
  if (!first) throw new SetupError('no report to merge; name the report.json of every shard');
  const { count, run } = first.shard;
  const places = new Map<number, string>();
  for (const { file, report, shard } of shards) {
    if (shard.run !== run || shard.count !== count)
      throw new SetupError(
        `${file} is of another run than ${first.file}; give all shards the same target, seed, selection and version`,
      );
    if (report.suite.ledger !== ledgerHash)
      throw new SetupError(`${file} is of another version of the suite; merge with the version that ran the shards`);
    if (shard.digest !== digestOf(report.rows))
      throw new SetupError(`${file} was changed after its run; run shard ${shard.index}/${count} again`);
    const twin = places.get(shard.index);
    if (twin !== undefined)
      throw new SetupError(`${file} and ${twin} are both shard ${shard.index}/${count}; name one`);
    places.set(shard.index, file);
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !places.has(index));
  if (missing.length > 0)
    throw new SetupError(
      `${missing.map((index) => `shard ${index}/${count}`).join(' and ')} missing; run it, or name its report.json`,
    );
  return shards.toSorted((a, b) => a.shard.index - b.shard.index).map(({ report }) => report);
}

/** What decides first where several shards judged a row: one violation is enough, and one exercise. */
const precedence: readonly RowResult['verdict'][] = [
  'fail',
  'suite error',
  'warn',
  'pass',
  'could not run',
  'not exercised',
  'not applicable',
];

/** Every row once, in the order of the ledger. */
function mergedRows(parts: readonly RunReport[]): RowResult[] {
  const found = new Map<string, RowResult>();
  for (const row of parts.flatMap(({ rows }) => rows)) {
    const other = found.get(row.id);
    if (!other) found.set(row.id, row);
    else {
      const [first, second] =
        precedence.indexOf(row.verdict) < precedence.indexOf(other.verdict) ? [row, other] : [other, row];
      found.set(row.id, { ...first, exercised: first.exercised + second.exercised });
    }
  }
  return ledger.flatMap(({ id }) => found.get(id) ?? []);
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const sum = (parts: readonly RunReport[], what: keyof RunReport['requests']): number =>
  parts.reduce((total, { requests }) => total + requests[what], 0);

function mergedEdition(parts: readonly RunReport[]): RunReport['edition'] {
  return Object.fromEntries(
    Object.entries(parts[0]!.edition).map(([flag, { declared }]) => {
      const states = new Set(parts.flatMap(({ edition }) => edition[flag]?.seen.match(/\b(on|off)\b/g) ?? []));
      return [flag, { declared, seen: ['on', 'off'].filter((state) => states.has(state)).join(' and ') || 'not seen' }];
    }),
  );
}

function mergedLifecycle(lifecycles: readonly Lifecycle[]): Lifecycle {
  const added = (key: 'transitions' | 'races'): Record<string, number> => {
    const total = new Map<string, number>();
    for (const lifecycle of lifecycles)
      for (const [name, count] of Object.entries(lifecycle[key])) total.set(name, (total.get(name) ?? 0) + count);
    return Object.fromEntries([...total].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  const certificate = lifecycles.find((one) => one.certificate)?.certificate;
  return {
    words: lifecycles.reduce((total, { words }) => total + words, 0),
    ...(certificate && { certificate }),
    states: distinct(lifecycles.flatMap(({ states }) => states)).toSorted(),
    transitions: added('transitions'),
    races: added('races'),
  };
}
