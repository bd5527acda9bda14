import { describe, expect, it } from 'vitest';

import { tasksOf } from './tasks.js';
import { groupsOf } from './groups.js';
import type { VariantResult } from './judge.js';
import type { Done } from './task.js';
import { split, ungrouped } from './ungrouped.js';
import { variants } from './variants/index.js';

const resultOf = (id: string, status: VariantResult['status']): VariantResult => ({
  kind: 'variant',
  id,
  status,
  falsePositives: status === 'false positive' ? [{ row: 'AUTH-CODE-001', verdict: 'fail' }] : [],
  warnings: 0,
  judged: 1,
  requests: 1,
  ms: 1,
});

describe('the groups of conforming variants', () => {
  it.each([1, 2])('have each variant once, and nothing that could hide another (seed %i)', (seed) => {
    const groups = groupsOf(seed);
    const ids = groups.flatMap(({ members }) => members.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { members } of groups) {
      const names = members.flatMap(({ switches = {} }) => Object.keys(switches));
      expect(new Set(names).size).toBe(names.length);
      for (const prefix of ['B-19', 'O-', 'H-'])
        expect(members.filter(({ id }) => id.startsWith(prefix)).length).toBeLessThanOrEqual(1);
      // They are dealt for 18; where few can stand together, some have one more.
      expect(members.length).toBeLessThanOrEqual(20);
    }
  });

  it('are others with another seed', () => {
    const [one, two] = [1, 2].map((seed) => groupsOf(seed).map(({ what }) => what));
    expect(one).not.toEqual(two);
  });

  it('are what a whole proof tries, with every other variant alone', () => {
    const tasks = tasksOf({}, [1]);
    const groups = groupsOf(1).filter(({ id }) => tasks.some((task) => task.kind === 'group' && task.id === id));
    const alone = tasks.filter(({ kind }) => kind === 'variant').map(({ id }) => id);
    const tried = [...alone, ...groups.flatMap(({ members }) => members.map(({ id }) => id))];
    expect(tried.toSorted()).toEqual(variants.map(({ id }) => id).toSorted());
    expect(tasks.length).toBeLessThan(tasksOf({ alone: true }, [1]).length - 90);
  });
});

describe('a group', () => {
  const [group] = groupsOf(1);
  const { id, members } = group!;
  const whole = (status: VariantResult['status']): Done => ({
    kind: 'group',
    id,
    seed: 1,
    result: resultOf(id, status),
  });
  const alone = (statusOf: (index: number) => VariantResult['status']): Done[] =>
    members.map((one, index) => ({
      kind: 'variant',
      id: one.id,
      seed: 1,
      result: resultOf(one.id, statusOf(index)),
    }));

  it('that is accepted counts for its members, each of which says what it was with', () => {
    expect(split([whole('accepted')])).toEqual([]);
    const done = ungrouped([whole('accepted')]);
    expect(done.map((one) => [one.kind, one.id, one.result.status])).toEqual(
      members.map((one) => ['variant', one.id, 'accepted']),
    );
    expect(done[0]!.result).toMatchObject({ with: members.slice(1).map((one) => one.id) });
  });

  it.each(['false positive', 'error'] as const)('that has a %s is split', (status) => {
    expect(split([whole(status)])).toEqual(members.map((one) => ({ kind: 'variant', id: one.id, seed: 1 })));
  });

  it('gives way to the member that fails', () => {
    const own = alone((index) => (index === 0 ? 'false positive' : 'accepted'));
    expect(ungrouped([whole('false positive'), ...own])).toEqual(own);
  });

  it('fails the proof where its members fail only together', () => {
    const own = alone(() => 'accepted');
    expect(ungrouped([whole('false positive'), ...own])).toEqual([whole('false positive'), ...own]);
    expect(ungrouped([whole('error'), ...own])).toEqual(own);
  });
});
