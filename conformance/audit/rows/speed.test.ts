import { expect, it } from 'vitest';

import { auditLedger } from '../ledger.js';
import { runOf } from '../run.fixture.js';
import type { Told } from '../run.fixture.js';

/** A client that gets a token, has it refused, and begins again, without end. */
const restless = (rounds: number, status: number): (readonly [string, Told])[] =>
  Array.from({ length: rounds }, (_, round): (readonly [string, Told])[] => {
    const at = 6 * round;
    const refused: Told = { status, ms: 1, bearer: `a${round}`, decision: status === 429 ? 'limited' : 'refused' };
    const form = { grant_type: 'refresh_token', refresh_token: `r${round}`, client_id: 'app' };
    const reply = { access_token: `a${round}`, refresh_token: `r${round + 1}`, token_type: 'bearer', expires_in: 60 };
    return [
      ['/oauth/token', { at, ms: 1, form, reply }],
      ['/profile', { ...refused, at: at + 2 }],
      ['/league/Standard', { ...refused, at: at + 4 }],
    ];
  }).flat();

/** Comparisons of one request with another that a row may make: none looks at all of them for each pair. */
it.each([401, 403, 429])('a client that never stops is judged without end by no row, after %i', (status) => {
  const told = restless(150, status);
  const run = runOf(told, { world: { limit: { windows: [{ hits: 6, period: 2, restriction: 2 }] } } });
  let looks = 0;
  const calls = run.calls.map((call) => new Proxy(call, { get: (of, name) => ((looks += 1), Reflect.get(of, name)) }));
  for (const { id, judge } of auditLedger) {
    looks = 0;
    judge?.({ ...run, calls });
    expect(looks / calls.length ** 2, id).toBeLessThan(30);
  }
});
