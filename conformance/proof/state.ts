import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { nameOf } from './task.js';
import type { Done, Task } from './task.js';

/** What the proof itself writes: no result depends on it. */
const written = ['conformance/proof/matrix.json', 'conformance/proof/clients.json', 'conformance/proof/faults.json'];
/** Everything that a result depends on, but for that. */
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
  const files = sources.flatMap((path) => [...filesBelow(path)]).filter((file) => !written.includes(file));
  for (const file of files) sum.update(file).update(readFileSync(file));
  return sum.digest('hex').slice(0, 16);
}

interface State {
  readonly hash: string;
  readonly done: readonly Done[];
}

/** Results so far, kept in a file, so that an interrupted proof goes on where it stopped if the code is the same. */
export class ResultCache {
  readonly #done: Map<string, Done>;

  constructor(
    readonly file: string,
    readonly hash: string,
    fresh = false,
  ) {
    const before = !fresh && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined;
    this.#done = new Map(before?.hash === hash ? before.done.map((one) => [nameOf(one), one]) : []);
  }

  /**
   * Takes over the results of a shard.
   * @throws Error where the file is of other code, or none of ours
   */
  take(file: string): void {
    const { hash, done } = JSON.parse(readFileSync(file, 'utf8')) as Partial<State>;
    if (!done) throw new Error(`${file}: has no results; name a file that --shard wrote`);
    if (hash !== this.hash) throw new Error(`${file}: its results are of other code; run the shard again`);
    for (const one of done) this.#done.set(nameOf(one), one);
  }

  find(task: Task): Done | undefined {
    return this.#done.get(nameOf(task));
  }

  add(one: Done): void {
    this.#done.set(nameOf(one), one);
    const state: State = { hash: this.hash, done: [...this.#done.values()] };
    mkdirSync(dirname(this.file), { recursive: true });
    // A file that is half written when the process ends would lose everything before.
    writeFileSync(`${this.file}.new`, JSON.stringify(state));
    renameSync(`${this.file}.new`, this.file);
  }
}
