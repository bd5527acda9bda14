import { describe, expect, it } from 'vitest';

import { alike, lacks, pageOf, severalReasons } from './rows.js';
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
    expect(lacks(sampleReport().rows).map(({ what, rows, remedy }) => [what, rows.length, Boolean(remedy)])).toEqual([
      ['clock', 2, true],
      [expect.stringContaining('account:guild:stashes'), 1, false],
    ]);
  });

  it('is told with every capability that a row names, and with none that it does not', () => {
    const [row] = sampleReport().rows;
    const stopped = { ...row!, verdict: 'could not run' as const, failure: undefined };
    const rows = [
      { ...stopped, missing: [{ need: 'consent', remedy: 'offer it' }, { need: 'clock' }], reason: 'needs both' },
      { ...stopped, missing: [{ need: 'clock' }], reason: 'needs clock' },
      { ...stopped, reason: 'the stash could not be read' },
    ];
    expect(lacks(rows).map(({ what, remedy, rows: its }) => [what, remedy, its.length])).toEqual([
      ['clock', undefined, 2],
      ['consent', 'offer it', 1],
      ['the stash could not be read', undefined, 1],
    ]);
  });
});

describe('the page of a requirement', () => {
  it('is an address, or a page that says which package has it', () => {
    expect(pageOf({ id: 'A-1', link: 'https://docs.example/#a' })).toBe('https://docs.example/#a');
    expect(pageOf({ id: 'A-1', link: 'dist/docs/index.html#a' })).toMatch(
      /^file:.*[/]dist[/]docs[/]requirements[.]html#A-1$/,
    );
  });
});

describe('the number of requirements that could not run', () => {
  const row = sampleReport().rows[0]!;

  it('says so where the numbers of the reasons add up to more', () => {
    expect(severalReasons(1, [{ rows: [row] }])).toBe('');
    expect(severalReasons(1, [{ rows: [row] }, { rows: [row] }])).toBe(' (a requirement can have several reasons)');
  });
});
