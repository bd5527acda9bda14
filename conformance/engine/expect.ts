import { createHash } from 'node:crypto';

import type { Scope } from '../../src/contract/index.js';
import { formatCore } from '../histories/words.js';
import type { Core } from '../histories/history.js';
import type { RowId } from '../ledger.gen.js';
import {
  Deviation,
  MissingCapability,
  NotApplicable,
  NotExercised,
  NotOffered,
  PrerequisiteFailed,
} from '../verdict.js';
import { atOnce, lanesFor } from '../wire/slots.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Environment } from './environment.js';
import { falsify } from './property.js';
import type { Expect, Name, Negative, OAuth, Property, Redirect, Refuse, Situation } from './run.js';
import { canonical, shown, formatAnswer, Words } from './format.js';

/** Which case of each property to run, by the property's ordinal in the check; all cases where it is left out. */
export type Paths = Readonly<Record<string, string>>;

/** The expectations of one check, and what came of them. */
export class Expectations implements Expect {
  /** How many expectations there were. */
  exercised = 0;
  /** Why a case was left out, where the target does not offer what it needs. */
  notOffered: NotOffered | undefined;
  readonly warnings: string[] = [];
  readonly notes: string[] = [];
  /** The failing property, when one failed: its ordinal, fast-check's path and the value in words. */
  counterexample: { readonly ordinal: string; readonly path: string; readonly value: string } | undefined;
  #properties = 0;

  constructor(
    readonly env: Environment,
    readonly oauth: Pick<OAuth, 'probe'>,
    readonly row: RowId,
    readonly paths?: Paths,
    /** The only property to run, by its ordinal; the others are taken as held. */
    readonly only?: string,
  ) {}

  that(holds: boolean, expected: string, got: unknown, answer?: Answer): void {
    this.exercised += 1;
    if (!holds) throw new Deviation(expected, seen(got, answer), answer);
  }

  underAnyLoad(holds: boolean, expected: string, got: unknown, answer?: Answer): void {
    this.exercised += 1;
    if (!holds) throw new Deviation(expected, seen(got, answer), answer, undefined, true);
  }

  explained(history: Core | undefined, expected: string): void {
    this.exercised += 1;
    if (history) throw new Deviation(expected, formatCore(history.calls), undefined, history);
  }

  status(answer: Answer, ...statuses: readonly (number | '2xx' | '4xx')[]): void {
    const holds = statuses.some((one) =>
      typeof one === 'number' ? one === answer.status : Math.floor(answer.status / 100) === Number(one[0]),
    );
    this.that(holds, `status ${statuses.join(' or ')}`, new Words(`${formatAnswer(answer)}`), answer);
  }

  refused(answer: Answer, situation: Situation = {}): void {
    const { status, json, asked } = answer;
    const error = member(json, 'error');
    // An empty one gives nothing; that it is there is TOK-ERR-010.
    const gave = ['access_token', 'refresh_token'].some(
      (name) => given(member(json, name)) && member(json, name) !== '',
    );
    const isRefusal = status >= 400 ? status <= 499 : asked.server === 'authorization' && given(error);
    this.that(
      isRefusal && !gave,
      `a refusal${gave ? ' without a token' : ''}`,
      new Words(formatAnswer(answer)),
      answer,
    );
    const from = asked.server === 'authorization' ? 'token' : 'data';
    this.env.monitors.refused({ from, status, error, answer }, { ...situation, by: this.row });
  }

  sentBack({ status, error }: Redirect, situation: Situation): void {
    this.env.monitors.refused({ from: 'authorization', status, error }, { ...situation, by: this.row });
  }

  equal(got: unknown, expected: unknown, what: string, answer?: Answer): void {
    this.that(canonical(got) === canonical(expected), `${what}: ${shown(expected)}`, got, answer);
  }

  has(answer: Answer, wrapper: string): unknown {
    this.status(answer, '2xx');
    const value = member(answer.json, wrapper);
    this.that(value !== undefined, `a JSON object with the member ${wrapper}`, new Words(formatAnswer(answer)), answer);
    return value;
  }

