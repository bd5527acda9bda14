import { setMaxListeners } from 'node:events';

import { tally } from '../standing.js';
import type { RunReport } from '../result.js';
import { count } from '../text.js';
import { headOf } from '../engine/assemble.js';
import { applyWaivers } from '../waivers.js';
import type { PlacedWaiver } from '../waivers.js';
import { answered } from './answered.js';
import { replyOf } from './call.js';
import type { Call } from './call.js';
import type { AuditedClient } from './client.js';
import { copyStarts, countOf, meeting } from './copies.js';
import { controlledBy, judge } from './judge.js';
import { auditLedger, rowsNamed } from './ledger.js';
import { auditHash } from './hash.js';
import { lanesOf } from './copy-lanes.js';
import { lastWords } from './last-words.js';
import type { CopyEnd, Ending, WorldRun } from './run.js';
import { notReached } from './reach.js';
import { endingOf } from './rows/survival.js';
import { redactor } from './redact.js';
import { unreadable } from './recording.js';
import { startStage } from './stage.js';
import type { StageOptions } from './stage.js';
import type { PlannedWorld } from './worlds.js';
import { auditVerdict } from './verdict.js';
import { asksToGetThrough, worldsNamed } from './worlds.js';

export interface AuditOptions extends StageOptions {
  readonly client: AuditedClient;
  /** What the client is called in reports. */
  readonly name: string;
  readonly worlds?: readonly string[];
  readonly only?: readonly string[];
  /** Worlds at a time, 3 unless told; where it is more than one, as many again in which the client mostly waits. */
  readonly jobs?: number;
  /** Seconds that a start may take: 120 unless told, and less in a world where the calm one took little. */
  readonly timeLimit?: number;
  /** The client runs until it is stopped: it is, after so many seconds, and that is its success. */
  readonly stopAfter?: number;
  /** Exit codes that are success; 0 unless told. */
  readonly success?: readonly number[];
  /** The client can be started again with what it stored. */
  readonly restarts?: boolean;
  readonly version?: string;
  readonly command?: string;
  readonly replay?: (row: string, world: string) => string;
  readonly waivers?: readonly PlacedWaiver[];
  readonly signal?: AbortSignal;
  /** Told of the worlds that run, each time that one begins or ends. */
  readonly onRunning?: (worlds: readonly string[]) => void;
  readonly onWorld?: (run: WorldRun, done: number, total: number) => void;
}

/** The report of an audit, and what it was made from. */
export interface Audit {
  readonly report: RunReport;
  readonly runs: readonly WorldRun[];
}

type During = (world: PlannedWorld, run: () => Promise<WorldRun>) => Promise<WorldRun>;

/** Tells of the worlds that run, each time that one begins or ends. */
function announcing(onRunning: AuditOptions['onRunning']): During {
  const running = new Set<string>();
  return async (world, run) => {
    onRunning?.([...running.add(world.id)]);
    return run().finally(() => {
      running.delete(world.id);
      onRunning?.([...running]);
    });
  };
}

/**
 * Works at so many worlds at a time, and at as many again in which the client mostly waits; one by one as soon as `runs`
 * show that all starts of the client share a port. An aborted signal lets none begin.
 */
async function inLanes(
  worlds: readonly PlannedWorld[],
  jobs: number,
  runs: readonly WorldRun[],
  signal: AbortSignal,
  work: (world: PlannedWorld) => Promise<void>,
): Promise<void> {
  const left = worlds.toSorted((one, other) => Number(mostlyWaits(other)) - Number(mostlyWaits(one)));
  const lanes = new Set<Promise<void>>();
  let busy = 0;
  // Copies take the place of all others: each of them is a client.
  const loadOf = (world: PlannedWorld): number => (mostlyWaits(world) ? 0 : world.copies ? jobs : 1);
  const begin = (world: PlannedWorld): void => {
    const works = loadOf(world);
    busy += works;
    const lane: Promise<void> = work(world).finally(() => {
      busy -= works;
      lanes.delete(lane);
    });
    lanes.add(lane);
  };
  const widen = (): void => {
    const most = jobs === 1 || sharesPort(runs) ? 1 : jobs * 2;
    while (lanes.size < most && !signal.aborted) {
      const next = left.findIndex((world) => busy + loadOf(world) <= jobs);
      if (next < 0) return;
      begin(left.splice(next, 1)[0]!);
    }
  };
  for (widen(); lanes.size > 0; widen()) await Promise.race(lanes);
}

