import { digests } from './digest.js';
import { contractHash, ledgerHash } from '../ledger.gen.js';
import type { MutantLine, Matrix, VariantLine } from './matrix.js';
import { areas } from './mutants/index.js';
import type { Done } from './task.js';
import { variants } from './variants/index.js';

/** What is published of the results of a whole proof. */
export function matrixOf(done: readonly Done[]): Matrix {
  const digestOf = digests();
  const results = new Map(done.map((one) => [one.id, one.result]));
  return {
    ledger: ledgerHash,
    contract: contractHash,
    seeds: [...new Set(done.map(({ seed }) => seed))].toSorted((a, b) => a - b),
    mutants: Object.entries(areas).flatMap(([area, mutants]) =>
      mutants.flatMap((mutant): MutantLine[] => {
        const { id, what, verdict } = mutant;
        const result = results.get(id);
        if (result?.kind !== 'mutant') return [];
        return [
          {
            id,
            area,
            what,
            status: result.status,
            ...(verdict && { verdict }),
            by: result.killers,
            digest: digestOf(area, mutant),
          },
        ];
      }),
    ),
    variants: variants.flatMap(({ id, what }): VariantLine[] => {
      const result = results.get(id);
      return result?.kind === 'variant' ? [{ id, what, status: result.status, judged: result.judged }] : [];
    }),
  };
}
