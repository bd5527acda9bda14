import type { Audited, Cause, FalseAlarm } from './client.js';
import type { Mutated } from './mutants.js';

/** README.md of the folder, before it is formatted. */
export const pageOf = (_a: readonly Audited[], _f: readonly FalseAlarm[], _m: readonly Mutated[]): string => `# x\n`;
