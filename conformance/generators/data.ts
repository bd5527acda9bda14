/** Values for requests to the data API. All are plain arbitraries; what a server may do with them is said at each. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Words that stand for a realm in a path or a query, in this description and in the original interface. */
const realmWords: ReadonlySet<string> = new Set(['pc', 'xbox', 'sony', 'game2', 'poe2']);

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * A name that is none of the known ones, to be percent-encoded as one path segment (gUnknownName). Left out: what an
 * HTTP library rewrites or refuses (empty, dots alone, lone surrogates), realm words (K-017), control and unassigned
 * characters, and the characters that many servers refuse in a path even when they are encoded (`/ \ ; %`): the row
 * that owns those has names of its own. A spelling of a known name that differs in case, in Unicode form or in outer
 * spaces alone is left out too, because a server may take it for the same name.
 */
export function gUnknownName(known: Iterable<string> = []): Arbitrary<string> {
  const taken = new Set([...known].map(folded));
  const usual = fc.string({ minLength: 3, maxLength: 24, unit: fc.constantFrom(...'abcdefgXYZ0123456789_-') });
  const odd = fc.string({ minLength: 2, maxLength: 16, unit: 'grapheme' });
  const spaced = fc
    .array(fc.string({ minLength: 2, maxLength: 8, unit: fc.constantFrom(..."aeioumnrst'+&=()!~*$,:@ß№漢") }), {
      minLength: 2,
      maxLength: 3,
    })
    .map((words) => words.join(' '));
  return fc
    .oneof(usual, odd, spaced)
    .filter(
      (name) =>
        !/[\p{C}\p{Zl}\p{Zp}/\\;%]/u.test(name) &&
        !/^\.*$/.test(name.trim()) &&
        !realmWords.has(folded(name)) &&
        !taken.has(folded(name)),
    );
}

/**
 * Names that differ from known ones by what a search may overlook: the half of one, one with letters behind it, one with
 * a letter twice, and one with a wildcard of patterns in place of a letter; and of one with separators, those with other
 * separators or none. None is a known one, in whatever case.
 */
export function nearNames(known: readonly string[]): readonly string[] {
  const taken = new Set(known.map(folded));
  const plain = known.filter((name) => /^[\w ]{6,}$/.test(name)).slice(0, 2);
  const separated = known.filter((name) => /^[\p{L}\p{N}]+[ _-][\p{L}\p{N} _-]+$/u.test(name)).slice(0, 2);
  const near = [
    ...plain.flatMap((name) => [
      name.slice(0, Math.ceil(name.length / 2)),
      `${name} qx`,
      name.replace(/[a-z]/, '_'),
      name.replace(/[a-z]/, '$&$&'),
    ]),
    ...separated.flatMap((name) => ['_', ' ', '-', ''].map((separator) => name.replaceAll(/[ _-]/g, separator))),
  ];
  return [...new Set(near)].filter((name) => !taken.has(folded(name)) && !realmWords.has(folded(name)));
}

/** Any 10 hexadecimal digits that are no known id (gHex10): a stash tab that does not exist. */
export function gHex10(known: Iterable<string> = []): Arbitrary<string> {
  const taken = new Set([...known].map((id) => id.toLowerCase()));
  return fc
    .string({ minLength: 10, maxLength: 10, unit: fc.constantFrom(...'0123456789abcdef') })
    .filter((id) => !taken.has(id));
}

/** A `limit` above the maximum: refused, or answered with at most the maximum (K-015). */
export const gOverLimit = (max: number): Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(max + 1, 2 * max, 2 ** 31, Number.MAX_SAFE_INTEGER),
    fc.integer({ min: max + 1, max: 100 * max }),
  );

/**
 * A `limit` that is out of range or no number, as text for the query (gBadLimit). Only that it is no reason for 5xx,
 * nor for more than `max` items, is certain (K-015, K-016).
 */
