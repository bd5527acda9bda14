import { appendFile } from 'node:fs/promises';

import { planOf } from '../../conformance/plan.js';
import { annotations } from '../../conformance/report/annotations.js';
import { printBaseline, readBaseline } from '../../conformance/report/baseline.js';
import { liveConsole } from '../../conformance/report/console.js';
import { ending } from '../../conformance/report/ending.js';
import { markdown } from '../../conformance/report/markdown.js';
import { line } from '../../conformance/text.js';
import { terminalOf } from '../../conformance/report/terminal.js';
import { writeReports } from '../../conformance/report/write.js';
import { describeTarget } from '../../conformance/target/describe.js';
import { verify } from '../../conformance/verify.js';
import { suiteOf } from '../../conformance/engine/assemble.js';
import { reportFolder, reproFolder, writeRepros } from './repro-files.js';
import { targetFrom } from './target-options.js';
import { packageVersion } from './version.js';

/** The flags of `gamedata verify` beside those of the target. */
export interface VerifyFlags {
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly runs: number;
  readonly wait?: boolean;
  readonly budget: number;
  readonly timeLimit: number;
  readonly report?: string;
  readonly baseline?: string;
  readonly printBaseline?: boolean;
  readonly list?: boolean;
  readonly target?: string;
}

/** The rows that words name, a line each. */
export const list = (only: readonly string[]): string =>
  planOf(only)
    .map(
      ({ row, group }) =>
        `${row.id.padEnd(28)} ${row.level.padEnd(10)} ${(group ?? row.how).padEnd(26)} ${row.statement}\n`,
    )
    .join('');

/**
 * Runs `gamedata verify` and tells how it went: progress and verdicts while it runs, the end, the files.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where the command line or a file has to be mended
 */
export async function verifyAndTell(
  flags: VerifyFlags & { readonly seed: number },
  variable: string | undefined,
): Promise<number> {
  const {
    only = [],
    seed,
    runs,
    wait = false,
    budget,
    timeLimit,
    report: folder,
    baseline,
    printBaseline: bare = false,
  } = flags;
  const target = await targetFrom(flags as unknown as Readonly<Record<string, unknown>>);
  if (folder !== undefined) await reportFolder(folder);
  const waivers = baseline === undefined ? [] : readBaseline(baseline);
  planOf(only);
  const terminal = terminalOf(process.stdout, process.env);
  const screen = liveConsole(terminal, (text) => void (bare || process.stdout.write(text)));
  const { signal, release } = interruption();
  const version = packageVersion();
  const command = commandLine(flags, seed);
  const started = Date.now();
  let done = 0;
  let failed = 0;
  let total = 0;
  let announced = 0;
  try {
    const report = await verify({
      target,
      only,
      seed,
      runs,
      wait,
      budget,
      timeLimit,
      version,
      command,
      waivers,
      today: new Date(started).toISOString().slice(0, 10),
      replay:
        folder === undefined
          ? `${withoutOnly(flags, seed)} --only {row}`
          : `gamedata replay ${reproFolder(folder)}/{row}.json`,
      signal,
      onStart: (facts) => {
        ({ rows: total, announced } = facts);
        screen.start({
          suite: suiteOf(version),
          target: { ...target, settings: brief(describeTarget(target)) },
          seed,
          runs,
          checks: facts.rows,
          announced,
        });
      },
      onRow: (row, requests) => {
        done += 1;
        if (row.verdict === 'fail' || row.verdict === 'harness error') {
          failed += 1;
          screen.verdict(row);
        }
        const seconds = (Date.now() - started) / 1000;
        const share = Math.max(done / total, Math.min(0.99, requests / announced));
        screen.progress({
          done,
          total,
          requests,
          failed,
          ...(seconds > 3 && { secondsLeft: seconds / share - seconds }),
        });
      },
    });
    screen.stop();
    if (bare) {
      process.stdout.write(printBaseline(report));
      return report.exitCode;
    }
    const files =
      folder === undefined
        ? []
        : [...(await writeReports(report, folder)), ...(await writeRepros(report, folder, flags.target ?? variable))];
    process.stdout.write(ending(report, files, terminal));
    if (process.env.GITHUB_ACTIONS === 'true') process.stdout.write(annotations(report));
    const summary = process.env.GITHUB_STEP_SUMMARY;
    if (summary)
      await appendFile(summary, markdown(report)).catch(({ code }: NodeJS.ErrnoException) =>
        process.stderr.write(line(`gamedata: GITHUB_STEP_SUMMARY ${summary}: cannot be written (${code})`) + '\n'),
      );
    return report.exitCode;
  } finally {
    screen.stop();
    release();
  }
}

/** The settings in a few lines: tables by what they have; the reports tell them whole. */
function brief({
  name: _,
  base_url: __,
  auth_url: ___,
  ...settings
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [key, value];
      const entries = Object.entries(value);
      if (key === 'edition') {
        const on = entries.filter(([, state]) => state === 'on').length;
        return [key, entries.length === 0 ? 'not declared' : `${on} of ${entries.length} declared flags on`];
      }
      if (key === 'known') return [key, `${entries.length} facts`];
      if (key === 'accounts' || key === 'clients') return [key, entries.map(([entry]) => entry).join(' ')];
      return [key, value];
    }),
  );
}

/** Ctrl-C ends the run, which then writes the reports of what ran; a second one ends the process. */
function interruption(): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(3);
    stop.abort('the run was interrupted');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return { signal: stop.signal, release: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) };
}

const withoutOnly = ({ target, runs, wait }: VerifyFlags, seed: number): string =>
  `gamedata verify${target === undefined ? '' : ` --target ${target}`} --seed ${seed}${runs === 100 ? '' : ` --runs ${runs}`}${wait ? ' --wait' : ''}`;

const commandLine = (flags: VerifyFlags, seed: number): string =>
  withoutOnly(flags, seed) + (flags.only && flags.only.length > 0 ? ` --only ${flags.only.join(',')}` : '');
