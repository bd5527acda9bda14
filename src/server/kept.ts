const maxBytes = 8 << 20;
const maxEntries = 2000;
/** From here on encoding a text anew each time costs more than a second buffer to write. */
const large = 2 << 10;

interface KeptReply {
  readonly body: object;
  content: string | Buffer | null;
}

/**
 * Replies that cannot change while the world stands, and the texts they were written as. Bounded: the oldest go first.
 */
export class Kept {
  readonly #byKey = new Map<string, KeptReply>();
  readonly #byBody = new WeakMap<object, KeptReply>();
  #size = 0;

  once<T extends object>(key: string, make: () => T): T {
    const known = this.#byKey.get(key);
    if (known) return known.body as T;
    const body = make();
    const entry: KeptReply = { body, content: null };
    this.#byKey.set(key, entry);
    this.#byBody.set(body, entry);
    this.#makeRoom();
    return body;
  }

  /** What a kept body is sent as, written by `write` the first time; undefined for a body that is not kept. */
  content(body: object, write: () => string): string | Buffer | undefined {
    const entry = this.#byBody.get(body);
    if (!entry) return undefined;
    if (entry.content === null) {
      const text = write();
      entry.content = text.length < large ? text : Buffer.from(text);
      this.#size += text.length;
      this.#makeRoom();
    }
    return entry.content;
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
      this.#size -= entry.content?.length ?? 0;
    }
  }
}
