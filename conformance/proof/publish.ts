import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { planOf } from '../engine/plan.js';
import type { Planned } from '../engine/plan.js';
import { contractHash, ledgerHash } from '../ledger.gen.js';
import type { MutantLine, Matrix, VariantLine } from './matrix.js';
import type { Mutant } from './mutant.js';
import { areas } from './mutants/index.js';
import type { Done } from './task.js';
import { variants } from './variants/index.js';

const monitors = new URL('../monitors/', import.meta.url);

/** A digest of all monitors, which share too much to be told apart. */
const monitorDigest = createHash('sha256')
  .update(
    readdirSync(monitors)
      .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\./.test(file))
      .toSorted()
      .map((file) => readFileSync(new URL(file, monitors), 'utf8'))
      .join(''),
  )
  .digest('hex');

const checks: ReadonlyMap<string, Planned> = new Map(planOf([]).map((planned) => [planned.row.id, planned]));

/** A digest of a bug and of the checks that must notice it. */
export function digestOf({ what, rows, mutation }: Mutant): string {
  const bodies = rows.map((row) => checks.get(row)?.check?.body.toString() ?? monitorDigest);
  return createHash('sha256')
    .update([what, ...rows, mutation.operator, ...mutation.args.map(String), ...bodies].join('\n'))
    .digest('hex')
    .slice(0, 8);
}

/** What is published of the results of a whole proof. */
export function matrixOf(done: readonly Done[]): Matrix {
  const results = new Map(done.map((one) => [one.id, one.result]));
  return {
    ledger: ledgerHash,
    contract: contractHash,
    seeds: [...new Set(done.map(({ seed }) => seed))].toSorted((a, b) => a - b),
    mutants: Object.entries(areas).flatMap(([area, mutants]) =>
      mutants.flatMap((mutant): MutantLine[] => {
        const { id, what } = mutant;
        const result = results.get(id);
        if (result?.kind !== 'mutant') return [];
        return [{ id, area, what, status: result.status, by: result.killers, digest: digestOf(mutant) }];
      }),
    ),
    variants: variants.flatMap(({ id, what }): VariantLine[] => {
      const result = results.get(id);
      return result?.kind === 'variant' ? [{ id, what, status: result.status, judged: result.judged }] : [];
    }),
  };
}
