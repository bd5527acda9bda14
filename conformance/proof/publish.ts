import { digests } from './digest.js';
import { contractHash, ledgerHash } from '../ledger.gen.js';
import type { RowId } from '../ledger.gen.js';
import { reasonOf } from './beside.js';
import { publishedMatrix } from './matrix.js';
import type { MutantLine, Matrix, VariantLine } from './matrix.js';
import { areas, mutants as mutantList } from './mutants/index.js';
import type { Done } from './task.js';
import { variants } from './variants/index.js';

/** What is published of the results of a whole proof; what fails beside stays as it was measured. */
export function matrixOf(done: readonly Done[]): Matrix {
  const digestOf = digests();
  const results = new Map(done.map((one) => [one.id, one.result]));
  const before = new Map(publishedMatrix().mutants.map(({ id, beside }) => [id, beside]));
  return {
    ledger: ledgerHash,
    contract: contractHash,
    seeds: [...new Set(done.map(({ seed }) => seed))].toSorted((a, b) => a - b),
    mutants: Object.entries(areas).flatMap(([area, mutants]) =>
      mutants.flatMap((mutant): MutantLine[] => {
        const { id, what, verdict } = mutant;
        const result = results.get(id);
        if (result?.kind !== 'mutant') return [];
        const beside = before.get(id);
        return [
          {
            id,
            area,
            what,
            status: result.status,
            ...(verdict && { verdict }),
            by: result.killers,
            ...(beside && { beside }),
            digest: digestOf(area, mutant),
          },
        ];
      }),
    ),
    variants: variants.flatMap(({ id, what }): VariantLine[] => {
      const result = results.get(id);
      if (result?.kind !== 'variant') return [];
      const { status, judged, with: others } = result;
      return [{ id, what, status, judged, ...(others && { with: others }) }];
    }),
  };
}

/** The published matrix with what was measured to fail beside, and every failure that has no reason, in a sentence. */
export function withBeside(matrix: Matrix, done: readonly Done[]): { matrix: Matrix; unexplained: readonly string[] } {
  const rows = new Map(mutantList.map((mutant) => [mutant.id, mutant.rows]));
  const measured = new Map(done.map(({ id, result }) => [id, result.kind === 'beside' ? result.beside : []]));
  const unexplained: string[] = [];
  const lines = matrix.mutants.map((line): MutantLine => {
    const found = measured.get(line.id);
    if (!found) return line;
    const because = found.map(({ row, reason = '' }): [RowId, string] => {
      const known = reasonOf(rows.get(line.id)!, row);
      if (known === undefined) unexplained.push(`${line.id} fails ${row} too, and beside.ts has no reason: ${reason}`);
      return [row, known ?? ''];
    });
    return { ...line, beside: Object.fromEntries(because) };
  });
  return { matrix: { ...matrix, mutants: lines }, unexplained };
}
