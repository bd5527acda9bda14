import { scopes } from '../../src/contract/index.js';
import { describeTarget } from '../target/describe.js';
import { roles } from '../target/table.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { folded, layersOf } from './layers.js';
import { least, reversed, settingsOf, tokensIn, toldBy } from './secrets.js';

/** So many characters of values are kept as they are; of those beyond, only what `hide` needs. */
const keptCharacters = 16 * 1024 * 1024;
/** Values up to this length are known in every part, as long as there are not too many of them. */
const short = 4096;
const manyGrams = 1_000_000;
/** Of the others, so many parts are known at the beginning, at the end and in between each. */
const samples = 64;

/** Of stretches by which values are known. */
const size = least;

/** What may stand for base64: HTTP Basic, above all. */
const base64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** What a value that is known by some of its parts has not in it. */
const divider = /[\s"'<>&]/;

type Span = readonly [from: number, to: number];

/**
 * Every token and code that the server gave in a run, and the secrets of the target. It finds any 12 characters in a row
 * of one, in time that is linear in the text however many there are: shorter secrets are not looked for.
 */
export class Issued {
  readonly #values = new Set<string>();
  #kept = 0;
  readonly #grams = new Grams();
  readonly #sampled = new Grams();
  /** What is no secret even where a secret has it in it. */
  readonly #open = new Grams();

  constructor(target?: Target) {
    if (!target) return;
    const { base_url, auth_url } = target;
    const facts = [JSON.stringify(describeTarget(target)), `${base_url}/`, `${auth_url}/`];
    for (const text of [...facts, Object.keys(scopes).join(), roles.join()])
      eachGram(folded(text), (gram) => this.#open.add(gram));
    for (const { value } of settingsOf(target)) this.#hideFrom(value);
  }

  see(answer: Answer): void {
    if (answer.asked.server === 'data') return;
    for (const { value } of toldBy(answer)) this.add(value);
    for (const value of tokensIn(answer)) this.add(value);
  }

  /** A token or code that the server gave in some other way than by an answer. */
  add(value: string): void {
    if (this.#values.has(value)) return;
    if (this.#kept + value.length <= keptCharacters) {
      this.#kept += value.length;
      this.#values.add(value);
    }
    this.#hideFrom(value);
  }

  has(text: string): boolean {
    return this.#values.has(text);
  }

  /** The one that a text misses narrowly: their beginnings or ends are alike. */
  near(text: string): string | undefined {
    if (text.length < least) return undefined;
    const backwards = reversed(text);
    const alike = (value: string): boolean =>
      value.length >= least && (value.slice(0, 8) === text.slice(0, 8) || value.slice(-8) === text.slice(-8));
    return [...this.#values].find((value) => value === backwards || alike(value));
  }

  /** A text without any of them, encoded, in another letter case, backwards or in part. */
  hide(text: string): string {
    if (text.length < least) return text;
    const spans = this.#spans(text, true).toSorted(([a], [b]) => a - b);
    let result = '';
    let end = 0;
    for (const [index, [from, to]] of spans.entries()) {
      if (index === 0 || from > end) result += `${text.slice(end, from)}(a token)`;
      end = Math.max(end, to);
    }
    return result + text.slice(end);
  }

  #hideFrom(value: string): void {
    if (value.length < least) return;
    const text = folded(value);
    const all = text.length <= short && this.#grams.size < manyGrams;
    const last = text.length - least;
    const step = Math.ceil(text.length / samples);
    eachGram(text, (gram, at) => {
      if (!all && at >= samples && at <= last - samples && at % step > 0) return;
      if (!this.#open.has(gram)) (all ? this.#grams : this.#sampled).add(gram);
    });
  }

  /** Where a text has secrets in it. */
  #spans(text: string, nested: boolean): Span[] {
    const spans: Span[] = [];
    for (const layer of layersOf(text)) {
      const read = folded(layer.text);
      const { length } = read;
      for (const [from, to] of this.#runs(read)) spans.push([layer.at(from), layer.at(to)]);
      for (const [from, to] of this.#runs(reversed(read))) spans.push([layer.at(length - to), layer.at(length - from)]);
      if (!nested) continue;
      for (const { 0: found, index } of layer.text.matchAll(base64)) {
        const inner = Buffer.from(found, 'base64').toString('utf8');
        if (this.#spans(inner, false).length > 0) spans.push([layer.at(index), layer.at(index + found.length)]);
      }
    }
    return spans;
  }

  /** The same of one layer, read forwards. */
  #runs(text: string): Span[] {
    const runs: Span[] = [];
    eachGram(text, (gram, at) => {
      const last = runs.at(-1);
      const isPart = this.#sampled.has(gram);
      if (!isPart && !this.#grams.has(gram)) return;
      let [from, to] = [at, at + size];
      // What is known by some of its parts goes as far as nothing divides it.
      if (isPart && (!last || last[1] < to)) {
        while (from > (last?.[1] ?? 0) && !divider.test(text[from - 1]!)) from -= 1;
        while (to < text.length && !divider.test(text[to]!)) to += 1;
      }
      if (last && from <= last[1]) runs[runs.length - 1] = [last[0], Math.max(last[1], to)];
      else runs.push([from, to]);
    });
    return runs;
  }
}

/** Calls for every stretch of `size` characters, with a number that tells it from others, in linear time. */
function eachGram(text: string, visit: (gram: number, at: number) => void): void {
  let [high, low] = [0, 0];
  for (let end = 0; end < text.length; end += 1) {
    const gone = end >= size ? text.charCodeAt(end - size) : 0;
    const come = text.charCodeAt(end);
    high = (Math.imul(high, 0x01000193) + come - Math.imul(gone, powers[0])) | 0;
    low = (Math.imul(low, 0x5bd1e995) + come - Math.imul(gone, powers[1])) | 0;
    if (end >= size - 1) visit((high >>> 0) * 2 ** 21 + (low >>> 11), end - size + 1);
  }
}

const power = (base: number): number => Array.from({ length: size }).reduce<number>((all) => Math.imul(all, base), 1);
const powers = [power(0x01000193), power(0x5bd1e995)] as const;

const mask = 2 ** 22 - 1;

/** A set of stretches that most questions about others leave at once. */
class Grams {
  readonly #all = new Set<number>();
  readonly #filter = new Uint8Array(mask + 1);

  get size(): number {
    return this.#all.size;
  }

  add(gram: number): void {
    this.#all.add(gram);
    this.#filter[gram & mask] = 1;
  }

  has(gram: number): boolean {
    return this.#filter[gram & mask] === 1 && this.#all.has(gram);
  }
}
