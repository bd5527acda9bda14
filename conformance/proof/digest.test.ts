import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { rotation } from './tasks.js';
import { areaFile, digests } from './digest.js';
import type { Read } from './imports.js';
import type { Matrix } from './matrix.js';
import { areas, mutants } from './mutants/index.js';

/** The sources as they are, but for one file. */
const edited =
  (name: string, edit: (text: string) => string): Read =>
  (file) => {
    const text = readFileSync(file, 'utf8');
    return file.endsWith(name) ? edit(text) : text;
  };

const digestOf = digests();
const lines = Object.entries(areas).flatMap(([area, own]) =>
  own.map((mutant) => {
    const { id, what } = mutant;
    return { id, area, what, status: 'killed' as const, by: [], digest: digestOf(area, mutant) };
  }),
);
const published: Matrix = { ledger: '', contract: '', seeds: [1], mutants: lines, variants: [] };

/** The mutants that `--within` takes for changed when a file of the suite has been edited. */
function changedBy(name: string, edit: (text: string) => string): ReadonlySet<string> {
  const after = digests(edited(name, edit));
  const { changed } = rotation(published, 1, after);
  return new Set([...changed].filter((id) => mutants.some((one) => one.id === id)));
}

const rowsOf = (ids: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(mutants.filter(({ id }) => ids.has(id)).flatMap(({ rows }) => rows));

describe('the digest of a mutant', () => {
  it('is the same while nothing has changed', () => {
    expect(changedBy('nothing', (text) => text).size).toBe(0);
  });

  it('changes with an assertion in a module that the check imports', () => {
    const changed = changedBy('checks/oauth/exchange.ts', (text) => {
      const emptied = text.replace(/run[.](expect[.])?that\(/, 'void (');
      expect(emptied).not.toBe(text);
      return emptied;
    });
    expect(rowsOf(changed)).toContain('TOK-REFRESH-001');
    expect(rowsOf(changed)).not.toContain('LEAGUE-GET-001');
  });

  it('changes for all with what every check is judged by', () => {
    const rows = rowsOf(changedBy('engine/expect.ts', (text) => text.replace('if (!holds) throw', 'if (false) throw')));
    expect([...rows]).toEqual(expect.arrayContaining(['TOK-REFRESH-001', 'LEAGUE-GET-001', 'TREE-V6-001']));
  });

  it('changes with a monitor, and leaves checks alone', () => {
    const changed = changedBy('monitors/shape.ts', (text) => `${text}\n// changed`);
    const ofChecks = mutants.find(({ rows }) => rows.join() === 'LEAGUE-GET-003')!;
    expect([...rowsOf(changed)].some((row) => row.includes('-FIELD-'))).toBe(true);
    expect(changed).not.toContain(ofChecks.id);
  });

  it('changes with the arguments of an operator', () => {
    const mutant = mutants.find(({ id }) => id === 'N-REALM-QUERY-003-pvp')!;
    const other = { ...mutant, mutation: { ...mutant.mutation, args: ['getPvpMatchLadder', { realm: 'xbox' }] } };
    expect(digestOf('pvp-matches', other)).not.toBe(digestOf('pvp-matches', mutant));
  });

  it('has a file for every area', () => {
    for (const area of Object.keys(areas)) expect(areaFile(area)).toContain(area);
    expect(() => areaFile('rhymes')).toThrow('rhymes');
  });
});
