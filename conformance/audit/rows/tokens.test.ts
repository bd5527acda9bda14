import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

const issue = (token: string, scope = 'service:leagues'): readonly [string, Told] => [
  '/oauth/token',
  { form: { grant_type: 'client_credentials', client_id: 'c', scope }, reply: { access_token: token, scope } },
];
const use = (bearer: string, more: Told = {}): readonly [string, Told] => ['/league', { bearer, ...more }];

describe('one token for many requests', () => {
  const judge = (...calls: readonly (readonly [string, Told])[]): string => verdictOf('TOK-ONE-001', runOf(calls));
  const each = (of: (token: string) => readonly (readonly [string, Told])[]): readonly (readonly [string, Told])[] =>
    ['a', 'b', 'c', 'd'].flatMap(of);

  it.each([
    ['is kept by one', judge(issue('a'), use('a'), use('a')), 'pass'],
    ['is not kept by one for each', judge(...each((token) => [issue(token), use(token)])), 'violated'],
    [
      'is not kept by one more that is unused',
      judge(issue('x'), ...each((token) => [issue(token), use(token)])),
      'violated',
    ],
    [
      'is kept by four for four sets of scopes',
      judge(...each((token) => [issue(token, `service:${token}`), use(token)])),
      'pass',
    ],
    [
      'is kept by new ones after refusals',
      judge(...each((token) => [issue(token), use(token, { status: 401 })])),
      'pass',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the scopes that were granted', () => {
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const login = (granted: string): readonly (readonly [string, Told])[] => [
    [`/oauth/authorize?scope=account:profile+account:characters&code_challenge=${challenge}`, { bearer: '' }],
    [
      '/oauth/token',
      {
        form: { grant_type: 'authorization_code', client_id: 'c', code_verifier: verifier },
        reply: { access_token: 't', scope: granted },
      },
    ],
  ];
  const judge = (granted: string, ...targets: readonly string[]): string =>
    verdictOf(
      'TOK-SCOPE-002',
      runOf([...login(granted), ...targets.map((target): [string, Told] => [target, { bearer: 't' }])]),
    );
  it.each([
    ['are all that was asked for', judge('account:characters account:profile', '/character'), 'not exercised'],
    ['are kept to', judge('account:profile', '/profile'), 'pass'],
    ['are not kept to', judge('account:profile', '/profile', '/character'), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the tokens after a data reply of 403', () => {
  const judge = (...calls: readonly (readonly [string, Told])[]): string =>
    verdictOf('TOK-KEEP-001', runOf([issue('a'), ...calls]));
  const refused = (at: number): readonly [string, Told] => [
    '/character',
    { at, bearer: 'a', status: 403, client: 'c' },
  ];
  const renewed = (at: number): readonly [string, Told] => ['/oauth/token', { ...issue('b')[1], at, client: 'c' }];

  it.each([
    ['are kept by who asks again with them', judge(refused(500), use('a', { at: 520 })), 'pass'],
    [
      'are not kept by who gets others and asks again',
      judge(refused(500), renewed(520), ['/character', { bearer: 'b' }]),
      'violated',
    ],
    [
      'are not kept by one of several workers who does so at once',
      judge(['/account/leagues', { at: 480, ms: 60, bearer: 'a' }], refused(500), use('a', { at: 545 }), renewed(550), [
        '/character',
        { at: 570, bearer: 'b' },
      ]),
      'violated',
    ],
    [
      'are kept by one of several workers who renews them later, when they are due',
      judge(
        ['/account/leagues', { at: 480, ms: 60, bearer: 'a' }],
        refused(500),
        use('a', { at: 545 }),
        renewed(2000),
        ['/character', { at: 2020, bearer: 'b' }],
      ),
      'pass',
    ],
    [
      'are not lost by who gets one for each request',
      judge(
        use('a', { client: 'c' }),
        renewed(200),
        ['/character', { at: 220, bearer: 'b', status: 403, client: 'c' }],
        ['/oauth/token', { ...issue('d')[1], at: 230, client: 'c' }],
        ['/character', { at: 240, bearer: 'd', client: 'c' }],
      ),
      'not exercised',
    ],
    [
      'are kept by who asks for something else, and renews them then',
      judge(refused(500), use('a', { at: 520 }), renewed(540), ['/character', { at: 560, bearer: 'b' }]),
      'pass',
    ],
  ])('%s', (_, got, expected) => {
    expect(got).toBe(expected);
  });
});

it('one Authorization header goes with a request, not two', () => {
  const twice = runOf([['/profile', { headers: { Authorization: 'Bearer other' } }]]);
  expect(verdictOf('TOK-BEARER-001', twice)).toBe('violated');
  expect(verdictOf('TOK-BEARER-001', runOf([['/profile']]))).toBe('pass');
});

describe('a token without an expiry', () => {
  let made = 0;
  const endless = (token: string): readonly [string, Told] => [
    '/oauth/token',
    { ...issue(token)[1], reply: { access_token: token, expires_in: null } },
  ];
  /** A request for which two tokens are got, of which the first is not used. */
  const twice = (): readonly (readonly [string, Told])[] => [
    endless(`x${(made += 1)}`),
    endless(`y${made}`),
    use(`y${made}`),
  ];
  const judge = (id: string, ...calls: readonly (readonly [string, Told])[]): string => {
    let at = 0;
    return verdictOf(id, runOf(calls.map(([target, told]) => [target, { ...told, at: (at += 20) }])));
  };
  const [a, b, c, d, e] = [twice(), twice(), twice(), twice(), twice()];
  it.each([
    ['is used', judge('TOK-EXPIRES-001', endless('a'), use('a'), use('a')), 'pass'],
    ['is replaced unused, time and again', judge('TOK-EXPIRES-001', ...a, ...b, ...c, ...d, ...e), 'violated'],
    [
      'is unused by workers that begin together',
      judge('TOK-EXPIRES-001', ...['a', 'b', 'c', 'd', 'e'].map(endless), use('e')),
      'pass',
    ],
    [
      'is unused by workers for whom nothing is left',
      judge('TOK-EXPIRES-001', endless('a'), use('a'), ...['b', 'c', 'd', 'e', 'f', 'g'].map(endless)),
      'pass',
    ],
    ['is used once, beside as many that are not used', judge('TOK-ONE-001', ...a, ...b, ...c, ...d), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the scope that a request needs', () => {
  const judge = (scope: string, target: string, status: number): string =>
    verdictOf(
      'TOK-SCOPE-003',
      runOf([issue('a', scope), [target, { method: 'POST', body: 'token=a', bearer: 'a', status }]]),
    );
  it.each([
    ['is not asked for, to revoke a token', judge('service:leagues', '/oauth/token/revoke', 403), 'violated'],
    ['is not asked for, to introspect a token', judge('service:leagues', '/oauth/token/introspect', 403), 'violated'],
    ['is asked for, to revoke a token', judge('oauth:revoke', '/oauth/token/revoke', 200), 'pass'],
    ['is asked for, and not granted', judge('oauth:revoke', '/oauth/token/revoke', 403), 'pass'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
