import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { findingOf, runOf, verdictOf } from '../run.fixture.js';

describe('the address of a request', () => {
  const token = 'aB3'.repeat(12);
  const browser = { 'x-audit-browser': '1' };
  const judge = (target: string, told: Told = {}): string =>
    verdictOf('TOK-BEARER-002', runOf([[target, told]], { facts: { given: [token] } }));
  it.each([
    ['has no token', judge('/profile'), 'pass'],
    ['has a token', judge(`/profile?t=${token}`), 'violated'],
    ['has none in an authorization request', judge('/oauth/authorize?state=a', { headers: browser }), 'pass'],
    ['has one in an authorization request', judge(`/oauth/authorize?hint=${token}`, { headers: browser }), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

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
