import { createHmac, randomBytes } from 'node:crypto';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex = /^[0-9a-f]{10,}$/i;

/** Of what characters a text is, as far as rows ask: each has all that those before it have not. */
const kinds: readonly (readonly [characters: RegExp, sign: string])[] = [
  [/[^\x20-\x7e]/, 'é'],
  [/["\\]/, '"'],
  [/ /, ' x'],
  [/[^A-Za-z0-9\-._~+/=]/, '!'],
];

/** So many are remembered, so that values that come often are not computed each time. */
const most = 100_000;

/**
 * Pseudonyms of one redaction: the same value has the same one wherever it stands, in either letter case and however its
 * accents are written, and nobody can compute them without the key, which is thrown away. Hexadecimal ids and UUIDs keep
 * their form, and all texts whether they are of token characters, of printable ASCII, or of others.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #made = new Map<string, string>();

  /** The pseudonym of a text; the empty one has none. */
  of(value: string): string {
    if (value === '') return value;
    const known = this.#made.get(value);
    if (known !== undefined) return known;
    if (this.#made.size >= most) this.#made.clear();
    const made = this.#make(value);
    if (value.length < 1000) this.#made.set(value, made);
    return made;
  }

  /** The same of a number: one of ten digits, so that few fall together. */
  number(value: number): number {
    if (!Number.isInteger(value)) return 0.5;
    const digits = [...this.#digits(String(value), 10)].map((digit) => String(parseInt(digit, 16) % 10)).join('');
    return Number(`1${digits.slice(1)}`) * (value < 0 ? -1 : 1);
  }

  #make(value: string): string {
    const isUuid = uuid.test(value);
    if (!isUuid && !hex.test(value)) {
      const [, sign = ''] = kinds.find(([characters]) => characters.test(value)) ?? [];
      return `x-${this.#digits(value, 12)}${sign}`;
    }
    const source = this.#digits(value, value.length);
    // Version and variant of a UUID stay, as patterns ask for them.
    const made = [...value]
      .map((sign, index) => (sign === '-' || (isUuid && (index === 14 || index === 19)) ? sign : source[index]!))
      .join('');
    return /[a-f]/.test(value) || !/[A-F]/.test(value) ? made : made.toUpperCase();
  }

  #digits(value: string, count: number): string {
    const text = value.normalize('NFC').toLowerCase();
    const blocks = Math.ceil(count / 64);
    return Array.from({ length: blocks }, (_, block) =>
      createHmac('sha256', this.#key).update(`${block} ${text}`).digest('hex'),
    )
      .join('')
      .slice(0, count);
  }
}
