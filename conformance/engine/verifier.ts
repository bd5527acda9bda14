import { operationList } from '../../src/contract/index.js';
import type { RowId } from '../ledger.gen.js';
import { isBinding } from '../ledger.js';
import type { LedgerRow } from '../ledger.js';
import type { Target } from '../target/target.js';
import type { Hooks } from '../target/hooks.js';
import { connectionOf } from '../target/connection.js';
import { openCodec } from '../target/codec.js';
import { lacksOf } from '../target/offers.js';
import { createCoverage } from './coverage.js';
import type { Failure } from '../result.js';
import { atOnce, beforeOthers } from '../wire/slots.js';
import { trace, Wire } from '../wire/wire.js';
import type { Trace } from '../wire/wire.js';
import { sizeOf } from '../wire/answer.js';
import { bounds, clipped } from '../wire/bounds.js';
import type { Answer } from '../wire/answer.js';
import { CheckRun } from './check-run.js';
import type { Paths } from './expect.js';
import type { Check } from './check.js';
import type { Environment } from './environment.js';
import { lacking, verdictOf, warned } from './outcome.js';
import type { Outcome } from './outcome.js';
import { monitored } from './monitored.js';
import type { Monitors } from './monitors.js';
import { announced, lanes, requestsOf, sequence } from './plan.js';
import type { Planned } from './plan.js';
import { checkReachability } from './reachability.js';
import { scriptOf, stepsOf } from './repro.js';
import { Issued } from './issued.js';
import { coexistence, LaterConsent, showsRefusal } from './later-consent.js';
import { hidden, settingsOf } from './secrets.js';
import type { Secret } from './secrets.js';
import { Session } from './session.js';
import { SharedClock } from './shared-clock.js';
import { survey } from './survey.js';
import { Deviation, Stopped } from '../verdict.js';

export interface VerifierOptions {
  readonly target: Target;
  readonly plan: readonly Planned[];
  readonly monitors: Monitors;
  readonly seed: number;
  readonly runs: number;
  readonly wait: boolean;
  readonly safe?: boolean;
  /** Fails what is merely plausible too. */
  readonly strict?: boolean;
  /** The most requests, over the target's own budget; 0 is no limit of its own. */
  readonly budget: number;
  /** Ends the run early; its reason goes into the reports. */
  readonly signal: AbortSignal;
  /** Cases of properties to run instead of all, by row. */
  readonly paths?: Readonly<Partial<Record<RowId, Paths>>>;
  /** Milliseconds after which a check is given up; the run goes on. */
  readonly timeout?: number;
  /** The command that runs one row again. */
  readonly replay: (row: RowId) => string;
  readonly open: (wire: Wire) => Promise<Hooks>;
}

/** Milliseconds after which a check is given up: more for one that sends much, as every request has its way to go. */
const timeoutOf = (check: Check): number => 150_000 + requestsOf(check) * 100;
/**
 * Failures that are run again on fresh state; the others keep the trace that they failed with. As many checks that could
 * not run beside others are tried again by themselves.
 */
const reruns = 40;
/** Milliseconds after which a check was held back by the server itself, as with 429, and would be again. */
const brief = 60_000;
/** Characters of exchanges that a failure shows, that all show, and that one shows beyond that. */
const evidence = { failure: 500_000, all: 8_000_000, later: 12_000 };

/** Why a check was given up, with what was slow and what to do about it. */
function tooLong(timeout: number, { sent = 0, slowest }: Trace, runs: number): string {
  const slow = slowest ? `, of which ${slowest.place} took ${(slowest.ms / 1000).toFixed(1)} seconds` : '';
  const why =
    sent === 0
      ? 'it sent no request, so look at the hooks and the codec of the target'
      : `it sent ${sent} requests${slow}; lower --runs (now ${runs}), or raise budget.concurrency in the target`;
  return `the check took longer than ${timeout / 1000} seconds: ${why}`;
}

