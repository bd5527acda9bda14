/** A clock that is moved on when everybody waits, so that interleavings are repeatable and take no time. */
export class VirtualTime {
  now = 0;
  readonly #waiting: { readonly at: number; readonly turn: number; readonly go: () => void }[] = [];
  #turn = 0;

  readonly pause = (ms: number): Promise<void> =>
    new Promise((go) => void this.#waiting.push({ at: this.now + ms, turn: (this.#turn += 1), go }));

  /** Lets time pass until an action is over. */
  async run<T>(action: Promise<T>): Promise<T> {
    let isOver = false;
    const over = action.finally(() => (isOver = true));
    for (;;) {
      await new Promise((done) => setImmediate(done));
      if (isOver) return over;
      this.#waiting.sort((one, other) => one.at - other.at || one.turn - other.turn);
      const next = this.#waiting.shift();
      if (!next) throw new Error('nobody waits, and the action is not over');
      this.now = next.at;
      next.go();
    }
  }
}

/** Random numbers from 0 to 1 by a seed (mulberry32). */
export function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
