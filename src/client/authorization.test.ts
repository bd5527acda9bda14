import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { authorizationUrl, readRedirect } from './authorization.js';
import { OAuthFailure } from './failure.js';
import { challengeOf, createVerifier, newState } from './pkce.js';

function failureOf(step: () => unknown): OAuthFailure {
  try {
    step();
  } catch (error) {
    if (error instanceof OAuthFailure) return error;
  }
  throw new Error('expected an OAuthFailure');
}

describe('PKCE', () => {
  it('makes the challenge of RFC 7636 appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('makes verifiers and states of 43 characters that do not repeat', () => {
    const made = [...Array.from({ length: 50 }, createVerifier), ...Array.from({ length: 50 }, newState)];
    for (const text of made) expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(made).size).toBe(100);
  });
});

describe('authorizationUrl', () => {
  it('carries the seven parameters', () => {
    const url = authorizationUrl({
      authUrl: 'http://mock.test/',
      clientId: 'example-web',
      redirectUri: 'https://app.example/callback?tenant=7',
      scopes: ['account:profile', 'account:stashes'],
      state: 's',
      challenge: 'c',
    });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe('http://mock.test/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'example-web',
      response_type: 'code',
      scope: 'account:profile account:stashes',
      state: 's',
      redirect_uri: 'https://app.example/callback?tenant=7',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    });
  });
});

describe('readRedirect', () => {
  it('returns the code of an absolute URL and of a request path', () => {
    expect(readRedirect('https://app.example/callback?tenant=7&code=abc&state=s', 's')).toBe('abc');
    expect(readRedirect('/callback?state=s&code=abc', 's')).toBe('abc');
    expect(readRedirect(new URL('http://127.0.0.1:8400/callback?state=s&code=abc'), 's')).toBe('abc');
  });

  it('returns any code with any state, however they are spelled', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (code, state) => {
        expect(readRedirect(`/callback?${new URLSearchParams({ code, state }).toString()}`, state)).toBe(code);
      }),
    );
  });

  it('trusts no other state', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (given, wanted) => {
        fc.pre(given !== wanted);
        const url = `/callback?${new URLSearchParams({ code: 'abc', state: given }).toString()}`;
        expect(failureOf(() => readRedirect(url, wanted)).error).toBe('state_mismatch');
      }),
    );
  });

  it('checks the state before it believes an error', () => {
    expect(failureOf(() => readRedirect('/callback?error=access_denied', 's')).error).toBe('state_mismatch');
    expect(failureOf(() => readRedirect('/callback?code=abc&state=', '')).error).toBe('state_mismatch');
  });

  it('turns an error into a failure with its words', () => {
    const failure = failureOf(() =>
      readRedirect('/callback?error=access_denied&error_description=The+user+said+no&state=s', 's'),
    );
    expect(failure).toMatchObject({ error: 'access_denied', description: 'The user said no', status: null });
    expect(failure.message).toBe('authorization: access_denied, The user said no');
  });

  it.each([
    '/callback?state=s',
    '/callback?state=s&code=',
    '/callback?state=s&code=a&code=b',
    '/callback?state=s&state=s&code=a',
  ])('refuses %s', (url) => expect(failureOf(() => readRedirect(url, 's')).error).toBe('invalid_redirect'));
});
