import { randomBytes } from 'node:crypto';

import { planOf, rowIds } from '../conformance/plan.js';
import { printBaseline } from '../conformance/report/baseline.js';
import { readBaseline } from '../conformance/waivers.js';
import { standing } from '../conformance/standing.js';
import { liveConsole, unjudgedStandings } from '../conformance/report/console.js';
import type { LiveConsole, Start, Unjudged } from '../conformance/report/console.js';
import { unwritable } from '../conformance/report/folder.js';
import type { RunReport } from '../conformance/result.js';
import { reproFolder, writeReports } from '../conformance/report/write.js';
import type { WrittenReport } from '../conformance/report/write.js';
import { connectionOf } from '../conformance/target/connection.js';
import type { Diagnosis } from '../conformance/target/diagnosis.js';
import { reachFindings } from '../conformance/target/doctor-reach.js';
import { leagueFindings } from '../conformance/target/doctor-leagues.js';
import { loginProblems } from '../conformance/target/login.js';
import { openHooks } from '../conformance/target/open-hooks.js';
import { plainTransport } from '../conformance/target/plain-transport.js';
import type { Target } from '../conformance/target/target.js';
import { describeTarget } from '../conformance/target/describe.js';
import type { ShardPosition } from '../conformance/shards.js';
import { verify } from '../conformance/verify.js';
import type { VerifyOptions } from '../conformance/verify.js';
import { suiteOf } from '../conformance/engine/assemble.js';
import { SetupError } from '../src/input/setup-error.js';
import { called } from './called.js';
import type { OutputFlags } from './conclude.js';
import { conclude, readyReports, voiceOf } from './conclude.js';
import { interruption } from './interruption.js';
import { watchForCrash } from './crash.js';
import { editionText } from './doctor-screen.js';
import { baselineOf, tryNew, writeNew } from './new-file.js';
import { writeRepros } from './repro-files.js';
import { quoted } from './quoted.js';
import { repeatable, targetFrom, typedAgain, withRate } from './target-options.js';
import { packageVersion } from './version.js';

/** The flags of `gamedata verify` beside those of the target. */
export interface VerifyFlags extends OutputFlags {
  readonly only?: readonly string[];
  readonly seed?: number;
  /** Left out: the usual number. */
  readonly runs?: number;
  readonly safe?: boolean;
  readonly rate?: number;
  readonly wait?: boolean;
  readonly shard?: ShardPosition;
  readonly strict?: boolean;
  readonly thorough?: boolean;
  readonly budget: number;
  readonly timeLimit: number;
  readonly report?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly force?: boolean;
  readonly target?: string;
}

/** The requirements that words name, a line each. */
export const list = (only: readonly string[]): string =>
  planOf(only)
    .map(
      ({ row, group }) =>
        `${row.id.padEnd(28)} ${row.level.padEnd(10)} ${(group ?? row.how).padEnd(26)} ${row.statement}\n`,
    )
    .join('');

/**
 * Runs `gamedata verify` and reports: progress and verdicts while it runs, the end, the files.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where the command line or a file is wrong
 */
export async function verifyAndTell(
  flags: VerifyFlags & { readonly seed: number; readonly runs: number },
  variable: string | undefined,
): Promise<number> {
  const { only = [], seed, runs, baseline, writeBaseline } = flags;
  const { wait = false, safe = false, strict = false, thorough = false, shard, budget, timeLimit } = flags;
  const bare = writeBaseline === '-';
  const target = withRate(await targetFrom(flags as unknown as Overridable), flags);
  const waivers = baseline === undefined ? [] : readBaseline(baseline, rowIds);
  planOf(only);
  await tryPlaces(flags);
  const { terminal, say } = voiceOf(flags);
  const screen = liveConsole(terminal, (text) => (bare || flags.quiet ? undefined : say(text)));
  const release = watchForCrash('gamedata verify');
  const { signal, ignore } = interruption(release);
  const version = packageVersion();
  try {
    await refuseTarget(target, signal);
    const report = await verify({
      target,
      only,
      seed,
      runs,
      wait,
      safe,
      strict,
      thorough,
      budget,
      timeLimit,
      version,
      command: commandLine(flags, seed),
      waivers,
      ...(shard && { part: shard }),
      today: new Date().toISOString().slice(0, 10),
      replay: replayOf(flags, seed),
      signal,
      ...shownOn(screen, { suite: suiteOf(version), target, seed, runs, signal }),
    });
    screen.stop();
    if (bare) {
      process.stdout.write(printBaseline(report));
      return report.exitCode;
    }
    return await conclude(report, await writeAll(report, flags, flags.target ?? variable), flags);
  } finally {
    screen.stop();
    ignore();
    release();
  }
}

/** @throws UsageError where what the run is to write cannot be written, before anything is asked */
async function tryPlaces({ report: folder, ...flags }: VerifyFlags): Promise<void> {
  await readyReports(folder);
  const baseline = baselineOf(flags);
  if (baseline && baseline.file !== '-') await tryNew(baseline);
}

