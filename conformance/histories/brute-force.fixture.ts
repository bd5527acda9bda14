import { noLives } from '../machine/contract.js';
import { GrantModel } from '../model/grant.js';
import type { Operation, Output } from '../model/inputs.js';
import { Disagreement, GrantJudge } from '../model/judge.js';
import type { Call, History } from './history.js';
import { windows } from './history.js';
import { outcomes } from './state.js';

/**
 * The definition of an explanation, word by word: every choice of the calls that nobody heard the end of, in every order,
 * each replayed from the start on the model. Far too slow for more than some seven calls.
 */
export function isExplained(history: History, lag = 0): boolean {
  const all = windows(history, lag);
  const choices = history.calls.map((call, index) =>
    all[index]!.optional ? [undefined, ...(call.reply === undefined ? outcomes(call) : [call])] : [call],
  );
  const place = new Map<Call, number>();
  choices.forEach((some, index) => some.forEach((call) => call && place.set(call, index)));
  const mayPrecede = (one: Call, other: Call): boolean => all[place.get(other)!]!.until >= all[place.get(one)!]!.from;
  for (const chosen of product(choices)) {
    const calls = chosen.filter((call) => call !== undefined);
    for (const order of orders(calls)) {
      if (!order.every((call, index) => order.slice(index + 1).every((later) => mayPrecede(call, later)))) continue;
      if (isAllowed(order, history)) return true;
    }
  }
  return false;
}

function isAllowed(order: readonly Call[], { before = [] }: History): boolean {
  const model = new GrantModel(0, noLives);
  const names = { a: before.filter((name) => name.startsWith('a')), r: before.filter((name) => name.startsWith('r')) };
  model.heldBefore(names.a.length, names.r.length);
  const givers = new Map<string, Call>();
  let code = before.includes('code') ? 'code' : undefined;
  for (const call of order) {
    const issued = typeof call.reply === 'object' ? call.reply.issued : [];
    const isSuccess = issued.length > 0 || call.reply === 'works' || call.reply === 'active';
    if (call.verb === 'consent') {
      code = issued[0];
      continue;
    }
    const known = issued.filter((name) => names.a.includes(name) || names.r.includes(name));
    if (known.length > 0) {
      const giver = givers.get(issued[0]!);
      const isSame = giver && giver.verb === call.verb && giver.token === call.token;
      const isJoint = giver && giver.sent <= (call.ended ?? Infinity) && call.sent <= (giver.ended ?? Infinity);
      if (isSame && isJoint && String(issuedOf(giver)) === String(issued)) continue;
      return false;
    }
    const operation = operationOf(call, code, names);
    if (!operation) {
      if (isSuccess) return false;
      continue;
    }
    try {
      new GrantJudge(model).take(operation, outputOf(call, issued));
    } catch (error) {
      if (error instanceof Disagreement) return false;
      throw error;
    }
    if (issued[0] !== undefined) names.a.push(issued[0]);
    if (issued[1] !== undefined) names.r.push(issued[1]);
    for (const name of issued) givers.set(name, call);
  }
  return true;
}

const issuedOf = ({ reply }: Call): readonly string[] => (typeof reply === 'object' ? reply.issued : []);

const outputOf = ({ reply }: Call, issued: readonly string[]): Output =>
  typeof reply === 'object' ? (issued.length === 2 ? 'tokens' : 'access token') : reply!;

function operationOf(
  { verb, token = '' }: Call,
  code: string | undefined,
  names: { readonly a: readonly string[]; readonly r: readonly string[] },
): Operation | undefined {
  // Before there is anything, there is nothing to end.
  if (verb === 'end') return code !== undefined || names.a.length > 0 ? { verb: 'end' } : undefined;
  if (verb === 'exchange') return token === code ? { verb: 'exchange', misuse: 'none' } : undefined;
  const kind = names.a.includes(token) ? 'access' : 'refresh';
  const index = names[kind === 'access' ? 'a' : 'r'].indexOf(token);
  if (index < 0) return undefined;
  if (verb === 'refresh') return kind === 'access' ? undefined : { verb, token: index, misuse: 'none' };
  return { verb: verb as 'use', kind, token: index };
}

function* product<T>([first, ...rest]: readonly (readonly T[])[]): Generator<T[]> {
  if (!first) return yield [];
  for (const one of first) for (const others of product(rest)) yield [one, ...others];
}

function* orders<T>(values: readonly T[]): Generator<T[]> {
  if (values.length === 0) return yield [];
  for (const [index, one] of values.entries())
    for (const others of orders(values.toSpliced(index, 1))) yield [one, ...others];
}
