import { audit } from '../conformance/audit/audit.js';
import { commandClient } from '../conformance/audit/client.js';
import { auditIds, rowsNamed } from '../conformance/audit/ledger.js';
import { readPlan } from '../conformance/audit/plan.js';
import type { ClientPlan } from '../conformance/audit/plan.js';
import { notReached } from '../conformance/audit/reach.js';
import { endingOf } from '../conformance/audit/rows/survival.js';
import type { WorldRun } from '../conformance/audit/run.js';
import { openAudit } from '../conformance/audit/start.js';
import { allWorlds, asksToGetThrough, worlds, worldsNamed } from '../conformance/audit/worlds.js';
import { printBaseline } from '../conformance/report/baseline.js';
import { readBaseline } from '../conformance/waivers.js';
import { paintFor, terminalOf } from '../conformance/report/terminal.js';
import { violatedIn } from '../conformance/audit/judge.js';
import type { Terminal } from '../conformance/report/terminal.js';
import { writeReports } from '../conformance/report/write.js';
import type { RunReport } from '../conformance/result.js';
import { count, line } from '../conformance/text.js';
import { called } from './called.js';
import type { OutputFlags } from './conclude.js';
import { conclude, readyReports, voiceOf } from './conclude.js';
import { interruption } from './interruption.js';
import { watchForCrash } from './crash.js';
import type { InterfaceFlags } from './interface-options.js';
import { editionOf, switchesOf } from './mock-options.js';
import { baselineOf, tryNew, writeNew } from './new-file.js';
import { quoted } from './quoted.js';
import { UsageError } from './usage-error.js';
import { packageVersion } from './version.js';

/** The flags of `gamedata audit`. */
export interface AuditFlags extends InterfaceFlags, OutputFlags {
  readonly plan?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly again?: string;
  readonly stopAfter?: number;
  readonly success?: readonly number[];
  readonly copies?: number;
  readonly autoApprove?: boolean;
  readonly world?: readonly string[];
  readonly only?: readonly string[];
  readonly timeLimit?: number;
  readonly jobs: number;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly force?: boolean;
  readonly report?: string;
}

/** The requirements that words name, a line each. */
export const listRows = (only: readonly string[]): string =>
  rowsNamed(only)
    .map(({ id, level, source, sentence }) => `${id.padEnd(22)} ${level.padEnd(10)} ${source.padEnd(18)} ${sentence}\n`)
    .join('');

/** The worlds, two lines each. */
export const listWorlds = (): string =>
  allWorlds.map(({ id, title, because }) => `${id.padEnd(22)} ${title}.\n${' '.repeat(23)}${because}\n`).join('');

/**
 * What is audited, and how: as the command line says, and where it does not, the plan.
 *
 * @throws UsageError where neither names a client
 */
function orderOf(words: readonly string[], flags: AuditFlags) {
  const plan: ClientPlan = flags.plan === undefined ? {} : readPlan(flags.plan);
  const start = words.length > 0 ? words : plan.start;
  if (start === undefined || start.length === 0)
    throw new UsageError('no client: write its command after --, or give --plan a file with `start`');
  const stopAfter = flags.stopAfter ?? plan.stopAfter;
  const success = flags.success ?? plan.success;
  const copies = flags.copies ?? plan.copies;
  const timeLimit = flags.timeLimit ?? plan.timeLimit;
  const again = flags.again === undefined ? plan.again : ['/bin/sh', '-c', flags.again];
  return {
    command: {
      words: start,
      names: { ...plan.env, ...flags.env },
      ...(again && { again }),
      ...(plan.cwd !== undefined && { cwd: plan.cwd }),
    },
    restarts: again !== undefined,
    autoApprove: flags.autoApprove ?? plan.consent === 'auto',
    ...(stopAfter !== undefined && { stopAfter }),
    ...(success && { success }),
    ...(copies !== undefined && { copies }),
    ...(timeLimit !== undefined && { timeLimit }),
    ...(plan.redirectUris && { redirectUris: plan.redirectUris }),
  };
}

