import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createBench, question, second } from './authority.fixture.js';
import type { AuthorizationRequest } from './authorize.js';
import { authorize } from './authorize.js';
import { consent } from './consent.js';

const bench = createBench();
const asked = (changes: Record<string, string> = {}, on = bench): AuthorizationRequest => {
  const answer = authorize(question('web', changes, on), on);
  if (answer.kind !== 'consent') throw answer.error;
  return answer.request;
};
const queryOf = (location: string): Record<string, string> => Object.fromEntries(new URL(location).searchParams);

describe('consent', () => {
  it('gives a code and the state, and the code its 30 seconds', () => {
    const location = consent(asked(), { approve: true, account: 'alice' }, bench);
    const { code, ...rest } = queryOf(location);
    expect(location).toBe(`https://web.example/cb?code=${code}&state=a+state`);
    expect(rest).toEqual({ state: 'a state' });
    expect(bench.store.findCode(code!)).toMatchObject({
      grant: { account: 'alice', clientId: 'web', scopes: ['account:profile'] },
      issuedAt: bench.now(),
      expiresAt: bench.now() + 30 * second,
      used: false,
    });
  });

  it('gives every approval a code and a grant of its own', () => {
    const locations = Array.from({ length: 50 }, () => consent(asked(), { approve: true, account: 'alice' }, bench));
    const codes = locations.map((location) => bench.store.findCode(queryOf(location).code!)!);
    expect(new Set(codes.map(({ text }) => text)).size).toBe(50);
    expect(new Set(codes.map(({ grant }) => grant.id)).size).toBe(50);
  });

  it('returns any state of printable characters unchanged', () => {
    const printable = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((n) => String.fromCharCode(n)),
      minLength: 1,
      maxLength: 256,
    });
    fc.assert(
      fc.property(printable, (state) => {
        expect(queryOf(consent(asked({ state }), { approve: true, account: 'alice' }, bench)).state).toBe(state);
      }),
    );
  });

  it('grants a part', () => {
    const request = asked({ scope: 'account:profile account:stashes account:leagues' });
    const location = consent(
      request,
      { approve: true, account: 'alice', scopes: ['account:leagues', 'account:profile'] },
      bench,
    );
    expect(bench.store.findCode(queryOf(location).code!)?.grant.scopes).toEqual(['account:profile', 'account:leagues']);
  });

  it.each([
    ['a denial', { approve: false, account: 'alice' }],
    ['a denial by nobody', { approve: false, account: 'nobody' }],
    ['an empty part', { approve: true, account: 'alice', scopes: [] }],
  ])('tells the client of %s', (_, decision) => {
    const codes = [...bench.store.codes()].length;
    expect(queryOf(consent(asked(), decision, bench))).toMatchObject({ error: 'access_denied', state: 'a state' });
    expect([...bench.store.codes()]).toHaveLength(codes);
  });

  it('adds iss where the switch says so, and keeps the query of the redirect URI', () => {
    const withIss = createBench({ 'authorize.iss': true });
    const request = asked({ redirect_uri: 'https://web.example/cb?a=b%20c' }, withIss);
    expect(queryOf(consent(request, { approve: true, account: 'alice' }, withIss))).toMatchObject({
      a: 'b c',
      iss: withIss.issuer,
    });
    expect(queryOf(consent(request, { approve: false, account: 'alice' }, withIss))).toMatchObject({
      error: 'access_denied',
      iss: withIss.issuer,
    });
  });

  it('does not take accounts and scopes that the caller made up', () => {
    expect(() => consent(asked(), { approve: true, account: 'mallory' }, bench)).toThrow(
      "there is no account 'mallory'",
    );
    expect(() => consent(asked(), { approve: true, account: 'alice', scopes: ['account:stashes'] }, bench)).toThrow(
      'cannot be granted',
    );
  });
});
