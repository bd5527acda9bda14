/** Something with a name, an owner and, perhaps, an end. */
export interface Perishable {
  readonly text: string;
  /** The grant that it belongs to: the client is its owner. */
  readonly grant: { readonly clientId: string };
  /** ms; null = never. */
  readonly expiresAt: number | null;
}

interface Due {
  readonly text: string;
  readonly at: number;
}

/** What one client holds, the oldest first. */
interface Holding {
  readonly texts: Set<string>;
  /** One iterator for good: a new one would pass over all that was removed before it finds the oldest. */
  oldest: Iterator<string, undefined>;
}

/** Told of a thing that leaves the map, and whether it had to, because its client holds too many. */
type Left<T> = (item: T, dropped: boolean) => void;

/**
 * A map of perishable things, bounded for each client by itself, that knows which of them expires next, so that
 * forgetting the expired ones costs nothing while there are none. When a client holds too many, expired things go first
 * and then the one of that client that was put first: nobody can push out what others hold.
 */
export class ExpiringMap<T extends Perishable> {
  #items = new Map<string, T>();
  readonly #holdings = new Map<string, Holding>();
  /** Binary heap, earliest end on top. Entries of removed things stay until they surface or the heap is rebuilt. */
  #due: Due[] = [];

  /** @param capacity the most that one client may hold */
  constructor(
    readonly capacity: number,
    private readonly left: Left<T> = () => {},
  ) {}

  /** Another map with the same things, in the same order. What is done to one is not seen in the other. */
  copy(left?: Left<T>): ExpiringMap<T> {
    const copy = new ExpiringMap<T>(this.capacity, left);
    copy.#items = new Map(this.#items);
    for (const [client, { texts }] of this.#holdings) {
      const own = new Set(texts);
      copy.#holdings.set(client, { texts: own, oldest: own.values() });
    }
    copy.#due = this.#due.slice();
    return copy;
  }

  get(text: string): T | undefined {
    return this.#items.get(text);
  }

  values(): IterableIterator<T> {
    return this.#items.values();
  }

  /** Puts a thing into the map, in place of one with the same text. `now` decides what has expired if room is needed. */
  put(item: T, now: number): void {
    this.remove(item.text);
    this.#items.set(item.text, item);
    const { texts } = this.#holdingOf(item.grant.clientId);
    texts.add(item.text);
    if (item.expiresAt !== null) this.#push({ text: item.text, at: item.expiresAt });
    if (texts.size > this.capacity) this.forget(now);
    while (texts.size > this.capacity) this.#dropOldest(item.grant.clientId);
  }

  /** Puts a thing in the place of one with the same text, client and end, without making it younger. */
  replace(item: T): void {
    if (this.#items.has(item.text)) this.#items.set(item.text, item);
  }

  remove(text: string, dropped = false): T | undefined {
    const item = this.#items.get(text);
    if (!item) return undefined;
    this.#items.delete(text);
    this.#holdings.get(item.grant.clientId)?.texts.delete(text);
    this.left(item, dropped);
    // Rotation removes tokens long before they expire: without this their entries would pile up for 90 days.
    if (this.#due.length > 64 + 2 * this.#items.size) this.#rebuild();
    return item;
  }

  /** Forgets what has expired at `now`: an end is the first instant at which a thing is no longer good. */
  forget(now: number): void {
    for (let next = this.#due[0]; next && next.at <= now; next = this.#due[0]) {
      this.#pop();
      if (this.#items.get(next.text)?.expiresAt === next.at) this.remove(next.text);
    }
  }

  #holdingOf(clientId: string): Holding {
    const known = this.#holdings.get(clientId);
    if (known) return known;
    const texts = new Set<string>();
    const holding = { texts, oldest: texts.values() };
    this.#holdings.set(clientId, holding);
    return holding;
  }

  #dropOldest(clientId: string): void {
    const holding = this.#holdingOf(clientId);
    let oldest = holding.oldest.next();
    if (oldest.done) oldest = (holding.oldest = holding.texts.values()).next();
    if (!oldest.done) this.remove(oldest.value, true);
  }

  #push(entry: Due): void {
    const heap = this.#due;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.at <= entry.at) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#due;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child += 1;
      if (heap[child]!.at >= last.at) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }

  #rebuild(): void {
    this.#due = [];
    for (const { text, expiresAt } of this.#items.values()) {
      if (expiresAt !== null) this.#push({ text, at: expiresAt });
    }
  }
}
