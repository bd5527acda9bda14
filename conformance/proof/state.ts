import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Result } from './judge.js';

/** Everything that a result depends on. */
const sources = ['conformance', 'fixtures', 'openapi', 'src', 'scripts/prove.ts', 'package-lock.json'];

function* filesBelow(path: string): Generator<string> {
  if (!existsSync(path)) return;
  const entries = path.includes('.') ? undefined : readdirSync(path, { withFileTypes: true });
  if (!entries) return yield path;
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) yield* filesBelow(inner);
    else yield inner;
  }
}

/** A hash of the code that results come from. */
export function codeHash(): string {
  const sum = createHash('sha256');
  for (const file of sources.flatMap((path) => [...filesBelow(path)])) sum.update(file).update(readFileSync(file));
  return sum.digest('hex').slice(0, 16);
}

interface State {
  readonly hash: string;
  readonly seed: number;
  readonly results: readonly Result[];
}

/** Results so far, kept in a file, so that an interrupted proof goes on where it stopped if the code is the same. */
export class Kept {
  readonly #results: Result[];

  constructor(
    readonly file: string,
    readonly hash: string,
    readonly seed: number,
  ) {
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined;
    this.#results = before?.hash === hash && before.seed === seed ? [...before.results] : [];
  }

  find(kind: Result['kind'], id: string): Result | undefined {
    return this.#results.find((one) => one.kind === kind && one.id === id);
  }

  add(result: Result): void {
    this.#results.push(result);
    const state: State = { hash: this.hash, seed: this.seed, results: this.#results };
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify(state));
  }
}
