import { describe, expect, it } from 'vitest';

import { planOf } from '../engine/plan.js';
import type { Planned } from '../engine/plan.js';
import { ledger } from '../ledger.gen.js';
import type { MutantResult, VariantResult } from './judge.js';
import { judgeMutant, judgeVariant } from './judge.js';
import type { Mutant } from './mutant.js';
import { mutants } from './mutants/index.js';
import { selectionOf } from './selection.js';
import { survivors } from './survivors.js';
import { carryOut } from './task.js';
import { variants } from './variants/index.js';
import { proofOf } from './verdict.js';

const effort = { runs: 10, seed: 1 };
const mutant = (id: string): Mutant => mutants.find((one) => one.id === id)!;
const codes = mutant('M-AZ-36');

describe('the planted bugs', () => {
  it('have ids of their own', () => {
    const ids = [...mutants, ...variants].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('name rows that can notice them', () => {
    const able = new Set<string>(ledger.filter(({ how }) => how !== 'excluded').map(({ id }) => id));
    const named = mutants.flatMap(({ id, rows, beside = [] }) => [...rows, ...beside].map((row) => `${id} ${row}`));
    expect(named.filter((one) => !able.has(one.split(' ')[1]!))).toEqual([]);
    expect(mutants.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });

  it('are there for every survivor', () => {
    expect(Object.keys(survivors).filter((id) => !mutant(id))).toEqual([]);
  });
});

describe('the trial of a bug', () => {
  it('shows who noticed it', async () => {
    const result = await judgeMutant(codes, effort);
    expect(result).toMatchObject({ fate: 'killed', killers: ['AUTH-CODE-009'], missed: [] });
    expect(result.acts).toBeGreaterThan(0);
  });

  it('fails where a check has lost what it asserts', async () => {
    const all = planOf([]).map((one): Planned =>
      one.row.id === 'AUTH-CODE-009' && one.check
        ? { ...one, check: { ...one.check, body: async (run) => run.that(true, 'nothing', 'anything') } }
        : one,
    );
    const result = await judgeMutant(codes, { ...effort, all });
    expect(result).toMatchObject({ fate: 'survived', missed: [{ row: 'AUTH-CODE-009', verdict: 'pass' }] });
    expect(proofOf([result], {}).faults).toHaveLength(1);
  });

  it('finds a bug that is never active', async () => {
    expect(await judgeMutant({ ...codes, plant: () => {} }, effort)).toMatchObject({ fate: 'idle' });
  });

  it('does not take a check that cannot run for one that noticed', async () => {
    const deaf: Mutant = { ...codes, plant: (seam) => seam.authority(() => ({ accounts: (seam.acted(), new Map()) })) };
    expect((await judgeMutant(deaf, effort)).killers).toEqual([]);
  });

  it('kills a server that fails at everything', async () => {
    expect(await carryOut({ kind: 'canary', id: 'canary' }, 1)).toMatchObject({ fate: 'killed', missed: [] });
  });
});

describe('the trial of another right way', () => {
  const all = selectionOf({ rows: ['AUTH-CODE-001', 'AUTH-CODE-009', 'LEAGUE-GET-002'] });

  it('lets it be', async () => {
    const variant = variants.find(({ id }) => id === 'B-01')!;
    expect(await judgeVariant(variant, { ...effort, all })).toMatchObject({ fate: 'quiet', alarms: [] });
  });

  it('gives an alarm where a right server is blamed', async () => {
    const wrong = { id: 'wrong', plant: codes.plant };
    expect(await judgeVariant(wrong, { ...effort, all })).toMatchObject({
      fate: 'alarm',
      alarms: [{ row: 'AUTH-CODE-009' }],
    });
  });
});

describe('the verdict', () => {
  const killed: MutantResult = {
    kind: 'mutant',
    id: 'M-1',
    fate: 'killed',
    killers: ['AUTH-CODE-009'],
    missed: [],
    beside: [],
    acts: 1,
    ms: 1,
  };
  const quiet: VariantResult = {
    kind: 'variant',
    id: 'B-1',
    fate: 'quiet',
    alarms: [],
    warnings: 0,
    judged: 1,
    requests: 1,
    ms: 1,
  };

  it('has no faults where all is as it must be', () => {
    expect(proofOf([killed, quiet], {})).toMatchObject({ killed: 1, quiet: 1, faults: [] });
  });

  it.each(['survived', 'partly', 'idle', 'unfit', 'error'] as const)('has one for a bug that is %s', (fate) => {
    expect(proofOf([{ ...killed, fate }], {}).faults).toHaveLength(1);
  });

  it('has one for a false alarm, which no reason excuses', () => {
    expect(proofOf([{ ...quiet, fate: 'alarm' }], { 'B-1': 'a reason' }).faults).toHaveLength(1);
  });

  it('excuses a survivor with a reason, and nothing that is noticed after all', () => {
    expect(proofOf([{ ...killed, fate: 'survived' }], { 'M-1': 'a reason' })).toMatchObject({
      faults: [],
      excused: ['M-1: a reason'],
    });
    expect(proofOf([killed], { 'M-1': 'a reason' }).faults).toHaveLength(1);
  });
});
