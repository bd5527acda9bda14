import { ledger } from '../../ledger.gen.js';
import type { Verdict } from '../../verdict.js';
import type { Entry, Results, Server } from './server.js';

const groups = /^(AUTH|TOK|REV|INTRO|LIFE)-/;

/** What the consent page shows and who may call by bearer is the wrapper's, so no server is judged by it. */
export const wrappedRows = ['AUTH-WARN-001', 'AUTH-WARN-002', 'REV-001', 'INTRO-001'];

/** The rows that a server is tested against. */
export const rowsFor = ({ wrapped = [] }: Pick<Server, 'wrapped'>): readonly string[] =>
  ledger.flatMap(({ id }) => (groups.test(id) && ![...wrappedRows, ...wrapped].includes(id) ? [id] : []));

export const countOf = ({ rows }: Results, verdict: Verdict): number =>
  Object.values(rows).filter((one) => one === verdict).length;

/** README.md of the folder. */
export function pageOf(entries: readonly Entry[]): string {
  return entries.map(({ name }) => name).join('\n');
}
