import type { AgingServer } from '../model/aging.js';
import { GrantModel, waitsUntil } from '../model/grant.js';
import type { Asked, Lives, Readings } from '../model/grant.js';
import { isIssue, issuedBy, isOffered, isWait, operationOf } from '../model/inputs.js';
import type { Input, Issued, Operation, Output, Request, Word } from '../model/inputs.js';
import { Disagreement, GrantJudge } from '../model/judge.js';
import { PlayedGrant } from '../model/play.js';
import type { Offer, Party, TokenServer } from '../model/token-server.js';

/** A request, and what was answered. */
export interface Taken {
  readonly operation: Operation;
  readonly output: Output;
}

export interface PlayedWord {
  readonly outputs: readonly Output[];
  /** What was asked about the tokens that no input names, after the word. */
  readonly after: readonly Taken[];
}

export interface PlayOptions {
  readonly party: Party;
  /** How long codes and tokens live, for words that wait for their ends. */
  readonly lives: Lives;
  readonly identities: Map<string, string>;
  /** Also asks, at the end, about every token that there is. */
  readonly whole?: boolean;
}

/**
 * Plays a word on a grant of its own, and gives the time, in seconds of the server's clock, until which it has to wait.
 */
async function* playing(
  server: TokenServer,
  word: Word,
  { party, identities, whole, lives }: PlayOptions,
): AsyncGenerator<number, PlayedWord> {
  const grant = await PlayedGrant.open(server, party, identities);
  const isTimed = word.some(isWait);
  const code = isTimed ? await server.now() : 0;
  const issued = { code, exchange: code, access: code };
  const outputs: Output[] = [];
  for (const input of word) {
    const operation = grant.operationOf(input);
    if (operation === undefined) outputs.push('nothing');
    else if (operation.verb === 'wait') {
      yield waitsUntil(operation.until, lives, issued);
      outputs.push('done');
    } else {
      const output = await grant.send(operation);
      outputs.push(output);
      if (isTimed && isIssue(output)) issued.access = await server.now();
      if (isIssue(output) && grant.access.length === 1) issued.exchange = issued.access;
    }
  }
  const after: Taken[] = [];
  if (!whole) return { outputs, after };
  for (const operation of remaining(issuedBy(outputs), server.offers(party)))
    after.push({ operation, output: await grant.send(operation) });
  return { outputs, after };
}

/** Plays a word in which no time passes. */
export async function playWord(server: TokenServer, word: Word, options: PlayOptions): Promise<PlayedWord> {
  const played = await playing(server, word, options).next();
  if (!played.done) throw new Error(`time passes in ${word.join(', ')}`);
  return played.value;
}

/** Grants whose waits end within so many seconds go on together: no life has an end that near behind a wait. */
const together = 30;

/**
 * Plays words, many at a time, on a server whose clock can be moved: on and on to where the next of them has to go on, so
 * that all grow old together, and the clock is moved as seldom as can be.
 */
export async function playOverTime(
  server: AgingServer,
  words: readonly Word[],
  options: PlayOptions,
  seen: (word: Word, outputs: readonly Output[]) => void,
): Promise<void> {
  let running = words.map((word) => ({ word, play: playing(server, word, options), until: -Infinity }));
  while (running.length > 0) {
    const next = Math.min(...running.map(({ until }) => until)) + together;
    const due = running.filter(({ until }) => until <= next);
    const waiting = running.filter(({ until }) => until > next);
    await server.to(Math.max(...due.map(({ until }) => until)), 0);
    await server.atOnce(due, async ({ word, play }) => {
      const { done, value } = await play.next();
      if (done) seen(word, value.outputs);
      else waiting.push({ word, play, until: value });
    });
    running = waiting;
  }
}

