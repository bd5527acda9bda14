import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { planOf } from '../plan.js';
import { fromDisk, importer } from './imports.js';
import type { Read } from './imports.js';
import type { Mutant } from './mutant.js';

const conformance = fileURLToPath(new URL('..', import.meta.url));

/**
 * Digests of mutants. A digest covers all that a kill depends on within the suite: the mutant itself with operator and
 * arguments, the rows, and the contents of every file that the verifier, the mutant's area or the checks of its rows import.
 * Generated files do not count: the contract and the ledger have hashes of their own.
 */
export function digests(read: Read = fromDisk): (area: string, mutant: Mutant) => string {
  const importedBy = importer(read, (name) => name.startsWith(conformance) && !name.endsWith('.gen.ts'));
  const closures = new Map<string, string>();
  const closureOf = (name: string): string => {
    const known = closures.get(name);
    if (known !== undefined) return known;
    const sum = createHash('sha256');
    for (const file of importedBy(join(conformance, name))) sum.update(relative(conformance, file)).update(read(file));
    const digest = sum.digest('hex');
    closures.set(name, digest);
    return digest;
  };
  const judges = new Map(
    planOf([]).map(({ row, group }) => [row.id, group === undefined ? 'monitors/monitors.ts' : `checks/${group}.ts`]),
  );
  return (area, { id, what, rows, exercise, verdict, switches, flags, declares, precondition, mutation }) =>
    createHash('sha256')
      .update(JSON.stringify([id, what, rows, exercise, verdict, switches, flags, declares]))
      .update(JSON.stringify([precondition, mutation], textOf))
      .update(['engine/verifier.ts', areaFile(area), ...rows.map((row) => judges.get(row)!)].map(closureOf).join())
      .digest('hex')
      .slice(0, 8);
}

/** Functions and patterns among the arguments by their text. */
const textOf = (_: string, value: unknown): unknown =>
  typeof value === 'function' || value instanceof RegExp ? String(value) : value;

/**
 * The file of an area: each has its name.
 * @throws Error where there is none
 */
export function areaFile(area: string): string {
  const places = ['', 'oauth/', 'game/', 'codec/'].map((folder) => `proof/mutants/${folder}${area}.ts`);
  const found = places.find((place) => existsSync(join(conformance, place)));
  if (found === undefined) throw new Error(`area ${area}: there is no file of that name in conformance/proof/mutants`);
  return found;
}
