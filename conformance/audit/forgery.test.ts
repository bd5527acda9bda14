import { describe, expect, it } from 'vitest';

import { forgedCallbacks } from './forgery.js';
import type { Browser } from './scenario.js';

/** The states that a forger sends in place of a given one. */
const forged = (mode: Browser, state: string): (string | null)[] =>
  forgedCallbacks(mode, `http://127.0.0.1:9/callback?code=right&state=${encodeURIComponent(state)}`).map((location) =>
    new URL(location).searchParams.get('state'),
  );

describe('a forged callback', () => {
  it.each([
    ['forge-last', 'abcA', 'abcg'],
    ['forge-last', 'abc0', 'abcU'],
    ['forge-last', 'abc=', 'abcx'],
    ['forge-prefix', 'abcd', 'abc'],
    ['forge-case', 'aXz-9', 'AxZ-9'],
    ['forge-before', 'abc', 'xabc'],
    ['forge-behind', 'abc', 'abcx'],
    ['forge-stateless', 'abc', null, '', null],
  ] as const)('of %s has for %s the state %s', (mode, state, ...expected) => {
    expect(forged(mode, state)).toEqual(expected);
  });

  it('has the state of an earlier login, where that is another', () => {
    const sent = (earlier?: string): string[] =>
      forgedCallbacks('forge-earlier', 'http://127.0.0.1:9/?state=b', earlier);
    expect(sent('a')).toEqual(['http://127.0.0.1:9/?state=a']);
    expect([...sent('b'), ...sent()]).toEqual([]);
  });

  it('has a code of its own', () => {
    const location = forgedCallbacks('forge', 'http://127.0.0.1:9/callback?code=right&state=x')[0] ?? '';
    expect(new URL(location).searchParams.get('code')).toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([
    ['forge-case', '00ffee'],
    ['forge-case', '123e4567-e89b-12d3-a456-426614174000'],
    ['forge-case', '12345'],
    ['forge-prefix', 'a'],
    ['forge-last', ''],
    ['approve', 'abc'],
  ] as const)('is not sent by %s for %s, which would be the same or nothing', (mode, state) => {
    expect(forged(mode, state)).toEqual([]);
  });

  it('differs from a state of base64url in what it decodes to', () => {
    for (const length of [16, 17, 18, 32]) {
      const state = Buffer.alloc(length, 7).toString('base64url');
      const other = Buffer.from(forged('forge-last', state)[0] ?? '', 'base64url');
      expect(other.equals(Buffer.from(state, 'base64url')), `${length} bytes`).toBe(false);
    }
  });
});