/** What the run tells while it goes on, shown on a screen. */
function shownOn(
  screen: LiveConsole,
  {
    target,
    signal,
    ...run
  }: { readonly target: Target; readonly signal: AbortSignal } & Pick<Start, 'suite' | 'seed' | 'runs'>,
): Pick<VerifyOptions, 'onStart' | 'onRow'> {
  const started = Date.now();
  let [done, failed, total, announced] = [0, 0, 0, 0];
  const unjudged: Partial<Record<Unjudged, number>> = {};
  return {
    onStart: (facts) => {
      ({ rows: total, announced } = facts);
      screen.start({
        ...run,
        target: { ...target, settings: brief(describeTarget(target)) },
        requirements: total,
        announced,
      });
    },
    onRow: (row, requests) => {
      done += 1;
      if (row.verdict === 'fail' || row.verdict === 'suite error') {
        failed += 1;
        screen.verdict(row);
      }
      const left = unjudgedStandings.find((at) => at === standing(row));
      if (left !== undefined) unjudged[left] = (unjudged[left] ?? 0) + 1;
      if (signal.aborted) return; // what is left is told at once, and judged no more
      const seconds = (Date.now() - started) / 1000;
      const share = Math.max(done / total, Math.min(0.99, requests / announced));
      screen.progress({
        done,
        total,
        requests,
        failed,
        unjudged,
        ...(seconds > 3 && { secondsLeft: seconds / share - seconds }),
      });
    },
  };
}

type Problem = Pick<Diagnosis, 'about' | 'met' | 'remedy'>;

/**
 * An interrupted run refuses nothing: it reports that nothing ran.
 *
 * @throws SetupError where another site answers at the addresses of the target, the server refuses its credentials, or has no
 *   league of a name in it: a run would blame the server for that
 */
async function refuseTarget(target: Target, signal: AbortSignal): Promise<void> {
  const transport = plainTransport(connectionOf(target), signal);
  const refuse = (problems: readonly Problem[]): void => {
    if (problems.length > 0 && !signal.aborted) throw refusal(problems);
  };
  const reach = await reachFindings(target, transport, () => performance.now());
  if (reach.elsewhere) refuse(reach.findings.filter(({ state }) => state === 'problem'));
  const problems = await loginProblems({
    target,
    transport,
    hooks: () => openHooks(target, transport),
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    data: false,
  });
  refuse(problems);
  refuse(await leagueFindings(target, transport));
}

function refusal(problems: readonly Problem[]): SetupError {
  return new SetupError(
    ...problems.map(({ about, met, remedy }) => `${about}: ${met}; ${remedy}`),
    `Configuration error: nothing was tested. ${called()} doctor checks the whole target.`,
  );
}

/** Writes the files that the command line asks for. The verdict is told whatever becomes of it. */
async function writeAll(report: RunReport, flags: VerifyFlags, target: string | undefined): Promise<WrittenReport> {
  const { report: folder } = flags;
  const files: string[] = [];
  const problems: string[] = [];
  if (folder !== undefined) {
    const reports = await writeReports(report, folder);
    files.push(...reports.files);
    problems.push(...reports.problems);
    const place = reproFolder(folder);
    const { wait, safe, strict, thorough, rate } = flags;
    const overrides = repeatable(flags as unknown as Overridable);
    const repros = writeRepros(report, folder, { target, overrides, wait, safe, strict, thorough, rate });
    await repros.then(
      (lines) => files.push(...lines),
      (error: Error) => problems.push(unwritable(folder, place, error)),
    );
  }
  const baseline = baselineOf(flags);
  if (baseline) {
    await writeNew(baseline, printBaseline(report)).then(
      () => files.push(baseline.file),
      (error: Error) => problems.push(error.message),
    );
  }
  return { files, problems };
}

/** The settings that say something, in a few lines: tables by what they have; the reports tell them whole. */
function brief({
  name: _,
  base_url: __,
  auth_url: ___,
  ...settings
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const told = Object.entries(settings).map(([key, value]): [key: string, told: unknown] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [key, value];
    const entries = Object.entries(value);
    if (key === 'edition') return [key, editionText(Object.fromEntries(entries))];
    if (key === 'known') return [key, entries.length === 0 ? [] : `${entries.length} facts`];
    if (key === 'accounts' || key === 'clients') return [key, entries.map(([entry]) => entry)];
    // A reading that is any, and a realm under its own name, are as if nothing had been written.
    return [key, Object.fromEntries(entries.filter(([name, state]) => state !== 'any' && state !== name))];
  });
  return Object.fromEntries(told.filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

/** A command is typed by its own flags; those of the target go by the table of settings. */
type Overridable = Readonly<Record<string, unknown>>;

const withoutOnly = (flags: VerifyFlags, seed: number): string => {
  const { target, runs, wait, safe, rate, strict, thorough } = flags;
  const server = `${target === undefined ? '' : ` --target ${quoted(target)}`}${typedAgain(flags as unknown as Overridable)}`;
  return `${called()} verify${server} --seed ${seed}${runs === (safe ? 10 : 100) ? '' : ` --runs ${runs}`}${wait ? ' --wait' : ''}${safe ? ' --safe' : ''}${strict ? ' --strict' : ''}${thorough ? ' --thorough' : ''}${rate === undefined ? '' : ` --rate ${rate}`}`;
};

/** The command that judges a requirement again; `{row}` stands for its id. */
const replayOf = (flags: VerifyFlags, seed: number): string =>
  flags.report === undefined
    ? `${withoutOnly(flags, seed)} --only {row}`
    : `${called()} replay ${reproFolder(flags.report)}/{row}.json`;

const commandLine = (flags: VerifyFlags, seed: number): string =>
  withoutOnly(flags, seed) +
  (flags.only && flags.only.length > 0 ? ` --only ${flags.only.join(',')}` : '') +
  (flags.shard ? ` --shard ${flags.shard.index}/${flags.shard.count}` : '');
