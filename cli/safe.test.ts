import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';

import { loadTarget } from '../conformance/target/load.js';
import { verify } from '../conformance/verify.js';
import { flags } from '../src/contract/index.js';
import { startMock } from '../src/index.js';
import { defaultSwitches } from '../src/server/switches.js';
import { targetText } from '../src/server/target-file.js';

it('spares a server that others use: no write, no race, no control, and never more than the rate in a second', async () => {
  await using mock = await startMock({});
  const { url, controlUrl, world } = mock;
  const on = new Set(flags.map(({ flag }) => flag));
  const text = targetText({ url, controlUrl, controlToken: undefined, flags: on, switches: defaultSwitches, world });
  const target = await loadTarget({ file: '-', env: {}, stdin: async () => text });
  const sent: { readonly method: string; readonly path: string; readonly at: number }[] = [];
  mock.exchanges.subscribe(({ method, target: path, realTime: at }) => sent.push({ method, path, at }));

  const rate = 100;
  const report = await verify({
    target: { ...target, budget: { requests: 0, per_second: rate, concurrency: 16 } },
    only: ['FILTER', 'PROFILE', 'REV', 'TOK-REFRESH-004', 'AUTH-CODE-010', 'LIFE-005'],
    seed: randomInt(2 ** 31),
    runs: 2,
    wait: false,
    safe: true,
    budget: 0,
    timeLimit: 60,
    version: '0',
    command: '',
    replay: '{row}',
    waivers: [],
    today: '2026-01-01',
  });

  const verdict = (id: string) => report.rows.find((row) => row.id === id);
  expect(report.outcome).toBe('conformant');
  expect(verdict('PROFILE-002')).toMatchObject({ verdict: 'pass' });
  expect(verdict('TOK-REFRESH-004')).toMatchObject({ verdict: 'pass' });
  expect(verdict('FILTER-CREATE-001')).toMatchObject({
    verdict: 'could not run',
    reason: 'needs POST requests to the data API, which --safe does not send',
  });
  // Nobody is told to offer what such a run would not use.
  expect(verdict('LIFE-005')).toMatchObject({
    verdict: 'could not run',
    missing: expect.arrayContaining([
      {
        need: 'user-revocation',
        remedy: 'run without --safe, which never uses "revocations", against a server that nobody else uses',
      },
    ]) as unknown,
  });
  expect(JSON.stringify(report)).not.toContain('at control_url');
  expect(verdict('AUTH-CODE-010')?.verdict).toBe('could not run');

  expect(sent.length).toBeGreaterThan(100);
  const writes = sent.filter(({ method, path }) => !['GET', 'HEAD'].includes(method) && !path.startsWith('/oauth/'));
  // The control surface describes itself to a GET; nothing is asked of it.
  expect(writes).toEqual([]);
  const times = sent.map(({ at }) => at).toSorted((a, b) => a - b);
  const fullest = Math.max(...times.map((from, index) => times.slice(index).filter((at) => at < from + 1000).length));
  expect(fullest).toBeLessThanOrEqual(rate);
});
