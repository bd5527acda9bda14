import type { MutantResult, ProofResult, VariantResult } from './judge.js';
import type { Done } from './task.js';

/** What the results of a proof come to. What was tried with several seeds counts once; the controls do not count. */
export interface Proof {
  /** Mutants that every row that must kill them has killed, with every seed. */
  readonly killed: number;
  readonly mutants: number;
  readonly accepted: number;
  readonly variants: number;
  /** Every reason why the proof fails, a sentence each. None is a proof. */
  readonly failures: readonly string[];
  /** Survivors with a reason. */
  readonly excused: readonly string[];
}

const listed = (
  said: readonly { readonly row: string; readonly verdict: string; readonly reason?: string }[],
): string =>
  said.map(({ row, verdict, reason = '' }) => `${row} ${verdict}${reason === '' ? '' : `: ${reason}`}`).join('\n    ');

function failureOf(result: MutantResult, excuse: string | undefined): string | undefined {
  const { status, missed, reason = '' } = result;
  switch (status) {
    case 'killed':
      return excuse === undefined
        ? undefined
        : 'was killed, but stands among the survivors of conformance/proof/survivors.ts: take it off the list';
    case 'survived':
      return excuse === undefined ? `survived\n    ${listed(missed)}` : undefined;
    case 'partly':
      return excuse === undefined ? `was not killed by all rows that must\n    ${listed(missed)}` : undefined;
    case 'no-op':
      return 'is a no-op: it changed nothing that the selected rows ask for';
    case 'invalid':
      return `is invalid: a row that must kill it does not pass in the baseline run\n    ${reason}`;
    case 'error':
      return `could not be judged\n    ${reason}`;
  }
}

function falsePositiveOf({ status, falsePositives, reason = '' }: VariantResult): string | undefined {
  if (status === 'accepted') return undefined;
  return status === 'error'
    ? `could not be judged\n    ${reason}`
    : `is a false positive\n    ${listed(falsePositives)}`;
}

function failureIn(result: ProofResult, excuse: string | undefined): string | undefined {
  switch (result.kind) {
    case 'mutant':
      return failureOf(result, excuse);
    case 'variant':
      return falsePositiveOf(result);
    case 'beside':
      return result.reason;
  }
}

/** Judges results by the survivors' list. */
export function proofOf(done: readonly Done[], survivors: Readonly<Record<string, string>>): Proof {
  const byId = new Map<string, Done[]>();
  for (const one of done) byId.set(one.id, [...(byId.get(one.id) ?? []), one]);
  const proof = { killed: 0, mutants: 0, accepted: 0, variants: 0, failures: [] as string[], excused: [] as string[] };
  for (const runs of byId.values()) {
    const { id, kind } = runs[0]!;
    const excuse = survivors[id];
    const failures = runs.flatMap(({ seed, result: one }) => {
      const failure = failureIn(one, excuse);
      return failure === undefined ? [] : `${id} (seed ${seed}) ${failure}`;
    });
    proof.failures.push(...failures);
    if (kind === 'clean' || kind === 'canary') continue;
    if (kind === 'variant') {
      proof.variants += 1;
      if (failures.length === 0) proof.accepted += 1;
      continue;
    }
    proof.mutants += 1;
    if (excuse !== undefined) proof.excused.push(`${id}: ${excuse}`);
    const kills = runs.filter(({ result: { status } }) => status === 'killed');
    if (kills.length === runs.length) proof.killed += 1;
    else if (kills.length > 0) {
      proof.failures.push(`${id} is killed with seed ${kills.map(({ seed }) => seed).join(', ')} and not with others`);
    }
  }
  return proof;
}