/** Runs a client in each world and judges it. Nothing is printed and nothing is written. */
export async function audit(options: AuditOptions): Promise<Audit> {
  const { worlds: words = [], only = [], signal = new AbortController().signal, onWorld } = options;
  setMaxListeners(0, signal);
  const rows = rowsNamed(only);
  const planned = worldsNamed(words, options.copies !== undefined);
  const started = new Date();
  const during = announcing(options.onRunning);
  const [calmWorld] = planned as [PlannedWorld];
  const calm = await during(calmWorld, () => calmRun(calmWorld, options, signal));
  const runs = [calm];
  // Who was stopped by us has shown nothing.
  const obstacle = signal.aborted ? undefined : obstacleOf(calm);
  // Who does not get through the calm world shows nothing in the others.
  const goesOn = obstacle === undefined && calm.ended;
  const idle = goesOn ? planned.slice(1).filter(({ needs }) => needs?.(calm) === false) : [];
  const left = goesOn ? planned.slice(1).filter((world) => !idle.includes(world)) : [];
  onWorld?.(calm, 1, left.length + 1);
  const total = left.length + 1;
  await inLanes(left, options.jobs ?? 3, runs, signal, async (world) => {
    const run = await during(world, () => confirmed(world, calm, options, signal));
    runs.push(run);
    onWorld?.(run, runs.length, total);
  });
  const advice = words.length === 0 ? [] : idle.map(leftOut);
  return { report: reportOf(options, rows, runs, { started, obstacle, interrupted: signal.aborted, advice }), runs };
}

/** That a world was asked for and not run, and why. */
const leftOut = ({ id, title }: PlannedWorld): string =>
  `The world ${id} was left out: it is about what the client does not do in the calm world (${title}).`;

/** A world in which a client waits for most of its time, and takes little of the machine. */
const mostlyWaits = ({ limit, seconds, faults = [] }: PlannedWorld): boolean =>
  limit !== undefined || seconds !== undefined || faults.some(({ status }) => status === 429 || status === 503);

/** A client that listens on the same port every time cannot be in two worlds at once. So it is until it shows another. */
function sharesPort(runs: readonly WorldRun[]): boolean {
  const own = runs.map(({ calls, givenPorts }) =>
    calls.flatMap(({ operation, query }) => {
      const uri = query.get('redirect_uri') ?? '';
      if (operation !== 'authorize' || !URL.canParse(uri)) return [];
      const { hostname, port } = new URL(uri);
      return /^(127\.|localhost$|\[::1\]$)/.test(hostname) && !givenPorts.includes(port) ? [port] : [];
    }),
  );
  const ports = own.flat();
  return ports.length > 0 && new Set(ports).size === 1;
}

/** Runs a client in the calm world, and once more where it ended without success: a busy machine is no mistake of it. */
async function calmRun(world: PlannedWorld, options: AuditOptions, signal: AbortSignal): Promise<WorldRun> {
  const run = await runWorld(world, undefined, options, signal);
  const isOver = run.ended || signal.aborted || obstacleOf(run) !== undefined;
  if (isOver || run.endings.some(({ how }) => how === 'time')) return run;
  const again = await runWorld(world, undefined, options, signal);
  // The second one may fail for what the first has left behind.
  return again.ended ? again : run;
}

