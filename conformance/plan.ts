import { groups } from './checks/index.js';
import type { Planned } from './engine/plan.js';
import { ledger } from './ledger.gen.js';
import { beginnings, meant } from '../src/input/nearest.js';
import { SetupError } from '../src/input/setup-error.js';

/** The ids of the suite's requirements. */
export const rowIds: ReadonlySet<string> = new Set(ledger.map(({ id }) => id));

/**
 * The rows that words name: an id, the beginning of one up to a dash (`TOK-REFRESH`), a check group (`oauth/refresh`)
 * or a folder of these (`oauth`). No words are all rows.
 *
 * @throws SetupError where a word names nothing.
 */
export function planOf(words: readonly string[]): readonly Planned[] {
  const checks = new Map(
    groups.flatMap(({ name, checks, inOrder }) =>
      checks.map((check) => [check.row as string, { check, group: name, ...(inOrder && { lane: name }) }]),
    ),
  );
  const all = ledger.map((row): Planned => {
    const found = checks.get(row.id);
    return { row, ...found };
  });
  if (words.length === 0) return all;
  const named = (word: string, { row, group }: Planned): boolean =>
    row.id === word || row.id.startsWith(`${word}-`) || group === word || group?.startsWith(`${word}/`) === true;
  for (const word of words) {
    if (!all.some((one) => named(word, one))) {
      const names = [...beginnings(rowIds), ...groups.map(({ name }) => name)];
      throw new SetupError(
        `--only ${word}: no requirement or group of that name${meant(word, names)}; see gamedata verify list`,
      );
    }
  }
  return all.filter((one) => words.some((word) => named(word, one)));
}
