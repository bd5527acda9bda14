import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { noLives } from '../machine/contract.js';
import { GrantModel, readings } from '../model/grant.js';
import type { Reading } from '../model/grant.js';
import { GrantJudge } from '../model/judge.js';
import type { Output, Request } from '../model/inputs.js';
import type { Call, History, Reply, Verb } from './history.js';

interface Drawn {
  readonly verb: Exclude<Verb, 'consent'>;
  /** Which of the tokens that were answered so far, modulo. */
  readonly token: number;
  readonly pause: number;
  readonly until: number;
  readonly reply: number;
  readonly fate: 'heard' | 'lost' | 'never done';
}

const gDrawn: Arbitrary<Drawn> = fc.record({
  verb: fc.oneof(
    { weight: 5, arbitrary: fc.constant('refresh' as const) },
    { weight: 4, arbitrary: fc.constantFrom('use' as const, 'exchange' as const, 'revoke' as const) },
    { weight: 2, arbitrary: fc.constantFrom('introspect' as const, 'end' as const) },
  ),
  token: fc.nat({ max: 9 }),
  pause: fc.integer({ min: 0, max: 3 }),
  until: fc.integer({ min: 0, max: 4 }),
  reply: fc.integer({ min: 0, max: 4 }),
  fate: fc.oneof(
    { weight: 8, arbitrary: fc.constant('heard' as const) },
    { weight: 1, arbitrary: fc.constantFrom('lost' as const, 'never done' as const) },
  ),
});

/**
 * Histories of a server that does one call after the other, each at a moment between its sending and its reply, and reads
 * what the interface leaves open in one way: all of them have an explanation.
 */
export const gExplained = ({ callers = 3, calls = 3 } = {}): Arbitrary<History> =>
  fc
    .record({
      lanes: fc.array(fc.array(gDrawn, { minLength: 1, maxLength: calls }), { minLength: 1, maxLength: callers }),
      settled: fc.subarray(Object.keys(readings) as Reading[]),
      consents: fc.boolean(),
    })
    .map(({ lanes, settled, consents }) => simulate(lanes, settled, consents));

function simulate(lanes: readonly (readonly Drawn[])[], yes: readonly Reading[], consents: boolean): History {
  const settled = Object.fromEntries(Object.keys(readings).map((one) => [one, yes.includes(one as Reading)]));
  const model = new GrantModel(0, noLives, settled);
  const judge = new GrantJudge(model);
  const calls: Call[] = consents
    ? [{ caller: 0, verb: 'consent', sent: -2, ended: -1, reply: { issued: ['code'] } }]
    : [];
  /** Names of tokens that callers know. */
  const heard: string[] = [];
  const queue: { readonly time: number; readonly turn: number; readonly act: () => void }[] = [];
  let turn = 0;
  const at = (time: number, act: () => void): void => void queue.push({ time, turn: (turn += 1), act });

  const operationOf = (verb: Drawn['verb'], name: string): Request => {
    if (verb === 'end') return { verb };
    if (verb === 'exchange') return { verb, misuse: 'none' };
    const token = Number(name.slice(1)) - 1;
    if (verb === 'refresh') return { verb, token, misuse: 'none' };
    return { verb, token, kind: name.startsWith('a') ? 'access' : 'refresh' };
  };
  const done = (operation: Request): Reply => {
    const isGood = judge.must(operation)!;
    const outputs: Record<Request['verb'], readonly [Output, Output]> = {
      exchange: ['tokens', 'refused'],
      refresh: ['tokens', 'refused'],
      use: ['works', 'refused'],
      introspect: ['active', 'inactive'],
      revoke: ['done', 'done'],
      end: ['done', 'done'],
    };
    const output = outputs[operation.verb][isGood ? 0 : 1];
    judge.take(operation, output);
    if (output === 'tokens') return { issued: [`a${model.access.length}`, `r${model.refresh.length}`] };
    return output as Exclude<Reply, object>;
  };
  const send = (caller: number, [drawn, ...rest]: readonly Drawn[], time: number): void => {
    if (!drawn) return;
    const sent = time + drawn.pause;
    at(sent, () => {
      const { verb, fate } = drawn;
      const mine = heard.filter(
        (name) => verb === 'revoke' || verb === 'introspect' || name.startsWith(verb === 'refresh' ? 'r' : 'a'),
      );
      const name = verb === 'exchange' ? 'code' : verb === 'end' ? undefined : mine[drawn.token % mine.length];
      if (name === undefined && verb !== 'end') return send(caller, rest, sent);
      const call = { caller, verb, sent, ...(name !== undefined && { token: name }) };
      const ended = sent + drawn.until + drawn.reply;
      let reply: Reply | undefined;
      if (fate !== 'never done') at(sent + drawn.until, () => void (reply = done(operationOf(verb, name ?? ''))));
      at(ended, () => {
        const isHeard = fate === 'heard';
        calls.push(isHeard ? { ...call, ended, reply: reply! } : { ...call, ...(drawn.token % 2 === 0 && { ended }) });
        if (isHeard && typeof reply === 'object') heard.push(...reply.issued);
        send(caller, rest, ended);
      });
    });
  };
  lanes.forEach((lane, caller) => send(caller, lane, 0));
  while (queue.length > 0) {
    queue.sort((one, other) => one.time - other.time || one.turn - other.turn);
    queue.shift()!.act();
  }
  return { calls, ...(!consents && { before: ['code'] }) };
}

