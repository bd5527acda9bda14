import type { Call } from './call.js';
import { replyOf } from './call.js';
import type { AuditedClient } from './client.js';
import { copyStarts, countOf, meeting } from './copies.js';
import { forgersTake } from './forgery.js';
import { obstacleOf } from './no-verdict.js';
import { groups } from './row.js';
import type { CopyEnd, Ending, WorldRun } from './run.js';
import { startStage } from './stage.js';
import type { StageOptions } from './stage.js';
import type { PlannedWorld } from './worlds.js';
import { asksToGetThrough } from './worlds.js';

/** How a client is run. */
export interface RunOptions extends StageOptions {
  readonly client: AuditedClient;
  /** Seconds that a start may take: 120 unless told, and less in a world where the calm one took little. */
  readonly timeLimit?: number;
  /** The client runs until it is stopped: it is, after so many seconds, and that is its success. */
  readonly stopAfter?: number;
  /** Exit codes that are success; 0 unless told. */
  readonly success?: readonly number[];
  /** The client can be started again with what it stored. */
  readonly restarts?: boolean;
}

/** Runs a client in the calm world, and once more where it ended without success: a busy machine is no mistake of it. */
export async function calmRun(world: PlannedWorld, options: RunOptions, signal: AbortSignal): Promise<WorldRun> {
  const run = await runWorld(world, undefined, options, signal);
  const isOver = run.ended || signal.aborted || obstacleOf(run) !== undefined;
  if (isOver || run.endings.some(({ how }) => how === 'time')) return run;
  const again = await runWorld(world, undefined, options, signal);
  // The second one may fail for what the first has left behind.
  return again.ended ? again : run;
}

/** Runs a client in a world, and once more where it did not get through: a busy machine is no mistake of the client. */
export async function confirmed(
  world: PlannedWorld,
  calm: WorldRun,
  options: RunOptions,
  signal: AbortSignal,
): Promise<WorldRun> {
  const run = await runWorld(world, calm, options, signal);
  // One that was stopped had its time, unless it did nothing though nothing stood in its way.
  const stopped = run.endings.some(({ how }) => how === 'time');
  const hung = stopped && !run.calls.some(({ data }) => data) && run.obstacles.every(({ applied }) => applied === 0);
  const isOver = run.ended || (stopped && !hung);
  return isOver || !asksToGetThrough(world) || signal.aborted ? run : runWorld(world, calm, options, signal);
}

/** What a client may take beside its usual time where it has a reason to wait, seconds. */
const waitingTime = 45;

/** What as many data requests as in the calm world take at the pace of a world's tightest window, seconds. */
function pacedTime({ limit }: PlannedWorld, { calls }: WorldRun): number {
  const windows = [limit?.windows, limit?.byAddress, limit?.later?.windows].flatMap((each) => each ?? []);
  const each = Math.max(0, ...windows.map(({ hits, period }) => period / hits));
  return each * calls.filter(({ data }) => data).length;
}

async function runWorld(
  world: PlannedWorld,
  calm: WorldRun | undefined,
  options: RunOptions,
  signal: AbortSignal,
): Promise<WorldRun> {
  const { client, timeLimit = 120, stopAfter, restarts = false, success = [0] } = options;
  const epoch = Date.now();
  const stage = await startStage(world, { ...options, apart: options.apart ?? options.port === undefined });
  const most = 20 + (4 * Math.max(...(calm?.endings ?? []).map(({ ms }) => ms))) / 1000;
  // A client may wait as long as it likes where the service is busy or fails, and a paced one takes its time.
  const waits =
    world.limit !== undefined || (world.faults ?? []).some(({ status = 0 }) => status === 429 || status >= 500);
  const usual =
    calm === undefined || options.timeLimit !== undefined
      ? timeLimit
      : Math.min(timeLimit, most + (waits ? waitingTime : 0) + pacedTime(world, calm));
  // A client that never ends is not stopped before the world had its time, and gets its own beside that of forgers.
  const forgers = forgersTake(world.browser ?? 'approve') / 1000;
  const own = stopAfter === undefined ? undefined : Math.max(stopAfter + forgers, world.seconds ?? 0);
  const limit = 1000 * (own ?? world.seconds ?? usual);
  const secrets = [...stage.facts.clients.values()].flatMap(({ secret }) => secret ?? []);
  const ends: Pick<CopyEnd, 'ending' | 'copy' | 'start'>[] = [];
  try {
    const starts = world.copies ? copyStarts.last : world.again && restarts ? 2 : 1;
    for (let start = 1; start <= starts && !signal.aborted; start += 1) {
      stage.begin(start);
      const count = world.copies && start === copyStarts.together ? countOf(world.copies, options.copies) : 1;
      const together = count > 1 ? meeting(count) : undefined;
      const issued = (): string[] => tokensIn(stage.calls);
      const logins = (): string[] => tokensIn(stage.calls.filter((call) => !isServices(call)));
      const loginsByClient = (): Map<string, string[]> => loginsIn(stage.calls);
      const given = {
        open: stage.open,
        start,
        signal,
        issued,
        logins,
        loginsByClient,
        secrets,
        ...(together && { together }),
      };
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
    stall: stage.stall(),
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

const isServices = ({ form }: Call): boolean => form.get('grant_type') === 'client_credentials';

/** The tokens of users, by client. */
const loginsIn = (calls: readonly Call[]): Map<string, string[]> =>
  new Map(
    groups(
      calls.filter((call) => call.operation === 'issueToken' && call.client !== undefined && !isServices(call)),
      ({ client }) => client ?? '',
    ).map((own) => [own[0]!.client ?? '', tokensIn(own)]),
  );

/** The tokens in the replies of the token endpoint. */
const tokensIn = (calls: readonly Call[]): string[] =>
  calls
    .filter(({ operation }) => operation === 'issueToken')
    .flatMap((call) => [replyOf(call, 'access_token'), replyOf(call, 'refresh_token')])
    .filter((text) => typeof text === 'string' && text !== '')
    .map(String);
