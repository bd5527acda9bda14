import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { atOnce, beforeOthers, Slots } from './slots.js';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Counts how many run at once; each takes as many turns of the event loop as it is told. */
function counting() {
  let [now, most] = [0, 0];
  return {
    most: () => most,
    work: async (turns: number): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      for (let left = turns; left > 0; left -= 1) await turn();
      now -= 1;
    },
  };
}

describe('slots', () => {
  it('are as many as were asked for, and all of them are used', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat({ max: 3 })), async (width, turns) => {
        const { most, work } = counting();
        const slots = new Slots(width);
        await Promise.all(turns.map((one) => slots.within(() => work(one + 1))));
        expect(most()).toBe(Math.min(width, turns.length));
      }),
      { numRuns: 50 },
    );
  });

  it('are free again after a failure', async () => {
    const slots = new Slots(1);
    await expect(slots.within(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.within(async () => 'yes')).toBe('yes');
  });
});

describe('an action that goes before others', () => {
  it('gets the next slot that is free, whenever it asks for one', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const step = (name: string): Promise<void> =>
      slots.within(async () => {
        await turn();
        order.push(name);
      });
    const first = async (): Promise<void> => {
      await step('first 1');
      await step('first 2');
    };
    const others = ['a', 'b', 'c'].map(step);
    await Promise.all([...others, beforeOthers(first)]);
    expect(order).toEqual(['a', 'first 1', 'b', 'first 2', 'c']);
  });

  it('leaves one slot in eight to those who wait', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const step = (name: string): Promise<void> =>
      slots.within(async () => {
        await turn();
        order.push(name);
      });
    const crowd = beforeOthers(() => Promise.all(Array.from({ length: 20 }, () => step('1'))));
    await Promise.all([crowd, ...['a', 'b'].map(step)]);
    expect([order.indexOf('a'), order.indexOf('b'), order.length]).toEqual([8, 16, 22]);
  });
});

describe('an action that runs alone', () => {
  /** Runs some actions within slots and some alone, and tells what was under way when each of the latter began. */
  async function played(width: number, turns: readonly (number | 'alone')[]): Promise<readonly string[]> {
    const slots = new Slots(width);
    const underway = new Set<number>();
    const told: string[] = [];
    const work = async (name: number, count: number): Promise<void> => {
      underway.add(name);
      for (let left = count; left > 0; left -= 1) await turn();
      underway.delete(name);
    };
    await Promise.all(
      turns.map((one, name) =>
        one === 'alone'
          ? slots.alone(async () => {
              await Promise.all([1, 2, 3].map((own) => slots.within(() => work(1000 * own + name, 2))));
              await slots.alone(() => slots.within(turn));
              told.push([...underway].join());
            })
          : slots.within(() => work(name, one)),
      ),
    );
    return told;
  }

  it('has slots of its own, nobody else has one meanwhile, and two of them do not wait for each other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.oneof(fc.nat({ max: 4 }), fc.constant('alone' as const)), { maxLength: 12 }),
        async (width, turns) => {
          expect(await played(width, turns)).toEqual(turns.filter((one) => one === 'alone').map(() => ''));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('frees the slots when it fails', async () => {
    const slots = new Slots(2);
    await expect(slots.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.within(async () => 'yes')).toBe('yes');
    expect(await slots.alone(async () => 'again')).toBe('again');
  });
});

describe('many at once', () => {
  it('are bounded, and answer in the order of the values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat({ max: 3 })), async (width, turns) => {
        const { most, work } = counting();
        const results = await atOnce(width, turns.entries(), async ([place, one]) => {
          await work(one + 1);
          return place;
        });
        expect(results).toEqual([...turns.keys()]);
        expect(most()).toBe(Math.min(width, turns.length));
      }),
      { numRuns: 50 },
    );
  });

  it('tell the first failure by the order of the values, wait for the others, and begin no more', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const outcome = atOnce(3, [3, 1, 2, 0, 0], async (turns) => {
      begun.push(turns);
      for (let left = turns; left > 0; left -= 1) await turn();
      ended.push(turns);
      if (turns !== 2) throw new Error(`after ${turns}`);
    });
    await expect(outcome).rejects.toThrow('after 3');
    expect(begun).toEqual([3, 1, 2]);
    expect(ended.toSorted()).toEqual([1, 2, 3]);
  });
});
