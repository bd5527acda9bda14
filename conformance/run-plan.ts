import type { RowId } from './ledger.gen.js';
import type { Lifecycle } from './result.js';
import { createMonitors } from './monitors/monitors.js';
import { openHooks } from './target/open-hooks.js';
import { SetupError } from '../src/input/setup-error.js';
import type { Target } from './target/target.js';
import type { Paths } from './engine/expect.js';
import type { Outcome } from './engine/outcome.js';
import type { Planned } from './engine/plan.js';
import { adapterTrace, transportOf } from './engine/transport.js';
import { Deviation, MissingCapability, PrerequisiteFailed, Stopped } from './verdict.js';
import { Verifier } from './engine/verifier.js';

export interface Settings {
  readonly target: Target;
  readonly only: readonly string[];
  readonly seed: number;
  readonly runs: number;
  readonly wait: boolean;
  /** Nothing that may change or burden a server that others use. */
  readonly safe?: boolean;
  /** Fails what is merely plausible too. */
  readonly strict?: boolean;
  /** Plays the complete suite of the token lifecycle for a state more than the server shows. */
  readonly thorough?: boolean;
  /** The most requests; 0 leaves it to the target file and the announcement. */
  readonly budget: number;
  /** Seconds after which the run ends, incomplete. */
  readonly timeLimit: number;
  readonly paths?: Readonly<Partial<Record<RowId, Paths>>>;
  /** The command that runs a failed row again, `{row}` for its id. */
  readonly replay: string;
}

/** What a run ends with, beside the outcomes of rows. */
export interface RunEnd {
  /** Configuration errors that kept the run from starting, a line each. */
  readonly problems: readonly string[];
  /** The exception that ended the run, in a line. */
  readonly crash?: string;
  /** Why the run was told to stop: the time limit, or the caller's reason. */
  readonly stopped?: string;
  readonly sent: number;
  /** Undefined where the run did not start. */
  readonly lifecycle?: Lifecycle;
  readonly observations: readonly string[];
  /** What to set for the next run. */
  readonly advice: readonly string[];
  /** The same of operations that every request found absent, which says something only after a run of everything. */
  readonly absent: readonly string[];
  /** Whether operations were asked, and none answered with success. */
  readonly isUnserved: boolean;
  readonly edition: Readonly<Record<string, string>>;
  /** Names of the hooks that the target has; undefined where the run did not start. */
  readonly capabilities?: readonly string[];
}

/** Why a run of everything is incomplete in which nothing was served: a server that refuses everything may be any server. */
export const unserved =
  'no operation answered with success; check base_url, and declare a client or a token in the target';

/** Milliseconds that a stopped run has to end by itself: a hook of an adapter may never return. */
const grace = 3000;

/** Runs a plan against the target of the settings. It never rejects: what goes wrong is in the tail. */
export async function runPlan(
  { replay, timeLimit, ...settings }: Settings,
  plan: readonly Planned[],
  { signal, onOutcome }: { readonly signal?: AbortSignal; onOutcome(outcome: Outcome, requests: number): void },
): Promise<RunEnd> {
  const stop = stopAfter(timeLimit, signal);
  let verifier: Verifier | undefined;
  let over = false;
  let failed: Pick<RunEnd, 'problems' | 'crash'> = { problems: [] };
  const run = async (): Promise<void> => {
    verifier = await Verifier.open({
      ...settings,
      plan,
      monitors: createMonitors(settings.target),
      signal: stop.signal,
      replay: (row) => replay.replace('{row}', row),
      open: async (wire) => {
        const hooks = await openHooks(settings.target, transportOf(wire, settings.target), adapterTrace(wire));
        // A clock, a revocation or a reset concern all who use the server.
        return settings.safe ? { consent: hooks.consent, page: hooks.page, tree: hooks.tree } : hooks;
      },
    });
    await verifier.run((outcome) => {
      if (!over) onOutcome(outcome, verifier!.wire.sent);
    });
  };
  try {
    await Promise.race([run(), stop.overdue]);
  } catch (error) {
    // Whoever stops a run before it has started has configured nothing wrongly.
    if (verifier || !stop.signal.aborted) failed = failureOf(error);
  } finally {
    over = true;
    stop.release();
  }
  return {
    ...failed,
    ...(stop.signal.aborted && { stopped: String(stop.signal.reason) }),
    sent: verifier?.wire.sent ?? 0,
    ...(verifier && { lifecycle: verifier.env.lifecycle.result(), capabilities: Object.keys(verifier.env.hooks) }),
    observations: verifier?.observations() ?? [],
    advice: verifier?.advice() ?? [],
    absent: verifier?.absent() ?? [],
    isUnserved: verifier?.absences.areAll ?? false,
    edition: verifier?.env.monitors.edition() ?? {},
  };
}

/** Aborts when the time limit is over or the caller's signal does; `overdue` is kept when a stopped run does not end by itself. */
function stopAfter(timeLimit: number, caller: AbortSignal | undefined) {
  const stop = new AbortController();
  const timers = [setTimeout(() => stop.abort(`the run took longer than ${timeLimit} seconds`), timeLimit * 1000)];
  const end = (): void => stop.abort(String(caller?.reason));
  caller?.addEventListener('abort', end, { once: true });
  if (caller?.aborted) end();
  const overdue = new Promise<'overdue'>((done) => {
    const wait = (): void => void timers.push(setTimeout(() => done('overdue'), grace));
    if (stop.signal.aborted) wait();
    else stop.signal.addEventListener('abort', wait, { once: true });
  });
  const release = (): void => {
    for (const timer of timers) clearTimeout(timer);
    caller?.removeEventListener('abort', end);
  };
  return { signal: stop.signal, overdue, release };
}

function failureOf(error: unknown): Pick<RunEnd, 'problems' | 'crash'> {
  if (error instanceof SetupError) return { problems: error.problems };
  if (!(error instanceof Error)) return { problems: [], crash: String(error) };
  const [message = ''] = error.message.split('\n');
  const isOwn = [Deviation, MissingCapability, PrerequisiteFailed, Stopped].some((kind) => error instanceof kind);
  return isOwn ? { problems: [message] } : { problems: [], crash: `${error.name}: ${message}` };
}
