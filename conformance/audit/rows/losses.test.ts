import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

const calm = runOf([['/profile'], ['/character'], ['/character/Ann']]);
const failed = (status: number | null): Told => ({
  status,
  decision: 'faulted',
  ...(status === null && { delivery: 'lost' }),
});
const stormy = (...calls: readonly (readonly [string, Told?])[]) =>
  runOf(calls, { world: { id: 'server-error', faults: [{ kind: 'status', server: 'data', status: 500 }] } });

describe('a read that failed', () => {
  const judge = (...calls: readonly (readonly [string, Told?])[]): string =>
    verdictOf('READ-ERROR-001', calm, stormy(['/profile'], ...calls));
  it.each([
    ['is repeated', judge(['/character', failed(500)], ['/character']), 'pass'],
    ['is taken for empty', judge(['/character', failed(500)]), 'violated'],
    ['is taken for empty after a time-out', judge(['/character', failed(null)]), 'violated'],
    [
      'is taken for empty after more tries',
      judge(['/character', failed(500)], ['/character', failed(500)]),
      'violated',
    ],
    ['is taken for empty after a 401', judge(['/character', { status: 401 }]), 'violated'],
    [
      'is another page of what was read',
      judge(['/character?offset=20', failed(500)], ['/character?offset=40']),
      'violated',
    ],
    ['is repeated with a smaller page', judge(['/character?limit=50', failed(500)], ['/character?limit=9']), 'pass'],
    ['is repeated past caches', judge(['/character', failed(500)], ['/character?_=1700000000']), 'pass'],
    ['says what is not there', judge(['/character/Bob', { status: 404 }]), 'not exercised'],
    ['is nothing that the calm world gave', judge(['/account/leagues', failed(500)]), 'not exercised'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));

  it('may end the client with an error, or be what the user did', () => {
    const calls = [['/character', failed(500)]] as const;
    expect(verdictOf('READ-ERROR-001', calm, { ...stormy(...calls), ended: false })).toBe('not exercised');
    const revoked = runOf([['/character', { status: 401 }]], {
      world: { id: 'revoked-by-user', events: [{ when: { data: 1 }, do: 'revoke-user' }] },
    });
    expect(verdictOf('READ-ERROR-001', calm, revoked)).toBe('not exercised');
  });
});

describe('the same data in another form', () => {
  const judge = (survival: string, ...targets: readonly string[]): string =>
    verdictOf(
      'READ-SAME-001',
      calm,
      runOf(
        targets.map((target) => [target]),
        { world: { id: 'x', survival } },
      ),
    );
  it.each([
    ['is read', judge('READ-ORDER-001', '/profile', '/character', '/character/Bob'), 'pass'],
    ['is not read to its end', judge('READ-ORDER-001', '/profile', '/character'), 'violated'],
    ['is not what an empty account has', judge('READ-EMPTY-001', '/profile', '/character'), 'not exercised'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
