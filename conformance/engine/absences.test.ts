import { expect, it } from 'vitest';

import { operationList } from '../../src/contract/index.js';
import { mostAdvice } from '../report/rows.js';
import type { Answer } from '../wire/answer.js';
import { Absences } from './absences.js';

/** The advice after answers to operations, each with its status. */
const adviceOf = (...seen: readonly (readonly [string, number])[]): readonly string[] => {
  const absences = new Absences();
  for (const [operation, status] of seen) absences.see({ asked: { operation }, status } as unknown as Answer);
  return absences.advice();
};

it('names operations that are answered as if they were not there', () => {
  expect(adviceOf(['getProfile', 404], ['getProfile', 401], ['listLeagues', 200], ['revokeToken', 405])).toEqual([
    '2 operations answered every request with 404, 405 or 501. If the server does not offer them, ' +
      'write not_offered: [getProfile, revokeToken] in the target, and they will not be tested.',
  ]);
});

it('names each of them, whatever their number, in no more than a report shows of advice', () => {
  const ids = operationList.map(({ id }) => id);
  const [advice = ''] = adviceOf(...ids.map((id) => [id, 404] as const));
  expect(advice).toContain(`[${ids.join(', ')}]`);
  expect(advice.length).toBeLessThan(mostAdvice);
});

it.each([
  [
    'was there once',
    [
      ['getLeague', 404],
      ['getLeague', 200],
      ['getLeague', 404],
    ],
  ],
  [
    'refuses whoever asks',
    [
      ['getLeague', 401],
      ['getLeague', 403],
    ],
  ],
  [
    'answers otherwise',
    [
      ['getLeague', 404],
      ['getLeague', 400],
    ],
  ],
] as const)('does not name one that %s', (_, seen) => {
  expect(adviceOf(...seen)).toEqual([]);
});
