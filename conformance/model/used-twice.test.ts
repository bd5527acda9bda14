import { expect, it } from 'vitest';

import { createCoverage } from '../engine/coverage.js';
import type { Run } from '../engine/run.js';
import type { Call } from '../histories/history.js';
import { isTold } from './used-twice.js';

const lifecycle = createCoverage();
const run = { facts: { lifecycle } } as unknown as Run;
const call = (verb: Call['verb'], token?: string, reply: Call['reply'] = { issued: [] }): Call => ({
  caller: 0,
  verb,
  ...(token !== undefined && { token }),
  sent: 0,
  ended: 1,
  reply,
});
const told = (...calls: Call[]): boolean =>
  isTold(run, { calls: [call('consent'), call('exchange', 'code'), ...calls], culprit: 0 });

it('leaves two refreshes with one token to the row that has said so, and nothing else', () => {
  const twice = [call('refresh', 'r1'), call('refresh', 'r1')];
  expect(told(...twice)).toBe(false);
  lifecycle.usedTwice.add('refresh');
  expect(told(...twice)).toBe(true);
  expect(told(call('refresh', 'r1'), call('refresh', 'r2'))).toBe(false);
  expect(told(...twice, call('use', 'a1', 'works'))).toBe(false);
  expect(told(call('refresh', 'r1'), call('refresh', 'r1', 'refused'))).toBe(false);
  expect(told(call('exchange', 'code'))).toBe(false);
});
