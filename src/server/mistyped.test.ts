import { describe, expect, it } from 'vitest';

import { createHandler } from '../handler/index.js';
import { startMock } from './mock.js';

describe('a mistyped option', () => {
  it.each([
    [{ prot: 4010 }, 'option prot: no such option (did you mean port?); the options are seed, '],
    [{ edition: 'extnded' }, 'edition extnded: no such edition (did you mean extended?); the editions are base, '],
    [{ profile: 'observd' }, 'profile observd: no such profile (did you mean observed?); the profiles are '],
    [{ flags: { 'F-CZ': true } }, 'edition flag F-CZ: no such flag (did you mean F-CX?); the flags are '],
    [{ switches: { verifier: 'lenient' } }, 'switch verifier: no such switch (did you mean pkce.verifier?); '],
    [
      { switches: { null_lookup_status: 404 } },
      'switch null_lookup_status: no such switch (did you mean lookup.nullStatus?); ',
    ],
    [{ switches: { tokns: 'x' } }, 'switch tokns: no such switch (did you mean tokens.expiresInMode, '],
    [
      { switches: { 'pkce.verifier': 'leniet' } },
      '"leniet" is not one of its values (did you mean lenient?); it takes ',
    ],
  ])('%o is named with the one that was meant', async (options, words) => {
    await expect(startMock({ port: 0, ...options })).rejects.toThrow(words);
  });

  it('of a handler is named too', () => {
    const options: object = { autoAprove: true };
    expect(() => createHandler(options)).toThrow('option autoAprove: no such option (did you mean autoApprove?)');
  });
});

describe('a token that cannot be', () => {
  it.each([
    [{ account: 'alicia', scopes: ['account:profile'] }, "there is no account 'alicia'; there are "],
    [
      { account: 'alice', scopes: ['account:profil'] },
      'scopes: there is no "account:profil" (did you mean account:profile?)',
    ],
    [
      { account: 'alice', scopes: ['service:psapi'] },
      'no client may have service:psapi for alice; these are of a client itself: leave account out',
    ],
    [{ clientId: 'example-wed', scopes: ['account:profile'] }, "there is no client 'example-wed'"],
  ])('%o says what is wrong', async (wish, words) => {
    await using mock = await startMock();
    await expect(mock.issueToken(wish as Parameters<typeof mock.issueToken>[0])).rejects.toThrow(words);
  });
});
