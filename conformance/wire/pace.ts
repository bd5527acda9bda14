/** Milliseconds beyond a second within which no more than the rate is sent: a request may be late on its way. */
const tolerance = 50;

/** Spaces requests, so that no second has more than a number of them. */
export class Pace {
  /** When the last ones were sent, as many as a second may have. */
  readonly #sent: number[] = [];
  #line: Promise<void> = Promise.resolve();

  /** Ends when the next request may be sent. Requests are sent in the order in which they ask. */
  async turn(perSecond: number, pause: (ms: number) => Promise<void>): Promise<void> {
    const before = this.#line;
    let next = (): void => {};
    this.#line = new Promise((resolve) => (next = resolve));
    await before;
    try {
      for (let ms = this.#due(perSecond); ms > 0; ms = this.#due(perSecond)) await pause(ms);
      this.#sent.push(performance.now());
      if (this.#sent.length > perSecond) this.#sent.shift();
    } finally {
      next();
    }
  }

  #due(perSecond: number): number {
    const spaced = (this.#sent.at(-1) ?? Number.NEGATIVE_INFINITY) + 1000 / perSecond;
    const full = this.#sent.length < perSecond ? spaced : this.#sent[0]! + 1000 + tolerance;
    return Math.max(spaced, full) - performance.now();
  }
}
