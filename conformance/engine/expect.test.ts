import { expect, it } from 'vitest';

import type { Answer } from '../wire/answer.js';
import type { Environment } from './environment.js';
import { Expectations } from './expect.js';
import type { OAuth } from './run.js';

it('says of a member that is missing what the body is, where it has no members', () => {
  const expectations = new Expectations({} as Environment, {} as OAuth, 'PROFILE-001');
  const answer = (json: unknown): Answer => ({
    number: 1,
    asked: { server: 'data', args: {} },
    request: { method: 'GET', url: '/profile', headers: {} },
    status: 200,
    headers: { 'content-type': 'text/html' },
    text: '<p>',
    json,
    ms: 1,
  });
  const miss = (json: unknown) => () => expectations.that(false, 'the string name', undefined, answer(json));
  expect(miss(undefined)).toThrow('got status 200 with a body that is not JSON (text/html)');
  expect(miss({})).toThrow('got nothing');
});
