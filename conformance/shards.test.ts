import { describe, expect, it } from 'vitest';

import { requestsOf } from './engine/plan.js';
import { ledger, ledgerHash } from './ledger.gen.js';
import { planOf } from './plan.js';
import { withRows } from './report/sample.fixture.js';
import type { RowResult, RunReport } from './result.js';
import { digestOf, merge, shardOf } from './shards.js';

const plan = planOf([]);
const parts = (count: number) => Array.from({ length: count }, (_, at) => shardOf(plan, { index: at + 1, count }));

describe('the shards of a plan', () => {
  it.each([1, 2, 4, 9])('run every check once, in %i', (count) => {
    const run = parts(count).flatMap((shard) => shard.flatMap(({ row, check }) => (check ? [row.id] : [])));
    expect(run.toSorted()).toEqual(plan.flatMap(({ row, check }) => (check ? [row.id] : [])).toSorted());
  });

  it('have all monitors each, and know what runs elsewhere', () => {
    for (const shard of parts(3)) {
      expect(shard.map(({ row }) => row.id)).toEqual(plan.map(({ row }) => row.id));
      for (const { row, check, elsewhere } of shard)
        expect(check !== undefined || elsewhere === true || row.how !== 'check').toBe(true);
    }
  });

  it('share the requests', () => {
    const costs = parts(2).map((shard) => shard.reduce((sum, { check }) => sum + (check ? requestsOf(check) : 0), 0));
    expect(Math.min(...costs) / Math.max(...costs)).toBeGreaterThan(0.8);
  });
});

const row = (id: string, verdict: RowResult['verdict'], more: Partial<RowResult> = {}): RowResult => ({
  id,
  level: 'MUST',
  title: id,
  statement: id,
  section: '1',
  link: '',
  group: 'GEN',
  how: 'check',
  verdict,
  exercised: 1,
  notes: [],
  ms: 1,
  ...more,
});
const [a, b, c] = ledger.map(({ id }) => id) as [string, string, string];

function shard(index: number, rows: readonly RowResult[], more: Partial<RunReport> = {}): RunReport {
  return withRows(rows, {
    suite: { version: '0.1.0', ledger: ledgerHash, contract: 'c' },
    problems: [],
    shard: { index, count: 2, run: 'r', digest: digestOf(rows) },
    ...more,
  });
}

const merged = (...reports: readonly RunReport[]): RunReport =>
  merge(
    reports.map((report, at) => ({ file: `out/${at + 1}.json`, report })),
    'gamedata merge',
  );

describe('the report of a whole run', () => {
  it('has every row of its shards once, in the order of the ledger', () => {
    const whole = merged(
      shard(2, [row(b, 'pass'), row(c, 'pass')]),
      shard(1, [row(a, 'pass'), row(c, 'not exercised')]),
    );
    expect(whole.rows.map(({ id, verdict }) => [id, verdict])).toEqual([
      [a, 'pass'],
      [b, 'pass'],
      [c, 'pass'],
    ]);
    expect(whole).toMatchObject({ exitCode: 0, outcome: 'conformant', counts: { pass: 3, fail: 0 } });
    expect(whole.shard).toBeUndefined();
    expect(whole.requests).toEqual({ announced: 2 * 24_310, sent: 2 * 18_204 });
    expect(whole.lifecycle?.words).toBe(2 * 258);
  });

  it('fails by a violation that one shard saw', () => {
    const whole = merged(shard(1, [row(a, 'pass'), row(c, 'pass')]), shard(2, [row(b, 'pass'), row(c, 'fail')]));
    expect(whole).toMatchObject({ exitCode: 1, outcome: 'not conformant', counts: { pass: 2, fail: 1 } });
  });

  it('is incomplete by a row that one shard did not reach', () => {
    const lost = row(b, 'could not run', { incomplete: true, reason: 'the budget is spent' });
    expect(merged(shard(1, [row(a, 'pass')]), shard(2, [lost]))).toMatchObject({ exitCode: 3, outcome: 'incomplete' });
  });

  const good = [shard(1, [row(a, 'pass')]), shard(2, [row(b, 'pass')])] as const;
  it.each<[string, readonly RunReport[], RegExp]>([
    ['no report', [], /no report to merge/],
    ['a missing shard', [good[1]], /^shard 1\/2 missing; run it/],
    ['one shard twice', [good[0], good[0], good[1]], /both shard 1\/2/],
    ['the report of a whole run', [good[0], withRows([])], /out\/2.json is the report of a whole run/],
    [
      'a shard of another run',
      [good[0], { ...good[1], shard: { ...good[1].shard!, run: 'other' } }],
      /out\/2.json is of another run than out\/1.json; give all shards the same target, seed/,
    ],
    [
      'a shard of another number',
      [good[0], { ...good[1], shard: { ...good[1].shard!, count: 3 } }],
      /out\/2.json is of another run/,
    ],
    ['changed rows', [good[0], { ...good[1], rows: [row(b, 'warn')] }], /out\/2.json was changed after its run/],
    [
      'another version of the suite',
      [good[0], { ...good[1], suite: { ...good[1].suite, ledger: 'old' } }],
      /another version of the suite/,
    ],
  ])('is refused for %s', (_, reports, message) => {
    expect(() => merged(...reports)).toThrow(message);
  });
});
