import { createHash } from 'node:crypto';

/** Hashes that values are made of by whoever takes hashing for randomness. */
const hashes = ['sha256', 'md5', 'sha1', 'sha512'] as const;

/** Bytes by which a digest is known. */
const known = 12;

/** The bytes that a value may stand for: its own characters, those of its base64url or its hex, or the hex in its base64url. */
function* bytesOf(value: string): Generator<Buffer> {
  yield Buffer.from(value);
  const decoded = Buffer.from(value, 'base64url');
  yield decoded;
  if (isHex(value)) yield Buffer.from(value, 'hex');
  if (isHex(decoded.toString('latin1'))) yield Buffer.from(decoded.toString('latin1'), 'hex');
}

const isHex = (text: string): boolean => /^(?:[\da-f]{2}){4,}$/i.test(text);

/** Recognizes a value that is a text, or begins as a hash of one does, in any usual spelling. */
class Derived {
  readonly #beginnings: ReadonlySet<string>;
  readonly #texts: ReadonlySet<string>;

  constructor(value: string) {
    const all = [...bytesOf(value)];
    this.#beginnings = new Set(
      all.filter(({ length }) => length >= known).map((bytes) => bytes.toString('latin1', 0, known)),
    );
    this.#texts = new Set(all.map((bytes) => bytes.toString('latin1')));
  }

  comesOf(text: string, names: readonly string[] = hashes): boolean {
    return this.#texts.has(text) || names.some((name) => this.#beginnings.has(beginning(name, text)));
  }

  isAmong(beginnings: ReadonlySet<string>): boolean {
    return [...this.#beginnings].some((one) => beginnings.has(one));
  }
}

const beginning = (hash: string, text: string): string =>
  createHash(hash).update(text).digest().toString('latin1', 0, known);

let small: ReadonlySet<string> | undefined;

/** The hashes of counters and process ids. */
const smallHashes = (): ReadonlySet<string> =>
  (small ??= new Set(
    Array.from({ length: 70_000 }, (_, number) =>
      (number < 2000 ? hashes : (['sha256'] as const)).map((hash) => beginning(hash, String(number))),
    ).flat(),
  ));

/** A process that makes a value may take so long until it is sent, ms. */
const longest = 3000;
/** So far back goes a clock that counts seconds. */
const longestSeconds = 30;
/** What programs put between two texts. */
const separators = ['', '-', '_', ':', '.', '|'];

/**
 * What a value was made of, where that can be found out by trying: the clock, a counter, or what everybody can read in the
 * request. `born` is the instant of the request, ms since 1970; 0 for unknown.
 */
export function originOf(value: string, born: number, values: readonly string[]): string | undefined {
  const derived = new Derived(value);
  const shown = values.filter((text) => text !== '');
  if (shown.some((text) => derived.comesOf(text))) return 'another value of the request, or its hash';
  if (derived.isAmong(smallHashes())) return 'a hash of a small number';
  if (born === 0) return undefined;
  for (const text of seconds(born))
    if (
      derived.comesOf(text) ||
      shown.some((other) =>
        separators.some((by) =>
          [text + by + other, other + by + text].some((both) => derived.comesOf(both, ['sha256'])),
        ),
      )
    )
      return 'the second of the request, or its hash';
  for (let ms = Math.floor(born) - longest; ms <= born + 50; ms += 1)
    if (derived.comesOf(String(ms)) || instants(ms).some((text) => derived.comesOf(text, ['sha256'])))
      return 'the time of the request, or its hash';
  return undefined;
}

function* seconds(born: number): Generator<string> {
  const last = Math.floor(born / 1000) + 1;
  for (let second = last - longestSeconds; second <= last; second += 1) {
    const iso = new Date(second * 1000).toISOString();
    yield String(second);
    yield second.toString(16);
    yield iso.slice(0, 19);
    yield `${iso.slice(0, 19)}Z`;
    yield iso.slice(0, 19).replace('T', ' ');
  }
}

const instants = (ms: number): string[] => [ms.toString(16), (ms / 1000).toFixed(3), new Date(ms).toISOString()];

/** Whether a text repeats its beginning: what stands in it once holds all of its randomness. */
export function isPeriodic(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1)
    if (text.startsWith(text.slice(0, text.length - period), period)) return true;
  return false;
}
