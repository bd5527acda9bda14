import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  approve,
  createBench,
  errorOf,
  exchange,
  post,
  refresh,
  second,
  signIn,
  tokensOf,
  verifier,
} from '../authority.fixture.js';
import { bearer } from '../bearer.js';
import { challengeOf } from '../pkce.js';

const codeFor = (bench: ReturnType<typeof createBench>, id = 'web', changes = {}): string =>
  approve(bench, id, 'alice', changes).get('code')!;

describe('a good exchange', () => {
  it('gives the tokens of the user who consented', () => {
    const bench = createBench();
    const tokens = signIn(bench, 'web', 'bob', { scope: 'account:stashes account:profile' });
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      refresh_token: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      expires_in: 2_592_000,
      token_type: 'bearer',
      scope: 'account:stashes account:profile',
      username: 'bob#1234',
      sub: bench.accounts.get('bob')!.uuid,
    });
    expect(bearer(`Bearer ${tokens.access_token}`, bench)).toMatchObject({
      kind: 'token',
      account: { key: 'bob' },
      client: { id: 'web' },
    });
  });

  it('works without a secret for a public client, and tells its 10 hours', () => {
    expect(signIn(createBench(), 'app')).toMatchObject({
      expires_in: 36_000,
      refresh_token: expect.anything() as string,
    });
  });

  it('gives no refresh token where they are not enabled', () => {
    expect(signIn(createBench(), 'plain')).not.toHaveProperty('refresh_token');
  });

  it('reports the enforced life where the switch says so', () => {
    expect(signIn(createBench({ 'tokens.expiresInMode': 'truthful' }), 'web').expires_in).toBe(2_419_200);
    expect(
      signIn(createBench({ 'tokens.expiresInMode': 'truthful', 'tokens.accessLife.confidential': 60 }), 'web')
        .expires_in,
    ).toBe(60);
  });

  it('takes any verifier of RFC 7636', () => {
    const unreserved = fc.constantFrom(...'ABCXYZabcxyz0189-._~');
    fc.assert(
      fc.property(fc.string({ unit: unreserved, minLength: 43, maxLength: 128 }), (text) => {
        const bench = createBench();
        const code = codeFor(bench, 'web', { code_challenge: challengeOf(text) });
        expect(errorOf(bench, { ...exchange(bench, 'web', code), code_verifier: text })).toBe('none');
      }),
    );
  });
});

describe('a bad exchange', () => {
  it.each(['code', 'redirect_uri', 'code_verifier'])('without %s is invalid_request', (name) => {
    const bench = createBench();
    const code = codeFor(bench);
    expect(errorOf(bench, { ...exchange(bench, 'web', code), [name]: '' })).toBe('invalid_request');
    expect(errorOf(bench, exchange(bench, 'web', code))).toBe('none');
  });

  it.each([
    ['an unknown code', { code: '0'.repeat(40) }],
    ['another redirect URI', { redirect_uri: 'https://web.example/cb/' }],
    ['another redirect URI of the client', { redirect_uri: 'https://web.example/cb?a=b%20c' }],
    ['another verifier', { code_verifier: `${verifier.slice(0, -1)}x` }],
    ['a longer verifier', { code_verifier: `${verifier}x` }],
    ['the challenge as verifier', { code_verifier: challengeOf(verifier) }],
    ['a verifier of too few characters', { code_verifier: 'short' }],
    ['a verifier of too many characters', { code_verifier: 'v'.repeat(129) }],
  ])('with %s is invalid_grant and does not use the code up', (_, change) => {
    const bench = createBench();
    const code = codeFor(bench);
    const answer = post(bench, { ...exchange(bench, 'web', code), ...change });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(answer.error?.reason).not.toContain(code);
    expect(answer.error?.reason).not.toContain(verifier.slice(0, 20));
    expect(errorOf(bench, exchange(bench, 'web', code))).toBe('none');
  });

  it('uses the code up where the switch says so', () => {
    const bench = createBench({ 'code.burnOnFailure': true });
    const code = codeFor(bench);
    expect(errorOf(bench, { ...exchange(bench, 'web', code), code_verifier: 'x'.repeat(43) })).toBe('invalid_grant');
    expect(errorOf(bench, exchange(bench, 'web', code))).toBe('invalid_grant');
  });

  it('by another client with the right verifier and URI is invalid_grant, and costs the owner nothing', () => {
    for (const bench of [createBench(), createBench({ 'code.burnOnFailure': true })]) {
      const code = codeFor(bench);
      const theft = { ...exchange(bench, 'other', code), redirect_uri: 'https://web.example/cb' };
      expect(errorOf(bench, theft)).toBe('invalid_grant');
      expect(errorOf(bench, exchange(bench, 'web', code))).toBe('none');
    }
  });

  it('with a short-lived code: good until 30 seconds, not at 30 seconds', () => {
    const bench = createBench();
    const [early, late] = [codeFor(bench), codeFor(bench)];
    bench.wait(30 * second - 1);
    expect(errorOf(bench, exchange(bench, 'web', early))).toBe('none');
    bench.wait(1);
    expect(errorOf(bench, exchange(bench, 'web', late))).toBe('invalid_grant');
  });

  it('does not give the code more time', () => {
    const bench = createBench();
    const code = codeFor(bench);
    bench.wait(20 * second);
    expect(errorOf(bench, { ...exchange(bench, 'web', code), code_verifier: 'x'.repeat(43) })).toBe('invalid_grant');
    bench.wait(20 * second);
    expect(errorOf(bench, exchange(bench, 'web', code))).toBe('invalid_grant');
  });
});

