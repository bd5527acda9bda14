import type { MutantResult, Result, VariantResult } from './judge.js';

/** What the results of a proof come to. */
export interface Proof {
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
  const { id, fate, missed, reason = '' } = result;
  switch (fate) {
    case 'killed':
      return excuse === undefined
        ? undefined
        : `${id} is noticed, but stands among the survivors: take it off the list`;
    case 'survived':
      return excuse === undefined ? `${id} survived\n    ${listed(missed)}` : undefined;
    case 'partly':
      return excuse === undefined ? `${id} was not noticed by all that must\n    ${listed(missed)}` : undefined;
    case 'idle':
      return `${id} was never active: it changed nothing that the selected rows ask for`;
    case 'unfit':
      return `${id}: a row that must notice does not pass against the clean mock\n    ${reason}`;
    case 'error':
      return `${id} could not be judged\n    ${reason}`;
  }
}

function alarmOf({ id, fate, alarms, reason = '' }: VariantResult): string | undefined {
  if (fate === 'quiet') return undefined;
  return fate === 'error' ? `${id} could not be judged\n    ${reason}` : `${id}: false alarm\n    ${listed(alarms)}`;
}

/** Judges results by the survivors' list. */
export function proofOf(results: readonly Result[], survivors: Readonly<Record<string, string>>): Proof {
  const mutants = results.filter((one): one is MutantResult => one.kind === 'mutant');
  const variants = results.filter((one): one is VariantResult => one.kind === 'variant');
  const faults = [...mutants.map((one) => faultOf(one, survivors[one.id])), ...variants.map(alarmOf)].filter(
    (fault) => fault !== undefined,
  );
  return {
    killed: mutants.filter(({ fate }) => fate === 'killed').length,
    mutants: mutants.length,
    quiet: variants.filter(({ fate }) => fate === 'quiet').length,
    variants: variants.length,
    faults,
    excused: mutants
      .filter(({ id, fate }) => fate !== 'killed' && survivors[id] !== undefined)
      .map(({ id }) => `${id}: ${survivors[id]}`),
  };
}
