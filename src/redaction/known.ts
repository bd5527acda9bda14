import { bytes } from '../bytes/index.js';
import { eachGram, Grams } from './grams.js';
import { folded, layersOf } from './layers.js';
import type { Span } from './layers.js';
import { betweenMarks } from './marks.js';
import type { Mark } from './marks.js';

/** From this length on a secret is known by any so many of its characters in a row. */
export const least = 12;
/** From this length on one is known as a whole, if it is more than letters; shorter ones are words of every text. */
const leastWhole = 8;

/** Values up to this length are known in every part, as long as there are not too many of them. */
const short = 4096;
const manyGrams = 4_000_000;
/** Of the others, so many parts are known at the beginning, at the end and in between each. */
const samples = 64;

/** What a value that is known by some of its parts has not in it. */
const divider = /[\s"'<>&]/;

/** Whether a secret is looked for in texts. What stands in the place of a credential is hidden whatever it is. */
export const isSearched = (value: string): boolean =>
  value.length >= least || (value.length >= leastWhole && !/^[A-Za-z]*$/.test(value));

/**
 * Secrets that are known, and found in any text: as they are, in other letter case, backwards, escaped for JSON, URLs,
 * forms, HTML or a shell, in base64 or hexadecimal digits, two of these in one another; long ones in part. Time is linear
 * in the text, however many secrets there are.
 *
 * A secret of fewer than 8 characters, or of fewer than 12 that are all letters, is not looked for: it cannot be told from
 * a word.
 */
export class KnownSecrets {
  /** Those of fewer characters than are known in part, folded, and how they begin. */
  readonly #whole = new Set<string>();
  #starts = new Grams();
  #grams = new Grams();
  #sampled = new Grams();
  /** What is no secret even where a secret has it in it. */
  readonly #open = new Grams();

  /** How much is known: a measure of memory. */
  get size(): number {
    return this.#grams.size + this.#sampled.size + this.#whole.size;
  }

  /** A text that everybody knows, as names and addresses are. Say so before secrets are added. */
  open(text: string): void {
    eachGram(folded(text), least, (gram) => this.#open.add(gram));
  }

  add(value: string): void {
    if (!isSearched(value)) return;
    this.#add(folded(value));
    // What was packed is read as bytes.
    const packed = bytes.encode(value);
    if (packed.length !== value.length) this.#add(folded(bytes.latin1(packed)));
    // Who turns a text round leaves characters of two units as they are.
    if (/\p{Surrogate}|[^\0-\uffff]/u.test(value)) this.#add(folded([...value].reverse().join('')));
  }

  /** Forgets every secret. */
  clear(): void {
    this.#whole.clear();
    this.#starts = new Grams();
    this.#grams = new Grams();
    this.#sampled = new Grams();
  }

  /** A text with a mark in the place of every secret; `mark` is given what stands there, decoded. */
  hide(text: string, mark: Mark): string {
    return this.size === 0 ? text : betweenMarks(text, (piece) => this.#hidden(piece, mark));
  }

  #hidden(text: string, mark: Mark): string {
    if (text.length < leastWhole) return text;
    let result = '';
    let end = 0;
    for (const { from, to, found } of this.#found(text)) {
      result += text.slice(end, from) + mark(found);
      end = to;
    }
    return end === 0 ? text : result + text.slice(end);
  }

  #add(text: string): void {
    if (text.length < least) {
      for (const one of [text, [...text].reverse().join('')]) this.#whole.add(one);
      eachGram(text.slice(0, leastWhole), leastWhole, (gram) => this.#starts.add(gram));
      eachGram(text.slice(-leastWhole), leastWhole, (gram) => this.#starts.add(gram));
      return;
    }
    const all = text.length <= short && this.#grams.size < manyGrams;
    const last = text.length - least;
    const step = Math.ceil(text.length / samples);
    eachGram(text, least, (gram, at) => {
      if (!all && at >= samples && at <= last - samples && at % step > 0) return;
      if (!this.#open.has(gram)) (all ? this.#grams : this.#sampled).add(gram);
    });
  }

  /** Where secrets stand in a text, in order and apart from each other. */
  #found(text: string): { from: number; to: number; found: string }[] {
    const places = layersOf(text).flatMap((layer) => {
      const read = folded(layer.text);
      return [...this.#parts(read), ...this.#wholes(read)].map(([from, to]) => {
        const [start, end] = layer.span(from, to);
        return { from: start, to: end, found: layer.text.slice(from, to) };
      });
    });
    const apart: { from: number; to: number; found: string }[] = [];
    for (const place of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
      const last = apart.at(-1);
      if (!last || place.from >= last.to) apart.push(place);
      else last.to = Math.max(last.to, place.to);
    }
    return apart;
  }

  #parts(text: string): Span[] {
    const runs: Span[] = [];
    if (this.#grams.size + this.#sampled.size === 0) return runs;
    eachGram(text, least, (gram, at) => {
      const isPart = this.#sampled.has(gram);
      if (!isPart && !this.#grams.has(gram)) return;
      const last = runs.at(-1);
      let [from, to] = [at, at + least];
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

  #wholes(text: string): Span[] {
    const found: Span[] = [];
    if (this.#whole.size === 0) return found;
    eachGram(text, leastWhole, (gram, at) => {
      if (!this.#starts.has(gram)) return;
      for (let length = least - 1; length >= leastWhole; length -= 1) {
        if (!this.#whole.has(text.slice(at, at + length))) continue;
        found.push([at, at + length]);
        return;
      }
    });
    return found;
  }
}
