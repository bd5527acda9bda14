import { audit } from '../audit.js';
import type { Client } from '../client.js';
import { auditLedger } from '../ledger.js';
import { inside } from './inside.js';
import { clientMutants } from './mutants/index.js';
import { clientVariants } from './variants.js';

/** What became of a mutant or a variant. */
export interface ClientTrial {
  readonly kind: 'mutant' | 'variant';
  readonly id: string;
  /** Killed by its row, or accepted by all. */
  readonly good: boolean;
  readonly words: string;
  readonly seconds: number;
}

/** All trials, the quick ones first; `ids` picks some. */
export const clientTrials = (
  ids: readonly string[] = [],
): readonly { readonly kind: ClientTrial['kind']; readonly id: string }[] =>
  [
    ...clientVariants.map(({ id }) => ({ kind: 'variant' as const, id })),
    ...clientMutants.map(({ id }) => ({ kind: 'mutant' as const, id })),
  ].filter(({ id }) => ids.length === 0 || ids.includes(id));

/** Audits a mutant, which the row that it names must catch, or a variant, which nothing may blame. */
export async function tryClient({
  kind,
  id,
}: {
  readonly kind: ClientTrial['kind'];
  readonly id: string;
}): Promise<ClientTrial> {
  const begin = performance.now();
  const trial = kind === 'mutant' ? await tryMutant(id) : await tryVariant(id);
  return { kind, id, ...trial, seconds: Math.round((performance.now() - begin) / 100) / 10 };
}

async function tryMutant(id: string): Promise<Pick<ClientTrial, 'good' | 'words'>> {
  const mutant = clientMutants.find((one) => one.id === id)!;
  const Made = mutant.make;
  const results = await verdicts(
    inside((around) => new Made(around).run()),
    { worlds: ['calm', ...mutant.worlds] },
  );
  const own = results.find((row) => row.id === mutant.row);
  const good = own?.verdict === 'fail' || own?.verdict === 'warn';
  return {
    good,
    words: good
      ? `killed by ${mutant.row}`
      : `survives ${mutant.row} (${own?.verdict ?? 'no such row'}): ${mutant.does}`,
  };
}

async function tryVariant(id: string): Promise<Pick<ClientTrial, 'good' | 'words'>> {
  const variant = clientVariants.find((one) => one.id === id)!;
  const { client, close, ...options } = variant.make();
  const results = await verdicts(client, options).finally(() => close?.());
  const blamed = results.filter(({ verdict }) => verdict === 'fail');
  const passed = results.filter(({ verdict }) => verdict === 'pass').length;
  const good = blamed.length === 0 && passed >= variant.least;
  const words = blamed.map(
    ({ id: row, failure }) => `${row}: expected ${failure?.expected}; got ${failure?.got} (${failure?.smallest})`,
  );
  return { good, words: good ? `accepted, ${passed} rows passed` : words.join('\n  ') || `only ${passed} rows passed` };
}

async function verdicts(
  client: Client,
  options: { readonly worlds?: readonly string[]; readonly restarts?: boolean; readonly autoApprove?: boolean },
) {
  const { report } = await audit({ client, name: 'trial', restarts: true, jobs: 3, timeLimit: 60, ...options });
  return report.rows;
}

/** Rows that no mutant names: a row that nothing can fail proves nothing. */
export const unproved = (): readonly string[] =>
  auditLedger.map(({ id }) => id).filter((id) => !clientMutants.some(({ row }) => row === id));
