import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { fileOf, keyOf } from './mutant.js';
import type { Ending, Mutant, Result } from './mutant.js';

/** Rows that are tried before the others. */
const early = 30;
/** What a kill of the same file counts, of the folder one. */
const ownFile = 1000;

/** What was found, a line of a file each. A result stands as long as the file of the mutant stays as it is. */
export class Log {
  readonly #results = new Map<string, Result>();

  /** `digests` has those of the files as they are now. */
  constructor(
    readonly file: string,
    readonly digests: ReadonlyMap<string, string>,
  ) {
    for (const result of existsSync(file) ? readResults(file) : []) {
      if (digests.get(fileOf(result.place)) === result.digest) this.#results.set(keyOf(result), result);
    }
  }

  result(mutant: Mutant): Result | undefined {
    return this.#results.get(keyOf(mutant));
  }

  /** Adds a result at the end of the file, so that an interrupted run loses none. */
  add({ operator, place, within, original, replacement }: Mutant, profiles: readonly string[], ending: Ending): void {
    const digest = this.digests.get(fileOf(place))!;
    const result = {
      operator,
      place,
      ...(within !== undefined && { within }),
      original,
      replacement,
      profiles,
      ...ending,
      digest,
    };
    this.#results.set(keyOf(result), result);
    appendFileSync(this.file, lineOf(result));
  }

  /** Writes the file anew: those of these mutants, a line each, by their place. */
  compact(mutants: readonly Mutant[]): readonly Result[] {
    const results = mutants.flatMap((one) => this.result(one) ?? []);
    const placed = results.toSorted((one, other) => order.compare(keyOf(one), keyOf(other)));
    writeFileSync(this.file, placed.map(lineOf).join(''));
    return placed;
  }

  /** Some of these rows: those that killed most mutants of the same file, and then of its folder. */
  killersBeside({ place }: Mutant, rows: readonly string[]): readonly string[] {
    const file = fileOf(place);
    const counts = new Map<string, number>();
    for (const { place: other, row } of this.#results.values()) {
      if (row === undefined || !rows.includes(row) || dirname(fileOf(other)) !== dirname(file)) continue;
      counts.set(row, (counts.get(row) ?? 0) + (fileOf(other) === file ? ownFile : 1));
    }
    return [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, early)
      .map(([row]) => row);
  }
}

const order = new Intl.Collator('en', { numeric: true });

const lineOf = (result: Result): string => `${JSON.stringify(result)}\n`;

/** The results of a file, in its order: of a mutant with several the last counts. */
export const readResults = (file: string): readonly Result[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
