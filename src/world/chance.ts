import { createHmac } from 'node:crypto';

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

/**
 * The root of everything drawn: `key(path) = HMAC-SHA256(seed, path)`. Each path names an independent sub-stream, so
 * that an entity that is added never shifts another.
 */
export class Seeds {
  private readonly secret: string;

  constructor(seed: number) {
    this.secret = String(seed);
  }

  key(path: string): Buffer {
    return createHmac('sha256', this.secret).update(path).digest();
  }

  /** The first `digits` (at most 64) hexadecimal digits of the key, lower case. */
  hex(path: string, digits: number): string {
    return this.key(path).toString('hex').slice(0, digits);
  }

  /** A UUID of version 4 in canonical form: the key with version and variant bits forced. */
  uuid(path: string): string {
    const bytes = this.key(path);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString('hex').slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  chance(path: string): Chance {
    return chanceOf(this.key(path));
  }

  /** A 64-digit id and the chance that belongs to it, from one key. */
  entity(path: string): { id: string; chance: Chance } {
    const key = this.key(path);
    return { id: key.toString('hex'), chance: chanceOf(key) };
  }
}

function chanceOf(key: Buffer): Chance {
  return new Chance(key.readUInt32BE(0), key.readUInt32BE(4));
}
