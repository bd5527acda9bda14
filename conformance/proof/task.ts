import { announced } from '../engine/plan.js';
import { planOf } from '../plan.js';
import { shardOf } from '../shards.js';
import type { ShardPosition } from '../shards.js';
import { canary, canaryRows } from './canary.js';
import { groupsOf } from './groups.js';
import { fullPlan, judgeBeside, judgeMutant, judgeVariant } from './judge.js';
import type { ProofResult } from './judge.js';
import { mutants } from './mutants/index.js';
import { tryOut } from './trial.js';
import { variants } from './variants/index.js';

/** What a worker is told to do; plain data. */
export interface Task {
  readonly kind: 'clean' | 'canary' | 'mutant' | 'variant' | 'group' | 'beside';
  readonly id: string;
  /** Of generated values. */
  readonly seed: number;
  /** A variant of a sample gets this part of the suite, for all of it takes half a minute. */
  readonly part?: ShardPosition;
}

/** Tells a task from every other. */
export const nameOf = ({ kind, id, seed }: Task): string => `${kind} ${id} ${seed}`;

/** What came of a task. */
export type Done = Task & { readonly result: ProofResult };

/** Cases of each property: all that a user would have for a bug, fewer where everything has to run. */
const runs = { mutant: 100, variant: 25 };

/** Carries a task out; what goes wrong becomes its result. */
export async function carryOut(task: Task): Promise<Done> {
  try {
    return { ...task, result: await resultOf(task) };
  } catch (error) {
    return failed(task, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

async function resultOf({ kind, id, seed, part }: Task): Promise<ProofResult> {
  switch (kind) {
    case 'mutant':
      return judgeMutant(called(mutants, id), { runs: runs.mutant, seed });
    case 'beside':
      return judgeBeside(called(mutants, id), { seed });
    case 'canary':
      return judgeCanary(seed);
    case 'clean':
      return judgeClean(id, seed);
    case 'variant':
      return judgeVariant(called(variants, id), {
        runs: runs.variant,
        seed,
        ...(part && { all: shardOf(fullPlan(), part) }),
      });
    case 'group':
      return judgeVariant(called(groupsOf(seed), id), { runs: runs.variant, seed });
  }
}

function called<T extends { readonly id: string }>(list: readonly T[], id: string): T {
  const found = list.find((one) => one.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

/** The result of a task that did not come to an end. */
export function failed(task: Task, reason: string): Done {
  const { kind, id } = task;
  const nothing = { id, status: 'error', ms: 0, reason } as const;
  if (kind === 'beside') return { ...task, result: { kind, beside: [], ...nothing } };
  if (kind === 'mutant' || kind === 'canary')
    return { ...task, result: { kind: 'mutant', killers: [], missed: [], ...nothing } };
  const none = { falsePositives: [], warnings: 0, judged: 0, requests: 0 };
  return { ...task, result: { kind: 'variant', ...none, ...nothing } };
}

/** The mock as it is keeps every row, and no more requests than announced are sent. */
async function judgeClean(id: string, seed: number): Promise<ProofResult> {
  const result = await judgeVariant({ id }, { runs: runs.mutant, seed });
  const most = announced(planOf([]), { runs: runs.mutant });
  if (result.requests <= most) return result;
  return { ...result, status: 'error', reason: `${result.requests} requests were sent and ${most} announced` };
}

/** A server that answers 500 to everything must not get a single row passed. */
async function judgeCanary(seed: number): Promise<ProofResult> {
  const plan = planOf([...canaryRows]);
  const { outcomes, ms } = await tryOut({ plan, runs: 5, seed, timeout: 60_000, mutations: [canary] });
  const killers = outcomes.filter(({ verdict }) => verdict === 'fail').map(({ row }) => row);
  const passed = outcomes.filter(({ verdict }) => verdict === 'pass' || verdict === 'warn');
  const missed = passed.map(({ row, verdict }) => ({ row, verdict }));
  const status = killers.length > 0 && passed.length === 0 ? 'killed' : 'survived';
  return { kind: 'mutant', id: 'canary', status, killers, missed, ms };
}
