import type { MutantResult, VariantResult } from './judge.js';
import type { Done } from './task.js';

/** What the results of a proof come to. What was tried with several seeds counts once; the controls do not count. */
export interface Proof {
  /** Bugs that every row that must has noticed, with every seed. */
  readonly killed: number;
  readonly mutants: number;
  readonly quiet: number;
  readonly variants: number;
  /** Every reason why the proof fails, a sentence each. None is a proof. */
  readonly faults: readonly string[];
  /** Survivors with a reason. */
  readonly excused: readonly string[];
}

const listed = (
  said: readonly { readonly row: string; readonly verdict: string; readonly reason?: string }[],
): string =>
  said.map(({ row, verdict, reason = '' }) => `${row} ${verdict}${reason === '' ? '' : `: ${reason}`}`).join('\n    ');

function faultOf(result: MutantResult, excuse: string | undefined): string | undefined {
  const { status, missed, reason = '' } = result;
  switch (status) {
    case 'killed':
      return excuse === undefined
        ? undefined
        : 'is noticed, but stands among the survivors of conformance/proof/survivors.ts: take it off the list';
    case 'survived':
      return excuse === undefined ? `survived\n    ${listed(missed)}` : undefined;
    case 'partly':
      return excuse === undefined ? `was not noticed by all that must\n    ${listed(missed)}` : undefined;
    case 'no-op':
      return 'was never active: it changed nothing that the selected rows ask for';
    case 'invalid':
      return `could not be judged: a row that must notice does not pass against the clean mock\n    ${reason}`;
    case 'error':
      return `could not be judged\n    ${reason}`;
  }
}

function alarmOf({ status, falsePositives, reason = '' }: VariantResult): string | undefined {
  if (status === 'accepted') return undefined;
  return status === 'error' ? `could not be judged\n    ${reason}` : `met a false alarm\n    ${listed(falsePositives)}`;
}

/** Judges results by the survivors' list. */
export function proofOf(done: readonly Done[], survivors: Readonly<Record<string, string>>): Proof {
  const byId = new Map<string, Done[]>();
  for (const one of done) byId.set(one.id, [...(byId.get(one.id) ?? []), one]);
  const proof = { killed: 0, mutants: 0, quiet: 0, variants: 0, faults: [] as string[], excused: [] as string[] };
  for (const runs of byId.values()) {
    const { id, kind } = runs[0]!;
    const excuse = survivors[id];
    const faults = runs.flatMap(({ seed, result: one }) => {
      const fault = one.kind === 'mutant' ? faultOf(one, excuse) : alarmOf(one);
      return fault === undefined ? [] : `${id} (seed ${seed}) ${fault}`;
    });
    proof.faults.push(...faults);
    if (kind === 'clean' || kind === 'canary') continue;
    if (kind === 'variant') {
      proof.variants += 1;
      if (faults.length === 0) proof.quiet += 1;
      continue;
    }
    proof.mutants += 1;
    if (excuse !== undefined) proof.excused.push(`${id}: ${excuse}`);
    const noticed = runs.filter(({ result: { status } }) => status === 'killed');
    if (noticed.length === runs.length) proof.killed += 1;
    else if (noticed.length > 0) {
      proof.faults.push(`${id} is noticed with seed ${noticed.map(({ seed }) => seed).join(', ')} and not with others`);
    }
  }
  return proof;
}
