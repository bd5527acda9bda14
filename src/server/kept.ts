const maxBytes = 8 << 20;
const maxEntries = 2000;

interface Entry {
  readonly body: object;
  bytes: Buffer | null;
}

/**
 * Replies that cannot change while the world stands, and the bytes they were written as. Bounded: the oldest go first.
 */
export class Kept {
  readonly #byKey = new Map<string, Entry>();
  readonly #byBody = new WeakMap<object, Entry>();
  #size = 0;

  once<T extends object>(key: string, make: () => T): T {
    const known = this.#byKey.get(key);
    if (known) return known.body as T;
    const body = make();
    const entry: Entry = { body, bytes: null };
    this.#byKey.set(key, entry);
    this.#byBody.set(body, entry);
    this.#makeRoom();
    return body;
  }

  /** The bytes of a kept body, written by `write` the first time; undefined for a body that is not kept. */
  bytes(body: object, write: () => Buffer): Buffer | undefined {
    const entry = this.#byBody.get(body);
    if (!entry) return undefined;
    if (!entry.bytes) {
      entry.bytes = write();
      this.#size += entry.bytes.length;
      this.#makeRoom();
    }
    return entry.bytes;
  }

  clear(): void {
    for (const { body } of this.#byKey.values()) this.#byBody.delete(body);
    this.#byKey.clear();
    this.#size = 0;
  }

  #makeRoom(): void {
    for (const [key, entry] of this.#byKey) {
      if (this.#size <= maxBytes && this.#byKey.size <= maxEntries) return;
      this.#byKey.delete(key);
      this.#byBody.delete(entry.body);
      this.#size -= entry.bytes?.length ?? 0;
    }
  }
}