/**
 * Runs `gamedata audit -- command` and reports.
 * @returns the exit code
 * @throws SetupError, UsageError where the command line or a file is wrong
 */
export async function auditAndTell(words: readonly string[], flags: AuditFlags): Promise<number> {
  const { command, ...settings } = orderOf(words, flags);
  const waivers = flags.baseline === undefined ? [] : readBaseline(flags.baseline, auditIds);
  const only = rowsNamed(flags.only ?? []).map(({ id }) => id);
  worldsNamed(flags.world ?? []);
  await tryPlaces(flags);
  const { client, apart, close } = commandClient(command);
  const release = watchForCrash('gamedata audit');
  const { signal, ignore } = interruption(release);
  const { terminal, say: aloud } = voiceOf(flags);
  const say = flags.quiet ? () => {} : aloud;
  const { strong, faint } = paintFor(terminal);
  const progress = progressLine(terminal, say);
  const told = command.words.map(quoted).join(' ');
  const toldWith = (...selection: readonly string[]): string => commandLine(words, flags, selection);
  say(`${strong('Game Data audit')} ${packageVersion()} of ${line(told, 200)}\n\n`);
  try {
    const { report } = await audit({
      client,
      apart,
      name: told,
      jobs: flags.jobs,
      ...settings,
      version: packageVersion(),
      command: toldWith(...selectionOf(flags)),
      replay: (row, world) => toldWith('--world', world, '--only', row),
      waivers,
      signal,
      edition: editionOf(flags),
      flags: flags.flag ?? {},
      switches: switchesOf(flags),
      ...(flags.world && { worlds: flags.world }),
      ...(flags.only && { only: flags.only }),
      onRunning: (running) => progress.show(running.length === 0 ? '' : `runs ${running.join(', ')}`),
      onWorld: (run, done, total) => {
        progress.print(`${faint(`${String(done).padStart(2)}/${total}`)} ${lineOf(run, only, terminal)}`);
        if (done === 1 && total > 1 && !flags.world)
          progress.print(faint(leftOut(total, settings.copies !== undefined)));
      },
    });
    progress.show('');
    say('\n');
    return await tell(report, flags);
  } finally {
    ignore();
    await close();
    release();
  }
}

/** @throws UsageError where what the audit is to write cannot be written, before anything runs */
async function tryPlaces(flags: AuditFlags): Promise<void> {
  await readyReports(flags.report);
  const baseline = baselineOf(flags);
  if (baseline) await tryNew(baseline);
}

const selectionOf = ({ world = [], only = [] }: AuditFlags): readonly string[] => [
  ...world.flatMap((name) => ['--world', name]),
  ...only.flatMap((id) => ['--only', id]),
];

/** What is told of a world when the client has been there. */
function lineOf(run: WorldRun, only: readonly string[], terminal: Terminal): string {
  const sent = run.calls.length;
  return `${run.world.id.padEnd(22)} ${String(sent).padStart(4)} ${sent === 1 ? 'request ' : 'requests'}  ${endOf(run, terminal)}${brokenIn(run, only, terminal)}`;
}

/** Which worlds are not run, and why. */
function leftOut(total: number, withCopies: boolean): string {
  const idle = (withCopies ? allWorlds : worlds).length - total;
  const about = `${count(idle, 'world')} skipped: the client does nothing they test`;
  return withCopies ? about : `${about}; ${allWorlds.length - worlds.length} more need --copies`;
}

/** Those of the requirements that a client violated in a world; the report has the rest, and what is accepted. */
function brokenIn(run: WorldRun, only: readonly string[], terminal: Terminal): string {
  const ids = violatedIn(run).filter((id) => only.includes(id));
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return ids.length === 0 ? '' : paintFor(terminal).bad(`; violates ${ids.slice(0, 3).join(', ')}${more}`);
}

