import { bytes } from '../bytes/index.js';

/**
 * Fresh hexadecimal digits from the system's generator. They are drawn from it in larger portions: each draw is a system
 * call, which would be a tenth of the time that issuing a token takes.
 */
export class Chance {
  readonly #pool = new Uint8Array(4096);
  #used = this.#pool.length;
  #seed: string | null = null;
  #draws = 0;

  hex(digits: number): string {
    if (this.#seed !== null) return this.#drawn(this.#seed, digits);
    const count = Math.ceil(digits / 2);
    if (this.#used + count > this.#pool.length) {
      bytes.random(this.#pool);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += count;
    return bytes.hex(this.#pool.subarray(start, this.#used)).slice(0, digits);
  }

  /** From now on digits follow from a secret `seed` alone; null goes back to the system's generator. */
  seed(seed: string | null): void {
    this.#seed = seed;
    this.#draws = 0;
  }

  #drawn(seed: string, digits: number): string {
    let text = '';
    while (text.length < digits) text += bytes.sha256Hex(`${seed} ${(this.#draws += 1)}`);
    return text.slice(0, digits);
  }
}
