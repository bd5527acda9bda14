import { describe, expect, it } from 'vitest';

import { planOf } from '../plan.js';
import type { Planned } from '../engine/plan.js';
import { ledger } from '../ledger.gen.js';
import type { MutantResult, VariantResult } from './judge.js';
import { judgeMutant, judgeVariant } from './judge.js';
import { operator } from './mutant.js';
import type { Mutant } from './mutant.js';
import { mutants } from './mutants/index.js';
import { tasksOf, rotation } from './tasks.js';
import { publishedMatrix } from './matrix.js';
import type { MutantLine } from './matrix.js';
import { selectionOf } from './selection.js';
import { survivors, withoutMutant } from './survivors.js';
import { carryOut, nameOf } from './task.js';
import type { Done } from './task.js';
import { tryOut } from './trial.js';
import { variants } from './variants/index.js';
import { proofOf } from './verdict.js';

const effort = { runs: 10, seed: 1 };
const mutant = (id: string): Mutant => mutants.find((one) => one.id === id)!;
const codes = mutant('M-AZ-36');

describe('the mutants', () => {
  it('have ids of their own', () => {
    const ids = [...mutants, ...variants].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('name rows that can kill them', () => {
    const able = new Set<string>(ledger.filter(({ how }) => how !== 'excluded').map(({ id }) => id));
    const named = mutants.flatMap(({ id, rows, exercise = [] }) => [...rows, ...exercise].map((row) => `${id} ${row}`));
    expect(named.filter((one) => !able.has(one.split(' ')[1]!))).toEqual([]);
    expect(mutants.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });

  it('are there for every survivor', () => {
    expect(Object.keys(survivors).filter((id) => !mutant(id))).toEqual([]);
  });
});

describe('every requirement that a black box can test', () => {
  it('has a mutant that its check must kill', () => {
    const named = new Set<string>(mutants.flatMap(({ rows }) => rows));
    const binding = ledger.filter(({ level, how }) => level.startsWith('MUST') && how !== 'excluded');
    const untested = binding.filter(({ id }) => !named.has(id) && !(id in withoutMutant)).map(({ id }) => id);
    expect(untested).toEqual([]);
    expect(Object.keys(withoutMutant).filter((id) => named.has(id))).toEqual([]);
  });
});

describe('a server whose user has one grant to a client, the last', () => {
  it('is failed by no row that has two, and warned of by the one that asks for two', async () => {
    const { mutation } = variants.find(({ id }) => id === 'LIFE-014-all')!;
    const plan = planOf(['LIFE-014', 'TOK-REFRESH-001', 'TOK-REFRESH-008', 'AUTH-CODE-001', 'REV-013']);
    const { outcomes } = await tryOut({ ...effort, plan, timeout: 60_000, mutations: [mutation!] });
    expect(Object.fromEntries(outcomes.map(({ row, verdict }) => [row, verdict]))).toEqual({
      'LIFE-014': 'warn',
      'TOK-REFRESH-001': 'pass',
      'TOK-REFRESH-008': 'could not run',
      'AUTH-CODE-001': 'pass',
      'REV-013': 'pass',
    });
  });
});

describe('the trial of a mutant', () => {
  it('shows what killed it', async () => {
    const result = await judgeMutant(codes, effort);
    expect(result).toMatchObject({ status: 'killed', killers: ['AUTH-CODE-009'], missed: [] });
  });

  it('fails where a check has lost what it asserts', async () => {
    const all = planOf([]).map((one): Planned => {
      const { row, check } = one;
      if (row.id !== 'AUTH-CODE-009' || !check) return one;
      // It asks all that it asked, and takes any answer.
      const body: typeof check.body = async (run) => void (await check.body(run).catch(() => {}));
      return { ...one, check: { ...check, body } };
    });
    const result = await judgeMutant(codes, { ...effort, all });
    expect(result).toMatchObject({ status: 'survived', missed: [{ row: 'AUTH-CODE-009', verdict: 'pass' }] });
    expect(proofOf([{ kind: 'mutant', id: codes.id, seed: 1, result }], {}).failures).toHaveLength(1);
  });

  it('finds a mutant that never changes anything', async () => {
    expect(await judgeMutant({ ...codes, mutation: operator('nothing', () => {})() }, effort)).toMatchObject({
      status: 'no-op',
    });
  });

  it('does not take a check that cannot run for a kill', async () => {
    const nobody = operator('nobody', (at) => at.authority(() => ({ accounts: (at.acted(), new Map()) })));
    const deaf: Mutant = { ...codes, mutation: nobody() };
    expect((await judgeMutant(deaf, effort)).killers).toEqual([]);
  });

  it('kills a server that fails at everything', async () => {
    expect(await carryOut({ kind: 'canary', id: 'canary', seed: 1 })).toMatchObject({
      result: { status: 'killed', missed: [] },
    });
  });
});

describe('the trial of a conforming variant', () => {
  const all = selectionOf({ rows: ['AUTH-CODE-001', 'AUTH-CODE-009', 'LEAGUE-GET-002'] });

  it('accepts it', async () => {
    const variant = variants.find(({ id }) => id === 'B-01')!;
    expect(await judgeVariant(variant, { ...effort, all })).toMatchObject({ status: 'accepted', falsePositives: [] });
  });

  it('reports a false positive where a conforming server fails', async () => {
    const wrong = { id: 'wrong', mutation: codes.mutation };
    expect(await judgeVariant(wrong, { ...effort, all })).toMatchObject({
      status: 'false positive',
      falsePositives: [{ row: 'AUTH-CODE-009' }],
    });
  });
});

describe('the verdict', () => {
  const kill: MutantResult = {
    kind: 'mutant',
    id: 'M-1',
    status: 'killed',
    killers: ['AUTH-CODE-009'],
    missed: [],
    ms: 1,
  };
  const pass: VariantResult = {
    kind: 'variant',
    id: 'B-1',
    status: 'accepted',
    falsePositives: [],
    warnings: 0,
    judged: 1,
    requests: 1,
    ms: 1,
  };
  const killed: Done = { kind: 'mutant', id: 'M-1', seed: 1, result: kill };
  const accepted: Done = { kind: 'variant', id: 'B-1', seed: 1, result: pass };
  const turned = (status: MutantResult['status'], seed = 1): Done => ({
    ...killed,
    seed,
    result: { ...kill, status },
  });

  it('has no failures where all is as it must be', () => {
    expect(proofOf([killed, accepted], {})).toMatchObject({
      killed: 1,
      mutants: 1,
      accepted: 1,
      variants: 1,
      failures: [],
    });
  });

  it('counts no baseline, and has a failure where one goes wrong', () => {
    const clean: Done = { ...accepted, kind: 'clean', id: 'clean' };
    expect(proofOf([clean], {})).toMatchObject({ mutants: 0, variants: 0, failures: [] });
    expect(proofOf([{ ...clean, result: { ...pass, status: 'false positive' } }], {}).failures).toHaveLength(1);
  });

  it.each(['survived', 'partly', 'no-op', 'invalid', 'error'] as const)('has one for a mutant that is %s', (status) => {
    expect(proofOf([turned(status)], {}).failures).toHaveLength(1);
  });

  it('has one for a false positive, which no reason excuses', () => {
    const blamed: Done = { ...accepted, result: { ...pass, status: 'false positive' } };
    expect(proofOf([blamed], { 'B-1': 'a reason' }).failures).toHaveLength(1);
  });

  it('excuses a survivor with a reason, and nothing that is killed after all', () => {
    expect(proofOf([turned('survived')], { 'M-1': 'a reason' })).toMatchObject({
      failures: [],
      excused: ['M-1: a reason'],
    });
    expect(proofOf([killed], { 'M-1': 'a reason' }).failures).toHaveLength(1);
  });

  it('counts a mutant once, and as killed only where every seed kills it', () => {
    expect(proofOf([killed, turned('killed', 2)], {})).toMatchObject({ killed: 1, mutants: 1, failures: [] });
    const once = proofOf([killed, turned('survived', 2)], { 'M-1': 'a reason' });
    expect(once).toMatchObject({ killed: 0, mutants: 1 });
    expect(once.failures.join()).toContain('M-1 is killed with seed 1 and not with others');
  });
});

describe('what is tried', () => {
  it('is everything, with each seed, or what is named', () => {
    const all = tasksOf({ alone: true }, [1, 2]);
    expect(all).toHaveLength(2 * (2 + mutants.length + variants.length));
    expect(new Set(all.map(nameOf)).size).toBe(all.length);
    expect(tasksOf({ mutant: ['M-AZ-36'] }, [5])).toEqual([{ kind: 'mutant', id: 'M-AZ-36', seed: 5 }]);
    expect(tasksOf({ area: ['codes'] }, [1]).length).toBeGreaterThan(10);
  });

  it.each([{ mutant: ['M-ZZ'] }, { variant: ['B-99'] }, { area: ['rhymes'] }])('knows %j is nothing', (wanted) => {
    expect(() => tasksOf(wanted, [1])).toThrow(Object.values(wanted)[0]![0]);
  });

  it('begins with the canary, and with what the published matrix does not know as it is', () => {
    const line = ({ id, what }: Mutant): MutantLine => {
      return { id, area: '', what, status: 'killed', by: [], digest: id === 'M-AZ-36' ? 'another' : 'same' };
    };
    const lines = mutants.filter(({ id }) => id !== 'M-AZ-03').map(line);
    const others = variants.slice(1).map(({ id, what }) => ({ id, what, status: 'accepted' as const, judged: 1 }));
    const { tasks, changed } = rotation(
      { ledger: '', contract: '', seeds: [1], mutants: lines, variants: others },
      1,
      () => 'same',
    );
    expect(changed.size).toBe(3);
    const ids = tasks.map(({ id }) => id);
    expect([ids[0], ids.at(-1)]).toEqual(['canary', 'clean']);
    expect(ids.slice(1, 4).toSorted()).toEqual([variants[0]!.id, 'M-AZ-03', 'M-AZ-36'].toSorted());
    expect(tasks).toHaveLength(2 + mutants.length + variants.length);
    const whole = tasks.filter(({ kind, part }) => kind === 'variant' && part === undefined);
    expect(whole.map(({ id }) => id)).toEqual([variants[0]!.id]);
  });

  it('is in another order with each seed', () => {
    const [one, two] = [1, 2].map((seed) => rotation(publishedMatrix(), seed).tasks.map(({ id }) => id));
    expect(one).not.toEqual(two);
    expect(one!.toSorted()).toEqual(two!.toSorted());
  });
});

describe('the published matrix', () => {
  it('is about mutants and variants that there are', () => {
    const { mutants: lines, variants: others } = publishedMatrix();
    const known = new Set([...mutants, ...variants].map(({ id }) => id));
    expect([...lines, ...others].map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
    expect(lines.length).toBeGreaterThan(235);
  });

  it('has no survivor without a reason, and no false positive', () => {
    const { mutants: lines, variants: others } = publishedMatrix();
    expect(lines.filter(({ id, status }) => status !== 'killed' && !(id in survivors))).toEqual([]);
    expect(others.filter(({ status }) => status !== 'accepted')).toEqual([]);
  });
});