export const gBadLimit = (max: number): Arbitrary<string> =>
  fc.oneof(
    gOverLimit(max).map(String),
    fc.constantFrom('9007199254740992', '0', '-1', '1.5', '1e3', '', 'abc', ' 5'),
    fc.integer({ min: -(2 ** 31), max: 0 }).map(String),
  );

/** A part of a list: `limit` entries from `offset` on. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** A window on a list of `total` entries, up to its end and a little beyond (gWindow). */
export const gWindow = (max: number, total: number): Arbitrary<Window> =>
  fc.record({
    limit: fc.oneof(fc.integer({ min: 1, max }), fc.constantFrom(1, max)),
    offset: fc.oneof(fc.nat({ max: total }), fc.constantFrom(0, Math.max(0, total - 1), total)),
  });

/**
 * Windows that lie side by side and cover the first `total` entries of a list, none larger than `max` (gPartition).
 * There are at most `pieces`, so `total` is cut down to `pieces * max` where it is more.
 */
export function gPartition(total: number, max: number, pieces = 6): Arbitrary<readonly Window[]> {
  const size = Math.min(total, pieces * max);
  if (size === 0) return fc.constant([]);
  const least = Math.ceil(size / max);
  return fc
    .uniqueArray(fc.integer({ min: 1, max: Math.max(1, size - 1) }), { maxLength: Math.max(0, pieces - least) })
    .map((cuts) => {
      const windows: Window[] = [];
      const ends = [...cuts.filter((cut) => cut < size), size].toSorted((a, b) => a - b);
      let offset = 0;
      for (const end of ends) {
        for (; offset < end; offset += windows.at(-1)?.limit ?? end) {
          windows.push({ offset, limit: Math.min(max, end - offset) });
        }
      }
      return windows;
    });
}

