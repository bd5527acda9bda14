import { describe, expect, it } from 'vitest';

import type { Scope } from '../contract/index.js';
import { createBench, errorOf, refresh } from './authority.fixture.js';
import { bearer } from './bearer.js';
import { metadata } from './metadata.js';
import { mint } from './mint.js';

describe('mint', () => {
  const bench = createBench();

  it("makes a user's tokens as a consent would", () => {
    const tokens = mint({ account: 'bob', client: 'web', scopes: ['account:profile'] }, bench);
    expect(tokens).toMatchObject({ scope: 'account:profile', username: 'bob#1234', expires_in: 2_592_000 });
    expect(errorOf(bench, refresh(bench, 'web', tokens.refresh_token!))).toBe('none');
    expect(mint({ account: 'bob', client: 'plain' }, bench)).not.toHaveProperty('refresh_token');
  });

  it("makes a client's own token where there is no account, or only that way leads to the scopes", () => {
    for (const order of [
      { client: 'service' },
      { client: 'service', account: 'owner', scopes: ['service:leagues'] as Scope[] },
    ]) {
      const tokens = mint(order, bench);
      expect(tokens).toMatchObject({ username: 'owner#1234', expires_in: null });
      expect(tokens).not.toHaveProperty('refresh_token');
      expect(bearer(`Bearer ${tokens.access_token}`, bench)).toMatchObject({
        token: { grant: { kind: 'client_credentials' } },
      });
    }
  });

  it('gives all that can be had where no scopes are named', () => {
    expect(mint({ account: 'alice', client: 'limited' }, bench).scope).toBe('account:profile account:leagues');
    expect(mint({ client: 'operations' }, bench).scope).toBe('oauth:revoke oauth:introspect');
  });

  it.each([
    ["there is no client 'nobody'", { client: 'nobody' }],
    ["there is no account 'nobody'", { client: 'web', account: 'nobody' }],
    [
      'limited cannot have account:stashes',
      { client: 'limited', account: 'alice', scopes: ['account:stashes'] as Scope[] },
    ],
    ['app cannot have service:leagues', { client: 'app', account: 'alice', scopes: ['service:leagues'] as Scope[] }],
    ['web cannot have a token without scopes', { client: 'web', account: 'alice', scopes: [] }],
    [
      "is its owner's, 'owner', not 'alice'",
      { client: 'service', account: 'alice', scopes: ['service:leagues'] as Scope[] },
    ],
  ])('refuses with "%s"', (message, order) => {
    expect(() => mint(order, bench)).toThrow(message);
  });
});

describe('metadata', () => {
  it('names endpoints below the issuer and follows the switches', () => {
    const plain = metadata(createBench());
    expect(plain).toMatchObject({
      issuer: 'http://127.0.0.1:4010',
      introspection_endpoint: 'http://127.0.0.1:4010/oauth/token/introspect',
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
      authorization_response_iss_parameter_supported: false,
    });
    expect(plain.scopes_supported).toHaveLength(15);
    const other = metadata(createBench({ 'clientAuth.basic': false, 'revoke.auth': 'bearer', 'authorize.iss': true }));
    expect(other.token_endpoint_auth_methods_supported).toEqual(['client_secret_post', 'none']);
    expect(other).not.toHaveProperty('revocation_endpoint_auth_methods_supported');
    expect(other.authorization_response_iss_parameter_supported).toBe(true);
  });
});
