import { bytes } from '../bytes/index.js';

const maxBytes = 8 << 20;
const maxEntries = 2000;
/** From here on encoding a text anew each time costs more than a second buffer to write. */
const large = 2 << 10;

/** A reply that cannot change while the world stands, and the bytes that it was written as. */
class CachedReply<Body extends object> {
  readonly status = 200;
  #content: string | Uint8Array | undefined;
  /** Bytes that the cache holds for it. */
  size = 0;

  constructor(
    readonly body: Body,
    /** Makes room in the cache for what was written; answers whether the reply is still in it. */
    readonly grow: (reply: CachedReply<Body>, size: number) => boolean,
  ) {}

  /** Its bytes, which `write` makes the first time. */
  written(write: () => string): string | Uint8Array {
    if (this.#content !== undefined) return this.#content;
    const text = write();
    const content = text.length < large ? text : bytes.encode(text);
    if (this.grow(this, text.length)) this.#content = content;
    return content;
  }
}

/** What cannot change while the world stands, by name. Bounded: the oldest go first. */
export class ReplyCache {
  readonly #byKey = new Map<string, CachedReply<object>>();
  #size = 0;

  /** The reply of this name, whose body `make` makes the first time. */
  reply<Body extends object>(key: string, make: () => Body): CachedReply<Body> {
    const known = this.#byKey.get(key);
    if (known) return known as unknown as CachedReply<Body>;
    const reply = new CachedReply(make(), (grown, size) => this.#grow(key, grown, size));
    this.#byKey.set(key, reply as unknown as CachedReply<object>);
    this.#makeRoom();
    return reply;
  }

  clear(): void {
    this.#byKey.clear();
    this.#size = 0;
  }

  #grow(key: string, reply: object, size: number): boolean {
    const held = this.#byKey.get(key);
    if (held !== reply) return false;
    held.size = size;
    this.#size += size;
    this.#makeRoom();
    return true;
  }

  #makeRoom(): void {
    for (const [key, { size }] of this.#byKey) {
      if (this.#size <= maxBytes && this.#byKey.size <= maxEntries) return;
      this.#byKey.delete(key);
      this.#size -= size;
    }
  }
}
