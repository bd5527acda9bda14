import { randomFillSync } from 'node:crypto';

/**
 * Fresh hexadecimal digits from the system's generator. They are drawn from it in larger portions: each draw is a system
 * call, which would be a tenth of the time that issuing a token takes.
 */
export class Chance {
  readonly #pool = Buffer.alloc(4096);
  #used = this.#pool.length;

  hex(digits: number): string {
    const bytes = Math.ceil(digits / 2);
    if (this.#used + bytes > this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += bytes;
    return this.#pool.toString('hex', start, this.#used).slice(0, digits);
  }
}
