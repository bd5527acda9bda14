import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { newFolder } from '../../src/input/folder.fixture.js';
import { planOf } from '../plan.js';
import { rowsNamed } from './ledger.js';
import { readPlan } from './plan.js';
import { worldNamed } from './worlds.js';

it('tells all that is wrong with a client plan at once, with the keys that were meant', () => {
  const file = join(newFolder(), 'plan.yaml');
  writeFileSync(file, 'stop-after: 5\nconsent: autoo\ntime_limit: 20\n');
  expect(() => readPlan(file)).toThrow(
    /plan.yaml:1: "stop-after" .* \(did you mean stop_after\?\)[^]*plan.yaml:2: consent is "autoo"; write form or auto/,
  );
});

it('tells the line of a name that has no placeholder', () => {
  const file = join(newFolder(), 'plan.yaml');
  writeFileSync(file, "env:\n  API: '{base_url}/'\n  KEY: '{client_idd}'\n");
  expect(() => readPlan(file)).toThrow(/plan.yaml:3: env KEY=.*\(did you mean client_id\?\)/);
});

it('names the world or the requirement that was meant', () => {
  expect(() => worldNamed('clam')).toThrow('(did you mean calm?)');
  expect(() => rowsNamed(['TOK-BEARR-001'])).toThrow('(did you mean TOK-BEARER-001?)');
  expect(() => planOf(['TOK-REFRSH'])).toThrow('(did you mean TOK-REFRESH?)');
});
