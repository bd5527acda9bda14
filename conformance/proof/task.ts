import { planOf } from '../engine/plan.js';
import { judgeMutant, judgeVariant } from './judge.js';
import type { Result } from './judge.js';
import { mutants } from './mutants/index.js';
import { variants } from './variants/index.js';
import { tryOut } from './trial.js';
import { canary, canaryRows } from './canary.js';

/** What a worker is told to do; plain data. */
export interface Task {
  readonly kind: 'clean' | 'canary' | 'mutant' | 'variant';
  readonly id: string;
}

/** Cases of each property: all that a user would have for a bug, fewer where everything has to run. */
const runs = { mutant: 100, variant: 25 };

/** Carries a task out; what goes wrong becomes its result. */
export async function carryOut({ kind, id }: Task, seed: number): Promise<Result> {
  try {
    if (kind === 'mutant') {
      const mutant = mutants.find((one) => one.id === id);
      if (!mutant) throw new Error(`there is no mutant ${id}`);
      return await judgeMutant(mutant, { runs: runs.mutant, seed });
    }
    if (kind === 'canary') return await judgeCanary(seed);
    const variant = kind === 'clean' ? { id } : variants.find((one) => one.id === id);
    if (!variant) throw new Error(`there is no variant ${id}`);
    return await judgeVariant(variant, { runs: kind === 'clean' ? runs.mutant : runs.variant, seed });
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return failed({ kind, id }, reason);
  }
}

/** The result of a task that did not come to an end. */
export function failed({ kind, id }: Task, reason: string): Result {
  if (kind === 'mutant' || kind === 'canary') {
    return { kind: 'mutant', id, fate: 'error', killers: [], missed: [], beside: [], acts: 0, ms: 0, reason };
  }
  return { kind: 'variant', id, fate: 'error', alarms: [], warnings: 0, judged: 0, requests: 0, ms: 0, reason };
}

/** A server that answers 500 to everything must not get a single row passed. */
async function judgeCanary(seed: number): Promise<Result> {
  const plan = planOf([...canaryRows]);
  const { outcomes, acts, ms } = await tryOut({ plan, runs: 5, seed, patience: 60_000, plants: [canary] });
  const killers = outcomes.filter(({ verdict }) => verdict === 'fail').map(({ row }) => row);
  const passed = outcomes.filter(({ verdict }) => verdict === 'pass' || verdict === 'warn');
  const missed = passed.map(({ row, verdict }) => ({ row, verdict }));
  const fate = killers.length > 0 && passed.length === 0 ? 'killed' : 'survived';
  return { kind: 'mutant', id: 'canary', fate, killers, missed, beside: [], acts, ms };
}
