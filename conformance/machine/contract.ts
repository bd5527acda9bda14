import { readings, waits } from '../model/grant.js';
import type { Lives, Reading, Readings } from '../model/grant.js';
import { actions, observations } from '../model/inputs.js';
import type { Input, Word } from '../model/inputs.js';
import { violations } from './certificate.js';
import { Learner } from './learner.js';
import { minimal } from './machine.js';
import type { Machine } from './machine.js';
import { modelOutputs } from './player.js';

/** All that can be done to one grant and asked about it, but for the user's page, which ends other grants too. */
export const inputs: readonly Input[] = [
  ...(Object.keys(actions) as (keyof typeof actions)[]).filter((action) => action !== 'user ends'),
  ...(Object.keys(observations) as (keyof typeof observations)[]),
];

/** The same where time passes, with less beside it: each life that can end multiplies the states. */
export const timedInputs: readonly Input[] = [
  'exchange',
  'refresh',
  'refresh old',
  'revoke access',
  'revoke refresh',
  'use access',
  'introspect access',
  'introspect refresh',
  ...(Object.keys(waits) as (keyof typeof waits)[]),
];

/** What is asked after a word to see where the grant is. */
export const look: Word = Object.keys(observations) as (keyof typeof observations)[];

/** Generations of tokens that are told apart: the tokens of the exchange, of a refresh, and of a refresh after a refresh. */
export const generations = 3;

/** Where no time passes, no life ends. */
export const noLives: Lives = {
  code: Infinity,
  access: Infinity,
  accessEnd: Infinity,
  chain: Infinity,
  margin: 0,
  codeMargin: 0,
};

/** The readings of this project's mock, as `mock` in gaps.yaml says them. */
export const mockReadings: Readonly<Record<Reading, boolean>> = {
  ...(Object.fromEntries(Object.keys(readings).map((reading) => [reading, false])) as Record<Reading, boolean>),
  'a replay ends the grant': true,
  'a wrong replay ends the grant': true,
  'revoking a refresh token ends the access tokens': true,
  'revoking a used refresh token ends the grant': true,
  'the shorter of the two lives ends access tokens': true,
};

/**
 * The machine of the contract with these readings: the model, explored. Nothing else says how it behaves.
 *
 * @throws Error where a reading that matters is not settled
 */
export async function contractMachine(
  settled: Readings = mockReadings,
  {
    only = inputs,
    lives = noLives,
    byGeneration = false,
  }: { readonly only?: readonly Input[]; readonly lives?: Lives; readonly byGeneration?: boolean } = {},
): Promise<Machine> {
  const learner = new Learner({
    ask: async (words, seen) => words.forEach((word) => seen(word, modelOutputs(word, lives, settled))),
    inputs: only,
    look: look.filter((input) => only.includes(input)),
    extra: 1,
    maxStates: 100,
    generations,
    alsoAsk: (machine) => violations(machine, lives, settled).map(({ word }) => word),
  });
  const { machine, broken } = await learner.learn();
  if (broken?.why === 'unreachable') throw broken.error;
  if (broken) throw new Error(`the model is no machine: ${broken.why}`);
  return byGeneration ? machine : minimal(machine);
}
