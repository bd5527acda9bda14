import { trace } from '../wire/trace.js';
import type { Trace } from '../wire/trace.js';
import { atOnce, beforeOthers } from '../wire/slots.js';
import { CheckRun } from './check-run.js';
import type { Check } from './check.js';
import type { Environment } from './environment.js';
import { coexistence, coexists } from './later-consent.js';
import type { Outcome } from './outcome.js';
import type { Overload } from './overload.js';
import { lanes, sequence } from './plan.js';
import type { Planned } from './plan.js';
import { reruns } from './rerun.js';
import type { Decider } from './rerun.js';
import { Session } from './session.js';
import { SharedClock } from './shared-clock.js';
import { survey } from './survey.js';

/** Milliseconds after which a check was held back by the server itself, as with 429, and would be again. */
const brief = 60_000;

/** Takes an outcome as soon as it stands: a run that is ended early reports what it has. */
export type Settle = (outcome: Outcome) => void;

type Lanes = readonly (readonly Check[])[];

/** The three phases of a run; see `Phase`. */
export class Phases {
  constructor(
    readonly env: Environment,
    readonly decider: Decider,
    readonly overload: Overload,
  ) {}

  /**
   * Runs checks beside each other; those that met more load than the server takes again at a lower one. As many of those
   * that others may have kept from running as failures are re-run are tried once more by themselves.
   */
  async together(plan: readonly Planned[], settle: Settle): Promise<void> {
    const disturbed: Check[] = [];
    let isSurveyDue = plan.some(({ row }) => row.how === 'monitor');
    let due = lanes(plan, 'together');
    do {
      const session = new Session(this.env);
      const strained = new Set<Check>();
      const run = due.map((checks) => () => this.#lane(checks, session, { strained, disturbed, settle }));
      const all = isSurveyDue ? [() => this.#survey(session), ...run] : run;
      isSurveyDue = (
        await atOnce<() => Promise<unknown>, unknown>(this.env.wire.concurrency, all, (one) => one())
      ).includes(true);
      due = due.map((checks) => checks.filter((check) => strained.has(check))).filter(({ length }) => length > 0);
    } while ((isSurveyDue || due.length > 0) && this.overload.lower());
    this.overload.goOn();
    await this.#undisturbed(disturbed, settle);
  }

  /** Runs checks one after the other, each with tokens of its own. */
  async alone(plan: readonly Planned[], settle: Settle): Promise<void> {
    for (const check of sequence(plan)) settle(await this.#byItself(check));
  }

  /** Runs checks that move the clock: beside each other where they pass, else one after the other. */
  async clock(plan: readonly Planned[], settle: Settle): Promise<void> {
    for (const check of await this.#onSharedClock(lanes(plan, 'clock'), settle)) settle(await this.#byItself(check));
  }

  /** Runs the checks of one lane in their order. */
  async #lane(
    checks: readonly Check[],
    session: Session,
    { strained, disturbed, settle }: { strained: Set<Check>; disturbed: Check[]; settle: Settle },
  ): Promise<void> {
    const inOrder = checks.length > 1;
    for (const check of checks) {
      const decide = (): Promise<Outcome> => this.decider.decide(check, session);
      const outcome = this.env.later.matters ? undefined : await (inOrder ? beforeOthers(decide) : decide());
      if (outcome && this.overload.mayHaveDecided(outcome)) strained.add(check);
      else if (!outcome || (await this.#isDisturbed(outcome, disturbed.length))) disturbed.push(check);
      else settle(this.overload.settled(outcome));
    }
  }

  /** Looks around; answers whether it met more load than the server takes. */
  async #survey(session: Session): Promise<boolean> {
    const run = new CheckRun(this.env, session, 'GEN-001');
    const log: Trace = { answers: [] };
    await trace.run(log, () => survey(run));
    return (log.underLoad ?? 0) > 1;
  }

  /** Whether what another check did may have kept this one from running, so that it is to be tried by itself. */
  async #isDisturbed(outcome: Outcome, others: number): Promise<boolean> {
    if (await this.#isUnclear(outcome)) return true;
    return outcome.incomplete === true && outcome.ms < brief && others < reruns;
  }

  async #undisturbed(checks: readonly Check[], settle: Settle): Promise<void> {
    const { later } = this.env;
    const shared = later.matters ? new Session(this.env) : undefined;
    for (const check of checks) {
      const decide = (): Promise<Outcome> => this.decider.decide(check, shared ?? new Session(this.env));
      settle(await this.overload.bearably(coexists(check.row) ? () => later.ignored(decide) : decide));
    }
  }

  /**
   * Runs checks that move the clock beside each other, and settles those that pass; the others are answered, to be judged
   * one after the other. So no verdict against a server depends on what other checks do, or on how long they take.
   */
  async #onSharedClock(all: Lanes, settle: Settle): Promise<readonly Check[]> {
    const { clock } = this.env.hooks;
    if (!clock || all.length < 2) return all.flat();
    const shared = new SharedClock(clock);
    const env = { ...this.env, hooks: { ...this.env.hooks, clock: shared } };
    const undecided: Check[] = [];
    await atOnce(this.env.wire.concurrency, all, async (checks) => {
      for (const check of checks) {
        const { outcome } = await shared.within(() => this.decider.attempt(check, new Session(env)));
        if (outcome.verdict === 'pass' && !this.overload.mayHaveDecided(outcome)) settle(outcome);
        else undecided.push(check);
      }
    });
    return undecided;
  }

  /** Decides a check; again where it turns out that a later grant ends earlier ones, which no row forbids. */
  #byItself(check: Check): Promise<Outcome> {
    const decide = (): Promise<Outcome> => this.decider.decide(check, new Session(this.env));
    return this.overload.bearably(async () => {
      const isKnown = this.env.later.matters;
      const outcome = await decide();
      return !isKnown && (await this.#isUnclear(outcome)) ? decide() : outcome;
    });
  }

  /** Whether a check could not use what it had, as a later grant to the same client ends it: the server is asked once. */
  #isUnclear(outcome: Outcome): Promise<boolean> {
    const { later, wire } = this.env;
    return later.mayExplain(outcome, async (most) => {
      const run = new CheckRun(this.env, new Session(this.env), coexistence);
      await trace.run({ answers: [] }, () => wire.alone(() => later.learn(run, most)));
    });
  }
}
