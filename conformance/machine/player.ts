import { GrantModel } from '../model/grant.js';
import type { Asked, Lives, Readings } from '../model/grant.js';
import { issuedBy, operationOf, isOffered } from '../model/inputs.js';
import type { Input, Issued, Operation, Output, Word } from '../model/inputs.js';
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
  readonly identities: Map<string, string>;
  /** Also asks, at the end, about every token that there is. */
  readonly whole?: boolean;
}

/** Plays a word on a grant of its own. */
export async function playWord(
  server: TokenServer,
  word: Word,
  { party, identities, whole }: PlayOptions,
): Promise<PlayedWord> {
  const grant = await PlayedGrant.open(server, party, identities);
  const outputs: Output[] = [];
  for (const input of word) {
    const operation = grant.operationOf(input);
    outputs.push(operation === undefined ? 'nothing' : await grant.send(operation));
  }
  const after: Taken[] = [];
  if (!whole) return { outputs, after };
  const ask = async (operation: Operation): Promise<void> =>
    void after.push({ operation, output: await grant.send(operation) });
  for (const operation of remaining(issuedBy(outputs), server.offers(party))) await ask(operation);
  return { outputs, after };
}

/** The tokens in the middle, and then all refresh tokens: the newest first, as reuse of the others may end the grant (K-076). */
function remaining({ access, refresh }: Issued, offer: Offer): readonly Operation[] {
  const middle = Array.from({ length: Math.max(0, access - 2) }, (_, index) => index + 1);
  const newestFirst = Array.from({ length: refresh }, (_, index) => refresh - 1 - index);
  return [
    ...middle.map((token): Operation => ({ verb: 'use', kind: 'access', token })),
    ...(offer.introspect ? middle.map((token): Operation => ({ verb: 'introspect', kind: 'access', token })) : []),
    ...newestFirst.map((token): Operation => ({ verb: 'refresh', token, misuse: 'none' })),
    // What was refused must stay so.
    ...newestFirst.map((token): Operation => ({ verb: 'refresh', token, misuse: 'none' })),
  ];
}

/** The inputs that a server's offer allows, those that do something first. */
export const inputsFor = (offer: Offer, all: readonly Input[]): readonly Input[] =>
  all.filter((input) => isOffered(input, offer));

/** What the model says of a word that was played. */
export interface Judged {
  readonly model: GrantModel;
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
  let at = 0;
  try {
    for (const [index, output] of outputs.entries()) {
      at = index;
      const operation = operationOf(word[index]!, issuedBy(outputs.slice(0, index)));
      if (operation === undefined || output === 'nothing') continue;
      const before = model.state;
      judge.take(operation, output);
      onStep?.(word[index]!, before, model.state, index);
    }
    for (const { operation, output } of after) {
      at += 1;
      judge.take(operation, output);
    }
    return { model };
  } catch (error) {
    if (error instanceof Disagreement) return { model, disagreement: error, at };
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
} as const satisfies Readonly<Record<Operation['verb'], readonly [Output, Output]>>;

/** What may be answered to an input at all: that it is so, or not. */
export function answersTo(input: Input): readonly [Output, Output] {
  // With enough tokens every input makes its request.
  return answers[operationOf(input, { access: 2, refresh: 2 })!.verb];
}

/** What a server that keeps the model answers to a word, with these readings. @throws Error where one that matters is open */
export function modelOutputs(word: Word, lives: Lives, readings: Readings): readonly Output[] {
  const judge = new GrantJudge(new GrantModel(0, lives, readings));
  const outputs: Output[] = [];
  for (const input of word) {
    const operation = operationOf(input, issuedBy(outputs));
    if (operation === undefined) {
      outputs.push('nothing');
      continue;
    }
    const must = judge.must(operation);
    if (must === undefined) throw new Error(`the readings do not settle what is answered to: ${word.join(', ')}`);
    const output = answers[operation.verb][must ? 0 : 1];
    judge.take(operation, output);
    outputs.push(output);
  }
  return outputs;
}
