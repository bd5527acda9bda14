import { bounds } from '../wire/bounds.js';

/** Bytes that all exchanges under way, and those that wait to be judged, may hold together. */
const most = 64 * 1024 * 1024;

/** The memory that copies of bodies share. */
export class Budget {
  #free = most;

  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}

/** Copies a body as it passes, up to what is judged of one. Beyond that it holds nothing and only counts. */
export class Tap {
  #chunks: Buffer[] = [];
  #held = 0;
  /** Why the copy is not whole. */
  problem: string | undefined;

  constructor(
    private readonly budget: Budget,
    private readonly what: string,
  ) {}

  add(chunk: Buffer): void {
    if (this.problem !== undefined) return;
    if (this.#held + chunk.length > bounds.bytes)
      return this.#forget(`${this.what} has more than ${bounds.bytes / 1024 / 1024} MB`);
    if (!this.budget.take(chunk.length))
      return this.#forget('bodies under way took all the memory that copies may have');
    this.#held += chunk.length;
    this.#chunks.push(chunk);
  }

  /** All of them, in memory of their own, so that they can be handed to another thread. */
  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#held);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  release(): void {
    this.budget.give(this.#held);
    this.#held = 0;
    this.#chunks = [];
  }

  #forget(problem: string): void {
    this.problem = problem;
    this.release();
  }
}
