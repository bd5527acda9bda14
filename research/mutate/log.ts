import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fileOf } from './mutant.js';
import type { Mutant, Result } from './mutant.js';
import { folder } from './judge.js';

/** Rows that are tried before the others. */
const early = 12;

/** The results for one state of the code, by the id of the mutant: a line of a file each, of which the last counts. */
export class Log {
  readonly #file: string;
  readonly results = new Map<string, Result>();

  constructor(digest: string) {
    this.#file = join(folder, `results-${digest}.jsonl`);
    if (!existsSync(this.#file)) return;
    for (const line of readFileSync(this.#file, 'utf8').split('\n')) {
      if (line === '') continue;
      const result = JSON.parse(line) as Result;
      this.results.set(result.id, result);
    }
  }

  add(result: Result): void {
    this.results.set(result.id, result);
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }

  /** The rows that killed most mutants of the same file. */
  killersBeside({ place }: Mutant): readonly string[] {
    const counts = new Map<string, number>();
    for (const { place: other, row } of this.results.values()) {
      if (row !== undefined && fileOf(other) === fileOf(place)) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, early)
      .map(([row]) => row);
  }
}