/** The tokens in the middle, and then all refresh tokens: the newest first, as reuse of the others may end the grant (K-076). */
function remaining({ access, refresh }: Issued, offer: Offer): readonly Request[] {
  const middle = Array.from({ length: Math.max(0, access - 2) }, (_, index) => index + 1);
  const newestFirst = Array.from({ length: refresh }, (_, index) => refresh - 1 - index);
  return [
    ...middle.map((token): Request => ({ verb: 'use', kind: 'access', token })),
    ...(offer.introspect ? middle.map((token): Request => ({ verb: 'introspect', kind: 'access', token })) : []),
    ...newestFirst.map((token): Request => ({ verb: 'refresh', token, misuse: 'none' })),
    // What was refused must stay so.
    ...newestFirst.map((token): Request => ({ verb: 'refresh', token, misuse: 'none' })),
  ];
}

/** The inputs that a server's offer allows, those that do something first. */
export const inputsFor = (offer: Offer, all: readonly Input[]): readonly Input[] =>
  all.filter((input) => isOffered(input, offer));

/** What the model says of a word that was played. */
export interface Judged {
  readonly model: GrantModel;
  /** Seconds that passed in it. */
  readonly now: number;
  /** Where server and model disagree: after so many requests, `after` included. */
  readonly disagreement?: Disagreement;
  readonly at?: number;
}

/** Holds what was answered to a word against the model. `asked` is told of each reading that it meets. */
export function judgeWord(
  word: Word,
  { outputs, after }: PlayedWord,
  {
    lives,
    readings = {},
    asked,
    onStep,
  }: {
    lives: Lives;
    readings?: Readings;
    asked?: Asked;
    onStep?: (input: Input, before: string, next: string, index: number) => void;
  },
): Judged {
  const model = new GrantModel(0, lives, readings, asked);
  const judge = new GrantJudge(model);
  let [at, now] = [0, 0];
  try {
    for (const [index, output] of outputs.entries()) {
      at = index;
      const operation = operationOf(word[index]!, issuedBy(outputs.slice(0, index)));
      if (operation === undefined || output === 'nothing') continue;
      const before = model.state;
      if (operation.verb === 'wait') now = Math.max(now, model.endOf(operation.until));
      judge.take(operation, output, { now });
      onStep?.(word[index]!, before, model.state, index);
    }
    for (const { operation, output } of after) {
      at += 1;
      judge.take(operation, output, { now });
    }
    return { model, now };
  } catch (error) {
    if (error instanceof Disagreement) return { model, now, disagreement: error, at };
    throw error;
  }
}

const answers = {
  exchange: ['tokens', 'refused'],
  refresh: ['tokens', 'refused'],
  revoke: ['done', 'refused'],
  use: ['works', 'refused'],
  introspect: ['active', 'inactive'],
  end: ['done', 'refused'],
  wait: ['done', 'done'],
} as const satisfies Readonly<Record<Operation['verb'], readonly [Output, Output]>>;

/** What may be answered to an input at all: that it is so, or not. */
export function answersTo(input: Input): readonly [Output, Output] {
  // With enough tokens every input makes its request, but for one that is over then.
  const operation = operationOf(input, { access: 2, refresh: 2 }) ?? operationOf(input, { access: 0, refresh: 0 });
  return answers[operation!.verb];
}

/** What a server that keeps the model answers to a word, with these readings. @throws Error where one that matters is open */
export function modelOutputs(word: Word, lives: Lives, readings: Readings): readonly Output[] {
  const model = new GrantModel(0, lives, readings);
  const judge = new GrantJudge(model);
  const outputs: Output[] = [];
  let now = 0;
  for (const input of word) {
    const operation = operationOf(input, issuedBy(outputs));
    if (operation === undefined) {
      outputs.push('nothing');
      continue;
    }
    if (operation.verb === 'wait') now = Math.max(now, model.endOf(operation.until));
    const must = judge.must(operation);
    if (must === undefined) throw new Error(`the readings do not settle what is answered to: ${word.join(', ')}`);
    const output = answers[operation.verb][must ? 0 : 1];
    judge.take(operation, output, { now });
    outputs.push(output);
  }
  return outputs;
}
