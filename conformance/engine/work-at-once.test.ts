import { expect, it } from 'vitest';

import type { Answer } from '../wire/answer.js';
import type { Grant, OAuth } from './run.js';
import { workAtOnce } from './work-at-once.js';

/** What is found of a server that decides by the age of a token, in tokens, and by how often it was used. */
function found(works: (age: number, uses: number) => boolean): Promise<number | undefined> {
  const uses: number[] = [];
  const make = async (): Promise<Grant> => ({ access: String(uses.push(0) - 1), scopes: [] }) as unknown as Grant;
  const probe: OAuth['probe'] = async (access) => {
    const at = Number(access);
    uses[at]! += 1;
    return { status: works(uses.length - 1 - at, uses[at]!) ? 200 : 401 } as Answer;
  };
  return workAtOnce({ oauth: { probe } }, make, 24);
}

it.each([
  ['each works on', () => true, undefined],
  ['the last works alone', (age: number) => age === 0, 1],
  ['the last ten work', (age: number) => age < 10, 10],
  ['more work than are tried', (age: number) => age < 25, undefined],
  ['each works so many times, whatever is made', (_: number, uses: number) => uses <= 8, undefined],
  ['none works', () => false, undefined],
])('how many work at once is found out where %s', async (_, works, expected) => {
  expect(await found(works)).toBe(expected);
});
