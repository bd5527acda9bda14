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
import { Overload } from './overload.js';
import { patiently } from './patience.js';
import { announced, lanes, sequence } from './plan.js';
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
import { Deviation } from '../verdict.js';

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
  /** Plays the complete suite of the token lifecycle for a state more than the server shows. */
  readonly thorough?: boolean;
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

/**
 * Failures that are run again on fresh state; the others keep the trace that they failed with. As many checks that could
 * not run beside others are tried again by themselves.
 */
const reruns = 40;
/** Milliseconds after which a check was held back by the server itself, as with 429, and would be again. */
const brief = 60_000;
/** Characters of exchanges that a failure shows, that all show, and that one shows beyond that. */
const evidence = { failure: 500_000, all: 8_000_000, later: 12_000 };

/** Runs a plan against a target: the checks in their phases, then the verdicts of the monitors. */
export class Verifier {
  readonly env: Environment;
  readonly wire: Wire;
  readonly announced: number;
  readonly #secrets: readonly Secret[];
  readonly #overload: Overload;
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
    overload: Overload,
  ) {
    const { target, seed, runs, wait } = options;
    this.wire = wire;
    this.#overload = overload;
    this.#secrets = settingsOf(target);
    this.announced = announced(options.plan, options);
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
      thorough: options.thorough === true,
      codec: () => (this.#codec ??= openCodec(target, hooks)),
    };
  }

  static async open(options: VerifierOptions): Promise<Verifier> {
    const { plan, target, signal } = options;
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
    let overload: Overload | undefined;
    const wire: Wire = new Wire({
      // Failures are shrunk and run again, and so is what an overloaded server answers, which nobody can announce.
      budget: Math.min(...limits, announced(plan, options) * 4 + 2000),
      perSecond: target.budget.per_second,
      concurrency: target.budget.concurrency,
      safe: options.safe === true,
      connection: connectionOf(target),
      signal,
      refuse: (request) => later.refuse(request),
      seen: (answer) => {
        issued.see(answer);
        later.see(answer);
        if (!overload?.hides(answer)) monitors.answer(answer);
      },
      strained: () => overload?.strain(),
    });
    overload = new Overload(wire, target.budget.concurrency);
    try {
      await checkReachability(wire, target);
      return new Verifier(options, await options.open(wire), wire, monitors, issued, later, overload);
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
      // What a check asks for may show in any answer of the run: its row is decided when all of them are in.
      const watched = this.env.monitors.results();
      const held: Outcome[] = [];
      const settle = (outcome: Outcome): void => void (watched.has(outcome.row) ? held.push(outcome) : done(outcome));
      await this.#together(ready, settle);
      await trace.run({ answers: [] }, () => this.#unexpected(new Session(this.env)));
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

  /** Runs checks beside each other; those that met more load than the server takes again at a lower one. */
  async #together(plan: readonly Planned[], settle: (outcome: Outcome) => void): Promise<void> {
    const left: Check[] = [];
    let survey = plan.some(({ row }) => row.how === 'monitor');
    let groups = lanes(plan, 'together');
    do {
      const session = new Session(this.env);
      const again = new Set<Check>();
      const actions = groups.map((checks) => async () => {
        const inOrder = checks.length > 1;
        for (const check of checks) {
          const decide = (): Promise<Outcome> => this.#decide(check, session);
          const outcome = this.env.later.matters ? undefined : await (inOrder ? beforeOthers(decide) : decide());
          if (outcome && this.#overload.mayHaveDecided(outcome)) again.add(check);
          else if (!outcome || (await this.#isDisturbed(outcome, left.length))) left.push(check);
          else settle(this.#overload.settled(outcome));
        }
      });
      const found = { strained: false };
      const look = async (): Promise<void> => void (found.strained = await this.#survey(session));
      await atOnce(this.wire.concurrency, survey ? [look, ...actions] : actions, (run) => run());
      survey = found.strained;
      groups = groups.map((checks) => checks.filter((check) => again.has(check))).filter(({ length }) => length > 0);
    } while ((survey || groups.length > 0) && this.#overload.lower());
    this.#overload.goOn();
    const later = this.env.later.matters ? new Session(this.env) : undefined;
    for (const check of left) {
      const decide = (): Promise<Outcome> => this.#decide(check, later ?? new Session(this.env));
      settle(await this.#bearably(check.row === coexistence ? () => this.env.later.ignored(decide) : decide));
    }
  }

  /** Whether what another check did may have kept this one from running, so that it is to be tried by itself. */
  async #isDisturbed(outcome: Outcome, others: number): Promise<boolean> {
    return (await this.#isUnclear(outcome)) || (outcome.incomplete === true && outcome.ms < brief && others < reruns);
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
    await atOnce(this.wire.concurrency, all, async (checks) => {
      for (const check of checks) {
        const attempt = () => this.#attempt(check, new Session(env), this.options.paths?.[check.row]);
        const { outcome } = await shared.within(attempt);
        if (outcome.verdict === 'pass' && !this.#overload.mayHaveDecided(outcome)) settle(outcome);
        else left.push(check);
      }
    });
    return left;
  }

  #alone(check: Check): Promise<Outcome> {
    return this.#bearably(() => this.#unhindered(check));
  }

  /** Decides by itself what the load may have decided: again at a lower one, as long as the server does not take it. */
  async #bearably(decide: () => Promise<Outcome>): Promise<Outcome> {
    let outcome = await decide();
    while (this.#overload.mayHaveDecided(outcome) && this.#overload.lower()) outcome = await decide();
    const settled = this.#overload.settled(outcome);
    this.#overload.goOn();
    return settled;
  }

  /** Decides a check; again where it turns out that a user's consent ends earlier ones, which no row forbids. */
  async #unhindered(check: Check): Promise<Outcome> {
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

  /** What to set for the next run. */
  advice(): readonly string[] {
    return this.#overload.advice();
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

  /** Looks around; answers whether it met more load than the server takes. */
  async #survey(session: Session): Promise<boolean> {
    const run = new CheckRun(this.env, session, 'GEN-001');
    const log: Trace = { answers: [] };
    await trace.run(log, () => survey(run));
    return (log.underLoad ?? 0) > 1;
  }

  async #decide(check: Check, session: Session): Promise<Outcome> {
    const paths = this.options.paths?.[check.row];
    const first = await this.#attempt(check, session, paths);
    // What is judged again at a lower load needs no evidence.
    if (first.outcome.verdict !== 'fail' || this.#overload.mayHaveDecided(first.outcome)) return first.outcome;
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
      await trace.run(log, () => patiently(check, run, log, this.options));
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
      ...(log.underLoad !== undefined && { underLoad: log.underLoad }),
    };
    return { outcome, run, answers: log.answers, deviation: error instanceof Deviation ? error : undefined };
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
