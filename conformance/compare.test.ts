import { describe, expect, it } from 'vitest';

import { compare, isLoss } from './compare.js';
import { comparisonMarkdown, comparisonText, summaryOf } from './report/comparison.js';
import { withRows } from './report/sample.fixture.js';
import type { RowResult, RunReport } from './result.js';

const verdicts = (rows: Readonly<Record<string, RowResult['verdict'] | 'waived'>>): RunReport =>
  withRows(
    Object.entries(rows).map(([id, verdict]) => ({
      id,
      level: 'MUST',
      title: `[${id} MUST] It holds`,
      statement: 'It holds.',
      section: '1',
      link: '',
      group: 'GEN',
      how: 'check',
      exercised: 1,
      notes: [],
      ms: 1,
      ...(verdict === 'waived' ? { verdict: 'fail', waived: { reason: 'known' } } : { verdict }),
    })) as RowResult[],
  );

const ids = (before: RunReport, after: RunReport) => {
  const { broken, lost, fixed, gained } = compare(before, after);
  return [broken, lost, fixed, gained].map((changes) => changes.map(({ row }) => row.id));
};

describe('two runs', () => {
  it.each<[string, RowResult['verdict'] | 'waived', RowResult['verdict'] | 'waived', number | undefined]>([
    ['a failure that was none', 'pass', 'fail', 0],
    ['a failure that could not run before', 'could not run', 'fail', 0],
    ['a failure that was waived', 'waived', 'fail', 0],
    ['a failure that stays', 'fail', 'fail', undefined],
    ['a failure that is waived now', 'fail', 'waived', undefined],
    ['a failure that passes', 'fail', 'pass', 2],
    ['a known deviation that passes', 'waived', 'warn', 2],
    ['a row that is no longer judged', 'pass', 'not exercised', 1],
    ['a failure that is no longer judged', 'fail', 'could not run', 1],
    ['a row that is newly judged', 'not exercised', 'pass', 3],
    ['a warning', 'pass', 'warn', undefined],
  ])('tell %s', (_, before, after, list) => {
    const expected = [0, 1, 2, 3].map((at) => (at === list ? ['X-001'] : []));
    expect(ids(verdicts({ 'X-001': before }), verdicts({ 'X-001': after }))).toEqual(expected);
  });

  it('lose a row that is gone, and gain one that is new', () => {
    expect(ids(verdicts({ 'X-001': 'pass' }), verdicts({ 'X-002': 'pass' }))).toEqual([[], ['X-001'], [], ['X-002']]);
  });

  it('are a loss by what fails or is no longer judged, and by nothing else', () => {
    const loss = (before: RunReport, after: RunReport): boolean => isLoss(compare(before, after));
    expect(loss(verdicts({ a: 'pass' }), verdicts({ a: 'fail' }))).toBe(true);
    expect(loss(verdicts({ a: 'pass' }), verdicts({ a: 'not exercised' }))).toBe(true);
    expect(loss(verdicts({ a: 'fail', b: 'pass' }), verdicts({ a: 'pass', b: 'pass' }))).toBe(false);
    expect(loss(verdicts({ a: 'fail' }), verdicts({ a: 'fail' }))).toBe(false);
  });

  it('say so in words, for a terminal and for a pull request', () => {
    const before = verdicts({ 'X-001': 'pass', 'X-002': 'fail' });
    const comparison = compare(before, verdicts({ 'X-001': 'fail', 'X-002': 'pass' }));
    expect(summaryOf(comparison)).toBe('Loss: 1 requirement began to fail, 1 fixed.');
    expect(comparisonText(comparison, { colour: false })).toContain(
      'Began to fail (1)\n  [X-001 MUST] It holds  pass -> fail',
    );
    expect(comparisonMarkdown(comparison)).toContain('| X-001 | It holds. | pass | fail |');
    expect(summaryOf(compare(before, before))).toBe('No loss: no difference.');
  });

  it('that are not of the same suite or target say so', () => {
    const before = verdicts({ a: 'pass' });
    const after = { ...before, suite: { ...before.suite, ledger: 'other' }, target: { ...before.target, name: 'x' } };
    expect(compare(before, after).notes).toEqual([
      'The two runs have different ledgers.',
      'The targets differ: my-server before, x after.',
    ]);
  });
});
