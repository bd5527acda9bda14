import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { scopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import {
  delicateStates,
  edgeVerifiers,
  everyTwist,
  gOtherWord,
  gScopeSubset,
  gState,
  gTwist,
  gUnknownScope,
  gVerifier,
  isPkceText,
  nearScopes,
  redirectMisses,
  twisted,
} from './oauth.js';

const known = Object.keys(scopes) as Scope[];

describe('states', () => {
  it('are 1 to 256 visible characters or spaces', () => {
    fc.assert(fc.property(gState, (state) => /^[\x20-\x7e]{1,256}$/.test(state)));
    for (const state of delicateStates) expect(state).toMatch(/^[\x20-\x7e]{1,256}$/);
  });

  it('have, between them, every character that a server may spoil', () => {
    for (const mark of '&=+%#?;"\'<> \\') expect(delicateStates.some((state) => state.includes(mark))).toBe(true);
  });
});

describe('verifiers', () => {
  it('are those of RFC 7636 4.1, the shortest and the longest among them', () => {
    fc.assert(fc.property(gVerifier, isPkceText));
    const lengths = new Set(fc.sample(gVerifier, 100).map(({ length }) => length));
    expect(lengths).toContain(43);
    expect(lengths).toContain(128);
    expect(edgeVerifiers.every(isPkceText)).toBe(true);
  });
});

describe('near misses', () => {
  const any = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' });

  it('are never the text itself, never empty, and add no white space', () => {
    fc.assert(
      fc.property(any, gTwist, fc.boolean(), (text, twist, encoded) => {
        const miss = twisted(text, twist, { encoded });
        expect(miss).not.toBe(text);
        expect(miss).not.toBe('');
        expect(miss.replace(/\S/g, '').length).toBeLessThanOrEqual(text.replace(/\S/g, '').length);
      }),
    );
  });

  it('come in every kind', () => {
    expect(new Set(everyTwist.map((twist) => twisted('abcDEF-123', twist))).size).toBe(everyTwist.length);
  });

  it('of an encoding are other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 34 }), gTwist, (bytes, twist) => {
        for (const form of ['base64url', 'base64', 'hex'] as const) {
          const miss = twisted(Buffer.from(bytes).toString(form), twist, { encoded: true });
          const whole = form === 'hex' ? /^([0-9a-f]{2})*$/i.test(miss) : miss.replace(/=*$/, '').length % 4 !== 1;
          if (whole) expect(Buffer.from(miss, form)).not.toEqual(Buffer.from(bytes));
        }
      }),
    );
  });
});

describe('redirect URIs', () => {
  const uri = 'https://app.example/callback';

  it('that miss one are other URIs', () => {
    for (const one of [
      uri,
      `${uri}?tenant=7`,
      'http://127.0.0.1:8400/callback',
      'https://app.example',
      'http://[::1]/a/',
    ]) {
      const misses = redirectMisses(one);
      expect(misses.map((miss) => miss.uri)).not.toContain(one);
      expect(new Set(misses.map((miss) => miss.uri)).size).toBe(misses.length);
      for (const miss of misses) expect(() => new URL(miss.uri)).not.toThrow();
    }
    expect(redirectMisses('https://app.example').map((miss) => miss.uri)).not.toContain('https://app.example/');
  });

  it('leave out what is registered, and another port on a loopback address where a server may allow it', () => {
    const registered = [`${uri}?cx=1`];
    expect(redirectMisses(uri, { registered }).map((miss) => miss.what)).not.toContain('a query more');
    const ports = (options: object): number =>
      redirectMisses('http://127.0.0.1:8400/callback', options).filter(({ what }) => what === 'another port').length;
    expect(ports({})).toBe(1);
    expect(ports({ port: false })).toBe(0);
  });

  it('leave out the same loopback address in another spelling where a server may parse it to look past the port', () => {
    const uris = (options: object): readonly string[] =>
      redirectMisses('http://127.0.0.1:8400/callback', options).map((miss) => miss.uri);
    const climbing = 'http://127.0.0.1:8400/other/../callback';
    expect(uris({})).toContain(climbing);
    expect(uris({ port: false })).not.toContain(climbing);
    expect(uris({ port: false })).toContain('http://localhost:8400/callback');
    expect(uris({ port: false })).toContain('http://127.0.0.1:8400/callback/more');
  });
});

describe('scopes', () => {
  it('that are unknown are scope-tokens and none of the interface', () => {
    fc.assert(
      fc.property(gUnknownScope, (scope) => {
        expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
        expect(known.map((one) => one.toLowerCase())).not.toContain(scope.toLowerCase());
      }),
    );
    for (const scope of nearScopes) expect(known).not.toContain(scope);
  });

  it('of a subset are at least one, each once', () => {
    fc.assert(
      fc.property(gScopeSubset(known), (some) => {
        expect(some.length).toBeGreaterThan(0);
        expect(new Set(some).size).toBe(some.length);
      }),
    );
  });

  it('and words leave out what is known', () => {
    fc.assert(fc.property(gOtherWord(['code', 'S256']), (word) => word !== 'code' && word !== 'S256' && word !== ''));
  });
});
