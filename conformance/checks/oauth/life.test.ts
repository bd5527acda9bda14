import { expect, it } from 'vitest';

import { verdictOf } from '../miniature.fixture.js';

it.each(['LIFE-002', 'LIFE-004'] as const)('%s says at what age a token still works', async (row) => {
  expect(await verdictOf(row, {})).toMatch(
    /^fail: .*30 days 1 min 1 s after its issue, of a lifetime of 30 days: .*got status 200/,
  );
});

it('LIFE-001 says at what age a token is refused too early', async () => {
  expect(await verdictOf('LIFE-001', { 'GET /profile': () => [401, {}] })).toMatch(
    /^fail: 27 days 23 h 59 min after its issue, of a lifetime of 28 days: .*got status 401/,
  );
});
