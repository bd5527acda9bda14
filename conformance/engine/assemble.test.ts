import { describe, expect, it } from 'vitest';

import { ledger } from '../ledger.gen.js';
import type { RowResult } from '../result.js';
import { capabilitiesOf, judged, rowOf, rowResult, unreached } from './assemble.js';
import type { Counts } from './assemble.js';
import { tally } from '../standing.js';
import type { Outcome } from './outcome.js';

const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  row: 'GEN-002',
  verdict: 'pass',
  exercised: 1,
  notes: [],
  ms: 1,
  ...more,
});
const result = (more: Partial<RowResult> = {}): RowResult => ({ ...rowResult(rowOf('GEN-002')!, outcome()), ...more });

const none: Counts = {
  pass: 0,
  fail: 0,
  warn: 0,
  'not applicable': 0,
  'could not run': 0,
  'not exercised': 0,
  'suite error': 0,
  excluded: 0,
  waived: 0,
};
const lost = { reason: 'the budget is spent' };

describe('a row of a report', () => {
  it('has nothing that an outcome tells the run alone', () => {
    const told = rowResult(rowOf('GEN-002')!, outcome({ forTheRun: { metRefusal: true, underAnyLoad: true } }));
    expect(Object.keys(told).toSorted()).toEqual(Object.keys(result()).toSorted());
  });
});

describe('the end of a run', () => {
  const cases: readonly (readonly [
    Partial<Counts>,
    readonly { readonly id?: string; readonly reason?: string }[],
    readonly string[],
    number,
    string,
  ])[] = [
    [{ pass: 3 }, [], [], 0, 'Conformant: 3 of 3 judged requirements passed.'],
    [{ warn: 1 }, [], [], 0, 'Conformant: 1 of 1 judged requirements passed, 1 with a warning.'],
    [
      { pass: 3, warn: 1, 'could not run': 2, 'not exercised': 1, 'not applicable': 9, excluded: 9 },
      [],
      [],
      0,
      'Conformant: 4 of 4 judged requirements passed, 1 with a warning; 3 not judged (2 could not run, 1 not exercised).',
    ],
    [{ pass: 1, waived: 2 }, [], [], 0, 'Conformant with 2 known deviations: 1 of 3 judged requirements passed.'],
    [{ pass: 5, fail: 1 }, [], [], 1, 'Not conformant: 1 of 6 applicable requirements violated.'],
    [{ fail: 1 }, [lost], [], 1, 'Not conformant: 1 of 1 applicable requirements violated.'],
    [{ fail: 1, 'suite error': 1 }, [], [], 1, 'Not conformant: 1 of 2 applicable requirements violated.'],
    [{ pass: 5 }, [], ['the waiver of X is stale'], 1, 'Not conformant: the waiver of X is stale.'],
    [{ pass: 5, 'suite error': 1 }, [], [], 2, 'Suite error on a requirement. There is no verdict on the server.'],
    [{ pass: 5, 'suite error': 1 }, [lost], [], 2, 'Suite error on a requirement. There is no verdict on the server.'],
    [
      { pass: 5, 'could not run': 1 },
      [lost],
      [],
      3,
      'Incomplete: 5 of 6 applicable requirements judged; 1 could not run (the budget is spent).',
    ],
    [
      { pass: 5, 'could not run': 1 },
      [{ id: 'TOK-001', ...lost }],
      [],
      3,
      'Incomplete: 5 of 6 applicable requirements judged; 1 could not run (TOK-001: the budget is spent).',
    ],
    [{}, [], [], 3, 'Incomplete: 0 of 0 applicable requirements judged.'],
    [{ 'not applicable': 4, excluded: 2 }, [], [], 3, 'Incomplete: 0 of 0 applicable requirements judged.'],
    [{ 'not exercised': 1 }, [], [], 3, 'Incomplete: 0 of 1 applicable requirements judged; 1 not exercised.'],
    [{ 'could not run': 1 }, [], [], 3, 'Incomplete: 0 of 1 applicable requirements judged; 1 could not run.'],
  ];
  it.each(cases)('%j', (counts, incomplete, problems, exitCode, summary) => {
    const names = ['conformant', 'not conformant', 'suite error', 'incomplete'];
    expect(judged({ ...none, ...counts }, { incomplete, problems })).toEqual({
      exitCode,
      outcome: names[exitCode],
      summary,
    });
  });
});

describe('rows of a report', () => {
  it('carry what the ledger says, and how it went', () => {
    const row = rowOf('GEN-001')!;
    expect(rowResult(row, outcome({ row: 'GEN-001', incomplete: true, reason: 'x' }))).toEqual({
      id: 'GEN-001',
      level: row.level,
      title: `[GEN-001 ${row.level}] ${row.statement.replace(/\.$/, '')}`,
      statement: row.statement,
      section: row.section,
      link: row.link,
      group: row.group,
      how: row.how,
      verdict: 'pass',
      incomplete: true,
      reason: 'x',
      exercised: 1,
      notes: [],
      ms: 1,
    });
    expect(rowOf('NONE-001')).toBeUndefined();
    const open = ledger.find(({ level }) => level === 'UNSPEC')!;
    expect(
      rowResult(open, outcome({ row: open.id, incomplete: true })),
      'an observation decides nothing',
    ).not.toHaveProperty('incomplete');
  });

  it('that were never reached are incomplete, unless nothing was to be reached', () => {
    const excluded = ledger.find(({ how }) => how === 'excluded')!;
    expect(unreached(rowOf('GEN-002')!, 'the end')).toMatchObject({
      verdict: 'could not run',
      reason: 'the end',
      incomplete: true,
    });
    expect(unreached(excluded, 'the end')).not.toHaveProperty('incomplete');
  });

  it('are counted once each', () => {
    const rows = [
      result(),
      result({ verdict: 'fail' }),
      result({ verdict: 'fail', waived: { reason: 'known' } }),
      result({ verdict: 'not applicable', how: 'excluded' }),
      result({ verdict: 'suite error' }),
    ];
    expect(tally(rows)).toEqual({ ...none, pass: 1, fail: 1, waived: 1, excluded: 1, 'suite error': 1 });
  });
});

describe('capabilities', () => {
  it('are the needs of rows, with what is to be done about those that are not met', () => {
    const row = { ...rowOf('GEN-002')!, needs: [['clock'], ['revoke', 'introspect']] } as const;
    const other = { ...row, needs: [['clock']] } as const;
    const excluded = { ...row, how: 'excluded', reason: 'x' } as const;
    expect(capabilitiesOf([row, other, excluded], () => [{ need: 'clock', remedy: 'offer one' }])).toEqual([
      { name: 'clock', offered: false, rows: 2, remedy: 'offer one' },
      { name: 'revoke | introspect', offered: true, rows: 1 },
    ]);
  });
});
