import { describe, expect, it } from 'vitest';

import type { Ending } from '../run.js';
import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

const ending: Ending = { how: 'exit', code: 0, signal: null, ms: 1000, output: '', written: 0 };
const stopped = { ended: false, endings: [{ ...ending, how: 'time', code: null }] } as const;
const failed = { ended: false, endings: [{ ...ending, code: 1 }] };

describe('a code exchange whose reply is lost', () => {
  const exchange = (code: string, more: Told = {}): readonly [string, Told] => [
    '/oauth/token',
    { form: { grant_type: 'authorization_code', code }, client: 'c', ...more },
  ];
  const gone = exchange('a', { decision: 'faulted', delivery: 'lost' });
  const refused = exchange('a', { status: 400, reply: { error: 'invalid_grant' } });
  const ask = (state: number): readonly [string, Told] => [
    `/oauth/authorize?client_id=c&state=${state}`,
    { client: 'c' },
  ];
  it.each([
    ['a new authorization', [gone, ask(1), exchange('b')], {}, 'pass'],
    ['a clear failure', [gone], failed, 'pass'],
    ['the same code once more, and a clear failure', [gone, refused], failed, 'violated'],
    ['the same code over and over', [gone, refused, refused, refused], failed, 'violated'],
    ['the user asked over and over', [gone, ask(1), ask(2), ask(3), ask(4)], failed, 'violated'],
    ['success without tokens', [gone], {}, 'violated'],
    ['no end', [gone], stopped, 'violated'],
    ['another exchange that came', [exchange('a')], {}, 'not exercised'],
  ] as const)('leads to %s', (_, calls, end, expected) => {
    expect(verdictOf('AUTH-CODE-005', runOf(calls, end))).toBe(expected);
  });
});

describe('a refresh without an answer', () => {
  const hung: readonly [string, Told] = [
    '/oauth/token',
    { form: { grant_type: 'refresh_token', refresh_token: 'r' }, status: null, decision: 'faulted', delivery: 'lost' },
  ];
  it.each([
    ['is given up', [hung], failed, 'pass'],
    ['is followed by something else', [hung, ['/profile']], stopped, 'pass'],
    ['is waited for without end', [hung], stopped, 'violated'],
  ] as const)('%s', (_, calls, end, expected) => {
    expect(verdictOf('REFRESH-HANG-001', runOf(calls, end))).toBe(expected);
  });
});

describe('a code exchange that is never answered', () => {
  const hung: readonly [string, Told] = [
    '/oauth/token',
    {
      form: { grant_type: 'authorization_code', client_id: 'a', code: 'c' },
      status: null,
      decision: 'faulted',
      delivery: 'lost',
    },
  ];
  const other: readonly [string, Told] = ['/profile', { client: 'b' }];
  const again: readonly [string, Told] = ['/oauth/authorize?client_id=a', {}];
  it.each([
    ['is given up', [hung, other], failed, 'pass'],
    ['is followed by another login', [hung, other, again], stopped, 'pass'],
    ['is waited for without end, while another login goes on', [hung, other], stopped, 'violated'],
  ] as const)('%s', (_, calls, end, expected) => {
    expect(verdictOf('AUTH-CODE-007', runOf(calls, { ...end, endedInCalm: true }))).toBe(expected);
  });
});

describe('a page of HTML with a success', () => {
  const page: readonly [string, Told] = [
    '/profile',
    { decision: 'faulted', replyHeaders: { 'content-type': 'text/html; charset=utf-8' } },
  ];
  it.each([
    ['is followed by the request again', [page, ['/profile']], {}, 'pass'],
    ['ends the client', [page], failed, 'pass'],
    ['is taken for data', [page, ['/character']], {}, 'violated'],
  ] as const)('%s', (_, calls, end, expected) => {
    expect(verdictOf('READ-PAGE-001', runOf(calls, end))).toBe(expected);
  });
});

describe('a redirect to another origin', () => {
  const redirected: readonly [string, Told] = [
    '/profile',
    { status: 307, decision: 'faulted', bearer: 'secret-token' },
  ];
  const came = (authorization?: string) => ({
    elsewhere: [{ method: 'GET', url: 'http://localhost:1/profile', authorization, body: '' }],
  });
  it.each([
    ['not followed', {}, 'pass'],
    ['followed without the token', came(), 'pass'],
    ['followed with the token', came('Bearer secret-token'), 'violated'],
  ])('is %s', (_, more, expected) => {
    expect(verdictOf('TOK-REDIRECT-001', runOf([redirected], more))).toBe(expected);
  });
});

describe('a token request that is redirected to another origin', () => {
  const form = { grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'c' };
  const redirected: readonly [string, Told] = ['/oauth/token', { form, status: 307, decision: 'faulted' }];
  const came = (body: string) => ({
    elsewhere: [{ method: 'POST', url: 'http://localhost:1/oauth/token', authorization: undefined, body }],
  });
  it.each([
    ['not followed', {}, 'pass'],
    ['followed with nothing', came(''), 'pass'],
    ['followed with its form', came('grant_type=refresh_token&refresh_token=r1&client_id=c'), 'violated'],
  ])('is %s', (_, more, expected) => {
    expect(verdictOf('TOK-REDIRECT-002', runOf([redirected], more))).toBe(expected);
  });
});
