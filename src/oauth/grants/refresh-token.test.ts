import { describe, expect, it } from 'vitest';

import {
  createBench,
  credentials,
  day,
  errorOf,
  exchange,
  approve,
  hour,
  post,
  refresh,
  second,
  signIn,
  tokensOf,
} from '../authority.fixture.js';
import { bearer } from '../bearer.js';

const scopes = { scope: 'account:profile account:stashes' };
const start = (switches = {}, id = 'web') => {
  const bench = createBench(switches);
  const tokens = signIn(bench, id, 'alice', scopes);
  return {
    bench,
    tokens,
    rotate: (token: string) => tokensOf(bench, refresh(bench, id, token)),
    error: (token: string, more = {}) => errorOf(bench, { ...refresh(bench, id, token), ...more }),
    alive: (token: string) => bearer(`Bearer ${token}`, bench).kind === 'token',
  };
};

describe('a refresh', () => {
  it.each(['web', 'app'])('gives %s new tokens with the same identity and scopes', (id) => {
    const { tokens, rotate, alive } = start({}, id);
    const next = rotate(tokens.refresh_token!);
    expect(next).toEqual({ ...tokens, access_token: next.access_token, refresh_token: next.refresh_token });
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect([tokens, next].map(({ access_token }) => alive(access_token))).toEqual([true, true]);
  });

  it('uses the old token up at once: in a chain only the newest works', () => {
    const { tokens, rotate, error } = start();
    const chain = [tokens.refresh_token!];
    for (let n = 0; n < 5; n += 1) chain.push(rotate(chain.at(-1)!).refresh_token!);
    for (const old of chain.slice(0, -1)) expect(error(old)).toBe('invalid_grant');
    expect(error(chain.at(-1)!)).toBe('none');
  });

  it.each([
    ['web', 90 * day],
    ['app', 7 * day],
  ])('keeps the end of the chain of %s', (id, life) => {
    for (const past of [0, 1]) {
      const { bench, tokens, rotate, error } = start({}, id);
      let last = tokens.refresh_token!;
      for (let n = 0; n < 4; n += 1) {
        bench.wait(life / 5);
        last = rotate(last).refresh_token!;
      }
      bench.wait(life / 5 - 1 + past);
      expect(error(last)).toBe(past ? 'invalid_grant' : 'none');
    }
  });

  it('gives the access token its full life, or what is left of the chain where the switch says so', () => {
    const late = (switches = {}) => {
      const { bench, tokens, rotate, alive } = start({ 'tokens.expiresInMode': 'truthful', ...switches });
      bench.wait(80 * day);
      const next = rotate(tokens.refresh_token!);
      bench.wait(10 * day);
      return [next.expires_in, alive(next.access_token)];
    };
    expect(late()).toEqual([28 * 24 * 3600, true]);
    expect(late({ 'refresh.capAccessToChain': true })).toEqual([10 * 24 * 3600, false]);
  });

  it('works after the access token has expired', () => {
    const { bench, tokens, error } = start({}, 'app');
    bench.wait(11 * hour);
    expect(error(tokens.refresh_token!)).toBe('none');
  });

  it('narrows the access token only', () => {
    const { bench, tokens, rotate, error } = start();
    const narrow = tokensOf(bench, { ...refresh(bench, 'web', tokens.refresh_token!), scope: 'account:stashes' });
    expect(narrow.scope).toBe('account:stashes');
    expect(error(narrow.refresh_token!, { scope: 'account:leagues' })).toBe('invalid_scope');
    expect(rotate(narrow.refresh_token!).scope).toBe(scopes.scope);
  });

  it('revokes the old access token where the switch says so', () => {
    const { tokens, rotate, alive } = start({ 'refresh.revokeOldAccess': true });
    const next = rotate(tokens.refresh_token!);
    expect([tokens, next].map(({ access_token }) => alive(access_token))).toEqual([false, true]);
  });
});

describe('a refused refresh', () => {
  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
    ['no secret', { client_secret: '' }, 'invalid_client'],
    ['no token', { refresh_token: '' }, 'invalid_request'],
    ['a scope that was not granted', { scope: 'account:profile account:leagues' }, 'invalid_scope'],
  ])('for %s does not use the token up', (_, change, expected) => {
    const { tokens, error } = start();
    expect(error(tokens.refresh_token!, change)).toBe(expected);
    expect(error(tokens.refresh_token!)).toBe('none');
  });

  it('for another client is invalid_grant, and the token stays with its own', () => {
    const { bench, tokens, error } = start();
    expect(errorOf(bench, refresh(bench, 'other', tokens.refresh_token!))).toBe('invalid_grant');
    expect(errorOf(bench, refresh(bench, 'app', tokens.refresh_token!))).toBe('invalid_grant');
    expect(error(tokens.refresh_token!)).toBe('none');
  });

  it('for a client without refresh tokens is unauthorized_client', () => {
    const { bench, tokens } = start();
    expect(errorOf(bench, refresh(bench, 'plain', tokens.refresh_token!))).toBe('unauthorized_client');
  });

  it('for anything that is not a live refresh token is invalid_grant', () => {
    const { bench, tokens, error } = start();
    const code = approve(bench, 'web').get('code')!;
    const text = tokens.refresh_token!;
    for (const wrong of [tokens.access_token, code, 'x', text.toUpperCase(), text.slice(1), `${text}0`])
      expect(error(wrong)).toBe('invalid_grant');
    expect(errorOf(bench, exchange(bench, 'web', code))).toBe('none');
    expect(error(text)).toBe('none');
  });

  it('says in the log what happened to the token, without telling it', () => {
    const { bench, tokens, rotate } = start();
    const reasonOf = (token: string) => post(bench, refresh(bench, 'web', token)).error?.reason;
    const text = tokens.refresh_token!;
    const next = rotate(text).refresh_token!;
    expect(reasonOf(text)).toBe(`the refresh token ${text.slice(0, 6)}... was used before`);
    bench.wait(90 * day + 5 * second);
    expect(reasonOf(next)).toBe(`the refresh token ${next.slice(0, 6)}... expired 5 s ago`);
    expect(reasonOf('f'.repeat(40))).toBe('the refresh token ffffff... is unknown');
    expect(reasonOf('undefined')).toBe("the refresh token 'undefined' is unknown");
    expect(reasonOf('f'.repeat(9))).toBe('the refresh token (9 characters) is unknown');
  });
});

describe('reuse of a refresh token', () => {
  const reuse = (switches = {}) => {
    const { bench, tokens, rotate, error, alive } = start(switches);
    const other = signIn(bench, 'web');
    const next = rotate(tokens.refresh_token!);
    const stolen = errorOf(bench, {
      ...credentials(bench, 'other'),
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token!,
    });
    const survives = alive(next.access_token);
    return [
      stolen,
      survives,
      error(tokens.refresh_token!),
      alive(next.access_token),
      error(next.refresh_token!),
      error(other.refresh_token!),
    ];
  };

  it('is refused and has no other effect', () => {
    expect(reuse()).toEqual(['invalid_grant', true, 'invalid_grant', true, 'none', 'none']);
  });

  it('ends the grant and no other where the switch says so, but only when its own client tries', () => {
    expect(reuse({ 'refresh.reuseRevokesFamily': true })).toEqual([
      'invalid_grant',
      true,
      'invalid_grant',
      false,
      'invalid_grant',
      'none',
    ]);
  });
});
