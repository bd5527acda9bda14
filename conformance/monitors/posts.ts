import type { RowId } from '../ledger.gen.js';
import type { Answer } from '../wire/answer.js';
import type { Redirect } from '../engine/run.js';
import type { Finding } from './finding.js';
import type { AuthorizationAsked, Listener, Rule, Setting } from './rule.js';
import type { Reply } from './reply.js';
import type { Field } from './shape.js';
import { Sheet } from './sheet.js';
import type { Spot } from './spot.js';
import type { JsonObject } from './values.js';

/** A rule at work, with what it has found. */
export interface Post {
  readonly listener: Listener;
  readonly sheet: Sheet;
}

/** All rules of a run, by what they want to be told, so that nobody is asked in vain. */
export class Posts {
  readonly byRow = new Map<RowId, Post>();
  readonly #answers: Post[] = [];
  readonly #replies: Post[] = [];
  readonly #redirects: Post[] = [];
  readonly #objects = new Map<
    string,
    { readonly judge: (value: JsonObject, at: Spot, sheet: Sheet) => void; readonly sheet: Sheet }[]
  >();
  readonly #findings: Post[] = [];
  readonly #ofField = new Map<Field, Post[]>();

  add(row: RowId, rule: Rule, setting: Setting): void {
    const post: Post = { listener: rule(setting), sheet: new Sheet() };
    this.byRow.set(row, post);
    const { listener, sheet } = post;
    if (listener.answer) this.#answers.push(post);
    if (listener.reply) this.#replies.push(post);
    if (listener.redirect) this.#redirects.push(post);
    for (const [schema, judge] of Object.entries(listener.objects ?? {})) push(this.#objects, schema, { judge, sheet });
    if (listener.finding && listener.fields) for (const field of listener.fields) push(this.#ofField, field, post);
    else if (listener.finding) this.#findings.push(post);
  }

  answer(answer: Answer): void {
    for (const { listener, sheet } of this.#answers) listener.answer?.(answer, sheet);
  }

  reply(reply: Reply): void {
    for (const { listener, sheet } of this.#replies) listener.reply?.(reply, sheet);
  }

  redirect(redirect: Redirect, asked: AuthorizationAsked): void {
    for (const { listener, sheet } of this.#redirects) listener.redirect?.(redirect, asked, sheet);
  }

  object(schema: string, value: JsonObject, at: Spot): void {
    for (const { judge, sheet } of this.#objects.get(schema) ?? []) judge(value, at, sheet);
  }

  finding(finding: Finding): void {
    for (const { listener, sheet } of this.#findings) listener.finding?.(finding, sheet);
    if (!finding.field) return;
    for (const { listener, sheet } of this.#ofField.get(finding.field) ?? []) listener.finding?.(finding, sheet);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
