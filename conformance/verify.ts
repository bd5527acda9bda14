import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase } from 'vitest/node';

import { capabilitiesOf, countsOf, judged, rowResult, suiteOf, unreached } from './engine/assemble.js';
import type { Paths } from './engine/check-run.js';
import { announced } from './engine/plan.js';
import type { Outcome } from './engine/outcome.js';
import type { LedgerRow } from './ledger.js';
import { ledger } from './ledger.gen.js';
import type { RowId } from './ledger.gen.js';
import { planOf } from './plan.js';
import { applyWaivers } from './report/baseline.js';
import type { PlacedWaiver } from './report/baseline.js';
import { reportSchema } from './result.js';
import type { Lifecycle, RowResult, RunReport } from './result.js';
import { unmet } from './target/capabilities.js';
import { describeTarget } from './target/describe.js';
import { SetupError } from './target/setup-error.js';
import type { Target } from './target/target.js';

/** What the worker that runs the checks is told. All of it is plain data. */
export interface Settings {
  readonly target: Target;
  readonly only: readonly string[];
  readonly seed: number;
  readonly runs: number;
  readonly wait: boolean;
  /** The most requests; 0 leaves it to the target file and the announcement. */
  readonly budget: number;
  /** Seconds after which the run ends, incomplete. */
  readonly timeLimit: number;
  readonly paths?: Readonly<Partial<Record<RowId, Paths>>>;
  /** The command that runs a failed row again, `{row}` for its id. */
  readonly replay: string;
  /** Name of the channel on which the run is told to stop. */
  readonly channel: string;
}

/** What the worker tells at the end, beside the outcomes of rows. */
export interface Tail {
  /** A fault of the suite that ended the run early. */
  readonly problem?: string;
  readonly sent: number;
  readonly lifecycle: Lifecycle;
  readonly observations: readonly string[];
  readonly edition: Readonly<Record<string, string>>;
  readonly capabilities: readonly string[];
}

export interface VerifyOptions extends Omit<Settings, 'channel'> {
  /** Version of the suite, for the reports. */
  readonly version: string;
  /** The command that this run was asked for by. */
  readonly command: string;
  /** Waivers beside those of the target. */
  readonly waivers: readonly PlacedWaiver[];
  /** The day that waivers are held against, yyyy-mm-dd. */
  readonly today: string;
  /** Ends the run; the reports are of what ran. */
  readonly signal?: AbortSignal;
  readonly onStart?: (facts: { readonly rows: number; readonly announced: number }) => void;
  readonly onRow?: (result: RowResult, requests: number) => void;
}

/**
 * Verifies a server by its target: runs the checks that `only` names (all where it names none) in a worker of vitest
 * and gives the report. Nothing is printed and nothing is written.
 *
 * @throws SetupError where a word of `only` names nothing
 */
