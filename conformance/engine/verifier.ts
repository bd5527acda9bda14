import type { RowId } from '../ledger.gen.js';
import { isBinding } from '../ledger.js';
import { openCodec } from '../target/codec.js';
import { connectionOf } from '../target/connection.js';
import type { Codec, Hooks } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import { trace } from '../wire/trace.js';
import { Wire } from '../wire/wire.js';
import { createCoverage } from './coverage.js';
import type { Environment } from './environment.js';
import { Evidence } from './evidence.js';
import type { Paths } from './expect.js';
import { Issued } from './issued.js';
import { LaterConsent } from './later-consent.js';
import type { Monitors } from './monitors.js';
import { warned } from './outcome.js';
import type { Outcome } from './outcome.js';
import { Overload } from './overload.js';
import { Phases } from './phases.js';
import { adviceOnKept } from './kept-answers.js';
import { settledHooks } from './propagation.js';
import { announced } from './plan.js';
import type { Planned } from './plan.js';
import { checkReachability } from './reachability.js';
import { Decider } from './rerun.js';
import { Session } from './session.js';
import { decidedAhead, monitorOutcome, Settlement } from './settle.js';
import { Absences } from './absences.js';
import { unexpectedOffers } from './survey.js';

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
  /** No failure is run again for its evidence, which nobody reads. */
  readonly verdictsOnly?: boolean;
  readonly open: (wire: Wire) => Promise<Hooks>;
}

/** Runs a plan against a target: the checks in their phases, then the verdicts of the monitors. */
export class Verifier {
  readonly env: Environment;
  readonly #evidence: Evidence;
  readonly #troubles: string[] = [];
  #kept: readonly string[] = [];
  #isViolated = false;
  #codec: Promise<Codec> | undefined;

  private constructor(
    readonly options: VerifierOptions,
    hooks: Hooks,
    readonly wire: Wire,
    monitors: Monitors,
    issued: Issued,
    later: LaterConsent,
    readonly overload: Overload,
    readonly absences: Absences,
  ) {
    const { target, seed, runs, wait } = options;
    this.#evidence = new Evidence(options, issued);
    this.env = {
      target,
      hooks: settledHooks(
        hooks,
        target,
        (revocation) => revocation.by === 'application' && later.service.revoked(revocation.client_id),
      ),
      wire,
      monitors,
      lifecycle: createCoverage(),
      later,
      met: new Set(),
      seed,
      runs,
      wait,
      safe: options.safe === true,
      thorough: options.thorough === true,
      codec: () => (this.#codec ??= openCodec(target, hooks)),
    };
  }

  /** @throws SetupError where the server cannot be reached or its hooks cannot be opened */
  static async open(options: VerifierOptions): Promise<Verifier> {
    const { target } = options;
    const issued = new Issued(target);
    const later = new LaterConsent();
    const absences = new Absences();
    const monitors: Monitors = {
      ...options.monitors,
      redirect: (redirect, request) => {
        // An adapter's consent is not on the wire.
        if (redirect.code !== null) issued.add(redirect.code);
        later.consented(redirect, request);
        options.monitors.redirect(redirect, request);
      },
    };
    let overload: Overload | undefined;
    const wire: Wire = new Wire({
      budget: budgetOf(options),
      perSecond: target.budget.per_second,
      concurrency: target.budget.concurrency,
      safe: options.safe === true,
      connection: connectionOf(target),
      signal: options.signal,
      refuse: (request) => later.refuse(request),
      seen: (answer) => {
        issued.see(answer);
        later.see(answer);
        absences.see(answer);
        if (!overload?.hides(answer)) monitors.answer(answer);
      },
      strained: () => overload?.strain(),
    });
    overload = new Overload(wire, target.budget.concurrency);
    try {
      await checkReachability(wire, target);
      return new Verifier(options, await options.open(wire), wire, monitors, issued, later, overload, absences);
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  /** Runs the plan; calls `decided` with each outcome. */
  async run(decided: (outcome: Outcome) => void): Promise<void> {
    const { plan, strict = false, signal } = this.options;
    const loose = new Map(plan.filter(({ row }) => !strict && !isBinding(row)).map(({ row }) => [row.id, row]));
    const done = (outcome: Outcome): void => {
      const told = warned(outcome, loose.get(outcome.row));
      if (told.verdict === 'fail') this.#isViolated = true;
      decided(told);
    };
    try {
      await this.#reset();
      const ready = plan.filter((one) => {
        const outcome = decidedAhead(one, this.env);
        if (outcome) done(outcome);
        return !outcome;
      });
      const settlement = new Settlement(this.env.monitors.results().keys(), done);
      const settle = (outcome: Outcome): void => settlement.settle(outcome);
      const phases = new Phases(this.env, new Decider(this.options, this.#evidence, this.overload), this.overload);
      await phases.together(ready, settle);
      this.#troubles.push(
        ...(await trace.run({ answers: [] }, () => unexpectedOffers(new Session(this.env), this.env.target))),
      );
      await phases.alone(ready, settle);
      await phases.clock(ready, settle);
      settlement.finish(ready, (row) => monitorOutcome(row, this.env, this.#evidence, signal));
      if (this.#isViolated && !signal.aborted)
        this.#kept = await trace.run({ answers: [] }, () =>
          adviceOnKept(new Session(this.env), this.env.target).catch(() => []),
        );
      // For the next user of the server. No verdict depends on it, and the budget may be spent.
      const moved = ready.some(({ check }) => check?.phase === 'clock');
      if (moved && !signal.aborted) await this.env.hooks.reset?.().catch(() => {});
    } finally {
      await (await this.#codec?.catch(() => undefined))?.close();
      this.wire.close();
    }
  }

  /** What to set for the next run. */
  advice(): readonly string[] {
    return [...this.#kept, ...this.overload.advice()];
  }

  /** What to set where operations are absent. Where nothing is violated, 404 was right. */
  absent(): readonly string[] {
    return this.#isViolated ? this.absences.advice() : [];
  }

  /** Observations that belong to no row. */
  observations(): readonly string[] {
    return [...this.#troubles, ...this.env.later.observations(), ...this.env.monitors.observations()].map((text) =>
      this.#evidence.redact(text),
    );
  }

  /** Nothing depends on a reset, so a failed one is only reported. */
  async #reset(): Promise<void> {
    const { reset } = this.env.hooks;
    if (!reset || this.options.signal.aborted) return;
    await reset().catch((error: Error) => this.#troubles.push(`The reset before the run failed: ${error.message}`));
  }
}

/**
 * The most requests of a run. Failures are shrunk and run again, and so is what an overloaded server answers, which nobody
 * can announce.
 */
function budgetOf(options: VerifierOptions): number {
  const { plan, target, budget } = options;
  const limits = [budget, target.budget.requests].filter((limit) => limit > 0);
  return Math.min(...limits, announced(plan, options) * 4 + 2000);
}
