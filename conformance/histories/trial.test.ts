import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { gPlan } from './callers.js';
import type { Step } from './callers.js';
import { everyDefect, racyServer, variants } from './racy-server.fixture.js';
import type { Defect, RacyOptions, Variant } from './racy-server.fixture.js';
import { Recorder } from './recorder.js';
import { tryOut } from './trial.js';
import type { Trial } from './trial.js';
import { randomBy, VirtualTime } from './virtual-time.fixture.js';
import { formatCore } from './words.js';

const steps: readonly Step[] = [
  'exchange',
  'refresh',
  'refresh old',
  'revoke access',
  'revoke refresh',
  'use',
  'use old',
  'introspect',
  'introspect refresh',
  'end',
];

async function trial(seed: number, options: Pick<RacyOptions, 'defect' | 'variant'>): Promise<Trial> {
  const time = new VirtualTime();
  const random = randomBy(seed);
  const send = racyServer({ ...options, random, pause: time.pause, clock: () => time.now });
  const [plan] = fc.sample(gPlan(steps, { most: seed % 4 === 0 ? 6 : 3, length: 2 }), { seed, numRuns: 1 });
  const recorder = new Recorder(send, () => time.now);
  return time.run(tryOut(plan!, recorder, { settle: () => time.pause(5000), introspects: true }));
}

const most = Number(process.env['TRIALS'] ?? 1500);

describe('histories', () => {
  it.each(everyDefect)('show that %s', async (defect: Defect) => {
    let shortest: Trial | undefined;
    let found = 0;
    for (let seed = 1; seed <= most && found < 1; seed += 1) {
      const one = await trial(seed, { defect });
      if (one.verdict.kind !== 'impossible') continue;
      found += 1;
      if (!shortest || one.core!.calls.length < shortest.core!.calls.length) shortest = one;
      if (process.env['SHOW']) console.log(seed, defect, formatCore(one.core!.calls));
    }
    expect(shortest, `seeds 1 to ${most}`).toBeDefined();
    expect(shortest!.core!.calls.length).toBeLessThanOrEqual(8);
  });

  it.each(variants)('blame no server that %s', async (variant: Variant) => {
    const plays = Math.min(most, 200);
    const lags = /lets (a revocation|reads)/.test(variant);
    const kinds = new Map<string, number>();
    for (let seed = 1; seed <= plays; seed += 1) {
      const { verdict, core } = await trial(seed, { variant });
      kinds.set(verdict.kind, (kinds.get(verdict.kind) ?? 0) + 1);
      expect(['explained', ...(lags ? ['stale'] : [])], `seed ${seed}: ${core && formatCore(core.calls)}`).toContain(
        verdict.kind,
      );
      if (verdict.kind === 'stale') expect(verdict.lag).toBeLessThanOrEqual(100);
    }
    expect(kinds.has('stale')).toBe(lags);
  });
});