/** How a client ended in a world. Where the world does not ask it to get through, any end is as expected. */
function endOf(run: WorldRun, terminal: Terminal): string {
  const { good, fair, bad, faint } = paintFor(terminal);
  const missed = notReached(run);
  if (missed !== undefined) return fair(line(`not reached: ${missed}`, 160));
  if (run.ended) return good('ended with success');
  return run.world.id === 'calm' || asksToGetThrough(run.world)
    ? bad(line(endingOf(run), 120))
    : faint(`${line(endingOf(run), 95)}, which this world allows`);
}

/** A line at the bottom of a terminal that says what goes on; elsewhere there is none. */
function progressLine(
  { tty, columns }: Terminal,
  say: (text: string) => void,
): { show(text: string): void; print(text: string): void } {
  let shown = '';
  const clear = (): string => (shown === '' ? '' : '\r\u001b[K');
  const show = (text: string): void => {
    if (!tty) return;
    say(clear() + (shown = line(text, Math.max(20, columns - 1))));
  };
  return { show, print: (text) => say(`${clear()}${text}\n${shown}`) };
}

/** The command line that starts the same client in the same way; `selection` says where and for what. */
function commandLine(
  words: readonly string[],
  {
    plan,
    env = {},
    again,
    stopAfter,
    success,
    copies,
    autoApprove,
    timeLimit,
    profile,
    edition,
    flag = {},
    set = {},
  }: Omit<AuditFlags, 'jobs'>,
  selection: readonly string[],
): string {
  const options = [
    ...(plan === undefined ? [] : ['--plan', plan]),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...(again === undefined ? [] : ['--again', again]),
    ...(stopAfter === undefined ? [] : ['--stop-after', String(stopAfter)]),
    ...(success === undefined ? [] : ['--success', success.join(',')]),
    ...(copies === undefined ? [] : ['--copies', String(copies)]),
    ...(autoApprove ? ['--auto-approve'] : []),
    ...(timeLimit === undefined ? [] : ['--time-limit', String(timeLimit)]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(edition === undefined ? [] : ['--edition', edition]),
    ...Object.entries(flag).flatMap(([name, isOn]) => ['--flag', `${name}=${isOn ? 'on' : 'off'}`]),
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ];
  const rest = [...options, ...selection, ...(words.length > 0 ? ['--', ...words] : [])];
  return `${called()} audit ${rest.map(quoted).join(' ')}`;
}

/** Serves one world until it is interrupted, then prints the verdict. */
export async function watchAndTell(flags: {
  readonly port: number;
  readonly world: string;
  readonly report?: string;
}): Promise<number> {
  const command = `${called()} audit watch --port ${flags.port}${flags.world === 'calm' ? '' : ` --world ${flags.world}`}`;
  const watched = await openAudit({ port: flags.port, world: flags.world, command });
  const { strong } = paintFor(terminalOf(process.stdout, process.env));
  process.stdout.write(
    `${strong(watched.url)} serves the world ${flags.world} and judges any client that connects. Give your client the values below, or paste the lines into its shell; Ctrl-C prints the verdict.\n`,
  );
  for (const [name, value] of Object.entries(watched.environment))
    process.stdout.write(`export ${name}=${quoted(value)}\n`);
  // Asked again, it goes on: the verdict comes at once.
  await new Promise<void>((done) => void process.on('SIGINT', () => done()).on('SIGTERM', () => done()));
  process.stdout.write('\n');
  const report = await watched.report();
  await watched.close();
  return tell(report, flags);
}

/** Shows a report and writes what is asked for. */
async function tell(
  report: RunReport,
  flags: Pick<AuditFlags, 'report' | 'writeBaseline' | 'force' | keyof OutputFlags>,
): Promise<number> {
  const { report: folder } = flags;
  const files: string[] = [];
  const problems: string[] = [];
  if (folder !== undefined) {
    const written = await writeReports(report, folder);
    files.push(...written.files);
    problems.push(...written.problems);
  }
  const baseline = baselineOf(flags);
  if (baseline)
    await writeNew(baseline, printBaseline(report)).then(
      () => files.push(baseline.file),
      (error: Error) => problems.push(error.message),
    );
  return conclude(report, { files, problems }, flags);
}
