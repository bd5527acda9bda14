import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { falsify } from './property.js';
import { Deviation, MissingCapability, NotExercised, PrerequisiteFailed, Stopped } from '../verdict.js';

const number = fc.integer({ min: 0, max: 100_000 });

/** Holds up to `most`, and notes what it is asked. */
function upTo(most: number) {
  const asked: number[] = [];
  const holds = async (value: number): Promise<void> => {
    asked.push(value);
    if (value > most) throw new Deviation(`at most ${most}`, String(value));
  };
  return { asked, holds };
}

describe('a property', () => {
  it('that holds is held as often as it was asked for, and for its examples before', async () => {
    const { asked, holds } = upTo(100_000);
    expect(await falsify({ values: number, holds, seed: 1, runs: 30, examples: [7] })).toBeNull();
    expect(asked).toHaveLength(31);
    expect(asked[0]).toBe(7);
  });

  it('has the same values for the same seed, others for another', async () => {
    const values = async (seed: number): Promise<number[]> => {
      const { asked, holds } = upTo(100_000);
      await falsify({ values: number, holds, seed, runs: 20 });
      return asked;
    };
    expect(await values(5)).toEqual(await values(5));
    expect(await values(5)).not.toEqual(await values(6));
  });

  it('that fails is shrunk', async () => {
    const found = await falsify({ values: number, holds: upTo(4711).holds, seed: 3, runs: 100 });
    expect(found).toMatchObject({ value: '4712', deviation: { expected: 'at most 4711', got: '4712' } });
  });

  it('goes on after a case that showed nothing, and showed nothing if none did', async () => {
    const asked: number[] = [];
    const only = (shows: (value: number) => boolean) =>
      falsify({
        values: number,
        holds: async (value) => {
          asked.push(value);
          if (!shows(value)) throw new NotExercised('nothing was shown');
        },
        seed: 1,
        runs: 20,
      });
    expect(await only((value) => value % 2 === 0)).toBeNull();
    expect(asked).toHaveLength(20);
    await expect(only(() => false)).rejects.toThrow('nothing was shown');
  });

  it('is shrunk within bounds', async () => {
    const { asked, holds } = upTo(0);
    const list = fc.array(fc.integer({ min: 1, max: 2 ** 30 }), { minLength: 400, maxLength: 500 });
    await falsify({ values: list, holds: async ([first]) => holds(first!), seed: 3, runs: 100 });
    // One that fails, then sixty tries.
    expect(asked.length).toBeLessThanOrEqual(61);
  });

  it('tells a long value in short', async () => {
    const holds = async (): Promise<void> => {
      throw new Deviation('a', 'b');
    };
    const found = await falsify({ values: fc.constant('x'.repeat(9000)), holds, seed: 1, runs: 1 });
    expect(found!.value).toHaveLength(1000 + ' … (9002 characters)'.length);
  });
});

describe('the path to a counterexample', () => {
  it('leads to the smallest case alone', async () => {
    const found = await falsify({ values: number, holds: upTo(4711).holds, seed: 3, runs: 100 });
    const again = upTo(4711);
    const { path } = found!;
    expect(await falsify({ values: number, holds: again.holds, seed: 3, runs: 100, path })).toMatchObject({
      path,
      value: '4712',
    });
    expect(again.asked).toEqual([4712]);
    const mended = upTo(100_000);
    expect(await falsify({ values: number, holds: mended.holds, seed: 3, runs: 100, path })).toBeNull();
    expect(mended.asked).toEqual([4712]);
  });

  it('leads to an example, and to a value behind the examples', async () => {
    for (const [most, examples] of [
      [4711, [1, 90_000]],
      [4711, [1, 2, 3]],
    ] as const) {
      const found = await falsify({ values: number, holds: upTo(most).holds, seed: 9, runs: 50, examples });
      const again = upTo(most);
      await falsify({ values: number, holds: again.holds, seed: 9, runs: 50, examples, path: found!.path });
      expect(again.asked.map(String)).toEqual([found!.value]);
    }
  });
});

describe('what is no deviation', () => {
  it.each([new PrerequisiteFailed('a'), new Stopped('b'), new MissingCapability('c'), new TypeError('d')])(
    'ends the property as it is: $name',
    async (error) => {
      let asked = 0;
      const holds = async (): Promise<void> => {
        asked += 1;
        if (asked === 3) throw error;
      };
      await expect(falsify({ values: number, holds, seed: 1, runs: 100 })).rejects.toBe(error);
      expect(asked).toBe(3);
    },
  );

  it('takes no counterexample back', async () => {
    let asked = 0;
    const holds = async (value: number): Promise<void> => {
      asked += 1;
      if (asked > 1) throw new Stopped('the budget is spent');
      throw new Deviation('nothing', String(value));
    };
    expect(await falsify({ values: number, holds, seed: 1, runs: 100 })).toMatchObject({
      deviation: { expected: 'nothing' },
    });
    expect(asked).toBe(2);
  });
});
