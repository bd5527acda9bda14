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

/**
 * A set of stretches. Their numbers have up to 53 bits, and a `Set` of millions of such numbers keeps the garbage collector
 * busy: here they stand in one array, each at its hash or behind it, with as many places free as taken.
 */
export class Grams {
  #places = new Float64Array(2 ** 12).fill(free);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(gram: number): void {
    const at = placeOf(gram, this.#places);
    if (this.#places[at] === gram) return;
    this.#places[at] = gram;
    this.#size += 1;
    if (this.#size * 2 > this.#places.length) this.#grow();
  }

  has(gram: number): boolean {
    return this.#places[placeOf(gram, this.#places)] === gram;
  }

  #grow(): void {
    const larger = new Float64Array(this.#places.length * 2).fill(free);
    for (const gram of this.#places) if (gram !== free) larger[placeOf(gram, larger)] = gram;
    this.#places = larger;
  }
}

/** What stands in a place that is free: the number of no stretch. */
const free = -1;

/** Where a number stands, or would stand. The bits of both bases take part. */
function placeOf(gram: number, places: Float64Array): number {
  const mask = places.length - 1;
  let at = (gram ^ (gram / 2 ** 21)) & mask;
  for (;;) {
    const there = places[at];
    if (there === gram || there === free) return at;
    at = (at + 1) & mask;
  }
}
