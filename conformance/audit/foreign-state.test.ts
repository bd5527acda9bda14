import { expect, it } from 'vitest';

import { beginsWithStateOf } from './foreign-state.js';
import type { Told } from './run.fixture.js';
import { runOf } from './run.fixture.js';

const issue = (token: string): readonly [string, Told] => [
  '/oauth/token',
  { form: { grant_type: 'client_credentials' }, reply: { access_token: token, refresh_token: `${token}-again` } },
];
const calm = runOf([issue('a'), ['/league', { bearer: 'a' }]]);
const later = (...calls: readonly (readonly [string, Told])[]): string | undefined => {
  const run = runOf(calls, { world: { id: 'shuffled' } });
  return beginsWithStateOf(run, [calm, run]);
};

it('a world is begun with a token of another one', () => {
  expect(later(['/league', { bearer: 'a', status: 401 }], issue('b'), ['/league', { bearer: 'b' }])).toBe('calm');
  expect(later(['/oauth/token', { status: 400, form: { refresh_token: 'a-again' } }])).toBe('calm');
});

it('a world is begun with a token of its own, one that was given, or one that is made up', () => {
  expect(later(issue('b'), ['/league', { bearer: 'b' }])).toBeUndefined();
  expect(later(['/league', { bearer: 'token' }])).toBeUndefined();
  expect(later(['/league', { bearer: 'made-up', status: 401 }])).toBeUndefined();
});
