/** A text as something reads it: its characters, and where each of them stands in the text as written. */
export interface Layer {
  readonly text: string;
  /** The place of a character of `text`, and of its end, in what was written. */
  at(place: number): number;
}

/** What may stand for a character: in JSON, in URLs and forms, in HTML, in a shell. The text is left where nothing does. */
const encodings: readonly {
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
    decode: (unit) => Buffer.from(unit.replaceAll('%', ''), 'hex').toString('utf8'),
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

/** A text as written, and as what reads it would have it: decoded once, and twice. */
export function layersOf(text: string): Layer[] {
  const written: Layer = { text, at: (place) => place };
  const once = decodings(written);
  return [written, ...once, ...once.flatMap(decodings)];
}

const decodings = (layer: Layer): Layer[] =>
  encodings.filter(({ sign }) => layer.text.includes(sign)).map(({ unit, decode }) => decoded(layer, unit, decode));

/** A layer below another one; linear in its length. */
function decoded(above: Layer, unit: RegExp, decode: (unit: string) => string): Layer {
  // Where stretches of plain characters begin: in the new text, and in the text above.
  const stretches: { readonly to: number; readonly from: number }[] = [];
  const parts: string[] = [];
  let [length, end] = [0, 0];
  const add = (part: string, from: number): void => {
    stretches.push({ to: length, from });
    parts.push(part);
    length += part.length;
  };
  for (const { 0: found, index } of above.text.matchAll(unit)) {
    if (index > end) add(above.text.slice(end, index), end);
    add(decode(found), index);
    end = index + found.length;
  }
  add(above.text.slice(end), end);
  return {
    text: parts.join(''),
    at(place) {
      let [low, high] = [0, stretches.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (stretches[middle]!.to <= place) low = middle;
        else high = middle - 1;
      }
      const { to, from } = stretches[low]!;
      return above.at(from + (place - to));
    },
  };
}

/** Characters that are the same to somebody: letters in either case, and a plus for a space in forms. Keeps the length. */
export const folded = (text: string): string =>
  text.replace(/[A-Z+]/g, (sign) => (sign === '+' ? ' ' : sign.toLowerCase()));
