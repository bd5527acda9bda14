import { describe, expect, it } from 'vitest';

import { sampleReport } from '../conformance/report/sample.fixture.js';
import { outcome } from './replay-run.js';

const failed = sampleReport().rows.find(({ failure }) => failure)!;
const replayed = (got: string, before: string): string =>
  outcome(
    { ...failed, failure: { ...failed.failure!, expected: 'no code', got } },
    { expected: 'no code', got: before },
  ).text;

describe('a failure that is replayed', () => {
  it.each([
    ['a random state', 'status 302, sent to /cb with a code, state "q0Wv7yZk3sJ1nH8b_fT2xA"', '-uR4mP9cL6eD5gK0iN1oQw'],
    ['the id of a request', 'request 0191b6c2-7f5e-7c3a-9d10-4b8e6f2a1c55', 'ffffffff-0000-4000-8000-123456789012'],
    ['a time', 'expires 2026-01-01T00:00:00Z', '2026-03-04T05:06:07.890Z'],
  ])('still fails where only %s differs', (_, got, other) => {
    const before = got.replace(/[\w-]{16,}|\d{4}-\S+Z/, other);
    expect(before).not.toBe(got);
    expect(replayed(got, before)).toMatch(/^still fails\n/);
  });

  it.each([
    ['status', 'status 302 with a code', 'status 200 with a code'],
    ['error', 'error invalid_grant', 'error invalid_request'],
  ])('has changed where the %s differs', (_, got, before) => {
    expect(replayed(got, before)).toMatch(/^changed: fails differently\n/);
  });
});
