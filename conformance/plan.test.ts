import { describe, expect, it } from 'vitest';

import { groups } from './checks/index.js';
import { ledger } from './ledger.gen.js';
import { announced, lanes, requestsOf, sequence } from './engine/plan.js';
import { measured } from './engine/requests.gen.js';
import { planOf } from './plan.js';

const idsOf = (words: readonly string[]): string[] => planOf(words).map(({ row }) => row.id);

describe('a plan', () => {
  it('is all rows where nothing is named', () => {
    expect(idsOf([])).toEqual(ledger.map(({ id }) => id));
  });

  it('is what words name: rows, their beginnings, groups', () => {
    expect(idsOf(['PROFILE-001'])).toEqual(['PROFILE-001']);
    expect(idsOf(['PROFILE', 'PROFILE-001'])).toEqual(
      ledger.map(({ id }) => id).filter((id) => id.startsWith('PROFILE-')),
    );
    const [{ name, checks }] = groups as [(typeof groups)[number]];
    expect(idsOf([name]).toSorted()).toEqual(checks.map(({ row }) => row).toSorted());
    expect(idsOf(['codec']).toSorted()).toEqual(
      groups.flatMap((one) => (one.name.startsWith('codec/') ? one.checks.map(({ row }) => row) : [])).toSorted(),
    );
  });

  it.each([
    ['PROFIL', ' (did you mean PROFILE?)'],
    ['PROFILE-', ' (did you mean PROFILE?)'],
    ['profile-001', ' (did you mean PROFILE-001?)'],
    ['PROFILE-0', ' (did you mean PROFILE?)'],
    ['', ''],
  ])('has nothing of the name %j', (word, meant) => {
    expect(() => planOf(['PROFILE-001', word])).toThrow(
      `--only ${word}: no requirement or group of that name${meant}; see gamedata verify list`,
    );
  });

  it('is run by phase, every check once, and in order where a group asks for it', () => {
    const plan = planOf([]);
    const phases = [...lanes(plan, 'together').flat(), ...sequence(plan), ...lanes(plan, 'clock').flat()];
    const rows = new Set(groups.flatMap(({ checks }) => checks.map(({ row }) => row)));
    expect(phases).toHaveLength(rows.size);
    expect(new Set(phases.map(({ row }) => row))).toEqual(rows);
    const inOrder = groups.flatMap((group) => (group.inOrder ? [group.checks] : []));
    for (const lane of [...lanes(plan, 'together'), ...lanes(plan, 'clock')]) {
      expect(
        lane.length === 1 || inOrder.some((checks) => lane.every((one) => checks.some((other) => other === one))),
      ).toBe(true);
    }
  });

  it('knows how many requests each check sends: `npm run measure` finds out', () => {
    const rows = groups.flatMap(({ checks }) => checks.map(({ row }) => row));
    expect(rows.filter((row) => measured[row] === undefined)).toEqual([]);
    expect(Object.keys(measured).filter((row) => !rows.some((known) => known === row))).toEqual([]);
  });

  it('is announced with what its checks send, more for more runs', () => {
    const plan = planOf(['PROFILE']);
    const own = plan.reduce((sum, { check }) => sum + (check ? requestsOf(check) : 0), 0);
    expect(own).toBeGreaterThan(0);
    expect(announced(plan, { runs: 100 })).toBe(own + announced([], { runs: 100 }));
    expect(announced(plan, { runs: 300 }) - announced([], { runs: 300 })).toBe(3 * own);
    expect(announced(plan, { runs: 10 })).toBe(announced(plan, { runs: 100 }));
  });
});
