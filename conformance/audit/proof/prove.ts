import { audit } from '../audit.js';
import type { AuditOptions } from '../audit.js';
import type { AuditedClient } from '../client.js';
import type { ClientProof } from '../../proof/clients.js';
import type { RowResult } from '../../result.js';
import { meant } from '../../../src/input/nearest.js';
import { auditHash } from '../hash.js';
import { auditLedger } from '../ledger.js';
import { clientMutants } from './mutants/index.js';
import { clientVariants } from './variants/index.js';

/** What became of a mutant or a variant. */
export interface ClientTrial {
  readonly kind: 'mutant' | 'variant';
  readonly id: string;
  /** Of generated values. */
  readonly seed: number;
  /** Killed by its row, or accepted by all. */
  readonly good: boolean;
  /** It could not be tried, because what it needs is not installed. */
  readonly skipped?: boolean;
  /** The mutant's row only warns. */
  readonly warns?: boolean;
  /** Rows that a variant passed. */
  readonly passed?: number;
  readonly words: string;
  readonly seconds: number;
}

/** A mutant or a variant by its name. */
export type Named = Pick<ClientTrial, 'kind' | 'id'>;

/** All trials, the variants first; `ids` picks some. */
export function clientTrials(ids: readonly string[] = []): readonly Named[] {
  const all = [
    ...clientVariants.map(({ id }) => ({ kind: 'variant' as const, id })),
    ...clientMutants.map(({ id }) => ({ kind: 'mutant' as const, id })),
  ];
  const names = all.map(({ id }) => id);
  const strange = ids.find((id) => !names.includes(id));
  if (strange !== undefined)
    throw new Error(
      `--audit ${strange}: no mutant or variant of a client has this id${meant(strange, names)}; conformance/proof/clients.json has the ids, and --audit alone tries all`,
    );
  return all.filter(({ id }) => ids.length === 0 || ids.includes(id));
}

/** Audits a mutant, which the row that it names must catch, or a variant, which nothing may blame. */
export async function tryClient({ kind, id }: Named, seed = 1): Promise<ClientTrial> {
  const begin = performance.now();
  const trial = kind === 'mutant' ? await tryMutant(id, seed) : await tryVariant(id, seed);
  return { kind, id, seed, ...trial, seconds: Math.round((performance.now() - begin) / 100) / 10 };
}

type Result = Omit<ClientTrial, 'kind' | 'id' | 'seed' | 'seconds'>;

async function tryMutant(id: string, seed: number): Promise<Result> {
  const mutant = clientMutants.find((one) => one.id === id)!;

  const judged = async (): Promise<RowResult | undefined> => {
    const { client, close } = mutant.client();
    const results = await verdicts(client, { worlds: ['calm', ...mutant.worlds], seed }).finally(() => close?.());
    return results.find((row) => row.id === mutant.row);
  };
  let own = await judged();
  // A busy machine may keep a client from asking anything, or make it wait longer than it means to.
  if (own?.verdict === 'could not run' || own?.verdict === 'pass') own = await judged();
  const good = own?.verdict === 'fail' || own?.verdict === 'warn';
  return {
    good,
    ...(own?.verdict === 'warn' && { warns: true }),
    words: good
      ? `killed by ${mutant.row}`
      : `survives ${mutant.row} (${own?.verdict ?? 'no such row'}): ${mutant.does}`,
  };
}

async function tryVariant(id: string, seed: number): Promise<Result> {
  const variant = clientVariants.find((one) => one.id === id)!;
  if (variant.missing !== undefined)
    return { skipped: true, good: true, words: `SKIPPED, not installed: run ${variant.missing}` };
  const { client, close, ...options } = variant.make();
  const results = await verdicts(client, { seed, ...options }).finally(() => close?.());
  const passed = results.filter(({ verdict }) => verdict === 'pass').length;
  const warned = results.filter(({ verdict }) => verdict === 'warn').map(({ id: row }) => row);
  const blamed = results.filter(
    ({ id: row, verdict }) => verdict === 'fail' || (verdict === 'warn' && !variant.mayWarn.includes(row)),
  );
  const unused = variant.mayWarn.filter((row) => !warned.includes(row));
  const good = blamed.length === 0 && passed >= variant.least;
  const words = blamed.map(
    ({ id: row, verdict, failure }) =>
      `${row} (${verdict}): expected ${failure?.expected}; got ${failure?.got} (${failure?.smallest})`,
  );
  const accepted = `accepted, ${passed} rows passed${unused.length > 0 ? `; not warned by ${unused.join(', ')}` : ''}`;
  return { good, passed, words: good ? accepted : words.join('\n  ') || `only ${passed} rows passed` };
}

/** The proof as it is published, from the trials of all mutants and variants: the worst of all seeds of each. */
export function publishable(trials: readonly ClientTrial[], seeds: readonly number[]): ClientProof {
  const of = (kind: ClientTrial['kind'], id: string): readonly ClientTrial[] =>
    trials.filter((one) => one.kind === kind && one.id === id);
  return {
    ledger: auditHash,
    seeds,
    mutants: clientMutants.map(({ id, does, row }) => {
      const own = of('mutant', id);
      const [worst] = own.toSorted(
        (a, b) => Number(a.good) - Number(b.good) || Number(b.warns ?? 0) - Number(a.warns ?? 0),
      );
      const status =
        worst === undefined ? 'skipped' : !worst.good ? 'survived' : worst.warns === true ? 'warning' : 'failure';
      return { id, does, row, status };
    }),
    variants: clientVariants.map(({ id, does, mayWarn }) => {
      const own = of('variant', id);
      const tried = own.filter(({ skipped }) => !skipped);
      const status = tried.length === 0 ? 'skipped' : tried.every(({ good }) => good) ? 'accepted' : 'blamed';
      return { id, does, status, passed: Math.min(...tried.map(({ passed = 0 }) => passed), 1000) % 1000, mayWarn };
    }),
  };
}

async function verdicts(
  client: AuditedClient,
  options: Pick<AuditOptions, 'worlds' | 'restarts' | 'autoApprove' | 'redirectUris' | 'seed'>,
) {
  const { report } = await audit({ client, name: 'trial', restarts: true, jobs: 3, timeLimit: 60, ...options });
  return report.rows;
}

/** Rows that no mutant names: a row that nothing can fail proves nothing. */
export const unproved = (): readonly string[] =>
  auditLedger.map(({ id }) => id).filter((id) => !clientMutants.some(({ row }) => row === id));