describe('a second exchange', () => {
  const twice = (switches = {}) => {
    const bench = createBench(switches);
    const code = codeFor(bench);
    const first = tokensOf(bench, exchange(bench, 'web', code));
    const other = signIn(bench, 'web');
    const again = (id: string): string =>
      errorOf(bench, { ...exchange(bench, id, code), redirect_uri: 'https://web.example/cb' });
    const alive = (token: string): boolean => bearer(`Bearer ${token}`, bench).kind === 'token';
    return { bench, first, other, again, alive };
  };

  it('fails and revokes what the first one gave, refreshed tokens too, and no other grant', () => {
    const { bench, first, other, again, alive } = twice();
    const refreshed = tokensOf(bench, refresh(bench, 'web', first.refresh_token!));
    expect(again('web')).toBe('invalid_grant');
    expect([first, refreshed, other].map(({ access_token }) => alive(access_token))).toEqual([false, false, true]);
    expect(errorOf(bench, refresh(bench, 'web', refreshed.refresh_token!))).toBe('invalid_grant');
  });

  it('revokes nothing where the switch says so, or where another client tries', () => {
    const kept = twice({ 'code.replayRevokes': false });
    expect(kept.again('web')).toBe('invalid_grant');
    expect(kept.alive(kept.first.access_token)).toBe(true);
    const tried = twice();
    expect(tried.again('other')).toBe('invalid_grant');
    expect(tried.alive(tried.first.access_token)).toBe(true);
  });

  it.each([
    ['an hour', 3600],
    ['almost the life of the refresh chain', 89 * 86_400],
  ])('is recognised after %s, whoever asked for something meanwhile', (_, seconds) => {
    const { bench, first, again } = twice();
    bench.wait(seconds * second);
    signIn(bench, 'web');
    const refreshed = tokensOf(bench, refresh(bench, 'web', first.refresh_token!));
    expect(again('web')).toBe('invalid_grant');
    expect(bearer(`Bearer ${refreshed.access_token}`, bench).kind).not.toBe('token');
  });
});

describe('scope at the exchange', () => {
  const withScope = (scope: string, switches = {}) => {
    const bench = createBench(switches);
    const form = exchange(bench, 'web', codeFor(bench, 'web', { scope: 'account:profile account:stashes' }));
    const answer = post(bench, { ...form, scope });
    return answer.status === 200 ? answer.body.scope : answer.body.error;
  };

  it('narrows, and never widens', () => {
    expect(withScope('account:stashes')).toBe('account:stashes');
    expect(withScope('account:stashes account:leagues')).toBe('invalid_scope');
    expect(withScope('account:stashes account:leagues', { 'scopes.unknown': 'drop' })).toBe('account:stashes');
  });

  it('narrows the refresh token too', () => {
    const bench = createBench();
    const form = exchange(bench, 'web', codeFor(bench, 'web', { scope: 'account:profile account:stashes' }));
    const tokens = tokensOf(bench, { ...form, scope: 'account:profile' });
    expect(tokensOf(bench, refresh(bench, 'web', tokens.refresh_token!)).scope).toBe('account:profile');
  });

  it('is ignored or refused where the switch says so', () => {
    expect(withScope('account:stashes nonsense', { 'exchange.scope': 'ignore' })).toBe(
      'account:profile account:stashes',
    );
    expect(withScope('account:stashes', { 'exchange.scope': 'reject' })).toBe('invalid_scope');
  });
});

describe('the form of tokens', () => {
  it('is what the switches say', () => {
    expect(signIn(createBench({ 'tokens.length': 100 }), 'web').refresh_token).toMatch(/^[0-9a-f]{100}$/);
    expect(signIn(createBench({ 'tokens.length': 20 }), 'web').access_token).toMatch(/^[0-9a-f]{20}$/);
    const bench = createBench({ 'tokens.form': 'jwt' });
    const { access_token } = signIn(bench, 'web');
    expect(access_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(bearer(`Bearer ${access_token}`, bench).kind).toBe('token');
  });

  it('has what forms and queries must encode where the switch says so, in codes too', () => {
    for (const length of [20, 40]) {
      const bench = createBench({ 'tokens.alphabet': 'reserved', 'tokens.length': length });
      const other = /^[0-9a-f]{6}\+\/%2B~Aa[0-9a-f]+==$/;
      expect(codeFor(bench)).toMatch(other);
      const { access_token, refresh_token = '' } = signIn(bench, 'web');
      expect(access_token).toMatch(/^[0-9a-f]{6}\+\/-\._~Aa[0-9a-f]+==$/);
      expect(refresh_token).toMatch(other);
      expect([access_token.length, refresh_token.length]).toEqual([length, length]);
      expect(bearer(`Bearer ${access_token}`, bench).kind).toBe('token');
      expect(errorOf(bench, refresh(bench, 'web', refresh_token))).toBe('none');
    }
  });
});
