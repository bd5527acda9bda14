import { bytes } from '../bytes/index.js';

/**
 * Numbers drawn one after another from a key. Draw `n` is a function of the key and `n` alone, so that a stream of
 * draws costs two words of state and never depends on what was drawn elsewhere.
 */
export class Chance {
  private drawn = 0;

  constructor(
    private readonly high: number,
    private readonly low: number,
  ) {}

  /** A whole number in [0, 2^32). */
  word(): number {
    this.drawn += 1;
    return mix(mix(this.drawn ^ this.low) ^ this.high);
  }

  /** A number in [0, 1). */
  part(): number {
    return this.word() / 4294967296;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.part() * below);
  }

  /** A whole number in [from, to], both ends included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True once in `times` draws on average. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from: the list is empty; give it at least one entry');
    return picked;
  }

  /** `count` different entries (all of them if the list is shorter), in drawn order. */
  some<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const picked: T[] = [];
    while (picked.length < count && rest.length > 0) picked.push(...rest.splice(this.below(rest.length), 1));
    return picked;
  }

  /** The whole numbers below `count` in drawn order. */
  order(count: number): number[] {
    const order = Array.from({ length: count }, (_, index) => index);
    return this.some(order, count);
  }
}

/** One round of a 32-bit integer hash with good avalanche. */
export function mix(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

const encoder = new TextEncoder();
const BLOCK = 64;
const DIGEST = 32;

/**
 * The root of everything drawn: `key(path) = HMAC-SHA256(seed, path)`. Each path names an independent sub-stream, so
 * that an entity that is added never shifts another.
 */
export class Seeds {
  // HMAC (RFC 2104) from two one-shot digests: half the time of a Hmac object, and every item takes a key.
  private inner: Uint8Array;
  private readonly outer: Uint8Array;

  constructor(seed: number) {
    const secret = bytes.encode(String(seed).padEnd(BLOCK, '\0'));
    this.inner = new Uint8Array(1024);
    this.outer = new Uint8Array(BLOCK + DIGEST);
    for (const [index, byte] of secret.entries()) {
      this.inner[index] = byte ^ 0x36;
      this.outer[index] = byte ^ 0x5c;
    }
  }

  /** 64 hexadecimal digits, lower case. */
  key(path: string): string {
    // Three bytes are the most that UTF-8 takes for a code unit.
    if (BLOCK + path.length * 3 > this.inner.length) {
      const longer = new Uint8Array(BLOCK + path.length * 3);
      longer.set(this.inner.subarray(0, BLOCK));
      this.inner = longer;
    }
    const { written } = encoder.encodeInto(path, this.inner.subarray(BLOCK));
    this.outer.set(bytes.sha256(this.inner.subarray(0, BLOCK + written)), BLOCK);
    return bytes.sha256Hex(this.outer);
  }

  /** The first `digits` (at most 64) hexadecimal digits of the key, lower case. */
  hex(path: string, digits: number): string {
    return this.key(path).slice(0, digits);
  }

  /** A UUID of version 4 in canonical form: the key with version and variant bits forced. */
  uuid(path: string): string {
    const key = this.key(path);
    const variant = ((parseInt(key.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return [
      key.slice(0, 8),
      key.slice(8, 12),
      `4${key.slice(13, 16)}`,
      variant + key.slice(17, 20),
      key.slice(20, 32),
    ].join('-');
  }

  chance(path: string): Chance {
    return chanceOf(this.key(path));
  }

  /** A 64-digit id and the chance that belongs to it, from one key. */
  entity(path: string): { id: string; chance: Chance } {
    const id = this.key(path);
    return { id, chance: chanceOf(id) };
  }
}

function chanceOf(key: string): Chance {
  return new Chance(parseInt(key.slice(0, 8), 16), parseInt(key.slice(8, 16), 16));
}