/** The same with one thing about one call changed: what it was answered, or when. Some still have an explanation. */
export const gMutated = (histories: Arbitrary<History>): Arbitrary<History> =>
  fc
    .tuple(
      histories,
      fc.nat({ max: 99 }),
      fc.constantFrom<Change>('reply', 'token', 'earlier', 'later', 'same tokens', 'settled'),
      fc.nat({ max: 99 }),
    )
    .map(([history, at, change, how]) => {
      const calls = [...history.calls];
      const index = at % Math.max(1, calls.length);
      const call = calls[index];
      return call ? { ...history, calls: calls.with(index, changed(call, change, how, calls)) } : history;
    });

type Change = 'reply' | 'token' | 'earlier' | 'later' | 'same tokens' | 'settled';

function changed(call: Call, change: Change, how: number, calls: readonly Call[]): Call {
  const issues = calls.filter(({ reply, verb }) => typeof reply === 'object' && verb !== 'consent');
  switch (change) {
    case 'reply':
      return { ...call, ended: call.ended ?? call.sent + 2, reply: otherReply(call, how) };
    case 'token': {
      const names = issues.flatMap(({ reply }) => (typeof reply === 'object' ? reply.issued : []));
      const name = names[how % Math.max(1, names.length)];
      return call.token === undefined || call.verb === 'exchange' || name === undefined
        ? call
        : { ...call, token: name };
    }
    case 'earlier':
      return {
        ...call,
        sent: call.sent - (how % 6),
        ...(call.ended !== undefined && { ended: Math.max(call.sent - (how % 6), call.ended - (how % 6)) }),
      };
    case 'later':
      return {
        ...call,
        sent: call.sent + (how % 6),
        ...(call.ended !== undefined && { ended: call.ended + (how % 6) }),
      };
    case 'same tokens': {
      const like = issues.find((one) => one !== call && one.verb === call.verb && one.token === call.token);
      return like ? { ...call, ended: call.ended ?? call.sent + 2, reply: like.reply! } : call;
    }
    case 'settled':
      return call.reply === undefined ? call : { ...call, settled: true };
  }
}

function otherReply({ verb, reply }: Call, how: number): Reply {
  switch (verb) {
    case 'consent':
      return reply ?? { issued: ['code'] };
    case 'exchange':
    case 'refresh':
      return typeof reply === 'object'
        ? 'refused'
        : { issued: [`a${100 + how}`, `r${100 + how}`].slice(0, 1 + (how % 2)) };
    case 'use':
      return reply === 'works' ? 'refused' : 'works';
    case 'introspect':
      return reply === 'active' ? 'inactive' : 'active';
    case 'revoke':
    case 'end':
      return 'done';
  }
}
