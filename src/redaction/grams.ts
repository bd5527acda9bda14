const bases = [0x01000193, 0x5bd1e995] as const;

/** The number that undoes a multiplication by an odd number, in 32 bits: each step doubles the bits that are right. */
function inverse(odd: number): number {
  let found = odd;
  for (let step = 0; step < 5; step += 1) found = Math.imul(found, 2 - Math.imul(odd, found));
  return found;
}

const inverses = [inverse(bases[0]), inverse(bases[1])] as const;

const power = (base: number, exponent: number): number =>
  Array.from({ length: exponent }).reduce<number>((all) => Math.imul(all, base), 1);

/**
 * Calls for every stretch of `size` characters with a number that tells it from others: the same number for a stretch and
 * for the same stretch backwards, so that what stands backwards is found too. Linear in the text, whatever the size.
 */
export function eachGram(text: string, size: number, visit: (gram: number, at: number) => void): void {
  const tops = [power(bases[0], size - 1), power(bases[1], size - 1)] as const;
  // Read forwards and backwards, with two bases each.
  let [ahead, back, ahead2, back2] = [0, 0, 0, 0];
  let [top, top2] = [1, 1];
  for (let end = 0; end < text.length; end += 1) {
    const come = text.charCodeAt(end);
    if (end < size) {
      back = (back + Math.imul(come, top)) | 0;
      back2 = (back2 + Math.imul(come, top2)) | 0;
      top = Math.imul(top, bases[0]);
      top2 = Math.imul(top2, bases[1]);
    } else {
      const gone = text.charCodeAt(end - size);
      ahead = (ahead - Math.imul(gone, tops[0])) | 0;
      ahead2 = (ahead2 - Math.imul(gone, tops[1])) | 0;
      back = (Math.imul(back - gone, inverses[0]) + Math.imul(come, tops[0])) | 0;
      back2 = (Math.imul(back2 - gone, inverses[1]) + Math.imul(come, tops[1])) | 0;
    }
    ahead = (Math.imul(ahead, bases[0]) + come) | 0;
    ahead2 = (Math.imul(ahead2, bases[1]) + come) | 0;
    if (end >= size - 1) visit(((ahead + back) >>> 0) * 2 ** 21 + ((ahead2 + back2) >>> 11), end - size + 1);
  }
}

const mask = 2 ** 21 - 1;

/** A set of stretches that most questions about others leave at once. */
export class Grams {
  readonly #all = new Set<number>();
  readonly #filter = new Uint32Array((mask + 1) / 32);

  get size(): number {
    return this.#all.size;
  }

  add(gram: number): void {
    this.#all.add(gram);
    this.#filter[(gram & mask) >>> 5]! |= 1 << (gram & 31);
  }

  has(gram: number): boolean {
    return ((this.#filter[(gram & mask) >>> 5]! >>> (gram & 31)) & 1) === 1 && this.#all.has(gram);
  }
}
