import type { RowId } from '../ledger.gen.js';

/**
 * Mutants that the suite does not kill, or that not every named row kills, each with the reason why no check of a black
 * box could without failing a conforming server too. A mutant that is killed after all must not stand here.
 */
export const survivors: Readonly<Record<string, string>> = {};

/** Requirements of level MUST without a mutant, each with the reason. */
export const withoutMutant: Readonly<Partial<Record<RowId, string>>> = {
  'GEN-002':
    'The mutants run on loopback, where plain HTTP is allowed. conformance/checks/game/https.test.ts shows that the check fails elsewhere.',
};
