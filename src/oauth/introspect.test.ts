import { describe, expect, it } from 'vitest';

import type { Bench } from './authority.fixture.js';
import {
  approve,
  basic,
  createBench,
  credentials,
  day,
  errorOf,
  exchange,
  forItself,
  hour,
  refresh,
  signIn,
  tokensOf,
} from './authority.fixture.js';
import { introspectToken } from './introspect.js';

const ask = (bench: Bench, token: string, more = {}) =>
  introspectToken(new URLSearchParams({ ...credentials(bench, 'operations'), token, ...more }), undefined, bench).body;

describe('introspection of a live token', () => {
  it('tells all about an access token', () => {
    const bench = createBench();
    bench.wait(500);
    const tokens = signIn(bench, 'web', 'bob', { scope: 'account:stashes account:profile' });
    expect(ask(bench, tokens.access_token)).toEqual({
      active: true,
      scope: 'account:stashes account:profile',
      client_id: 'web',
      username: tokens.username,
      token_type: 'bearer',
      exp: Date.UTC(2026, 0, 29) / 1000 + 1,
      iat: Date.UTC(2026, 0, 1) / 1000,
      sub: tokens.sub,
    });
  });

  it('shows refresh tokens, whose end stays where it was', () => {
    const bench = createBench();
    const first = signIn(bench, 'app').refresh_token!;
    bench.wait(day);
    const before = ask(bench, first);
    const next = tokensOf(bench, refresh(bench, 'app', first)).refresh_token!;
    expect(before).toMatchObject({ active: true, client_id: 'app', exp: Date.UTC(2026, 0, 8) / 1000 });
    expect(before).not.toHaveProperty('token_type');
    expect(ask(bench, next)).toMatchObject({ active: true, exp: Date.UTC(2026, 0, 8) / 1000 });
    expect(ask(bench, first)).toEqual({ active: false });
  });

  it('gives client-credentials tokens no end', () => {
    const bench = createBench();
    const body = ask(bench, tokensOf(bench, forItself(bench, 'service')).access_token);
    expect(body).toMatchObject({ active: true, username: 'owner#1234' });
    expect(body).not.toHaveProperty('exp');
  });

  it('does not go by the hint', () => {
    const bench = createBench();
    const { access_token, refresh_token } = signIn(bench, 'web');
    for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense']) {
      expect(ask(bench, access_token, { token_type_hint })).toMatchObject({ active: true });
      expect(ask(bench, refresh_token!, { token_type_hint })).toMatchObject({ active: true });
    }
  });

  it('shows active alone where the switch says so', () => {
    const bench = createBench({ 'introspect.detail': 'active' });
    expect(ask(bench, signIn(bench, 'web').access_token)).toEqual({ active: true });
  });

  it('changes nothing', () => {
    const bench = createBench();
    const code = approve(bench, 'web').get('code')!;
    const { refresh_token } = signIn(bench, 'web');
    ask(bench, code);
    ask(bench, refresh_token!);
    expect(errorOf(bench, exchange(bench, 'web', code))).toBe('none');
    expect(errorOf(bench, refresh(bench, 'web', refresh_token!))).toBe('none');
  });
});

describe('introspection of anything else', () => {
  it('says inactive and nothing more', () => {
    const bench = createBench();
    const { access_token } = signIn(bench, 'app');
    const revoked = signIn(bench, 'web').access_token;
    bench.store.endToken(revoked, 'revoked');
    bench.wait(10 * hour);
    const code = approve(bench, 'web').get('code')!;
    for (const token of [access_token, revoked, code, 'unknown', 'operations'])
      expect(ask(bench, token)).toEqual({ active: false });
  });
});

describe('who may ask', () => {
  const status = (form: Record<string, string>, authorization?: string, bench = createBench()) =>
    introspectToken(new URLSearchParams(form), authorization, bench).status;

  it('is a bearer token or a client with the scope', () => {
    const bench = createBench();
    const own = tokensOf(bench, forItself(bench, 'operations')).access_token;
    expect(status({ token: 'x' }, `Bearer ${own}`, bench)).toBe(200);
    expect(status({ token: 'x' }, basic('operations', bench.client('operations').secret!))).toBe(200);
  });

  it('is nobody else, and nobody else learns anything', () => {
    const bench = createBench();
    const { access_token } = signIn(bench, 'web');
    for (const [expected, form, authorization] of [
      [401, {}, undefined],
      [401, { client_id: 'operations' }, undefined],
      [401, { client_id: 'operations', client_secret: 'x' }, undefined],
      [403, {}, `Bearer ${access_token}`],
      [400, credentials(bench, 'web'), undefined],
    ] as const) {
      const answer = introspectToken(new URLSearchParams({ ...form, token: access_token }), authorization, bench);
      expect(answer.status).toBe(expected);
      expect(answer.body).not.toHaveProperty('active');
    }
  });

  it('has to name a token', () => {
    expect(status(credentials(createBench(), 'operations'))).toBe(400);
  });

  it('cannot ask with a revoked token', () => {
    const bench = createBench();
    const own = tokensOf(bench, forItself(bench, 'operations')).access_token;
    bench.store.endToken(own, 'revoked');
    expect(status({ token: own }, `Bearer ${own}`, bench)).toBe(401);
  });
});
