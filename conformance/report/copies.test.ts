import { describe, expect, it } from 'vitest';

import { copyLines } from './copies.js';
import { sampleReport } from './sample.fixture.js';

const terminal = { tty: false, colour: false, columns: 100 };
const [wrong] = sampleReport().copies!;
const lines = (copies: readonly (typeof wrong)[]): string[] =>
  copyLines({ ...sampleReport(), copies: copies.map((one) => one!) }, terminal);

describe('copies of a client in a terminal', () => {
  it('have their calls over time, each with its copy and its end', () => {
    expect(lines([wrong])).toEqual([
      'Copies in the world two-at-once: Two copies start at once',
      '  copy 1: code 0  ├──────────┤              refresh 200',
      '  copy 2: killed        ├──────────┤        refresh 400  ← COPY-CONSENT-001',
      '  copy 2: killed                        ├┄  authorize unanswered  ← COPY-CONSENT-001',
    ]);
  });

  it('are not shown where nothing is wrong', () => {
    expect(lines([{ ...wrong!, blamed: [] }])).toEqual([]);
  });

  it('are shown of two worlds, and the others by name', () => {
    const all = ['one', 'two', 'three', 'four'].map((world) => ({ ...wrong!, world }));
    expect(lines(all).at(-1)).toBe('  2 more worlds in report.html: three, four');
    expect(lines(all)).toHaveLength(9);
  });
});