  list(answer: Answer, wrapper: string): readonly Record<string, unknown>[] {
    const value = this.has(answer, wrapper);
    this.that(
      Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null),
      `${wrapper}: an array of objects`,
      value,
      answer,
    );
    return value as readonly Record<string, unknown>[];
  }

  async alive(token: string, scopes: readonly Scope[]): Promise<void> {
    this.status(await this.oauth.probe(token, scopes), '2xx');
  }

  async dead(token: string, scopes: readonly Scope[]): Promise<void> {
    this.refused(await this.oauth.probe(token, scopes), { status: 401 });
  }

  async negative<Request>({ valid, send, accepted, refused, unharmed }: Negative<Request>): Promise<Refuse<Request>> {
    const control = await valid();
    const answer = await send(control);
    try {
      if (accepted) await accepted(answer, control);
      else if (answer.status < 200 || answer.status > 299)
        throw new Deviation('status 2xx', formatAnswer(answer), answer);
    } catch (error) {
      if (error instanceof Deviation) {
        const { operation } = answer.asked;
        throw new PrerequisiteFailed(
          `the baseline request failed, so a rejection proves nothing: ${operation === undefined ? '' : `${operation}: `}${error.message}`,
        );
      }
      throw error;
    }
    return async (what, change) => {
      const changed = await change(await valid());
      const reply = await send(changed);
      try {
        await refused(reply, changed);
        if (unharmed) await unharmed(changed);
      } catch (error) {
        throw error instanceof Deviation ? error.within(what, reply) : error;
      }
      return reply;
    };
  }

  async property<T>(...[what, values, ...rest]: Property<T>): Promise<void> {
    const [{ share = 1, examples }, holds] = rest.length === 1 ? [{}, rest[0]] : rest;
    this.#properties += 1;
    const ordinal = String(this.#properties);
    if (this.only !== undefined && this.only !== ordinal) return;
    const path = this.paths?.[ordinal];
    const found = await falsify({
      values,
      holds,
      seed: seedOf(this.env.seed, this.row, ordinal),
      runs: Math.max(1, Math.round(this.env.runs * share)),
      ...(path !== undefined && { path }),
      ...(examples && { examples }),
    });
    if (!found) return;
    this.counterexample = { ordinal, path: found.path, value: `${what}: ${found.value}` };
    throw found.deviation;
  }

  async each<T>(
    name: Name<T>,
    values: Iterable<T>,
    holds: (value: T) => Promise<unknown>,
    options: { readonly atOnce?: boolean } = {},
  ): Promise<void> {
    const cases = [...values];
    const missed = new Map<number, unknown>();
    const judge = async ([place, value]: readonly [number, T]): Promise<void> => {
      try {
        await holds(value);
      } catch (error) {
        const isDeviation = error instanceof Deviation;
        missed.set(place, isDeviation ? error.within(nameOf(name, value)) : error);
        if (!isDeviation && !isUndecided(error)) throw error;
      }
    };
    const most = options.atOnce ? lanesFor(this.env.target.budget) : 1;
    // What ends it early takes back no deviation, before it or after it.
    await atOnce(most, cases.entries(), judge).catch(() => {});
    const inOrder = [...missed].toSorted(([one], [other]) => one - other).map(([, error]) => error);
    const deviations = inOrder.filter((error) => error instanceof Deviation);
    const [first, ...more] = deviations.slice(0, 5);
    if (!first) {
      // What is not offered leaves it to the other cases.
      const undecided = inOrder.filter((error) => !(error instanceof NotOffered));
      if (undecided.length > 0) throw undecided[0];
      if (inOrder.length > 0 && inOrder.length === cases.length) throw inOrder[0];
      return;
    }
    if (more.length === 0) throw first;
    const others = deviations.length > 5 ? `; and ${deviations.length - 5} more` : '';
    const shown = [first, ...more];
    throw new Deviation(
      shown.map(({ expected }) => expected).join('; ') + others,
      [...new Set(shown.map(({ got }) => got))].join('; '),
      first.answer,
      first.history,
      shown.some(({ underAnyLoad }) => underAnyLoad),
    );
  }

  warn(text: string, answer?: Answer): void {
    const told = answer ? `${text} (${formatAnswer(answer)})` : text;
    if (!this.warnings.includes(told)) this.warnings.push(told);
  }

  note(text: string): void {
    this.exercised += 1;
    this.notes.push(text);
  }

  notExercised(reason: string): never {
    throw new NotExercised(reason);
  }

  notApplicable(reason: string): never {
    throw new NotApplicable(reason);
  }

  missing(need: string, remedy?: string): never {
    throw new MissingCapability(need, remedy);
  }
}

/** What was got, in words; of a body that is no JSON, which has no members, what it is instead. */
const seen = (got: unknown, answer?: Answer): string =>
  got === undefined && answer !== undefined && answer.json === undefined ? formatAnswer(answer) : shown(got);

const given = (value: unknown): boolean => value !== undefined && value !== null;

/** `%s` is the value, `%j` the value as JSON, `$league.id` what it has at that path. */
function nameOf<T>(name: Name<T>, value: T): string {
  if (typeof name === 'function') return name(value);
  return name.replaceAll(/%s|%j|\$(\w+(?:\.\w+)*)/g, (sign, path: string | undefined) => {
    if (path !== undefined) return String(path.split('.').reduce<unknown>(member, value));
    return sign === '%j' ? JSON.stringify(value) : String(value);
  });
}

/** Whether other cases may still be decided. */
const isUndecided = (error: unknown): boolean =>
  error instanceof MissingCapability ||
  error instanceof PrerequisiteFailed ||
  error instanceof NotExercised ||
  error instanceof NotApplicable;

/** A seed for each property, from the run's. */
function seedOf(seed: number, row: string, ordinal: string): number {
  return createHash('sha256').update(`${seed}/${row}/${ordinal}`).digest().readInt32BE(0);
}
