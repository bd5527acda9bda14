import fc from 'fast-check';
import { expect, it } from 'vitest';

import { drawLanes } from './draw.js';
import type { Bar } from './draw.js';

const gBar: fc.Arbitrary<Bar> = fc
  .record({ lane: fc.nat(2), from: fc.nat(5000), length: fc.nat(5000), text: fc.stringMatching(/^[a-z]{1,30}$/) })
  .map(({ length, from, ...bar }) => ({ ...bar, from, to: from + length, isWrong: false }));

/** The letters of each line, from left to right: where they begin and end. */
function linesOf(svg: string): readonly (readonly [from: number, to: number])[][] {
  const lines = new Map<string, [number, number][]>();
  for (const [, x, y, kind, text = ''] of svg.matchAll(/<text x="(\d+)" y="(\d+)"(?: class="(\w+)")?>([^<]*)</g)) {
    const width = text.length * (kind === 'moment' ? 6.1 : 7.3);
    const from = kind === 'moment' ? Number(x) - width / 2 : Number(x);
    lines.set(y!, [...(lines.get(y!) ?? []), [from, from + width]]);
  }
  return [...lines.values()].map((line) => line.toSorted(([one], [other]) => one - other));
}

it('writes nothing over something else, whatever overlaps', () => {
  fc.assert(
    fc.property(fc.array(gBar, { minLength: 1, maxLength: 8 }), (bars) => {
      const names = ['copy 1', 'copy 2', 'last start'];
      const inOrder = bars.toSorted((one, other) => one.from - other.from);
      for (const line of linesOf(drawLanes({ names, bars: inOrder, note: 'A note.' }))) {
        for (const [at, [from]] of line.entries()) {
          if (at > 0) expect(from).toBeGreaterThanOrEqual(line[at - 1]![1]);
        }
      }
    }),
    {
      examples: [
        [Array.from({ length: 2 }, (): Bar => ({ lane: 2, text: 'a', from: 1459, to: 1459, isWrong: false }))],
      ],
    },
  );
});