/** One to three query parameters whose names are not among those of the operation (gUnknownParam). */
export function gUnknownParam(known: readonly string[]): Arbitrary<readonly (readonly [string, string])[]> {
  const taken = new Set(known.map((name) => name.toLowerCase()));
  const name = fc
    .string({ minLength: 2, maxLength: 8, unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz') })
    .map((word) => `zz_${word}`)
    .filter((word) => !taken.has(word));
  const value = fc.oneof(fc.string({ maxLength: 12, unit: fc.constantFrom(...'abcXYZ019-_. ') }), fc.constant(''));
  // A name that comes twice may be refused for that (RFC 6749 3.1, 3.2).
  return fc.uniqueArray(fc.tuple(name, value), { minLength: 1, maxLength: 3, selector: ([word]) => word });
}

/** The same parameters in any order (gParamOrder). */
export const gParamOrder = <T>(fields: readonly T[]): Arbitrary<readonly T[]> =>
  fc.shuffledSubarray([...fields], { minLength: fields.length, maxLength: fields.length });

const b64token = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/';

/** Text that has the form of a bearer token (RFC 6750 2.1, b64token) and was never issued: 1 to 200 characters (gToken). */
export const gToken: Arbitrary<string> = fc.oneof(
  fc.string({ minLength: 40, maxLength: 40, unit: fc.constantFrom(...'0123456789abcdef') }),
  fc
    .tuple(
      fc.string({ minLength: 1, maxLength: 196, unit: fc.constantFrom(...b64token) }),
      fc.nat({ max: 4 }).map((n) => '='.repeat(n)),
    )
    .map(([body, padding]) => body + padding),
);

/** Authorization headers that are no bearer credential although they begin like one (gBadAuthHeader). */
export const gBadAuthHeader = (token: string): Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      'Bearer',
      'Bearer ',
      'Bearer  ',
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer Bearer ${token}`,
      `Bearer${token}`,
    ),
    fc
      .string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'"<>{}[]()@?:;,\\') })
      .map((text) => `Bearer ${text}`),
  );

/** A word of one to twelve letters, digits, `_` and `-` that is not one of these, in whatever case (gWord). */
export function gWord(except: readonly string[] = []): Arbitrary<string> {
  const taken = new Set([...except, ...realmWords].map((word) => word.toLowerCase()));
  return fc
    .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEF0123456789_-') })
    .filter((word) => !taken.has(word.toLowerCase()));
}

/** Any JSON value but a string and null: the wrong type for a text. */
export const gNotText: Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.array(fc.constantFrom('a', 1, null), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('c', 1), { maxKeys: 2 }),
);

/** A JSON text with one fault, so that no reader can take it for JSON (RFC 8259): cut off, or with something behind it. */
export const gBrokenJson = (text: string): Arbitrary<string> =>
  fc
    .oneof(
      fc.integer({ min: 1, max: Math.max(1, text.length - 1) }).map((length) => text.slice(0, length)),
      fc.constantFrom('}', ',', '"', ']', ' {}', ' true').map((behind) => text + behind),
      fc.constantFrom('{', ',', ':', 'x').map((before) => before + text),
    )
    .filter((broken) => !isJson(broken));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The texts of an item filter. */
export interface FilterTexts {
  readonly filter_name: string;
  readonly description: string;
  readonly version: string;
  readonly type: 'Normal' | 'Ruthless';
  readonly filter: string;
}

const commentWords = [
  'tab\there',
  '"quoted"',
  "it's",
  'back\\slash \\n \\u0041',
  '# twice',
  '{"a":[1]}',
  '%41%2B+&amp;',
  '<b>&lt;</b>',
  'Ünïcode',
  'e\u0301 \u00e9',
  '漢字',
  '𝔘𝔫𝔦 🜁',
  '\u200b|\ufeff|',
  'a  b   c ',
];

/**
 * Filter texts that keep a server honest about bytes: blocks of ordinary rules and comment lines with tabs, quotes,
 * backslashes, escapes, characters outside the basic plane and both line ends; with and without outer white space.
 */
const gFilterText: Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(
          fc.array(fc.constantFrom(...commentWords), { minLength: 1, maxLength: 4 }).map((w) => `# ${w.join(' ')}`),
          fc.constantFrom('Show', 'Hide', '\tRarity Unique', '    Class "Currency"', '', '  '),
        ),
        fc.constantFrom('\n', '\n', '\r\n'),
      ),
      { minLength: 8, maxLength: 80 },
    ),
    fc.constantFrom('', ' ', '\n', '\t'),
    fc.constantFrom('', ' ', '\r\n', '\n\n'),
  )
  .map(([lines, before, after]) => before + 'Show\n' + lines.map(([line, end]) => line + end).join('') + after)
  .filter((text) => text.length <= 4096);

const plainText = fc
  .array(fc.constantFrom('sharp', 'rare', 'only', '2.1', 'für', '漢字', '"so"', "it's", 'a/b', '100%', '𝔘'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((words) => words.join(' '));

/**
 * The texts of a filter (gFilterBody); the name begins with `prefix` and is at most 60 characters. The realm is left to
 * the check, because its words are the target's.
 */
export const gFilterBody = (prefix: string): Arbitrary<FilterTexts> =>
  fc.record({
    filter_name: plainText.map((text) => [...`${prefix} ${text}`].slice(0, 60).join('').trimEnd()),
    description: plainText,
    version: fc.constantFrom('1', '1.0.3', '2026-01', 'v7 beta'),
    type: fc.constantFrom('Normal' as const, 'Ruthless' as const),
    filter: gFilterText,
  });

/** Some of the texts of a filter, each with a new value; the description may become empty (gPartial). */
export const gPartial = (prefix: string): Arbitrary<Partial<FilterTexts>> =>
  gFilterBody(prefix).chain((texts) =>
    fc.tuple(fc.subarray(Object.keys(texts) as (keyof FilterTexts)[]), fc.boolean()).map(([names, emptied]) => {
      const partial = Object.fromEntries(names.map((name) => [name, texts[name]])) as Partial<FilterTexts>;
      return emptied && partial.description !== undefined ? { ...partial, description: '' } : partial;
    }),
  );
