import { createHash, randomFillSync } from 'node:crypto';

/**
 * Fresh hexadecimal digits from the system's generator. They are drawn from it in larger portions: each draw is a system
 * call, which would be a tenth of the time that issuing a token takes.
 */
export class Chance {
  readonly #pool = Buffer.alloc(4096);
  #used = this.#pool.length;
  #seed: string | null = null;
  #draws = 0;

  hex(digits: number): string {
    if (this.#seed !== null) return this.#drawn(this.#seed, digits);
    const bytes = Math.ceil(digits / 2);
    if (this.#used + bytes > this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += bytes;
    return this.#pool.toString('hex', start, this.#used).slice(0, digits);
  }

  /** From now on digits follow from a secret `seed` alone; null goes back to the system's generator. */
  seed(seed: string | null): void {
    this.#seed = seed;
    this.#draws = 0;
  }

  #drawn(seed: string, digits: number): string {
    let text = '';
    while (text.length < digits)
      text += createHash('sha256')
        .update(`${seed} ${(this.#draws += 1)}`)
        .digest('hex');
    return text.slice(0, digits);
  }
}
