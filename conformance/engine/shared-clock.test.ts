import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SharedClock } from './shared-clock.js';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A clock in seconds from 0 that counts its moves. */
function clockFrom0() {
  let [seconds, moves] = [0, 0];
  return {
    moves: () => moves,
    now: async () => new Date(seconds * 1000),
    advance: async (by: number) => {
      moves += 1;
      await turn();
      return new Date((seconds += by) * 1000);
    },
  };
}

const at = (time: Date): number => time.getTime() / 1000;

interface Wait {
  readonly least: number;
  readonly room: number;
  readonly turns: number;
}

const gWaits = fc.array(
  fc.record({ least: fc.integer({ min: 1, max: 5000 }), room: fc.nat({ max: 3000 }), turns: fc.nat({ max: 3 }) }),
  { maxLength: 5 },
);

describe('a shared clock', () => {
  it('lets each wait as long as it wants and no more, and never moves while one of them does something', async () => {
    const play = async (plans: readonly (readonly Wait[])[], width: number): Promise<void> => {
      const clock = clockFrom0();
      const shared = new SharedClock(clock);
      const queue = [...plans];
      const work = async (own: Pick<SharedClock['clock'], 'now'>, turns: number): Promise<void> => {
        const before = at(await own.now());
        for (let left = turns; left > 0; left -= 1) await turn();
        expect(at(await own.now())).toBe(before);
      };
      const lane = async (): Promise<void> => {
        for (let plan = queue.shift(); plan; plan = queue.shift()) {
          const waits = plan;
          await shared.within(async () => {
            const own = shared;
            await work(own, 2);
            for (const { least, room, turns } of waits) {
              const before = at(await own.now());
              const after = at(await own.advance(least, least + room));
              expect(after).toBe(at(await own.now()));
              expect(after - before).toBeGreaterThanOrEqual(least);
              expect(after - before).toBeLessThanOrEqual(least + Math.max(room, Math.min(5, least / 100)));
              await work(own, turns);
            }
          });
        }
      };
      await Promise.all(Array.from({ length: width }, lane));
    };
    await fc.assert(fc.asyncProperty(fc.array(gWaits, { maxLength: 6 }), fc.integer({ min: 1, max: 6 }), play), {
      numRuns: 150,
    });
  });

  it('is moved once for those that want the same', async () => {
    const clock = clockFrom0();
    const shared = new SharedClock(clock);
    const wait = async (seconds: number): Promise<void> => {
      await turn();
      await shared.advance(seconds);
    };
    await Promise.all([3600, 3603, 3601].map((seconds) => shared.within(() => wait(seconds))));
    expect(clock.moves()).toBe(1);
    expect(at(await clock.now())).toBe(3603);
  });

  it('moves on for those that are left when one fails, and tells each why the clock could not be moved', async () => {
    const broken = new Error('no clock');
    const shared = new SharedClock({ now: async () => new Date(0), advance: () => Promise.reject(broken) });
    const ends = await Promise.allSettled([
      shared.within(() => Promise.reject(new Error('a deviation'))),
      shared.within(() => shared.advance(5)),
      shared.within(() => shared.advance(50).catch(() => shared.advance(1))),
    ]);
    expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as Error).message : 'fine'))).toEqual([
      'a deviation',
      'no clock',
      'no clock',
    ]);
  });

  it('gives the parts of one of them times of their own', async () => {
    const clock = clockFrom0();
    const shared = new SharedClock(clock);
    const seen: string[] = [];
    const wait = async (name: string, ...times: readonly number[]): Promise<void> => {
      for (const seconds of times) {
        await shared.advance(seconds);
        seen.push(`${name} ${at(await clock.now())}`);
      }
    };
    const whole = shared.within(async () => {
      await turn();
      await shared.apart([10, 25], (seconds) => wait(`by ${seconds}`, seconds, seconds));
      await wait('whole', 5);
    });
    await Promise.all([whole, shared.within(() => wait('other', 20, 37))]);
    expect(seen).toEqual(['by 10 10', 'other 20', 'by 10 20', 'by 25 25', 'by 25 50', 'whole 55', 'other 57']);
    await expect(shared.advance(1)).rejects.toThrow('by those within it');
  });

  it('ends when a part fails, with its failure, after the other parts', async () => {
    const clock = clockFrom0();
    const shared = new SharedClock(clock);
    const apart = shared.within(() =>
      shared.apart([1, 2], async (seconds) => {
        await shared.advance(seconds);
        throw new Error(`part ${seconds}`);
      }),
    );
    await expect(apart).rejects.toThrow('part 1');
    expect(at(await clock.now())).toBe(2);
  });
});
