import { expect, it } from 'vitest';

import { mint } from '../../oauth/index.js';
import { usualService } from '../service.fixture.js';
import { putState, stateOf } from './state.js';

it('takes over a journal that is off without what a journal costs: no secret is indexed until one records', async () => {
  const [one, other] = [usualService(), usualService()];
  const token = mint({ client: 'example-service', scopes: ['service:leagues'] }, one.authority).access_token;
  const hidden = (): string => other.secrets.hide(token, () => 'hidden');

  await putState(stateOf(one, undefined), other, undefined);
  expect(other.journal.recording).toBe(false);
  expect(hidden()).toBe(token);

  await one.journal.start({ entries: 3 });
  await putState(stateOf(one, undefined), other, undefined);
  expect(other.journal.recording).toBe(true);
  expect(other.journal.bounds).toEqual(one.journal.bounds);
  expect(hidden()).toBe('hidden');
});