export async function verify(options: VerifyOptions): Promise<RunReport> {
  const { version, command, waivers, today, signal, onStart, onRow, ...given } = options;
  const plan = planOf(given.only);
  const started = new Date();
  const rows = new Map<string, LedgerRow>(plan.map(({ row }) => [row.id, row]));
  const results = new Map<string, { readonly outcome: Outcome; readonly result: RowResult }>();
  let tail: Tail | undefined;
  onStart?.({ rows: plan.length, announced: announced(plan, given.runs) });

  const settings: Settings = { ...given, channel: `gamedata ${randomUUID()}` };
  const faults = await runWorker(settings, signal, {
    test: (meta) => {
      if (isTail(meta)) tail = meta.tail;
      else if (isOutcome(meta)) {
        const row = rows.get(meta.outcome.row)!;
        const result = rowResult(row, meta.outcome);
        results.set(row.id, { outcome: meta.outcome, result });
        onRow?.(result, meta.requests);
      }
    },
  });

  // Whoever ends a run before it has begun has set nothing up wrongly.
  const broken = signal?.aborted ? [] : [...faults, ...(tail?.problem === undefined ? [] : [tail.problem])];
  const why = signal?.aborted ? String(signal.reason) : (broken[0] ?? 'the run ended before');
  const complete = plan.map(({ row }) => {
    const found = results.get(row.id);
    if (found) return found;
    const outcome = unreached(row, why);
    return { outcome, result: rowResult(row, outcome) };
  });
  const waived = applyWaivers(
    complete.map(({ result }) => result),
    [...given.target.waivers, ...waivers],
    today,
    new Set(ledger.map(({ id }) => id)),
  );
  const problems = [...broken, ...waived.problems];
  const counts = countsOf(waived.rows);
  const incomplete = complete.map(({ outcome }) => outcome).filter((outcome) => outcome.incomplete);
  const verdict =
    broken.length === 0
      ? judged(counts, { incomplete, problems: waived.problems })
      : { exitCode: 2 as const, outcome: 'not set up' as const, summary: `Not set up: ${broken.join('; ')}.` };
  const { target, seed, runs } = given;
  const hooks = Object.fromEntries((tail?.capabilities ?? []).map((name) => [name, true]));
  return {
    $schema: reportSchema,
    suite: suiteOf(version),
    target: {
      name: target.name,
      base_url: target.base_url,
      auth_url: target.auth_url,
      consent: target.consent,
      settings: describeTarget(target),
    },
    seed,
    runs,
    command,
    started: started.toISOString(),
    seconds: Math.round((Date.now() - started.getTime()) / 100) / 10,
    ...verdict,
    counts,
    requests: { announced: announced(plan, runs), sent: tail?.sent ?? 0 },
    capabilities: tail
      ? capabilitiesOf([...rows.values()], (row) => unmet(row.needs, { target, hooks, wait: given.wait }))
      : [],
    edition: Object.fromEntries(
      Object.entries(tail?.edition ?? {}).map(([flag, seen]) => [
        flag,
        { declared: target.edition[flag] ?? 'any', seen },
      ]),
    ),
    rows: waived.rows,
    ...(tail && { lifecycle: tail.lifecycle }),
    observations: tail?.observations ?? [],
    problems,
  };
}

const isTail = (meta: object): meta is { tail: Tail } => 'tail' in meta;
const isOutcome = (meta: object): meta is { outcome: Outcome; requests: number } => 'outcome' in meta;

/** The file that vitest runs: of the build where this is the build, else of the sources. */
function suiteFile(): string {
  const here = fileURLToPath(import.meta.url);
  let folder = dirname(here);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return here.endsWith('.ts')
    ? join(folder, 'conformance', 'suite.check.ts')
    : join(folder, 'dist', 'conformance', 'suite.check.js');
}

/** Runs the suite in a thread of vitest. Gives what kept it from running, a line each. */
async function runWorker(
  settings: Settings,
  signal: AbortSignal | undefined,
  { test }: { readonly test: (meta: object) => void },
): Promise<readonly string[]> {
  // Vitest announces itself in the environment of the process that starts it.
  const before = { ...process.env };
  const { startVitest } = await import('vitest/node');
  const problems = new Set<string>();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const ours = new Map(signals.map((name) => [name, process.listeners(name)]));
  const reporter: Reporter = {
    // Vitest would end the process, and with it the reports of what ran.
    onInit: () => {
      for (const [name, listeners] of ours)
        for (const listener of process.listeners(name)) if (!listeners.includes(listener)) process.off(name, listener);
    },
    onTestCaseResult: (testCase: TestCase) => test(testCase.meta()),
    onTestRunEnd: (modules, errors) => {
      for (const { name, message } of [...modules.flatMap((module) => module.errors()), ...errors]) {
        // A problem of set-up is a line each; of anything else the first line says it.
        const lines = String(message).split('\n');
        for (const line of name === 'SetupError' ? lines : lines.slice(0, 1)) problems.add(line);
      }
    },
  };
  const file = suiteFile();
  const channel = new BroadcastChannel(settings.channel);
  const stop = (): void => channel.postMessage(String(signal?.reason));
  signal?.addEventListener('abort', stop, { once: true });
  const exitCode = process.exitCode;
  try {
    const vitest = await startVitest('test', [], {
      root: dirname(file),
      config: false,
      watch: false,
      include: [file],
      exclude: [],
      reporters: [reporter],
      provide: { gamedata: settings } as never,
      passWithNoTests: false,
      pool: 'threads',
      isolate: false,
      fileParallelism: false,
      maxConcurrency: 10_000,
      testTimeout: 0,
      hookTimeout: 0,
      cache: false,
    });
    await vitest.close();
  } catch (error) {
    problems.add(error instanceof SetupError ? error.message : `the suite did not start (${(error as Error).message})`);
  } finally {
    signal?.removeEventListener('abort', stop);
    channel.close();
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  }
  return [...problems];
}
