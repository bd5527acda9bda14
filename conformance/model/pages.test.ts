import { describe, expect, it } from 'vitest';

import type { Run } from '../engine/run.js';
import type { Answer } from '../wire/answer.js';
import { outOfOrder, steady } from './pages.js';
import type { Snapshot } from './pages.js';

const answer = {} as Answer;
const fault = { expected: 'a', got: 'b', answer };
const run = {
  expect: {
    that(holds: boolean, expected: string): void {
      if (!holds) throw new Error(expected);
    },
  },
} as unknown as Run;

/** Gives the snapshots one after the other, the last one from then on. */
function moving(...snapshots: Snapshot[]): () => Promise<Snapshot> {
  let index = -1;
  return () => Promise.resolve(snapshots[(index = Math.min(index + 1, snapshots.length - 1))]!);
}

describe('a judgement against a list that may move', () => {
  it('stands where the list stood still', async () => {
    await expect(steady(run, moving({ ids: [1, 2] }), async () => fault)).rejects.toThrow('a');
    expect(await steady(run, moving({ ids: [1, 2] }), async () => undefined)).toBe(true);
  });

  it('is made again where the list moved on', async () => {
    const reference = moving({ ids: [1] }, { ids: [2] }, { ids: [3] });
    const held = await steady(run, reference, async ({ ids }) => (ids[0] === 3 ? undefined : fault));
    expect(held).toBe(true);
  });

  it('is not reached where the list keeps moving', async () => {
    const reference = moving(...[1, 2, 3, 4, 5, 6, 7].map((id) => ({ ids: [id] })));
    expect(await steady(run, reference, async () => fault)).toBe(false);
  });

  it('stands where the list keeps its entries and its time, and comes in another order each time', async () => {
    const orders = [1, 2, 3, 4, 5, 6, 7].map((first) => ({
      ids: [first, ...[1, 2, 3, 4, 5, 6, 7].filter((id) => id !== first)],
    }));
    await expect(steady(run, moving(...orders), async () => fault)).rejects.toThrow('a');
    const timed = orders.map((order, stamp) => ({ ...order, stamp }));
    expect(await steady(run, moving(...timed), async () => fault)).toBe(false);
  });
});

describe('figures along a list', () => {
  const along = (...values: number[]) => values.map((value) => [value, answer] as const);

  it('may stay the same, and are told where they turn', () => {
    expect(outOfOrder(along(3, 3, 1), 'falling', 'xp')).toBeUndefined();
    expect(outOfOrder(along(1, 1, 3), 'rising', 'rank')).toBeUndefined();
    expect(outOfOrder(along(3, 4), 'falling', 'xp')).toMatchObject({ got: '4 after 3' });
  });
});