/** Runs a client in a world, and once more where it did not get through: a busy machine is no mistake of the client. */
async function confirmed(
  world: PlannedWorld,
  calm: WorldRun,
  options: AuditOptions,
  signal: AbortSignal,
): Promise<WorldRun> {
  const run = await runWorld(world, calm, options, signal);
  // One that was stopped had its time, unless it did nothing though nothing stood in its way.
  const stopped = run.endings.some(({ how }) => how === 'time');
  const hung = stopped && !run.calls.some(({ data }) => data) && run.obstacles.every(({ applied }) => applied === 0);
  const isOver = run.ended || (stopped && !hung);
  return isOver || !asksToGetThrough(world) || signal.aborted ? run : runWorld(world, calm, options, signal);
}

/** What a client may take beside its usual time where it is told to wait, seconds. */
const waitingTime = 45;

async function runWorld(
  world: PlannedWorld,
  calm: WorldRun | undefined,
  options: AuditOptions,
  signal: AbortSignal,
): Promise<WorldRun> {
  const { client, timeLimit = 120, stopAfter, restarts = false, success = [0] } = options;
  const epoch = Date.now();
  const stage = await startStage(world, options);
  const most = 20 + (4 * Math.max(...(calm?.endings ?? []).map(({ ms }) => ms))) / 1000;
  // A client may wait as long as it likes where the service is busy, and a paced one takes its time.
  const waits =
    world.limit !== undefined || (world.faults ?? []).some(({ status }) => status === 429 || status === 503);
  const usual =
    calm === undefined || options.timeLimit !== undefined
      ? timeLimit
      : Math.min(timeLimit, most + (waits ? waitingTime : 0));
  // A client that never ends is not stopped before the world had its time.
  const own = stopAfter === undefined ? undefined : Math.max(stopAfter, world.seconds ?? 0);
  const limit = 1000 * (own ?? world.seconds ?? usual);
  const ends: Pick<CopyEnd, 'ending' | 'copy' | 'start'>[] = [];
  try {
    const starts = world.copies ? copyStarts.last : world.again && restarts ? 2 : 1;
    for (let start = 1; start <= starts && !signal.aborted; start += 1) {
      stage.begin(start);
      const count = world.copies && start === copyStarts.together ? countOf(world.copies, options.copies) : 1;
      const together = count > 1 ? meeting(count) : undefined;
      const issued = (): string[] => tokensIn(stage.calls);
      const given = { open: stage.open, start, signal, issued, ...(together && { together }) };
      const begun = Array.from({ length: count }, (_, index) =>
        client({
          ...given,
          environment: { ...stage.environment, GAMEDATA_COPY: String(index + 1) },
          // Copies share the machine.
          limit: stopAfter === undefined ? limit * (1 + (count - 1) / 8) : limit,
        }).then((ending) => ({ ending, copy: index + 1, start })),
      );
      ends.push(...(await Promise.all(begun)));
    }
  } finally {
    await stage.close();
  }
  const succeeded = ({ how, code }: Ending): boolean =>
    (how === 'time' && stopAfter !== undefined) || (how === 'exit' && success.includes(code ?? -1));
  const endings = ends.map(({ ending }) => ending);
  const ended = endings.every(succeeded);
  const copies = ends.map((end) => ({
    ...end,
    ended: succeeded(end.ending),
    killed: end.start === copyStarts.together && stage.killed.includes(end.copy),
  }));
  return {
    world: { ...world, stores: world.stores === true && restarts },
    epoch,
    calls: stage.calls.toSorted((a, b) => a.number - b.number),
    visits: stage.visits,
    controlCalls: stage.controlCalls,
    endings,
    ...(world.copies && { copies }),
    facts: stage.facts,
    obstacles: stage.obstacles(),
    elsewhere: stage.elsewhere,
    givenPorts: stage.ports,
    ended,
    endedInCalm: calm?.ended ?? ended,
  };
}

/** The tokens in the replies of the token endpoint. */
const tokensIn = (calls: readonly Call[]): string[] =>
  calls
    .filter(({ operation }) => operation === 'issueToken')
    .flatMap((call) => [replyOf(call, 'access_token'), replyOf(call, 'refresh_token')])
    .filter((text) => typeof text === 'string' && text !== '')
    .map(String);

