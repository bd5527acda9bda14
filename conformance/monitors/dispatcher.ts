import type { JsonObject } from '../json.js';
import type { RowId } from '../ledger.gen.js';
import type { Answer } from '../wire/answer.js';
import type { Refusal } from '../engine/monitors.js';
import type { Redirect, Situation } from '../engine/run.js';
import type { Departure } from './departure.js';
import type { AuthorizationAsked, Listener, Rule, RuleContext } from './rule.js';
import type { Reply } from './reply.js';
import type { Field } from './shape.js';
import { Findings } from './findings.js';
import type { Cursor } from './cursor.js';

/** A rule at work, with what it has found. */
export interface ActiveRule {
  readonly listener: Listener;
  readonly findings: Findings;
}

/** All rules of a run, by what they want to be told, so that nobody is asked in vain. */
export class Dispatcher {
  readonly byRow = new Map<RowId, ActiveRule>();
  readonly #answers: ActiveRule[] = [];
  readonly #replies: ActiveRule[] = [];
  readonly #redirects: ActiveRule[] = [];
  readonly #refusals: ActiveRule[] = [];
  readonly #objects = new Map<
    string,
    { readonly judge: (value: JsonObject, at: Cursor, findings: Findings) => void; readonly findings: Findings }[]
  >();
  readonly #departures: ActiveRule[] = [];
  readonly #ofField = new Map<Field, ActiveRule[]>();

  add(row: RowId, rule: Rule, setting: RuleContext): void {
    const active: ActiveRule = { listener: rule(setting), findings: new Findings() };
    this.byRow.set(row, active);
    const { listener, findings } = active;
    if (listener.answer) this.#answers.push(active);
    if (listener.reply) this.#replies.push(active);
    if (listener.redirect) this.#redirects.push(active);
    if (listener.refused) this.#refusals.push(active);
    for (const [schema, judge] of Object.entries(listener.objects ?? {}))
      push(this.#objects, schema, { judge, findings });
    if (listener.departure && listener.fields) for (const field of listener.fields) push(this.#ofField, field, active);
    else if (listener.departure) this.#departures.push(active);
  }

  answer(answer: Answer): void {
    for (const { listener, findings } of this.#answers) listener.answer?.(answer, findings);
  }

  reply(reply: Reply): void {
    for (const { listener, findings } of this.#replies) listener.reply?.(reply, findings);
  }

  redirect(redirect: Redirect, asked: AuthorizationAsked): void {
    for (const { listener, findings } of this.#redirects)
      findings.about(asked.answer, () => listener.redirect?.(redirect, asked, findings));
  }

  refused(refusal: Refusal, situation: Situation & { readonly by: RowId }): void {
    for (const { listener, findings } of this.#refusals) listener.refused?.(refusal, situation, findings);
  }

  object(schema: string, value: JsonObject, at: Cursor): void {
    for (const { judge, findings } of this.#objects.get(schema) ?? []) judge(value, at, findings);
  }

  departure(departure: Departure): void {
    for (const { listener, findings } of this.#departures) listener.departure?.(departure, findings);
    if (!departure.field) return;
    for (const { listener, findings } of this.#ofField.get(departure.field) ?? [])
      listener.departure?.(departure, findings);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
