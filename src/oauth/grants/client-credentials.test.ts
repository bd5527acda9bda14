import { describe, expect, it } from 'vitest';

import { createBench, credentials, day, errorOf, forItself, tokensOf } from '../authority.fixture.js';
import { bearer } from '../bearer.js';

describe('client_credentials', () => {
  it("gives an endless token with the owner's identity and no refresh token", () => {
    const bench = createBench();
    const tokens = tokensOf(bench, forItself(bench, 'service', 'service:psapi service:leagues'));
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      expires_in: null,
      token_type: 'bearer',
      scope: 'service:psapi service:leagues',
      username: 'owner#1234',
      sub: bench.accounts.get('owner')!.uuid,
    });
    bench.wait(20 * 365 * day);
    expect(bearer(`Bearer ${tokens.access_token}`, bench).kind).toBe('token');
  });

  it('gives all that the client may have where none is named', () => {
    const bench = createBench();
    const { scope } = tokensOf(bench, forItself(bench, 'service'));
    expect(scope.split(' ')).toEqual(bench.client('service').credentialScopes);
  });

  it('knows the scopes of its edition only', () => {
    const bench = createBench({}, { without: ['service:cxapi'] });
    expect(tokensOf(bench, forItself(bench, 'service')).scope).not.toContain('service:cxapi');
    expect(errorOf(bench, forItself(bench, 'service', 'service:cxapi'))).toBe('invalid_scope');
  });

  it.each(['service:everything', 'service:leagues nonsense', 'oauth:revoke', 'account:stashes', ' '])(
    'refuses the scope %s',
    (scope) => {
      const bench = createBench();
      expect(errorOf(bench, forItself(bench, 'service', scope))).toBe('invalid_scope');
    },
  );

  it('leaves out what it cannot grant where the switch says so', () => {
    const bench = createBench({ 'scopes.unknown': 'drop' });
    expect(tokensOf(bench, forItself(bench, 'service', 'nonsense service:leagues')).scope).toBe('service:leagues');
  });

  it('is for confidential clients that have scopes of their own', () => {
    const bench = createBench();
    expect(
      errorOf(bench, { ...credentials(bench, 'app'), grant_type: 'client_credentials', scope: 'service:leagues' }),
    ).toBe('unauthorized_client');
    expect(errorOf(bench, forItself(bench, 'limited'))).toBe('unauthorized_client');
  });

  it('omits expires_in, or sorts the scopes, where a switch says so', () => {
    const bench = createBench({ 'tokens.nullExpiresIn': 'omit', 'scopes.order': 'sorted' });
    const tokens = tokensOf(bench, forItself(bench, 'service', 'service:psapi service:leagues'));
    expect(tokens).not.toHaveProperty('expires_in');
    expect(tokens.scope).toBe('service:leagues service:psapi');
  });
});
