import { isBinding } from '../ledger.js';
import { planOf } from '../plan.js';
import type { Planned } from '../engine/plan.js';
import type { Outcome } from '../engine/outcome.js';
import type { Verdict } from '../verdict.js';
import type { RowId } from '../ledger.gen.js';
import type { Target } from '../target/target.js';
import type { Mutant, Variant } from './mutant.js';
import { selectionOf, relatedRows } from './selection.js';
import { tryOut } from './trial.js';
import type { Trial } from './trial.js';

/** What a row said. */
export interface Said {
  readonly row: RowId;
  readonly verdict: Verdict;
  readonly reason?: string;
}

export interface MutantResult {
  readonly kind: 'mutant';
  readonly id: string;
  /**
   * `killed`: every named row killed it. `partly`: some did. `survived`: none. `no-op`: it never changed anything.
   * `invalid`: a row that must kill does not pass in the baseline run, so its verdict means nothing.
   */
  readonly status: 'killed' | 'partly' | 'survived' | 'no-op' | 'invalid' | 'error';
  readonly killers: readonly RowId[];
  /** Named rows that did not kill it, with what they said instead. */
  readonly missed: readonly Said[];
  readonly ms: number;
  readonly reason?: string;
}

export interface VariantResult {
  readonly kind: 'variant';
  readonly id: string;
  /** `accepted`: no row failed. `false positive`: a conforming server was failed, or kept a check from its end. */
  readonly status: 'accepted' | 'false positive' | 'error';
  readonly falsePositives: readonly Said[];
  /** The other variants of the run, where it was not alone. */
  readonly with?: readonly string[];
  readonly warnings: number;
  readonly judged: number;
  readonly requests: number;
  readonly ms: number;
  readonly reason?: string;
}

/** The rows that a mutant fails and does not name. */
export interface BesideResult {
  readonly kind: 'beside';
  readonly id: string;
  readonly status: 'seen' | 'error';
  readonly beside: readonly Said[];
  readonly ms: number;
  readonly reason?: string;
}

export type ProofResult = MutantResult | VariantResult | BesideResult;

export interface Effort {
  readonly runs: number;
  readonly seed: number;
  /** Checks by group; those of the suite where it is left out. */
  readonly all?: readonly Planned[];
}

const said = ({ row, verdict, reason, failure }: Outcome): Said => ({
  row,
  verdict,
  ...(failure ? { reason: `expected ${failure.expected}; got ${failure.got}` } : reason !== undefined && { reason }),
});

const timeouts = { mutant: 120_000, variant: 300_000 };

/** A row without a check is the ledger's own affair, and the same for every server. */
const hasJudge = ({ row, check }: Planned): boolean => check !== undefined || row.how !== 'check';

/** All that the suite judges. */
export const fullPlan = (): readonly Planned[] => planOf([]).filter(hasJudge);

/** The mock and the target of a mutant; the last of the mutations is its own. */
const setupOf = ({ switches, flags, declares, precondition, mutation }: Mutant) => ({
  switches,
  flags,
  target:
    declares &&
    ((given: Target): Target => ({ ...given, ...(declares === 'nothing' ? { known: {} } : { edition: {} }) })),
  mutations: [...(precondition ? [precondition] : []), mutation],
});

/** Cases of each property in a baseline run: the run of the right server has as many as a mutant. */
const ofBaseline = 25;

/** Outcomes of baseline runs, by selection: mutants with the same rows share them. */
const baselines = new Map<string, Promise<readonly Outcome[]>>();

