import { describe, expect, it } from 'vitest';

import { grantedApplications, revokeByApplication, revokeByUser } from './applications.js';
import {
  approve,
  createBench,
  day,
  errorOf,
  exchange,
  forItself,
  hour,
  refresh,
  signIn,
  tokensOf,
} from './authority.fixture.js';
import { bearer } from './bearer.js';

const world = () => {
  const bench = createBench();
  const alive = (token: string): boolean => bearer(`Bearer ${token}`, bench).kind === 'token';
  return { bench, alive };
};

describe('the applications page', () => {
  it('ends every token of the account for the client, and nothing else', () => {
    const { bench, alive } = world();
    const [one, two, bobs, others] = [
      signIn(bench, 'web'),
      signIn(bench, 'web'),
      signIn(bench, 'web', 'bob'),
      signIn(bench, 'other'),
    ];
    expect(revokeByUser('alice', 'web', bench)).toBe(4);
    expect([one, two, bobs, others].map(({ access_token }) => alive(access_token))).toEqual([false, false, true, true]);
    expect(errorOf(bench, refresh(bench, 'web', one.refresh_token!))).toBe('invalid_grant');
    expect(errorOf(bench, refresh(bench, 'web', bobs.refresh_token!))).toBe('none');
    expect(revokeByUser('alice', 'web', bench)).toBe(0);
  });

  it('ends codes that are still out', () => {
    const { bench } = world();
    const [mine, bobs] = ['alice', 'bob'].map((user) => approve(bench, 'web', user).get('code')!);
    revokeByUser('alice', 'web', bench);
    expect(errorOf(bench, exchange(bench, 'web', mine!))).toBe('invalid_grant');
    expect(errorOf(bench, exchange(bench, 'web', bobs!))).toBe('none');
  });

  it('lists what is granted, since when and until when', () => {
    const { bench } = world();
    const start = bench.now();
    const { refresh_token } = signIn(bench, 'web');
    bench.wait(hour);
    signIn(bench, 'app', 'alice', { scope: 'account:leagues' });
    signIn(bench, 'web', 'alice', { scope: 'account:stashes' });
    signIn(bench, 'plain', 'bob');
    tokensOf(bench, refresh(bench, 'web', refresh_token!));
    expect(grantedApplications('alice', bench)).toEqual([
      {
        client: bench.client('web'),
        scopes: expect.arrayContaining(['account:profile', 'account:stashes']) as unknown,
        since: start,
        expires: start + hour + 90 * day,
      },
      {
        client: bench.client('app'),
        scopes: ['account:leagues'],
        since: start + hour,
        expires: start + hour + 7 * day,
      },
    ]);
    bench.wait(7 * day);
    expect(grantedApplications('alice', bench).map(({ client }) => client.id)).toEqual(['web']);
    revokeByUser('alice', 'web', bench);
    expect(grantedApplications('alice', bench)).toEqual([]);
  });

  it("shows the owner the client's own tokens, which never expire", () => {
    const { bench } = world();
    tokensOf(bench, forItself(bench, 'service', 'service:leagues'));
    expect(grantedApplications('owner', bench)).toMatchObject([{ client: { id: 'service' }, expires: null }]);
  });
});

describe('the settings page', () => {
  it("ends the client's own tokens for good, and not those of its users or of other clients", () => {
    const { bench, alive } = world();
    const own = [1, 2].map(() => tokensOf(bench, forItself(bench, 'service')).access_token);
    const other = tokensOf(bench, forItself(bench, 'operations')).access_token;
    const user = signIn(bench, 'web').access_token;
    expect(revokeByApplication('service', bench)).toBe(2);
    expect(revokeByApplication('web', bench)).toBe(0);
    expect([...own, other, user].map(alive)).toEqual([false, false, true, true]);
    expect(alive(tokensOf(bench, forItself(bench, 'service')).access_token)).toBe(true);
  });
});
