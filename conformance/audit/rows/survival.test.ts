import { describe, expect, it } from 'vitest';

import type { Told } from '../run.fixture.js';
import { runOf, verdictOf } from '../run.fixture.js';

/** An hour of the exchange history; the last one of three names itself. */
const hour = (at: number): readonly [string, Told] => [
  `/currency-exchange${at === 0 ? '' : `/${at * 3600}`}`,
  { reply: { next_change_id: Math.min(at + 1, 2) * 3600, markets: [{}] } },
];

/** A client that reads these hours, and is stopped so many ms after its start. */
const stoppedAt =
  (ms: number) =>
  (id: string, ...hours: readonly number[]): string =>
    verdictOf(
      id,
      runOf(hours.map(hour), {
        world: { id: 'x', survival: id },
        ended: false,
        endings: [{ how: 'time', code: null, signal: null, ms, output: '', written: 0 }],
      }),
    );

const stopped = stoppedAt(60_000);
const stoppedSoon = stoppedAt(5000);

describe('a client that is stopped', () => {
  it.each([
    ['waits at the end of a pruned history', stopped('READ-PRUNED-001', 0, 1, 2), 'pass'],
    ['hangs within a pruned history', stopped('READ-PRUNED-001', 0, 1), 'violated'],
    ['waits at the end of a history with quiet hours', stopped('READ-QUIET-001', 0, 1, 2), 'pass'],
    ['hangs within a history with quiet hours', stopped('READ-QUIET-001', 0, 1), 'violated'],
    ['waits at the end where the ids have any characters', stopped('READ-CURSOR-001', 0, 1, 2), 'pass'],
    ['hangs where the ids have any characters', stopped('READ-CURSOR-001', 0, 1), 'violated'],
    ['only asks for what it was given', stoppedSoon('READ-CODING-001', 0, 0, 0), 'violated'],
    ['asks for more as well', stoppedSoon('READ-CODING-001', 0, 0, 0, 1), 'not exercised'],
    ['hangs at the end where dates have another form', stopped('READ-DATE-001', 0, 1, 2), 'violated'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
