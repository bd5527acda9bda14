import { planOf } from '../engine/plan.js';
import type { Planned } from '../engine/plan.js';
import type { Outcome } from '../engine/outcome.js';
import type { Verdict } from '../engine/verdict.js';
import type { RowId } from '../ledger.gen.js';
import type { Mutant, Variant } from './mutant.js';
import { selectionOf } from './selection.js';
import { tryOut } from './trial.js';

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
   * `killed`: every named row noticed. `partly`: some did. `survived`: none. `idle`: the bug never changed anything.
   * `unfit`: a row that must notice does not pass against the clean mock, so its verdict means nothing.
   */
  readonly fate: 'killed' | 'partly' | 'survived' | 'idle' | 'unfit' | 'error';
  readonly killers: readonly RowId[];
  /** Named rows that did not notice, with what they said instead. */
  readonly missed: readonly Said[];
  /** Neighbours that failed too. */
  readonly beside: readonly RowId[];
  readonly acts: number;
  readonly ms: number;
  readonly reason?: string;
}

export interface VariantResult {
  readonly kind: 'variant';
  readonly id: string;
  /** `quiet`: nobody minded. `alarm`: a right server was blamed, or kept a check from its end. */
  readonly fate: 'quiet' | 'alarm' | 'error';
  readonly alarms: readonly Said[];
  readonly warnings: number;
  readonly judged: number;
  readonly requests: number;
  readonly ms: number;
  readonly reason?: string;
}

export type Result = MutantResult | VariantResult;

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

const patience = { mutant: 120_000, variant: 300_000 };

/** A row without a check is the ledger's own affair, and the same for every server. */
const hasJudge = ({ row, check }: Planned): boolean => check !== undefined || row.how !== 'check';

/** Clean outcomes by selection: mutants with the same rows share them. */
const controls = new Map<string, Promise<readonly Outcome[]>>();

/** Holds the suite's own checks against a planted bug. */
export async function judgeMutant(mutant: Mutant, effort: Effort): Promise<MutantResult> {
  const { id, rows, noticed = 'fail', switches, flags, ground, plant } = mutant;
  const started = performance.now();
  const plan = selectionOf(mutant, effort.all);
  const trial = { ...effort, plan, switches, flags, patience: patience.mutant };
  const nothing = { kind: 'mutant', id, killers: [], missed: [], beside: [], acts: 0 } as const;
  const elapsed = (): number => Math.round(performance.now() - started);

  const before = ground ? [ground] : [];
  const key = JSON.stringify([plan.map(({ row }) => row.id), switches, flags, ground && id, effort.all === undefined]);
  const control = controls.get(key) ?? tryOut({ ...trial, plants: before }).then(({ outcomes }) => outcomes);
  controls.set(key, control);
  const unfit = (await control).filter(
    ({ row, verdict }) => rows.includes(row) && verdict !== 'pass' && verdict !== 'warn',
  );
  const loud = (await control).filter(({ verdict }) => verdict === 'fail' || verdict === 'harness error');
  if (unfit.length > 0 || loud.length > 0) {
    const missed = [...new Set([...unfit, ...loud])].map(said);
    const reason = missed.map((one) => `${one.row} ${one.verdict}: ${one.reason ?? ''}`).join('; ');
    return { ...nothing, fate: 'unfit', missed, ms: elapsed(), reason };
  }

  // A warning that the clean mock gets too is none about the bug.
  const warnedBefore = new Set((await control).filter(({ verdict }) => verdict === 'warn').map(({ row }) => row));
  const { outcomes, acts } = await tryOut({ ...trial, plants: [...before, plant] });
  const named = outcomes.filter(({ row }) => rows.includes(row));
  const noticedBy = ({ row, verdict }: Outcome): boolean =>
    verdict === 'fail' || (noticed === 'warn' && verdict === 'warn' && !warnedBefore.has(row));
  const killers = named.filter(noticedBy).map(({ row }) => row);
  const missed = named.filter((outcome) => !noticedBy(outcome)).map(said);
  const beside = outcomes.filter(({ row, verdict }) => verdict === 'fail' && !rows.includes(row)).map(({ row }) => row);
  const fate = acts === 0 ? 'idle' : killers.length === 0 ? 'survived' : missed.length === 0 ? 'killed' : 'partly';
  return { ...nothing, fate, killers, missed, beside, acts, ms: elapsed() };
}

/** Holds the suite against another right way to answer. */
export async function judgeVariant(
  { id, seed: world, switches, flags, target, plant, waived = [] }: Omit<Variant, 'what'>,
  effort: Effort,
): Promise<VariantResult> {
  const { outcomes, requests, ms } = await tryOut({
    ...effort,
    plan: effort.all ?? planOf([]).filter(hasJudge),
    world,
    switches,
    flags,
    target,
    patience: patience.variant,
    plants: plant ? [plant] : [],
  });
  const alarms = outcomes
    .filter(({ verdict, incomplete }) => verdict === 'fail' || verdict === 'harness error' || incomplete)
    .filter(({ row }) => !waived.includes(row))
    .map(said);
  const judged = outcomes.filter(({ verdict }) => verdict === 'pass' || verdict === 'warn').length;
  const warnings = outcomes.filter(({ verdict }) => verdict === 'warn').length;
  return { kind: 'variant', id, fate: alarms.length > 0 ? 'alarm' : 'quiet', alarms, warnings, judged, requests, ms };
}
