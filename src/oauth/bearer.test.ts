import { describe, expect, it } from 'vitest';

import { createBench, day, forItself, hour, signIn, tokensOf } from './authority.fixture.js';
import { bearer } from './bearer.js';

const bench = createBench();
const tokens = signIn(bench, 'web');
const text = tokens.access_token;
const kindOf = (header?: string): string => bearer(header, bench).kind;

describe('bearer', () => {
  it('finds token, client and account, whatever the case of the scheme', () => {
    expect(bearer(`Bearer ${text}`, bench)).toMatchObject({
      kind: 'token',
      token: { text, scopes: ['account:profile'] },
      client: { id: 'web' },
      account: { key: 'alice' },
    });
    expect(['bearer', 'BEARER', 'Bearer '].map((scheme) => kindOf(`${scheme} ${text}`))).toEqual([
      'token',
      'token',
      'token',
    ]);
  });

  // RFC 6750 3.1: no header, and another scheme, are no credential of this kind.
  it.each([
    undefined,
    '',
    ` Bearer ${text}`,
    `Bearer\t${text}`,
    `Bearer${text}`,
    text,
    `Basic ${text}`,
    `Token ${text}`,
  ])('finds none in %j', (header) => {
    expect(bearer(header, bench)).toEqual({ kind: 'none' });
  });

  it.each([
    'Bearer',
    'Bearer ',
    `Bearer ${text} ${text}`,
    `Bearer ${text},`,
    `Bearer "${text}"`,
    `Bearer ${text} `,
    `Bearer ${text.toUpperCase()}`,
    `Bearer ${text.slice(1)}`,
    `Bearer ${text.slice(0, -1)}`,
    `Bearer ${text}=`,
    `Bearer x${text}`,
    `Bearer ${tokens.refresh_token}`,
    'Bearer web',
    'Bearer __proto__',
  ])('refuses %j', (header) => {
    const read = bearer(header, bench);
    expect(read).toMatchObject({ kind: 'invalid', reason: expect.any(String) as string });
    expect(JSON.stringify(read)).not.toContain(text);
  });
});

describe('the life of an access token', () => {
  it.each([
    ['web', 28 * day],
    ['app', 10 * hour],
  ])('of %s ends at its end and not before', (id, life) => {
    const one = createBench();
    const { access_token } = signIn(one, id);
    const look = (): string => bearer(`Bearer ${access_token}`, one).kind;
    one.wait(life - 1);
    expect([look(), look()]).toEqual(['token', 'token']);
    one.wait(1);
    expect(look()).toBe('invalid');
  });

  it('never ends for client credentials', () => {
    const one = createBench();
    const { access_token } = tokensOf(one, forItself(one, 'service'));
    one.wait(2 ** 31);
    expect(bearer(`Bearer ${access_token}`, one).kind).toBe('token');
    one.wait(100 * 365 * day);
    expect(bearer(`Bearer ${access_token}`, one).kind).toBe('token');
  });

  it('says in words what became of the token', () => {
    const one = createBench();
    const { access_token } = signIn(one, 'web');
    const reason = () => bearer(`Bearer ${access_token}`, one);
    one.wait(28 * day + 1500);
    expect(reason()).toMatchObject({ reason: `the token ${access_token.slice(0, 6)}... expired 2 s ago` });
    one.store.endToken(access_token, 'revoked');
    expect(reason()).toMatchObject({ reason: `the token ${access_token.slice(0, 6)}... was revoked` });
  });

  it('ends with its client', () => {
    const one = createBench();
    const { access_token } = signIn(one, 'web');
    expect(bearer(`Bearer ${access_token}`, { ...one, clients: new Map() }).kind).toBe('invalid');
  });
});