/** Why the system does not start a command, and the remedy. */
const startProblem = (code: string): string =>
  ({
    EACCES: 'it is not executable; chmod +x it, or name the program that runs it',
    ENOTDIR: 'the folder that it is to be started in is a file; correct cwd in the plan',
    ENAMETOOLONG: 'its name is too long; write it after --',
    E2BIG: 'its arguments and variables are too long for this system; shorten what --env gives it',
    ERR_INVALID_ARG_VALUE: 'it is empty, or has a null character; write it after --',
  })[code] ?? `the system says ${code}`;

const useOurs = 'have it use GAMEDATA_BASE_URL and GAMEDATA_AUTH_URL (--env NAME=base_url gives them its names)';

/** Why a client cannot be judged at all, and what to do about it. */
function obstacleOf(run: WorldRun): string | undefined {
  const { endings, calls } = run;
  const [ending] = endings;
  const controlled = controlledBy(run);
  if (controlled !== undefined) return controlled;
  if (ending?.how === 'missing') return 'there is no such command; check its name, and write it after --';
  if (ending?.how === 'failed') return `the command cannot be run: ${startProblem(ending.signal ?? '')}`;
  // Hidden before it is cut: half of a secret would not be known again.
  const shown = (text: string, most: number): string => redactor([run]).text(text).slice(0, most);
  const own = calls.filter(({ browser }) => !browser);
  if (calls.some(({ operation, reason }) => operation !== undefined || reason === unreadable)) return undefined;
  if (own.some(({ status }) => status === 405)) return undefined;
  if (own[0])
    return `the client asks for nothing that the interface has, such as ${own[0].method} ${shown(own[0].path, 100)}; the paths begin right behind the address`;
  const said = shown(lastWords(ending?.output ?? ''), 200);
  const words = said === '' ? '' : `; its last words: ${said}`;
  if (/not a (tty|terminal)|inappropriate ioctl|no tty|stdin is not/i.test(ending?.output ?? ''))
    return `the client wants a terminal, and has none here; start it with the option that makes it ask nothing${words}`;
  if (ending?.how === 'time') return `the client asked nothing until its time was over; ${useOurs}${words}`;
  if (ending?.code === 0) return `the client ended without a request to the mock; ${useOurs}${words}`;
  const how = `with code ${ending?.code ?? ending?.signal}`;
  return said === ''
    ? `the client ended ${how} without a request to the mock; ${useOurs}`
    : `the client ended ${how} before its first request, and said: ${said}; fix that first, and ${useOurs}`;
}

/** What an audit was started as, and how it went. */
interface AuditState {
  readonly started: Date;
  readonly obstacle: string | undefined;
  readonly interrupted: boolean;
  readonly advice?: readonly string[];
}

export function reportOf(
  options: Pick<AuditOptions, 'name' | 'version' | 'command' | 'replay' | 'waivers'>,
  rows: ReturnType<typeof rowsNamed>,
  runs: readonly WorldRun[],
  { started, obstacle, interrupted, advice = [] }: AuditState,
): RunReport {
  const { name, version = '', command = 'gamedata audit', replay, waivers = [] } = options;
  const results = judge(rows, runs, {
    replay: replay ?? ((row, world) => `${command} --world ${world} --only ${row}`),
    ...(obstacle !== undefined && { obstacle }),
  });
  const known = new Set(auditLedger.map(({ id }) => id));
  const waived = applyWaivers(results, waivers, started.toISOString().slice(0, 10), known);
  const counts = tally(waived.rows);
  const hide = redactor(runs).text;
  const lanes = runs.flatMap((run) => lanesOf(run, rows, hide) ?? []);
  const sent = runs.reduce((sum, { calls }) => sum + calls.length, 0);
  const verdict =
    obstacle === undefined
      ? auditVerdict(counts, {
          incomplete: (interrupted ? [] : [...withoutCalm(runs), ...controlledRuns(runs), ...silentRuns(runs)]).map(
            hide,
          ),
          problems: waived.problems,
          interrupted,
        })
      : { exitCode: 2 as const, outcome: 'configuration error' as const, summary: `Configuration error: ${obstacle}.` };
  const place = `${runs.length} worlds of the mock`;
  const settings = { worlds: runs.map(({ world }) => world.id) };
  const suite = { version, ledger: auditHash, contract: auditHash };
  return {
    ...headOf({ name, base_url: place, auth_url: place, consent: 'form' }, settings, { suite, command, started }),
    subject: 'client',
    seed: 1,
    runs: runs.length,
    ...verdict,
    counts,
    requests: { announced: sent, sent },
    capabilities: [],
    edition: {},
    rows: waived.rows,
    observations: runs.map(observation),
    ...(advice.length > 0 && { advice }),
    ...(lanes.length > 0 && { copies: lanes }),
    problems: waived.problems,
  };
}

