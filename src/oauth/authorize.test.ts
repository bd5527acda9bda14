import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createBench, question, verifier } from './authority.fixture.js';
import type { Bench } from './authority.fixture.js';
import type { Authorization } from './authorize.js';
import { authorize } from './authorize.js';
import { failures } from './errors.js';

const ask = (changes: Record<string, string | null> = {}, id = 'web', bench: Bench = createBench()): Authorization =>
  authorize(question(id, changes, bench), bench);

/** kind, and for a redirect the query that the client gets. */
const told = (answer: Authorization): Record<string, string> => {
  if (answer.kind !== 'redirect') return { kind: answer.kind };
  return { kind: 'redirect', ...Object.fromEntries(new URL(answer.location).searchParams) };
};

describe('a complete request', () => {
  it('leads to the question', () => {
    const answer = ask({ scope: 'account:stashes account:profile' });
    expect(answer).toMatchObject({
      kind: 'consent',
      request: {
        redirectUri: 'https://web.example/cb',
        state: 'a state',
        scopes: ['account:stashes', 'account:profile'],
      },
    });
  });

  it('may have its parameters in any order, and others beside them, even repeated', () => {
    const query = [...question('web'), ['nonce', '1'], ['nonce', '2'], ['__proto__', 'x']] as [string, string][];
    fc.assert(
      fc.property(fc.shuffledSubarray(query, { minLength: query.length }), (pairs) => {
        expect(authorize(new URLSearchParams(pairs), createBench()).kind).toBe('consent');
      }),
    );
  });
});

describe('a missing, empty or repeated parameter', () => {
  const redirected = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

  it.each(redirected)('%s is told to the client', (name) => {
    for (const id of ['web', 'app']) {
      expect(told(ask({ [name]: null }, id))).toMatchObject({ kind: 'redirect', error: 'invalid_request' });
      expect(told(ask({ [name]: '' }, id))).toMatchObject({ kind: 'redirect', error: 'invalid_request' });
    }
  });

  it.each(['client_id', 'redirect_uri'])('%s is refused on a page', (name) => {
    expect(told(ask({ [name]: null }))).toEqual({ kind: 'refused' });
    expect(told(ask({ [name]: '' }))).toEqual({ kind: 'refused' });
  });

  it.each([...redirected, 'client_id', 'redirect_uri'])(
    '%s twice is an error, with the same value or another',
    (name) => {
      for (const value of [question('web').get(name)!, 'another', '']) {
        const query = question('web');
        query.append(name, value);
        const kind = name === 'client_id' || name === 'redirect_uri' ? 'refused' : 'redirect';
        const answer = authorize(query, createBench());
        expect(answer).toMatchObject({ kind, error: { code: 'invalid_request' } });
      }
    },
  );
});

describe('an unknown client', () => {
  it.each([
    ['wrong', (query: URLSearchParams) => query.set('redirect_uri', 'https://elsewhere.example/')],
    ['missing', (query: URLSearchParams) => query.delete('redirect_uri')],
    ['sent twice', (query: URLSearchParams) => query.append('redirect_uri', 'https://elsewhere.example/')],
  ])('is told of before a redirect_uri that is %s', (_, change) => {
    const query = question('web', { client_id: 'nobody' });
    change(query);
    expect(authorize(query, createBench())).toMatchObject({
      kind: 'refused',
      error: { reason: "no client has the id 'nobody'" },
    });
  });
});

describe('state', () => {
  it('comes back byte for byte with an error, however a space is written', () => {
    const state = fc.string({
      unit: fc.constantFrom(...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n))),
      minLength: 1,
    });
    fc.assert(
      fc.property(state, fc.constantFrom('plus', 'percent'), (text, form) => {
        const answer = ask(
          { state: text, response_type: 'token' },
          'web',
          createBench({ 'authorize.spaceForm': form as 'plus' }),
        );
        expect(told(answer).state).toBe(text);
      }),
    );
  });

  it('is not made up where it is missing or came twice', () => {
    expect(told(ask({ state: null }))).not.toHaveProperty('state');
    const query = question('web');
    query.append('state', 'other');
    expect(told(authorize(query, createBench()))).not.toHaveProperty('state');
  });
});

