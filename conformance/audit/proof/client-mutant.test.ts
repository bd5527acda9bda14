import { describe, expect, it } from 'vitest';

import { auditLedger } from '../ledger.js';
import { allWorlds } from '../worlds.js';
import { swap } from './client-mutant.js';
import { clientMutants } from './mutants/index.js';
import { clientVariants } from './variants/index.js';

const dependencies = () => ({ environment: {}, open: () => Promise.resolve(), stored: new Map<string, string>() });
const rows = new Map(auditLedger.map((row) => [row.id, row]));

describe('a client with swapped steps', () => {
  it('keeps the other steps, which call the swapped ones', () => {
    const client = swap({ env: (name) => `own ${name}` }).make(dependencies());
    expect(client.refreshForm('token')).toMatchObject({ client_id: 'own PUBLIC_CLIENT_ID', refresh_token: 'token' });
  });

  it('reaches the step that it replaces, of an earlier swap as well', () => {
    const twice = swap({ attempts: () => 9 }).swap((_, { attempts }) => ({ attempts: () => attempts() + 1 }));
    expect(twice.make(dependencies()).attempts()).toBe(10);
  });

  it('remembers for one start alone', () => {
    const counting = swap(() => {
      let calls = 0;
      return { attempts: () => (calls += 1) };
    });
    const first = counting.make(dependencies());
    expect([first.attempts(), first.attempts(), counting.make(dependencies()).attempts()]).toEqual([1, 2, 1]);
  });

  it('keeps its worlds where it is swapped further', () => {
    expect(swap({}).in('nulls').swap({}).worlds).toEqual(['nulls']);
  });
});

describe('the tables', () => {
  it('give each mutant and each variant an id of its own', () => {
    const ids = [...clientMutants, ...clientVariants].map(({ id }) => id);
    expect(ids.filter((id, at) => id === '' || ids.indexOf(id) !== at)).toEqual([]);
  });

  it('name rows and worlds that exist', () => {
    const known = new Set(allWorlds.map(({ id }) => id));
    for (const { id, row, worlds: taken } of clientMutants) {
      expect(rows.has(row), `${id}: ${row}`).toBe(true);
      expect(
        taken.filter((world) => !known.has(world)),
        id,
      ).toEqual([]);
    }
  });

  it('let a variant be warned by rows of advice alone', () => {
    for (const { id, mayWarn } of clientVariants)
      for (const row of mayWarn) expect(rows.get(row)?.level, `${id}: ${row}`).toBe('ADVICE');
  });
});
