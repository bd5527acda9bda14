import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isExplained } from './brute-force.fixture.js';
import { explain } from './explain.js';
import { gExplained, gMutated } from './generated.fixture.js';
import { windows } from './history.js';
import type { History } from './history.js';
import { shrink } from './shrink.js';
import { judge } from './verdict.js';

const numRuns = Number(process.env['HISTORIES'] ?? 1500);
const small = gExplained({ callers: 3, calls: 2 }).filter(({ calls }) => calls.length <= 6);
const gLag = fc.constantFrom(0, 0, 1, 2.5, Infinity);
const explained = (history: History, lag = 0): boolean => explain(history, { lag }).order !== undefined;

describe('an explanation', () => {
  it('is found of every history of a server that does one call after the other', () => {
    fc.assert(
      fc.property(gExplained({ callers: 5, calls: 6 }), gLag, (history, lag) => {
        expect(explained(history, lag)).toBe(true);
      }),
      { numRuns },
    );
  });

  it('is found exactly where trying every order finds one', () => {
    const counts = { explained: 0, not: 0 };
    fc.assert(
      fc.property(gMutated(gMutated(gMutated(small))), gLag, (history, lag) => {
        const found = isExplained(history, lag);
        counts[found ? 'explained' : 'not'] += 1;
        expect(explained(history, lag)).toBe(found);
      }),
      { numRuns: 2 * numRuns },
    );
    // Neither answer is rare among them.
    expect(Math.min(counts.explained, counts.not)).toBeGreaterThan(numRuns / 20);
  });

  it('is not taken away by more lag, and not given by fewer replies', () => {
    fc.assert(
      fc.property(gMutated(gMutated(gExplained())), fc.nat({ max: 9 }), (history, lag) => {
        if (explained(history, lag)) expect(explained(history, lag + 1)).toBe(true);
        if (explained(history)) expect(judge(history).kind).toBe('explained');
      }),
      { numRuns },
    );
  });

  it('is an order of the calls that were answered, and of some that were not', () => {
    fc.assert(
      fc.property(gExplained(), (history) => {
        const { order = [] } = explain(history);
        const all = windows(history, 0);
        const answered = history.calls.filter((_, index) => !all[index]!.optional);
        expect(answered.filter((call) => !order.includes(call))).toEqual([]);
        expect(isExplained({ ...history, calls: order.slice(0, 1) })).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the shrunk history', () => {
  it('has no explanation either, and has one as soon as any reply is forgotten that nothing builds upon', () => {
    const gImpossible = gMutated(gMutated(small)).filter((history) => !explained(history));
    fc.assert(
      fc.property(gImpossible, (history) => {
        const { calls, culprit } = shrink(history);
        expect(calls[culprit]?.reply).toBeDefined();
        expect(calls.length).toBeLessThanOrEqual(history.calls.length);
        expect(isExplained({ ...history, calls })).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
