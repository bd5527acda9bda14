import { describe, expect, it } from 'vitest';

import { findingOf, runOf } from '../run.fixture.js';

describe('a credential that is no token', () => {
  const token = 'aB3'.repeat(12);
  const judge = (bearer: string): string | undefined =>
    findingOf('TOK-BEARER-003', runOf([['/profile', { bearer }]], { facts: { given: [token], issued: () => false } }))
      .violations[0]?.got;

  it.each([
    ['cut off', token.slice(0, 20), '20 of the 36 characters of a token'],
    ['in quotes', `"${token}"`, 'a token with 2 more characters around it'],
    ['in another case', token.toLowerCase(), 'a token in another letter case'],
    ['made up', 'secret', 'a text of 6 characters that the service has not issued'],
    ['of a language', 'undefined', '"undefined", what a language writes where there is no value'],
  ])('is described without a part of it: %s', (_, bearer, expected) => {
    expect(judge(bearer)).toBe(expected);
  });

  it('is not reported where it is one', () => {
    expect(judge(token)).toBeUndefined();
  });
});