/** Runs the suite's own checks against a mutant. */
export async function judgeMutant(mutant: Mutant, effort: Effort): Promise<MutantResult> {
  const { id, rows, verdict: kills = 'fail' } = mutant;
  const started = performance.now();
  const plan = selectionOf(mutant, effort.all);
  const setup = setupOf(mutant);
  const trial = { ...effort, ...setup, plan, timeout: timeouts.mutant };
  const nothing = { kind: 'mutant', id, killers: [], missed: [] } as const;
  const elapsed = (): number => Math.round(performance.now() - started);

  const baseline = await baselineOf(mutant, trial, effort);
  const notPassing = baseline.filter(
    ({ row, verdict }) => rows.includes(row) && verdict !== 'pass' && verdict !== 'warn',
  );
  const alreadyFailing = baseline.filter(({ verdict }) => verdict === 'fail' || verdict === 'suite error');
  if (notPassing.length > 0 || alreadyFailing.length > 0) {
    const missed = [...new Set([...notPassing, ...alreadyFailing])].map(said);
    const reason = missed.map((one) => `${one.row} ${one.verdict}: ${one.reason ?? ''}`).join('; ');
    return { ...nothing, status: 'invalid', missed, ms: elapsed(), reason };
  }

  // A warning that the baseline run gets too is none about the mutant.
  const warnedBefore = new Set(baseline.filter(({ verdict }) => verdict === 'warn').map(({ row }) => row));
  const { outcomes, tookEffect } = await tryOut({
    ...trial,
    // Of which case a failure is, only the check itself tells.
    ...(mutant.inCase === undefined && { until: rows }),
  });
  const warns = new Set(plan.filter(({ row: one }) => !isBinding(one)).map(({ row: one }) => one.id));
  const named = outcomes.filter(({ row }) => rows.includes(row));
  const isInCase = ({ row, failure }: Outcome): boolean =>
    mutant.inCase === undefined || row !== rows[0] || (failure?.expected.includes(`${mutant.inCase}: `) ?? false);
  const killedBy = (outcome: Outcome): boolean =>
    (outcome.verdict === 'fail' && isInCase(outcome)) ||
    ((kills === 'warn' || warns.has(outcome.row)) && outcome.verdict === 'warn' && !warnedBefore.has(outcome.row));
  const killers = named.filter(killedBy).map(({ row }) => row);
  const missed = named.filter((outcome) => !killedBy(outcome)).map(said);
  return { ...nothing, status: statusOf(tookEffect, killers, missed), killers, missed, ms: elapsed() };
}

/** What the suite says without the bug: once for all mutants with the same rows on the same mock. */
function baselineOf(
  { id, switches, flags, declares, precondition }: Mutant,
  trial: Trial,
  { runs, all }: Effort,
): Promise<readonly Outcome[]> {
  const rows = trial.plan.map(({ row }) => row.id);
  const key = JSON.stringify([rows, switches, flags, declares, precondition && id, all === undefined]);
  const baseline =
    baselines.get(key) ??
    tryOut({ ...trial, runs: Math.min(runs, ofBaseline), mutations: trial.mutations.slice(0, -1) }).then(
      ({ outcomes }) => outcomes,
    );
  baselines.set(key, baseline);
  return baseline;
}

function statusOf(tookEffect: boolean, killers: readonly RowId[], missed: readonly Said[]): MutantResult['status'] {
  if (!tookEffect) return 'no-op';
  if (killers.length === 0) return 'survived';
  return missed.length === 0 ? 'killed' : 'partly';
}

/** Runs what surrounds the rows that a mutant names against it: of one bug one row should speak. */
export async function judgeBeside(mutant: Mutant, { seed }: Pick<Effort, 'seed'>): Promise<BesideResult> {
  const { outcomes, ms } = await tryOut({
    ...setupOf(mutant),
    plan: relatedRows(mutant),
    runs: 5,
    seed,
    timeout: timeouts.variant,
  });
  const beside = outcomes.filter(({ row, verdict }) => verdict === 'fail' && !mutant.rows.includes(row)).map(said);
  return { kind: 'beside', id: mutant.id, status: 'seen', beside, ms };
}

/** Runs the suite against a conforming variant. */
export async function judgeVariant(
  { id, seed: world, switches, flags, target, mutation, waived = [] }: Omit<Variant, 'what'>,
  effort: Effort,
): Promise<VariantResult> {
  const { outcomes, requests, ms } = await tryOut({
    ...effort,
    plan: effort.all ?? fullPlan(),
    world,
    switches,
    flags,
    target,
    timeout: timeouts.variant,
    mutations: mutation ? [mutation] : [],
  });
  const falsePositives = outcomes
    .filter(({ verdict, incomplete }) => verdict === 'fail' || verdict === 'suite error' || incomplete)
    .filter(({ row }) => !waived.includes(row))
    .map(said);
  const judged = outcomes.filter(({ verdict }) => verdict === 'pass' || verdict === 'warn').length;
  const warnings = outcomes.filter(({ verdict }) => verdict === 'warn').length;
  return {
    kind: 'variant',
    id,
    status: falsePositives.length > 0 ? 'false positive' : 'accepted',
    falsePositives,
    warnings,
    judged,
    requests,
    ms,
  };
}
