import { bytes } from '../bytes/index.js';

/** A text as something reads it, and where each part of it stands in the text as written. */
export interface Layer {
  readonly text: string;
  /** Where a part of `text` stands in what was written. */
  span(from: number, to: number): Span;
}

export type Span = readonly [from: number, to: number];

/** What may stand for a character: in JSON, in URLs and forms, in HTML, in a shell. The text is left where nothing does. */
const escapes: readonly {
  readonly sign: string;
  readonly unit: RegExp;
  readonly decode: (unit: string) => string;
}[] = [
  {
    sign: '\\',
    unit: /\\(?:u[0-9a-f]{4}|[^u])/gi,
    decode: (unit) =>
      unit.length > 2
        ? String.fromCharCode(parseInt(unit.slice(2), 16))
        : ({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }[unit[1]!] ?? unit[1]!),
  },
  {
    sign: '%',
    unit: /%(?:[0-7][0-9a-f]|[c-d][0-9a-f]%[0-9a-f]{2}|e[0-9a-f](?:%[0-9a-f]{2}){2}|f[0-9a-f](?:%[0-9a-f]{2}){3})/gi,
    decode: (unit) => bytes.decode(bytes.fromHex(unit.replaceAll('%', ''))),
  },
  {
    sign: '&',
    unit: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi,
    decode: (unit) => {
      const name = unit.slice(1, -1).toLowerCase();
      const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name];
      const code = name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1));
      return named ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : unit);
    },
  },
  { sign: "'\\''", unit: /'\\''/g, decode: () => "'" },
];

/** Bytes as text. A run may begin before the bytes do, at any place of a group: each beginning is tried. */
const packings: readonly { readonly run: RegExp; readonly name: 'base64' | 'hex'; readonly group: number }[] = [
  { run: /[A-Za-z0-9+/_-]{11,}/g, name: 'base64', group: 4 },
  { run: /[0-9A-Fa-f]{16,}/g, name: 'hex', group: 2 },
];

/**
 * A text as written, and as what reads it would have it: escapes decoded, two in one another in any order and one of them
 * up to five times; below each of these base64 and
 * hexadecimal digits decoded, as one character for each byte; and the escapes in what was packed so.
 */
export function layersOf(text: string): Layer[] {
  const escaped = escapedLayersOf(text);
  const unpacked = escaped.flatMap(unpackings);
  return [...escaped, ...unpacked, ...unpacked.flatMap((layer) => decodings(layer)).map(({ layer }) => layer)];
}

/** The text and its escapes alone. */
export function escapedLayersOf(text: string): Layer[] {
  const written: Layer = { text, span: (from, to) => [from, to] };
  const all = [written];
  let above: Decoded[] = [{ layer: written, escape: undefined }];
  for (let depth = 1; depth <= deepest && above.length > 0; depth += 1) {
    above = above.flatMap(({ layer, escape }) => decodings(layer, depth > 2 ? escape : undefined));
    all.push(...above.map(({ layer }) => layer));
  }
  return all;
}

/** So often the same escape may be there in another one. */
const deepest = 5;

interface Decoded {
  readonly layer: Layer;
  readonly escape: (typeof escapes)[number] | undefined;
}

const decodings = (layer: Layer, only?: Decoded['escape']): Decoded[] =>
  escapes.flatMap((escape) => {
    if ((only !== undefined && escape !== only) || !layer.text.includes(escape.sign)) return [];
    const below = decoded(layer, escape.unit, escape.decode);
    return below ? [{ layer: below, escape }] : [];
  });

/** The layer below by one kind of escape; undefined where there is none of it. */
function decoded(above: Layer, unit: RegExp, decode: (unit: string) => string): Layer | undefined {
  const below = new Below(above);
  let end = 0;
  for (const { 0: found, index } of above.text.matchAll(unit)) {
    if (index > end) below.add(above.text.slice(end, index), end, 1);
    const text = decode(found);
    below.add(text, index, found.length / text.length);
    end = index + found.length;
  }
  if (end === 0) return undefined;
  below.add(above.text.slice(end), end, 1);
  return below.layer();
}

function unpackings(above: Layer): Layer[] {
  return packings.flatMap(({ run, name, group }) => {
    const runs = [...above.text.matchAll(run)];
    if (runs.length === 0) return [];
    return Array.from({ length: group }, (_, skipped) => {
      const below = new Below(above);
      for (const { 0: found, index } of runs) {
        const packed = found.slice(skipped);
        const text = bytes.latin1(name === 'hex' ? bytes.fromHex(packed) : bytes.fromBase64(packed));
        below.add(text, index + skipped, name === 'hex' ? 2 : 4 / 3);
        // Nothing reaches from one run into the next.
        below.add('\n', index + found.length, 0);
      }
      return below.layer();
    });
  });
}

/** A layer below another one, made of stretches; linear in its length. */
class Below {
  readonly #parts: string[] = [];
  /** Where stretches begin, here and above, and how many characters above one here takes. */
  readonly #starts: number[] = [];
  readonly #above: number[] = [];
  readonly #ratios: number[] = [];
  #length = 0;

  constructor(private readonly over: Layer) {}

  add(part: string, from: number, ratio: number): void {
    if (part === '') return;
    this.#starts.push(this.#length);
    this.#above.push(from);
    this.#ratios.push(ratio);
    this.#parts.push(part);
    this.#length += part.length;
  }

  layer(): Layer {
    return { text: this.#parts.join(''), span: (from, to) => this.#span(from, to) };
  }

  #span(from: number, to: number): Span {
    if (this.#starts.length === 0) return this.over.span(0, 0);
    const [first, last] = [this.#at(from), this.#at(Math.max(from, to - 1))];
    return this.over.span(
      this.#above[first]! + Math.floor((from - this.#starts[first]!) * this.#ratios[first]!),
      this.#above[last]! + Math.ceil((to - this.#starts[last]!) * this.#ratios[last]!),
    );
  }

  #at(place: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Characters that are the same to somebody: letters in either case, and a plus for a space in forms. Keeps the length. */
export const folded = (text: string): string =>
  text.replace(/[A-Z+]/g, (sign) => (sign === '+' ? ' ' : sign.toLowerCase()));
