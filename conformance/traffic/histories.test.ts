import { describe, expect, it } from 'vitest';

import type { Answer } from '../wire/answer.js';
import type { HarEntry } from './entry.js';
import { TrafficHistories } from './histories.js';

type Operation = 'issueToken' | 'revokeToken' | 'introspectToken' | 'getProfile';

interface Exchange {
  readonly operation: Operation;
  /** A form, or a bearer token. */
  readonly sent: Readonly<Record<string, string>>;
  readonly status: number;
  readonly json: unknown;
  /** Milliseconds. */
  readonly at: number;
  readonly took?: number | undefined;
}

const exchanged = (at: number, number = 1, code = 'the-code'): Exchange => ({
  operation: 'issueToken',
  sent: { grant_type: 'authorization_code', code },
  status: 200,
  json: { access_token: `access-${number}`, refresh_token: `refresh-${number}` },
  at,
});
const refreshed = (at: number, used: number, number: number): Exchange => ({
  ...exchanged(at, number),
  sent: { grant_type: 'refresh_token', refresh_token: `refresh-${used}` },
});
const revoked = (at: number, token: string): Exchange => ({
  operation: 'revokeToken',
  sent: { token },
  status: 200,
  json: {},
  at,
});
const used = (at: number, number: number, status = 200): Exchange => ({
  operation: 'getProfile',
  sent: { bearer: `access-${number}` },
  status,
  json: {},
  at,
});
const introspected = (at: number, number: number, active: boolean): Exchange => ({
  operation: 'introspectToken',
  sent: { token: `access-${number}` },
  status: 200,
  json: { active },
  at,
});

/** What the rows say of a recording: violations, warnings and how often there was something to judge. */
function judged(
  exchanges: readonly Exchange[],
  { allowed, files = [] }: { allowed?: number; files?: readonly string[] } = {},
) {
  const histories = new TrafficHistories(allowed);
  for (const [index, { operation, sent, status, json, at, took = 5 }] of exchanges.entries()) {
    const { bearer, ...form } = sent;
    const entry: HarEntry = {
      startedDateTime: new Date(1_767_225_600_000 + at).toISOString(),
      time: took,
      request: {
        method: 'POST',
        url: 'http://127.0.0.1/',
        headers: bearer ? [{ name: 'Authorization', value: `Bearer ${bearer}` }] : [],
        ...(bearer === undefined && { postData: { text: new URLSearchParams(form).toString() } }),
      },
      response: { status },
    };
    const answer = { number: index, status, json, headers: {}, text: '', request: {}, asked: {}, ms: took };
    histories.take(entry, answer as unknown as Answer, { file: files[index] ?? 'one.har', operation });
  }
  const results = histories.results();
  return Object.fromEntries(
    [...results].map(([row, { count, warnings, exercised }]) => [row, [exercised, count, warnings.length]]),
  );
}

const right = { 'LIFE-016': [1, 0, 0], 'LIFE-017': [1, 0, 0], 'INTRO-022': [0, 0, 0] };

describe('a recording', () => {
  it('shows a refresh token that was won twice', () => {
    expect(judged([exchanged(0), refreshed(10, 1, 2), refreshed(12, 1, 3)])['LIFE-016']).toEqual([1, 1, 0]);
  });

  it('shows a code that was won twice', () => {
    expect(judged([exchanged(0), exchanged(2, 2)])['LIFE-017']).toEqual([1, 1, 0]);
  });

  it('shows how late a revocation is, and fails what the target does not allow', () => {
    const late = [exchanged(0), revoked(10, 'access-1'), used(50, 1)];
    expect(judged(late)['LIFE-016']).toEqual([1, 0, 1]);
    expect(judged(late, { allowed: 100 })['LIFE-016']).toEqual([1, 0, 0]);
    expect(judged(late, { allowed: 10 })['LIFE-016']).toEqual([1, 1, 0]);
  });

  it('shows introspection that is late', () => {
    const late = [exchanged(0), revoked(10, 'access-1'), introspected(50, 1, true)];
    expect(judged(late, { allowed: 10 })['INTRO-022']).toEqual([1, 1, 0]);
  });

  it.each<[string, readonly Exchange[]]>([
    ['that a life ended', [exchanged(0), used(10, 1), used(90_000, 1, 401), refreshed(90_010, 1, 2), used(90_020, 2)]],
    ['that the user ended the grant', [exchanged(0), refreshed(10, 1, 2), used(20, 2, 401)]],
    [
      'a refresh that was refused',
      [exchanged(0), { ...refreshed(10, 1, 2), status: 400, json: {} }, refreshed(20, 1, 2)],
    ],
    ['a refresh whose reply was lost', [exchanged(0), { ...refreshed(10, 1, 2), status: 502 }, refreshed(20, 1, 2)]],
    ['the tokens of somebody else', [exchanged(0), refreshed(5, 1, 2), refreshed(10, 7, 8), refreshed(12, 7, 9)]],
    ['two calls that got the same', [exchanged(0), refreshed(10, 1, 2), refreshed(12, 1, 2)]],
    ['exchanges without times', [exchanged(0), refreshed(10, 1, 2), { ...refreshed(20, 1, 3), took: -1 }]],
  ])('blames nobody for %s', (_, exchanges) => {
    const { 'LIFE-016': refreshing, 'LIFE-017': exchanging } = judged(exchanges);
    expect([refreshing?.slice(1), exchanging?.slice(1)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('tells of each file by itself, as clocks differ', () => {
    const all = [exchanged(0), refreshed(10, 1, 2), refreshed(5, 1, 3)];
    expect(judged(all, { files: ['a', 'a', 'b'] })).toEqual(right);
  });
});
