/** One after the other: who takes a turn begins when those before have let go. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Calls `begin` when it is the caller's turn, at once where nobody is before. Answers what ends the turn, or the wait for it. */
  take(begin: () => void): () => void {
    this.#waiting.push(begin);
    if (this.#waiting.length === 1) begin();
    return () => {
      const place = this.#waiting.indexOf(begin);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      if (place === 0) this.#waiting[0]?.();
    };
  }
}
