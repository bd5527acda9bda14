/** First in, first out, in constant time: what has left is cut off now and then, not one by one. */
export class Queue<T> {
  #items: (T | undefined)[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** The oldest, which leaves. */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first > 1000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  all(): T[] {
    return this.#items.slice(this.#first) as T[];
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}
