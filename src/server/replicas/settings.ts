import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { SetupError } from '../../input/setup-error.js';

/** What all replicas of a mock are started with, by the name of the option. */
export type Shared = Readonly<Record<string, unknown>>;

/** @throws SetupError that names each option in which a replica differs from who began */
export function checkShared(own: Shared, begun: Shared, address: string): void {
  const other = [...new Set([...Object.keys(own), ...Object.keys(begun)])].filter(
    (name) => JSON.stringify(own[name]) !== JSON.stringify(begun[name]),
  );
  if (other.length === 0) return;
  const named = other.map((name) => {
    const [there, here] = [begun[name], own[name]].map((value) => JSON.stringify(value ?? null));
    const isShort = there !== undefined && here !== undefined && there.length + here.length < 100;
    return isShort ? `${name} (${there} there, ${here} here)` : name;
  });
  throw new SetupError(
    `store ${address}: the mock there was started with another ${named.join(', ')}; ` +
      'start every replica with the same options, or give this mock a name of its own (?name=...)',
  );
}

/** A mark of a secret, or of something large, that tells whether two are the same. */
export const markOf = (key: Buffer, value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : createHash('sha256').update(key).update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** A mark of all files of a folder. */
export function markOfFolder(key: Buffer, folder: string | null): string | null {
  if (folder === null) return null;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .filter((name) => statSync(join(folder, name)).isFile());
  return markOf(
    key,
    files.map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );
}
