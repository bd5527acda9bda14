import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { OAuthFailure } from './failure.js';
import type { TokenResponse } from './oauth.js';
import { clientCredentialsSource, holdTokens, tokenSource } from './tokens.js';

const response = (n: number, rest: Partial<TokenResponse> = {}): TokenResponse => ({
  access_token: `a${n}`,
  refresh_token: `r${n}`,
  expires_in: 3600,
  token_type: 'bearer',
  scope: 'account:profile',
  username: 'alice',
  sub: '0b0f6c5e-7a7e-4a57-9d0c-3f4f4f0f2f11',
  ...rest,
});

/** A server that rotates: a refresh token is good once. `fail` makes the next refreshes fail. */
function rotating() {
  const server = {
    live: 'r0',
    count: 0,
    fail: 0,
    refresh: async (token: string): Promise<TokenResponse> => {
      await Promise.resolve();
      if (server.fail > 0) {
        server.fail -= 1;
        throw new OAuthFailure('temporarily_unavailable', { call: 'refresh', status: 503 });
      }
      if (token !== server.live) throw new OAuthFailure('invalid_grant', { call: 'refresh', status: 400 });
      server.count += 1;
      server.live = `r${server.count}`;
      return response(server.count);
    },
  };
  return server;
}

describe('tokenSource', () => {
  it('hands out the token until it is about to end', async () => {
    const server = rotating();
    let now = 0;
    const source = tokenSource({ tokens: response(0), refresh: server.refresh, now: () => now });
    expect(await source()).toBe('a0');
    now = 3_539_999;
    expect(await source()).toBe('a0');
    now = 3_540_000;
    expect(await source()).toBe('a1');
    expect(await source()).toBe('a1');
    expect(server.count).toBe(1);
  });

  it('never refreshes a token without an end by itself', async () => {
    const source = tokenSource({
      tokens: response(0, { expires_in: null }),
      refresh: rotating().refresh,
      now: () => Number.MAX_SAFE_INTEGER,
    });
    expect(await source()).toBe('a0');
  });

  it('does not refresh at every call when tokens live shorter than the skew', async () => {
    let count = 0;
    const refresh = async (): Promise<TokenResponse> => response(++count, { expires_in: 30 });
    const source = tokenSource({ tokens: response(0, { expires_in: 30 }), refresh, now: () => 0, skewSeconds: 60 });
    expect([await source(), await source()]).toEqual(['a0', 'a0']);
    expect(count).toBe(0);
  });

  it('takes the stored instant over the figure of the response', async () => {
    const stored = { ...holdTokens(response(0), 0), expires_at: 1000 };
    const source = tokenSource({ tokens: async () => stored, refresh: rotating().refresh, now: () => 2000 });
    expect(await source()).toBe('a1');
  });

  it('loads once for many, and anew after a failure', async () => {
    let loads = 0;
    const tokens = async () => {
      loads += 1;
      if (loads === 1) throw new Error('disk');
      return holdTokens(response(0), 0);
    };
    const source = tokenSource({ tokens, refresh: rotating().refresh, now: () => 0 });
    const failed = await Promise.allSettled([source(), source()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all([source(), source(), source()])).toEqual(['a0', 'a0', 'a0']);
    expect(loads).toBe(2);
  });

  it('refreshes a refused token, and only that one', async () => {
    const server = rotating();
    const source = tokenSource({ tokens: response(0), refresh: server.refresh, now: () => 0 });
    expect(await source.refresh('a0')).toBe('a1');
    expect(await source.refresh('a0')).toBe('a1');
    expect(server.count).toBe(1);
    expect(await source.refresh('a1')).toBe('a2');
  });

  it('stores the rotated tokens before anyone gets them, with the instant at which they end', async () => {
    const order: string[] = [];
    const source = tokenSource({
      tokens: response(0),
      refresh: rotating().refresh,
      now: () => 5000,
      onRefresh: async (tokens) => {
        await Promise.resolve();
        order.push(`stored ${tokens.refresh_token} until ${tokens.expires_at}`);
      },
    });
    await Promise.all([
      source.refresh('a0').then((token) => order.push(token)),
      source.refresh('a0').then((token) => order.push(token)),
    ]);
    expect(order).toEqual(['stored r1 until 3605000', 'a1', 'a1']);
  });

  it('offers tokens again that could not be stored, instead of using up another refresh token', async () => {
    const server = rotating();
    const offered: (string | undefined)[] = [];
    const source = tokenSource({
      tokens: response(0),
      refresh: server.refresh,
      now: () => 0,
      onRefresh: ({ refresh_token: token }) => {
        offered.push(token);
        if (offered.length === 1) throw new Error('disk full');
      },
    });
    await expect(source.refresh('a0')).rejects.toThrow('disk full');
    expect(await source.refresh('a0')).toBe('a1');
    expect(offered).toEqual(['r1', 'r1']);
    expect(server.count).toBe(1);
  });

  it('keeps the refresh token of a server that does not rotate', async () => {
    const used: string[] = [];
    const refresh = async (token: string): Promise<TokenResponse> => {
      used.push(token);
      const { refresh_token: _, ...rest } = response(used.length);
      return rest;
    };
    const source = tokenSource({ tokens: response(0), refresh, now: () => 0 });
    await source.refresh('a0');
    await source.refresh('a1');
    expect(used).toEqual(['r0', 'r0']);
  });

  it('says what to do without a refresh token', async () => {
    const source = tokenSource({
      tokens: response(0, { refresh_token: undefined }),
      refresh: rotating().refresh,
      now: () => 0,
    });
    expect(await source()).toBe('a0');
    await expect(source.refresh('a0')).rejects.toMatchObject({ error: 'no_refresh_token' });
  });

  it('uses each refresh token once, whoever asks when', async () => {
    type Step = { kind: 'ask' | 'refuse'; callers: number } | { kind: 'fail' } | { kind: 'wait'; seconds: number };
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ kind: fc.constantFrom('ask' as const, 'refuse' as const), callers: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('fail' as const) }),
      fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 5000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.scheduler(), async (steps, scheduler) => {
        const server = rotating();
        const stored: (string | undefined)[] = [];
        let now = 0;
        const refresh = scheduler.scheduleFunction(server.refresh);
        const source = tokenSource({
          tokens: response(0),
          refresh,
          now: () => now,
          onRefresh: (tokens) => void stored.push(tokens.refresh_token),
        });
        let latest = 'a0';
        for (const { kind, ...rest } of steps) {
          if (kind === 'wait') now += 'seconds' in rest ? rest.seconds * 1000 : 0;
          if (kind === 'fail') server.fail = 1;
          if (!('callers' in rest)) continue;
          const before = server.count;
          const asked = Promise.allSettled(
            Array.from({ length: rest.callers }, () => (kind === 'ask' ? source() : source.refresh(latest))),
          );
          await scheduler.waitFor(asked);
          const answers = await asked;
          expect(server.count - before).toBeLessThanOrEqual(1);
          const given = new Set(
            answers.map((answer) =>
              answer.status === 'fulfilled' ? answer.value : (answer.reason as OAuthFailure).error,
            ),
          );
          expect(given.size).toBe(1);
          expect([`a${server.count}`, 'temporarily_unavailable']).toContain([...given][0]);
          latest = `a${server.count}`;
        }
        expect(stored).toEqual(Array.from({ length: server.count }, (_, at) => `r${at + 1}`));
      }),
    );
  });
});

describe('clientCredentialsSource', () => {
  it('asks once for many calls, and again when the token is refused', async () => {
    let count = 0;
    const fetch = async (): Promise<Response> =>
      Response.json(response(++count, { expires_in: null, refresh_token: undefined }));
    const source = clientCredentialsSource(
      { authUrl: 'http://auth.test', clientId: 'c', clientSecret: 's', fetch },
      ['service:leagues'],
      { now: () => 0 },
    );
    expect(await Promise.all([source(), source(), source()])).toEqual(['a1', 'a1', 'a1']);
    expect(await Promise.all([source.refresh('a1'), source.refresh('a1')])).toEqual(['a2', 'a2']);
    expect(count).toBe(2);
  });
});
