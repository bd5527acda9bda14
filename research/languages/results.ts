import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Attempt } from './attempt.js';
import { folder } from './tools.js';

/** research/languages/results.json: the last attempt of each tool, and what the last run of all tools took. */
export interface Results {
  readonly whole?: Run;
  readonly attempts: readonly Attempt[];
}

/** What a run took; sizes in bytes. */
export interface Run {
  readonly date: string;
  /** Tools whose toolchain the machine lacks. */
  readonly skipped: readonly string[];
  readonly minutes: number;
  readonly cores: number;
  /** Whether it began with empty caches. */
  readonly cold: boolean;
  readonly downloaded: number;
  /** The size of dist/languages after it. */
  readonly held: number;
}

const file = join(folder, 'results.json');

export const readResults = (): Results =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { attempts: [] };

export const writeResults = (results: Results): void => writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);

/** What a run took, as a sentence. */
export function costOf({ date, skipped, minutes, cores, cold, downloaded, held }: Run): string {
  const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-US')} MiB`;
  const left = skipped.length > 0 ? ` It skipped ${skipped.join(', ')}: no toolchain.` : '';
  const from = cold ? ', with empty caches' : '';
  return `the run of ${date}${from}, on ${cores} cores, took ${minutes} minutes, downloaded ${mib(downloaded)} and left ${mib(held)} in \`dist/languages\`.${left}`;
}
