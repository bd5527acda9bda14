import { createHmac, randomBytes } from 'node:crypto';

import { schemas, scopes } from '../../src/contract/index.js';
import { escapedLayersOf as layersOf } from '../../src/redaction/layers.js';

/** Shorter ones stand in every text by chance: they are replaced as whole values only. */
const shortest = 3;
/** From here on a value is replaced within words too. */
const unmistakable = 12;

const uuid = /(?<![0-9A-Za-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9A-Za-z])/gi;
/** Ids and tokens of hexadecimal digits; a number has no letters. */
const hex = /(?<![0-9A-Za-z])(?=[0-9]*[a-f])[0-9a-f]{10,}(?![0-9A-Za-z])|(?<![0-9A-Za-z])[0-9]{32,}(?![0-9A-Za-z])/gi;

/** Letters in lower case, as far as they stay as long as they are; a plus as the space that it may stand for. */
const fold = (text: string): string =>
  text.replaceAll('+', ' ').replace(/\p{Lu}/gu, (sign) => {
    const lower = sign.toLowerCase();
    return lower.length === sign.length ? lower : sign;
  });

/** Values that begin alike. */
interface Alike {
  readonly values: Set<string>;
  /** Their lengths, the longest first. */
  lengths: readonly number[];
}

/**
 * Pseudonyms of one redaction: the same value has the same one wherever it stands, and nobody can compute them without
 * the key, which is thrown away. They keep the form of what they stand for (UUID, hexadecimal, decimal), have no
 * characters that any encoding changes, and are stored nowhere.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  /** Values that no form tells, by how they begin. */
  readonly #known = new Map<string, Alike>();
  readonly #vocabulary = vocabulary();

  /** The pseudonym of a value that stands where the contract has a credential, a name or an id. Remembers the value. */
  of(value: string): string {
    if (value === '') return value;
    // Accents may be letters of their own, or marks behind the letter.
    if (!isTelling(value)) for (const form of ['NFC', 'NFD']) this.#remember(fold(value.normalize(form)));
    return this.#made(value);
  }

  #remember(folded: string): void {
    if (folded.length < shortest || this.#vocabulary.has(folded)) return;
    const start = folded.slice(0, shortest);
    const alike = this.#known.get(start) ?? { values: new Set(), lengths: [] };
    this.#known.set(start, alike);
    alike.values.add(folded);
    if (!alike.lengths.includes(folded.length))
      alike.lengths = [...alike.lengths, folded.length].toSorted((a, b) => b - a);
  }

  /** The same of a whole number. */
  number(value: number): number {
    return Number(this.#made(String(Math.abs(value))));
  }

  /** A text without any value that is remembered or that its form gives away, however it is encoded there. */
  scrub(text: string): string {
    const spans: { readonly from: number; readonly to: number; readonly instead: string }[] = [];
    for (const layer of layersOf(text)) {
      for (const [from, to] of this.#places(layer.text)) {
        const [start, end] = layer.span(from, to);
        const span = { from: start, to: end, instead: this.#made(layer.text.slice(from, to)) };
        if (spans.every((one) => span.to <= one.from || span.from >= one.to)) spans.push(span);
      }
    }
    let [result, end] = ['', 0];
    for (const { from, to, instead } of spans.toSorted((a, b) => a.from - b.from)) {
      result += text.slice(end, from) + instead;
      end = to;
    }
    return result + text.slice(end);
  }

  *#places(text: string): Generator<readonly [from: number, to: number]> {
    for (const form of [uuid, hex])
      for (const { 0: found, index } of text.matchAll(form)) yield [index, index + found.length];
    if (this.#known.size === 0) return;
    const read = fold(text);
    for (let at = 0; at + shortest <= read.length; at += 1) {
      const length = this.#lengthAt(read, at);
      if (length === 0) continue;
      yield [at, at + length];
      at += length - 1;
    }
  }

  /** How long the longest remembered value is that stands here. */
  #lengthAt(text: string, at: number): number {
    const alike = this.#known.get(text.slice(at, at + shortest));
    return (
      alike?.lengths.find((length) => {
        if (!alike.values.has(text.slice(at, at + length))) return false;
        return length >= unmistakable || (!isLetter(text[at - 1]) && !isLetter(text[at + length]));
      }) ?? 0
    );
  }

  #made(value: string): string {
    const digits = (count: number): string => {
      let made = '';
      for (let block = 0; made.length < count; block += 1)
        made += createHmac('sha256', this.#key)
          .update(`${block} ${fold(value.normalize('NFC'))}`)
          .digest('hex');
      return made.slice(0, count);
    };
    if (/^[0-9]{1,15}$/.test(value))
      return digits(value.length)
        .replace(/[a-f]/g, (digit) => `${digit.charCodeAt(0) % 10}`)
        .replace(/^0/, '7');
    if (isTelling(value) || /^[0-9a-f]{10,}$/i.test(value)) {
      const source = digits(value.length);
      // Version and variant of a UUID stay, as patterns ask for them.
      const isUuid = value.includes('-');
      const made = [...value]
        .map((sign, index) => (sign === '-' || (isUuid && (index === 14 || index === 19)) ? sign : source[index]!))
        .join('');
      return /[a-f]/.test(value) ? made : made.toUpperCase();
    }
    return `x-${digits(12)}`;
  }
}

const isLetter = (sign = ''): boolean => /[\p{L}\p{N}_]/u.test(sign);

/** Whether the form of a value alone gives it away. */
const isTelling = (value: string): boolean =>
  [uuid, hex].some((form) => value.match(form)?.[0]?.length === value.length);

/** Words of the contract, which say nothing of anybody: realms, scopes, listed values, names of members. */
function vocabulary(): ReadonlySet<string> {
  const words = new Set<string>(Object.keys(scopes));
  const gather = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) gather(one);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'enum' || name === 'const') for (const one of [value].flat()) words.add(fold(String(one)));
      if (name === 'properties') for (const word of Object.keys(value as object)) words.add(fold(word));
      gather(value);
    }
  };
  gather(schemas);
  return words;
}
