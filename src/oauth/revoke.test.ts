import { describe, expect, it } from 'vitest';

import type { Bench } from './authority.fixture.js';
import {
  basic,
  createBench,
  credentials,
  day,
  errorOf,
  forItself,
  refresh,
  signIn,
  tokensOf,
} from './authority.fixture.js';
import { bearer } from './bearer.js';
import { revokeToken } from './revoke.js';

const revoking = { scope: 'account:profile oauth:revoke' };
const alive = (bench: Bench, token: string): boolean => bearer(`Bearer ${token}`, bench).kind === 'token';
const revoke = (bench: Bench, form: Record<string, string>, authorization?: string) =>
  revokeToken(new URLSearchParams(form), authorization, bench);

/** A bench with a token of web that may revoke, and another grant of web to hit. */
const start = (switches = {}) => {
  const bench = createBench(switches);
  const caller = `Bearer ${signIn(bench, 'web', 'alice', revoking).access_token}`;
  return { bench, caller, target: signIn(bench, 'web', 'bob') };
};
const operator = (bench: Bench, id = 'operations'): string =>
  `Bearer ${tokensOf(bench, forItself(bench, id)).access_token}`;

describe('who may call', () => {
  it('is a bearer token with the scope', () => {
    const { bench, caller, target } = start();
    expect(revoke(bench, { token: target.access_token }, caller)).toMatchObject({ status: 200, body: {} });
    expect(alive(bench, target.access_token)).toBe(false);
  });

  it.each([
    ['in the body', (bench: Bench) => [credentials(bench, 'web'), undefined] as const],
    ['by HTTP Basic', (bench: Bench) => [{}, basic('web', bench.client('web').secret!)] as const],
    [
      'by HTTP Basic and its id',
      (bench: Bench) => [{ client_id: 'web' }, basic('web', bench.client('web').secret!)] as const,
    ],
  ])('is a client with a secret and the scope, %s', (_, way) => {
    const { bench, target } = start();
    const [fields, authorization] = way(bench);
    expect(revoke(bench, { ...fields, token: target.access_token }, authorization).status).toBe(200);
    expect(alive(bench, target.access_token)).toBe(false);
  });

  it.each([
    ['nothing', 401, 'invalid_client', () => [{}, undefined] as const],
    ['a client_id alone', 401, 'invalid_client', () => [{ client_id: 'web' }, undefined] as const],
    ['a public client', 401, 'invalid_client', () => [{ client_id: 'app' }, undefined] as const],
    ['a public client by HTTP Basic', 401, 'invalid_client', () => [{}, basic('app', '')] as const],
    ['a wrong secret', 401, 'invalid_client', () => [{ client_id: 'web', client_secret: 'wrong' }, undefined] as const],
    ['a wrong secret by HTTP Basic', 401, 'invalid_client', () => [{}, basic('web', 'wrong')] as const],
    [
      'a client without the scope',
      400,
      'unauthorized_client',
      (bench: Bench) => [credentials(bench, 'limited'), undefined] as const,
    ],
    [
      'a bearer token without the scope',
      403,
      'insufficient_scope',
      (bench: Bench) => [{}, `Bearer ${signIn(bench, 'web').access_token}`] as const,
    ],
    [
      'the other scope',
      403,
      'insufficient_scope',
      (bench: Bench) =>
        [{}, `Bearer ${tokensOf(bench, forItself(bench, 'operations', 'oauth:introspect')).access_token}`] as const,
    ],
    ['an unknown bearer token', 401, 'invalid_token', () => [{}, 'Bearer nonsense'] as const],
    ['a malformed header', 401, 'invalid_token', () => [{}, 'Bearer'] as const],
  ])('is not %s', (_, status, error, way) => {
    const { bench, target } = start();
    const [fields, authorization] = way(bench);
    const answer = revoke(bench, { ...fields, token: target.access_token }, authorization);
    expect(answer).toMatchObject({ status, body: { error } });
    expect('www-authenticate' in answer.headers).toBe(status !== 400);
    expect(alive(bench, target.access_token)).toBe(true);
  });

  it('is not an expired token', () => {
    const { bench, caller } = start();
    bench.wait(28 * day);
    const target = signIn(bench, 'web');
    expect(revoke(bench, { token: target.access_token }, caller)).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
    expect(alive(bench, target.access_token)).toBe(true);
  });

  it('is one kind only where the switch says so', () => {
    const outcome = (auth: string) => {
      const { bench, caller, target } = start({ 'revoke.auth': auth });
      const asClient = revoke(bench, { ...credentials(bench, 'web'), token: target.access_token }).status;
      const asBasic = revoke(bench, { token: target.access_token }, basic('web', bench.client('web').secret!)).status;
      return [asClient, asBasic, revoke(bench, { token: target.access_token }, caller).status];
    };
    expect(outcome('either')).toEqual([200, 200, 200]);
    expect(outcome('bearer')).toEqual([401, 401, 200]);
    expect(outcome('client')).toEqual([200, 200, 401]);
  });
});