describe('client and redirect URI', () => {
  it.each(['unknown', 'WEB', 'web ', '__proto__'])('refuses client %s on a page', (id) => {
    expect(told(ask({ client_id: id }))).toEqual({ kind: 'refused' });
  });

  it.each([
    'https://web.example/cb/',
    'https://web.example/cb/../cb',
    'https://web.example/CB',
    'https://web.example/c%62',
    'https://web.example:443/cb',
    'https://web.example/cb?x=1',
    'https://web.example/cb#f',
    'https://a@web.example/cb',
    'https://web.example.evil.example/cb',
    'http://web.example/cb',
    'https://limited.example/cb',
  ])('refuses %s on a page', (uri) => {
    expect(told(ask({ redirect_uri: uri }))).toEqual({ kind: 'refused' });
  });

  it('refuses a client that has no redirect URI', () => {
    expect(told(ask({}, 'service'))).toEqual({ kind: 'refused' });
  });

  it('keeps the query of a registered URI', () => {
    const answer = ask({ redirect_uri: 'https://web.example/cb?a=b%20c', response_type: 'token' });
    expect(answer).toMatchObject({ location: expect.stringMatching(/^https:\/\/web\.example\/cb\?a=b%20c&error=/) });
  });
});

describe('response type, challenge and scope', () => {
  it.each(['token', 'code token', 'id_token', 'CODE', 'code '])('refuses response_type %s', (type) => {
    expect(told(ask({ response_type: type }))).toMatchObject({
      kind: 'redirect',
      error: 'unsupported_response_type',
      state: 'a state',
    });
  });

  it.each(['plain', 's256', 'S512', 'SHA256'])('refuses the method %s', (method) => {
    expect(told(ask({ code_challenge_method: method, code_challenge: verifier }))).toMatchObject({
      error: 'invalid_request',
    });
  });

  it('takes challenges of 43 to 128 unreserved characters only', () => {
    const outcome = (challenge: string): string => ask({ code_challenge: challenge }).kind;
    expect(['a'.repeat(43), 'a'.repeat(128), '-._~'.repeat(11)].map(outcome)).toEqual([
      'consent',
      'consent',
      'consent',
    ]);
    expect(['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}=`, '+/'.repeat(22)].map(outcome)).toEqual(
      Array(4).fill('redirect'),
    );
  });

  it.each([
    ['an unknown scope', 'web', 'account:profile account:everything'],
    ['a service scope', 'web', 'service:leagues'],
    ['a service scope of a client that has it by credentials', 'app', 'account:profile service:psapi'],
    ['a scope that is not enabled for the client', 'limited', 'account:stashes'],
    ['the guild scope without the special grant', 'web', 'account:guild:stashes'],
    ['no scope at all', 'web', '  '],
    ['a scope in another case', 'web', 'ACCOUNT:profile'],
    ['scopes parted by a tab', 'web', 'account:profile\taccount:leagues'],
  ])('refuses %s', (_, id, scope) => {
    expect(told(ask({ scope }, id))).toMatchObject({ kind: 'redirect', error: 'invalid_scope' });
  });

  it('leaves out what cannot be granted where scopes.unknown says so', () => {
    const bench = createBench({ 'scopes.unknown': 'drop' });
    const answer = ask({ scope: 'nonsense account:profile service:leagues account:guild:stashes' }, 'web', bench);
    expect(answer).toMatchObject({ request: { scopes: ['account:profile'] } });
    expect(told(ask({ scope: 'nonsense' }, 'web', bench))).toMatchObject({ error: 'invalid_scope' });
  });

  it('takes each scope once, in the order of the request', () => {
    const answer = ask({ scope: ' account:stashes  account:profile account:stashes' });
    expect(answer).toMatchObject({ request: { scopes: ['account:stashes', 'account:profile'] } });
  });

  it('knows the scopes of its edition only', () => {
    const bench = createBench({}, { without: ['account:profile'] });
    expect(told(ask({}, 'web', bench))).toMatchObject({ error: 'invalid_scope' });
  });

  it('refuses a client that users cannot grant anything', () => {
    const bench = createBench({}, { without: ['account:profile', 'account:leagues'] });
    expect(told(ask({}, 'limited', bench))).toMatchObject({ kind: 'redirect', error: 'unauthorized_client' });
  });
});

describe('the form of a redirect', () => {
  const denied = { response_type: 'token' };

  it('has the order and iss that the switches say', () => {
    const plain = ask(denied);
    expect(plain).toMatchObject({
      location: expect.stringMatching(/\?error=.*&error_description=.*&state=a\+state$/),
    });
    const bench = createBench({
      'authorize.iss': true,
      'authorize.paramOrder': 'state-first',
      'authorize.spaceForm': 'percent',
    });
    expect(ask(denied, 'web', bench)).toMatchObject({
      location: expect.stringMatching(/\?state=a%20state&error=.*&iss=http%3A%2F%2F127\.0\.0\.1%3A4010$/),
    });
  });

  it('describes errors in fixed words of the permitted characters', () => {
    for (const [, description] of Object.values(failures))
      expect(description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(told(ask({ response_type: '"<script>"' })).error_description).toBe(failures.unsupported_response_type[1]);
  });
});
