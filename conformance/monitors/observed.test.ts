import { describe, expect, it } from 'vitest';

import type { RowId } from '../ledger.gen.js';
import type { FlagState } from '../target/target.js';
import type { Step } from './cases.fixture.js';
import { answers, resultOf } from './cases.fixture.js';
import { aTab, anItem, hex, tabId } from './objects.fixture.js';

type Over = Readonly<Record<string, unknown>>;
type Story = Step | readonly Step[];
interface Row {
  readonly flag: string;
  readonly described: Story;
  readonly observed: Story;
  /** Rows of the description that the observed form violates. */
  readonly broken?: readonly RowId[];
}

const stream = (change: object): Step =>
  answers('getPublicStashTabs', { next_change_id: '1', stashes: [{ id: hex(1), public: false, ...change }] });
const nulled = { accountName: null, stash: null, stashType: 'x', league: null, items: [] };
const list = (...stashes: unknown[]): Step => answers('listStashes', { stashes }, { args: { league: 'L' } });
const sub = (stash: unknown): Step =>
  answers('getStash', { stash }, { args: { league: 'L', stash_id: tabId(1), substash_id: tabId(2) } });
const item = (over: Over): Step =>
  answers('getStash', { stash: aTab(1, { items: [anItem(over)] }) }, { args: { league: 'L', stash_id: tabId(1) } });
const folder = { metadata: { folder: true }, children: [aTab(2)] };

/** Stories in either form, for each flag. */
const rows: readonly Row[] = [
  { flag: 'F-OBS-UNLISTED', described: stream({}), observed: stream(nulled) },
  {
    flag: 'F-OBS-UNLISTED',
    described: stream({ ...nulled, stashType: null }),
    observed: stream({ ...nulled, league: 'L' }),
    broken: ['PSTASH-UNLIST-001'],
  },
  {
    flag: 'F-OBS-SUBTAB',
    described: sub(aTab(1, { children: [aTab(2)] })),
    observed: sub(aTab(2, { parent: tabId(1), items: [] })),
  },
  {
    flag: 'F-OBS-TABLIST',
    described: list(aTab(1, { children: [aTab(2)] })),
    observed: list(aTab(1), aTab(3, folder)),
  },
  {
    flag: 'F-OBS-TABLIST',
    described: list(aTab(3, { ...folder, children: [aTab(1, { children: [] })] })),
    observed: list(aTab(3, folder)),
  },
  {
    flag: 'F-OBS-MODIFIER',
    described: item({ explicitMods: ['+1 to Bells'] }),
    observed: item({ explicitMods: [{ description: '+1 to Bells', flags: [] }] }),
    broken: ['ITEM-FIELD-explicitMods'],
  },
];

const states: readonly FlagState[] = ['any', 'on', 'off'];
const failures = (row: RowId, story: Story, flag: string, state: FlagState): number =>
  resultOf(row, story, { edition: { [flag]: state } }).count;

describe.each(rows)('$flag', ({ flag, described, observed, broken = [] }) => {
  it('declared on, the described form is blamed and the observed one is not', () => {
    expect(failures('ED-010', described, flag, 'on')).toBeGreaterThan(0);
    expect(failures('ED-010', observed, flag, 'on')).toBe(0);
  });

  it('not declared, both are as they should be', () => {
    for (const row of [...broken, 'ED-010', 'STASH-SUB-003', 'STASH-SUB-006', 'GEN-005'] as const)
      for (const story of [described, observed]) expect([row, failures(row, story, flag, 'any')]).toEqual([row, 0]);
  });

  it.each(broken)('declared off, the observed form violates %s', (row) => {
    expect(failures(row, observed, flag, 'off')).toBeGreaterThan(0);
    for (const state of states) expect(failures(row, described, flag, state)).toBe(0);
  });
});

describe('a member that only live data shows', () => {
  const extra: Story = item({ elder: true, frameTypeId: 'Rare' });

  it('is as the contract has it, of whatever form it is', () => {
    for (const story of [extra, item({ elder: 'yes', frameTypeId: 7 })])
      for (const row of ['GEN-005', 'GEN-007'] as const) expect(failures(row, story, 'F-OBS-INFLUENCE', 'any')).toBe(0);
  });

  it('is told of where its flag is declared off', () => {
    const { warnings } = resultOf('ED-003', extra, { edition: { 'F-OBS-INFLUENCE': 'off' } });
    expect(warnings.join()).toContain('no elder, since F-OBS-INFLUENCE is declared off');
  });
});
