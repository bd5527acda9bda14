import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { fromDisk, importer } from './imports.js';
import { nameOf } from './task.js';
import type { Done, Task } from './task.js';

/** What the proof itself writes: no result depends on it. */
const written = ['matrix.json', 'clients.json', 'faults.json'];
/** Where the data is that the mock and the suite read. */
const data = ['conformance', 'fixtures', 'openapi', 'src'];

/** Everything that a result depends on: what carries a task out and all that it imports, data, and the packages. */
function sources(): readonly string[] {
  const isData = (file: string): boolean => /[.](json|ya?ml)$/.test(file) && !written.includes(basename(file));
  const below = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(isData)
      .toSorted()
      .map((file) => join(folder, file));
  const imported = importer(fromDisk, () => true)(join('conformance', 'proof', 'task.ts'));
  return [...imported, ...data.flatMap(below), 'package-lock.json'];
}

/** A hash of the code that results come from. */
export function codeHash(): string {
  const sum = createHash('sha256');
  for (const file of sources()) sum.update(file).update(readFileSync(file));
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