/** Runs a plan against a target: the checks in their phases, then the verdicts of the monitors. */
export class Verifier {
  readonly env: Environment;
  readonly wire: Wire;
  readonly announced: number;
  readonly #secrets: readonly Secret[];
  readonly #troubles: string[] = [];
  #rerun = 0;
  #shownSize = 0;
  #learnt: Promise<void> | undefined;
  #codec: ReturnType<typeof openCodec> | undefined;

  private constructor(
    readonly options: VerifierOptions,
    hooks: Hooks,
    wire: Wire,
    monitors: Environment['monitors'],
    readonly issued: Issued,
    later: LaterConsent,
  ) {
    const { target, seed, runs, wait } = options;
    this.wire = wire;
    this.#secrets = settingsOf(target);
    this.announced = announced(options.plan, runs);
    this.env = {
      target,
      hooks,
      wire,
      monitors,
      lifecycle: createCoverage(),
      later,
      met: new Set(),
      seed,
      runs,
      wait,
      codec: () => (this.#codec ??= openCodec(target, hooks)),
    };
  }

  static async open(options: VerifierOptions): Promise<Verifier> {
    const { plan, runs, target, signal } = options;
    const issued = new Issued(target);
    const later = new LaterConsent();
    const monitors: Monitors = {
      ...options.monitors,
      redirect: (redirect, request) => {
        // An adapter's consent is not on the wire.
        if (redirect.code !== null) issued.add(redirect.code);
        later.consented(redirect, request);
        options.monitors.redirect(redirect, request);
      },
    };
    const limits = [options.budget, target.budget.requests].filter((limit) => limit > 0);
    const wire = new Wire({
      // Failures are shrunk and run again, which nobody can announce.
      budget: Math.min(...limits, announced(plan, runs) * 2 + 2000),
      perSecond: target.budget.per_second,
      concurrency: target.budget.concurrency,
      safe: options.safe === true,
      connection: connectionOf(target),
      signal,
      refuse: (request) => later.refuse(request),
      seen: (answer) => {
        issued.see(answer);
        later.see(answer);
        monitors.answer(answer);
      },
    });
    try {
      await checkReachability(wire, target);
      return new Verifier(options, await options.open(wire), wire, monitors, issued, later);
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  /** Runs the plan; calls `done` with each outcome. */
  async run(decided: (outcome: Outcome) => void): Promise<void> {
    const { plan, strict = false } = this.options;
    const loose = new Map(plan.filter(({ row }) => !strict && !isBinding(row)).map(({ row }) => [row.id, row]));
    const done = (outcome: Outcome): void => decided(warned(outcome, loose.get(outcome.row)));
    try {
      await this.#reset('before the run');
      const ready = plan.filter((one) => !this.#settled(one, done));
      const session = new Session(this.env);
      // What a check asks for may show in any answer of the run: its row is decided when all of them are in.
      const watched = this.env.monitors.results();
      const held: Outcome[] = [];
      const settle = (outcome: Outcome): void => void (watched.has(outcome.row) ? held.push(outcome) : done(outcome));
      const left: Check[] = [];
      const needsSurvey = ready.some(({ row }) => row.how === 'monitor');
      const together = [
        ...(needsSurvey ? [() => this.#survey(session)] : []),
        () => trace.run({ answers: [] }, () => this.#unexpected(session)),
        ...lanes(ready, 'together').map((checks) => async () => {
          const inOrder = checks.length > 1;
          for (const check of checks) {
            if (this.env.later.matters) {
              left.push(check);
              continue;
            }
            const decide = (): Promise<Outcome> => this.#decide(check, session);
            const outcome = await (inOrder ? beforeOthers(decide) : decide());
            // What another check did to a broken server may have kept this one from running.
            const disturbed = outcome.incomplete && outcome.ms < brief && left.length < reruns;
            if ((await this.#isUnclear(outcome)) || disturbed) left.push(check);
            else settle(outcome);
          }
        }),
      ];
      await atOnce(this.options.target.budget.concurrency, together, (run) => run());
      const later = this.env.later.matters ? new Session(this.env) : undefined;
      for (const check of left) {
        const decide = (): Promise<Outcome> => this.#decide(check, later ?? new Session(this.env));
        settle(await (check.row === coexistence ? this.env.later.ignored(decide) : decide()));
      }
      for (const check of sequence(ready)) settle(await this.#alone(check));
      for (const check of await this.#pass(lanes(ready, 'clock'), settle)) settle(await this.#alone(check));
      const moved = ready.some(({ check }) => check?.phase === 'clock');
      for (const { row, elsewhere } of ready) {
        if (row.how === 'monitor') done(this.#monitored(row));
        const own = held.find((outcome) => outcome.row === row.id);
        const seen = own || (elsewhere && watched.has(row.id)) ? this.#monitored(row) : undefined;
        if (elsewhere && seen?.verdict === 'fail') done(seen);
        if (own) done(seen?.verdict === 'fail' && own.verdict !== 'fail' ? { ...seen, ms: own.ms } : own);
      }
      // For the next user of the server. No verdict depends on it, and the budget may be spent.
      if (moved && !this.options.signal.aborted) await this.env.hooks.reset?.().catch(() => {});
    } finally {
      await (await this.#codec?.catch(() => undefined))?.close();
      this.wire.close();
    }
  }

  /**
   * Runs checks that move the clock beside each other, and settles those that pass; the others are answered, to be judged
   * one after the other. So no verdict against a server depends on what other checks do, or on how long they take.
   */
  async #pass(all: readonly (readonly Check[])[], settle: (outcome: Outcome) => void): Promise<readonly Check[]> {
    const { clock } = this.env.hooks;
    if (!clock || all.length < 2) return all.flat();
    const shared = new SharedClock(clock);
    const env = { ...this.env, hooks: { ...this.env.hooks, clock: shared } };
    const left: Check[] = [];
    await atOnce(this.options.target.budget.concurrency, all, async (checks) => {
      for (const check of checks) {
        const attempt = () => this.#attempt(check, new Session(env), this.options.paths?.[check.row]);
        const { outcome } = await shared.within(attempt);
        if (outcome.verdict === 'pass') settle(outcome);
        else left.push(check);
      }
    });
    return left;
  }

  /** Decides a check by itself; again where it turns out that a user's consent ends earlier ones, which no row forbids. */
  async #alone(check: Check): Promise<Outcome> {
    const isKnown = this.env.later.matters;
    const outcome = await this.#decide(check, new Session(this.env));
    return !isKnown && (await this.#isUnclear(outcome)) ? this.#decide(check, new Session(this.env)) : outcome;
  }

  /** Whether a check could not use what it had, as a later consent of the same user ends it: the server is asked once. */
  async #isUnclear({ row, verdict, incomplete, failure }: Outcome): Promise<boolean> {
    if (row === coexistence || (verdict !== 'fail' && verdict !== 'could not run')) return false;
    if (incomplete || (failure && showsRefusal(failure))) await this.#learnOfConsents();
    return this.env.later.matters;
  }

  #learnOfConsents(): Promise<void> {
    const learn = async (): Promise<void> => {
      if (!this.env.hooks.consent) return;
      const run = new CheckRun(this.env, new Session(this.env), coexistence);
      await trace.run({ answers: [] }, () => this.wire.alone(() => this.env.later.learn(run)));
    };
    return (this.#learnt ??= learn());
  }

  /** Observations that belong to no row. */
  observations(): readonly string[] {
    return [...this.#troubles, ...this.env.monitors.observations()].map((text) => this.redact(text));
  }

  /** Nothing depends on a reset, so a failed one is only reported. */
  async #reset(when: string): Promise<void> {
    const { reset } = this.env.hooks;
    if (!reset || this.options.signal.aborted) return;
    await reset().catch((error: Error) => this.#troubles.push(`The reset ${when} failed: ${error.message}`));
  }

  /** Whether a row is decided without running anything. */
  #settled({ row, check, elsewhere }: Planned, done: (outcome: Outcome) => void): boolean {
    if (elsewhere) return false;
    const nothing = { row: row.id, exercised: 0, notes: [], ms: 0 };
    if (row.how === 'excluded') {
      done({ ...nothing, verdict: 'not applicable', reason: row.reason });
      return true;
    }
    const missing = lacksOf(row, this.env);
    const other = missing.find(({ applicable }) => !applicable);
    if (other) {
      done({ ...nothing, verdict: 'not applicable', reason: other.remedy });
      return true;
    }
    // A monitor sees what there is to see, whatever the target lacks.
    if (missing.length > 0 && row.how !== 'monitor') {
      done({ ...nothing, ...lacking(missing) });
      return true;
    }
    if (!check && row.how !== 'monitor') {
      done({ ...nothing, verdict: 'harness error', reason: `no check is registered for ${row.id}` });
      return true;
    }
    return false;
  }

  /** Notes operations that the target declares as not offered, and that answer all the same. */
  async #unexpected(session: Session): Promise<void> {
    const { not_offered } = this.options.target;
    const plain = operationList.filter(
      ({ id, method, path, server }) =>
        not_offered.includes(id) && server === 'data' && method === 'GET' && !path.includes('{'),
    );
    for (const { id, path, scope } of plain) {
      const ask = async () => {
        const token = scope !== undefined && session.obtainable().has(scope) ? await session.token([scope]) : null;
        return session.http.raw('GET', path, { token });
      };
      // No row depends on it.
      const answer = await ask().catch(() => undefined);
      if (answer?.status === 200)
        this.#troubles.push(
          `${id} is declared in not_offered, but GET ${path} answered 200: remove it there to have it judged.`,
        );
    }
  }

  async #survey(session: Session): Promise<void> {
    const run = new CheckRun(this.env, session, 'GEN-001');
    await trace.run({ answers: [] }, () => survey(run));
  }

  async #decide(check: Check, session: Session): Promise<Outcome> {
    const paths = this.options.paths?.[check.row];
    const first = await this.#attempt(check, session, paths);
    if (first.outcome.verdict !== 'fail') return first.outcome;
    const { counterexample } = first.run.expect;
    const found = { ...paths, ...(counterexample && { [counterexample.ordinal]: counterexample.path }) };
    this.#rerun += 1;
    const again =
      this.#rerun <= reruns
        ? await this.#attempt(check, new Session(this.env), found, counterexample?.ordinal)
        : undefined;
    const shown = again?.outcome.verdict === 'fail' ? again : first;
    const notes = [...first.outcome.notes];
    if (again && again.outcome.verdict !== 'fail') {
      const { verdict, reason } = again.outcome;
      notes.push(
        verdict === 'pass' || verdict === 'warn'
          ? 'It passed when re-run on fresh state, so it may depend on timing or on other requests.'
          : `It was undecided when re-run on fresh state (${reason ?? verdict}).`,
      );
    }
    const deviation = shown.deviation!;
    return {
      ...first.outcome,
      notes,
      failure: {
        ...this.#shown(check.row, deviation, shown.answers),
        ...(counterexample && { smallest: this.redact(counterexample.value) }),
        paths: found,
      },
    };
  }

  /** A deviation and the exchanges that show it, without secrets. */
  #shown(
    row: RowId,
    deviation: { readonly expected: string; readonly got: string },
    answers: readonly Answer[],
  ): Failure {
    const expected = clipped(this.redact(deviation.expected), bounds.shown);
    const got = clipped(this.redact(deviation.got), bounds.shown);
    const shown = { answers: this.#affordable(answers), target: this.env.target, issued: this.issued };
    return {
      expected,
      got,
      trace: stepsOf(shown),
      script: scriptOf(shown, { title: row, expected, got }),
      seed: this.env.seed,
      paths: {},
      replay: this.options.replay(row),
    };
  }

  /** The last exchanges of a failure: few of them, once those of the failures before fill the reports. */
  #affordable(answers: readonly Answer[]): readonly Answer[] {
    const most = this.#shownSize < evidence.all ? evidence.failure : evidence.later;
    let size = 0;
    let from = answers.length;
    while (from > 0 && (size === 0 || size + sizeOf(answers[from - 1]!) <= most)) size += sizeOf(answers[(from -= 1)]!);
    this.#shownSize += size;
    return answers.slice(from);
  }

  /** A text without the target's secrets and without what the server gave out in this run. */
  redact(text: string): string {
    return this.issued.hide(hidden(text, this.#secrets));
  }

  async #attempt(check: Check, session: Session, paths?: Paths, only?: string) {
    const run = new CheckRun(session.env, session, check.row, { mayMoveClock: check.phase === 'clock', paths, only });
    const log: Trace = { answers: [] };
    const started = performance.now();
    let error: unknown;
    try {
      await trace.run(log, () => this.#patiently(check, run, log));
    } catch (thrown) {
      error = thrown;
    }
    const outcome: Outcome = {
      row: check.row,
      ...this.#redacted(verdictOf(error, run.expect)),
      exercised: run.expect.exercised,
      notes: run.expect.notes.map((note) => this.redact(note)),
      ms: Math.round(performance.now() - started),
      requests: log.sent ?? 0,
    };
    return { outcome, run, answers: log.answers, deviation: error instanceof Deviation ? error : undefined };
  }

  /** Runs a check; gives it up where it takes too long or the run ends, and refuses what it still asks for. */
  async #patiently(check: Check, run: CheckRun, log: Trace): Promise<void> {
    const { signal, timeout = timeoutOf(check) } = this.options;
    let timer: NodeJS.Timeout | undefined;
    let end: (() => void) | undefined;
    const given = new Promise<never>((_, reject) => {
      const giveUp = (why: string): void => {
        log.stopped = why;
        reject(new Stopped(why));
      };
      // What the wire held back, at the server's or the target's wish, is not the check's own time.
      const once = (ms: number, counted: number): void => {
        timer = setTimeout(() => {
          const waited = log.waited ?? 0;
          if (waited > counted) once(waited - counted, waited);
          else giveUp(tooLong(timeout, log, this.options.runs));
        }, ms);
      };
      once(timeout, 0);
      end = (): void => giveUp(String(signal.reason));
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
    });
    try {
      await Promise.race([given, signal.aborted ? given : check.body(run)]);
    } finally {
      clearTimeout(timer);
      if (end) signal.removeEventListener('abort', end);
    }
  }

  /** How a check ended, without secrets. */
  #redacted(decided: ReturnType<typeof verdictOf>): ReturnType<typeof verdictOf> {
    const { reason, missing } = decided;
    return {
      ...decided,
      ...(reason !== undefined && { reason: this.redact(reason) }),
      ...(missing && { missing: missing.map((one) => ({ ...one, need: this.redact(one.need) })) }),
    };
  }

  #monitored(row: LedgerRow<RowId>): Outcome {
    return monitored(row, this.env.monitors.results().get(row.id), {
      failure: (violation) => this.#shown(row.id, violation, violation.answer ? [violation.answer] : []),
      redact: (text) => this.redact(text),
      unseen: () => {
        const missing = lacksOf(row, this.env);
        if (missing.length > 0) return lacking(missing);
        const { aborted } = this.options.signal;
        return {
          verdict: 'not exercised',
          reason: aborted ? 'the run ended before any case occurred' : 'no response contained the case',
        };
      },
    });
  }
}