describe('whose tokens', () => {
  it("are not another client's, whichever way the caller came in", () => {
    const { bench, caller } = start();
    const target = signIn(bench, 'other');
    const tries = [
      revoke(bench, { token: target.access_token }, caller),
      revoke(bench, { ...credentials(bench, 'web'), token: target.access_token }),
      revoke(bench, { token: target.refresh_token! }, basic('web', bench.client('web').secret!)),
      revoke(bench, { ...credentials(bench, 'operations'), token: target.access_token }),
    ];
    for (const answer of tries) expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(alive(bench, target.access_token)).toBe(true);
    expect(errorOf(bench, refresh(bench, 'other', target.refresh_token!))).toBe('none');
  });

  it("are those of the owner's applications for a client-credentials token of a client without users", () => {
    const { bench, target } = start();
    expect(revoke(bench, { token: target.access_token }, operator(bench)).status).toBe(200);
    expect(alive(bench, target.access_token)).toBe(false);
    const foreign = signIn(bench, 'web');
    expect(revoke(bench, { token: foreign.access_token }, operator(bench, 'stranger')).status).toBe(400);
    expect(alive(bench, foreign.access_token)).toBe(true);
  });

  it('are its own for a client whose secret stands beside a bearer token', () => {
    const { bench, target } = start();
    const foreign = signIn(bench, 'other');
    const beside = { ...credentials(bench, 'web') };
    expect(revoke(bench, { ...beside, token: target.access_token }, operator(bench)).status).toBe(200);
    expect(revoke(bench, { ...beside, token: foreign.access_token }, operator(bench)).status).toBe(400);
    expect(revoke(bench, { ...beside, client_secret: 'wrong', token: 'x' }, operator(bench))).toMatchObject({
      body: { error: 'invalid_client' },
    });
    expect(revoke(bench, { client_id: 'other', token: foreign.access_token }, operator(bench)).status).toBe(200);
  });

  it('include client-credentials tokens, and the token that calls', () => {
    const { bench, caller } = start();
    const self = operator(bench);
    const service = tokensOf(bench, forItself(bench, 'service')).access_token;
    expect(revoke(bench, { token: service }, self).status).toBe(200);
    expect(alive(bench, service)).toBe(false);
    expect(revoke(bench, { token: self.slice(7) }, self).status).toBe(200);
    expect(revoke(bench, { token: self.slice(7) }, self).status).toBe(401);
    expect(revoke(bench, { token: caller.slice(7) }, caller).status).toBe(200);
    expect(alive(bench, caller.slice(7))).toBe(false);
  });
});

describe('what is revoked', () => {
  const outcome = (which: 'access_token' | 'refresh_token', switches = {}, hint = {}) => {
    const { bench, caller, target } = start(switches);
    const sibling = signIn(bench, 'web', 'bob');
    expect(revoke(bench, { token: target[which]!, ...hint }, caller).status).toBe(200);
    expect(alive(bench, sibling.access_token)).toBe(true);
    return [alive(bench, target.access_token), errorOf(bench, refresh(bench, 'web', target.refresh_token!)) === 'none'];
  };

  it('is the token, and with a refresh token the access tokens of its grant', () => {
    expect(outcome('access_token')).toEqual([false, true]);
    expect(outcome('refresh_token')).toEqual([false, false]);
  });

  it('is more or less where the switches say so', () => {
    expect(outcome('refresh_token', { 'revoke.refreshRevokesAccess': false })).toEqual([true, false]);
    expect(outcome('access_token', { 'revoke.accessRevokesRefresh': true })).toEqual([false, false]);
  });

  it.each(['access_token', 'refresh_token', 'nonsense', ''])('is not a matter of the hint %j', (token_type_hint) => {
    expect(outcome('access_token', {}, { token_type_hint })).toEqual([false, true]);
    expect(outcome('refresh_token', {}, { token_type_hint })).toEqual([false, false]);
  });

  it.each([
    ['grant', false],
    ['nothing', true],
  ])('may be a refresh token that a refresh has just used up: what ends is %s', (ends, lives) => {
    const { bench, caller, target } = start({ 'revoke.usedRefresh': ends });
    const next = tokensOf(bench, refresh(bench, 'web', target.refresh_token!));
    expect(revoke(bench, { token: target.refresh_token! }, caller).status).toBe(200);
    expect(alive(bench, next.access_token)).toBe(lives);
    expect(errorOf(bench, refresh(bench, 'web', next.refresh_token!))).toBe(lives ? 'none' : 'invalid_grant');
  });

  it('may be dead or unknown', () => {
    const { bench, caller, target } = start();
    for (const token of [target.access_token, target.access_token, 'unknown', 'web']) {
      expect(revoke(bench, { token }, caller)).toMatchObject({ status: 200, body: {} });
    }
  });

  it('has to be named, once', () => {
    const { bench, caller, target } = start();
    expect(revoke(bench, {}, caller)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(revoke(bench, { token: '' }, caller)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const twice = new URLSearchParams([
      ['token', target.access_token],
      ['token', target.access_token],
    ]);
    expect(revokeToken(twice, caller, bench)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(alive(bench, target.access_token)).toBe(true);
  });

  it('is acknowledged with the body that the switch says', () => {
    const answer = (body: string) => {
      const { bench, caller } = start({ 'revoke.body': body });
      return revoke(bench, { token: 'x' }, caller);
    };
    expect(answer('json')).not.toHaveProperty('text');
    expect(answer('empty').text).toBe('');
    expect(answer('html')).toMatchObject({ text: /^<p>/, headers: { 'content-type': /^text\/html/ } });
  });
});