function observation(run: WorldRun): string {
  const missed = notReached(run);
  const what = missed === undefined ? '' : `, not reached: ${missed}`;
  return `${run.world.id}: ${count(run.calls.length, 'request')}, ${count(answered(run.calls).length, 'data reply', 'data replies')}, ${run.world.copies ? count(run.endings.length, 'start') : endings(run)}${what}`;
}

/** Why there is no verdict on a client that does not get through the calm world, and what to do about it. */
function withoutCalm([calm]: readonly WorldRun[]): string[] {
  if (calm?.endedInCalm !== false) return [];
  const { endings: all, calls } = calm;
  const code = all.find(({ how, code: one }) => how === 'exit' && one !== 0)?.code;
  const remedy = all.some(({ how }) => how === 'time')
    ? 'Give it more time (--time-limit), or say when to stop it (--stop-after)'
    : code === undefined || code === null
      ? 'Fix what stopped the client'
      : `Fix what stopped the client, or name its exit code if that is success (--success ${code})`;
  const refused = calls.findLast(
    ({ status, browser, decision }) => status !== null && status >= 400 && !browser && decision !== 'faulted',
  );
  const why = refused?.reason ?? (refused && String(replyOf(refused, 'error') ?? ''));
  const last = refused ?? calls.findLast(({ browser }) => !browser);
  const before = last
    ? `; before that, ${last.method} ${last.path.slice(0, 100)} was answered with ${last.status ?? 'nothing'}${why ? ` (${why})` : ''}`
    : '';
  return [`${remedy}: in the calm world ${endingOf(calm)}${before}`];
}

/** So many worlds may go by without a request: a machine fails a process now and then. */
const mostSilent = 2;

/** A client that gets through the calm world and asks nothing in others shows nothing there. */
function silentRuns(runs: readonly WorldRun[]): string[] {
  const [calm, ...others] = runs;
  const silent = others.filter(
    ({ calls, endings: all }) =>
      calls.every(({ browser }) => browser) && all.some(({ how, code }) => how === 'exit' && code !== 0),
  );
  const [first] = silent;
  if (!first || calm?.ended !== true || silent.length <= mostSilent) return [];
  const words = lastWords(first.endings[0]?.output ?? '');
  return [
    `In ${silent.length} of ${others.length} worlds the client sent no request to the mock, such as in ${first.world.id}, where ${endingOf(first)}${words === '' ? '' : '; have it start anew each time, at the address that it is given then'}`,
  ];
}

/** Worlds in which the client tried to change the mock: what it met there is not what the world is for. */
const controlledRuns = (runs: readonly WorldRun[]): string[] =>
  runs.flatMap((run) => {
    const reason = controlledBy(run);
    return reason === undefined ? [] : [`World ${run.world.id}: ${reason}`];
  });

const endings = ({ endings: all }: WorldRun): string =>
  all
    .map(
      ({ how, code, signal, ms }) =>
        `${how === 'exit' ? `code ${code}` : how === 'time' ? 'stopped' : (signal ?? how)} after ${(ms / 1000).toFixed(1)} s`,
    )
    .join(', then ');
