import { describe, expect, it } from 'vitest';

import { alike, lacks } from './rows.js';
import { standing, standings, tally } from '../standing.js';
import { canaryReport, sampleReport } from './sample.fixture.js';

describe('standing', () => {
  it('counts every row once', () => {
    const { rows } = sampleReport(980);
    const counts = tally(rows);
    expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(980);
    expect(new Set(rows.map(standing))).toEqual(new Set(standings));
  });

  it('calls a known failure waived, and a row that passes by its verdict, waived or not', () => {
    const waived = { reason: 'known' };
    expect(standing({ how: 'check', verdict: 'fail', waived })).toBe('waived');
    expect(standing({ how: 'check', verdict: 'pass', waived })).toBe('pass');
  });
});

describe('failures that are alike', () => {
  it('are one where only a request id differs, the largest group first', () => {
    const groups = alike(canaryReport().rows.filter(({ verdict }) => verdict === 'fail'));
    expect(groups.map((group) => new Set(group.map(({ failure }) => failure?.expected)).size)).toEqual([1, 1, 1]);
    expect(groups[0]!.length).toBeGreaterThan(groups[1]!.length);
  });

  it('are not one where another status came', () => {
    const [first] = sampleReport().rows;
    const other = { ...first!, failure: { ...first!.failure!, got: 'status 201 with a new access token' } };
    expect(alike([first!, other])).toHaveLength(2);
  });
});

describe('what was lacking', () => {
  it('is told by capability with its remedy, then by reason', () => {
    expect(lacks(sampleReport()).map(({ what, rows, remedy }) => [what, rows.length, Boolean(remedy)])).toEqual([
      ['clock', 2, true],
      [expect.stringContaining('account:guild:stashes'), 1, false],
    ]);
  });

  it('is told with every capability that a row names, and with none that it does not', () => {
    const [row] = sampleReport().rows;
    const capabilities = ['consent', 'clock', 'stash'].map((name) => ({ name, offered: false, rows: 9, remedy: name }));
    const stopped = { ...row!, verdict: 'could not run' as const, failure: undefined };
    const rows = [
      { ...stopped, reason: 'needs consent: offer it; needs clock: offer it' },
      { ...stopped, reason: 'needs clock: offer it' },
      { ...stopped, reason: 'the stash could not be read' },
    ];
    expect(lacks({ rows, capabilities }).map(({ what, rows }) => [what, rows.length])).toEqual([
      ['clock', 2],
      ['consent', 1],
      ['the stash could not be read', 1],
    ]);
  });
});
