import { expect, it } from 'vitest';

import { Deviation, PrerequisiteFailed } from '../verdict.js';
import { observation } from './check.js';
import type { Run } from './run.js';

const open = { id: 'LADDER-SORT-011', sentence: 'What an unknown sort does is not stated.', source: '4.2' };

it('notes what an observation sees, and fails for nothing that it meets', async () => {
  const notes: string[] = [];
  const run = { expect: { note: (text: string) => notes.push(text) } } as unknown as Run;
  const seen = observation({ ...open, observe: async (_run, note) => note('status 400') });
  expect(seen).toMatchObject({ row: open.id, phase: 'together', requirement: { ...open, level: 'UNSPEC' } });
  await seen.body(run);
  expect(notes).toEqual(['status 400']);
  const met = observation({ ...open, observe: () => Promise.reject(new Deviation('status 200', 'status 500')) });
  await expect(met.body(run)).rejects.toThrow(PrerequisiteFailed);
  await expect(met.body(run)).rejects.toThrow('expected status 200; got status 500');
});
