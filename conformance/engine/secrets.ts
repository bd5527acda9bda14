import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { header } from '../wire/answer.js';

/** A text that must not be shown, and the shell variable that stands for it. */
export interface Secret {
  readonly value: string;
  readonly name: string;
  /** What the variable is to be set to, where the script cannot find it itself. */
  readonly from?: string;
  /** The variable holds the value percent-encoded, as a redirect gives it. */
  readonly encoded?: true;
}

/** Where a secret stands in a text: the whole of it, some characters, or all of them backwards. */
export interface Reference {
  readonly secret: Secret;
  readonly part?: readonly [from: number, length: number];
  readonly reversed?: true;
  /** It is percent-encoded there. */
  readonly percent?: true;
}

export const shellName = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/** Secrets of the target file, by the environment variables that a script takes them from. */
export function settingsOf({ clients, control_token }: Target): Secret[] {
  const all: Secret[] = Object.entries(clients).map(([role, { client_secret = '' }]) => ({
    value: client_secret,
    name: `${shellName(role)}_SECRET`,
    from: `clients.${role}.client_secret of the target`,
  }));
  if (control_token !== undefined)
    all.push({ value: control_token, name: 'CONTROL_TOKEN', from: 'control_token of the target' });
  return all.filter(({ value }, index) => value !== '' && all.findIndex((one) => one.value === value) === index);
}

/** A token or code that an answer gives. */
export interface Told {
  readonly kind: 'access_token' | 'refresh_token' | 'code';
  readonly value: string;
  /** As it stands in the answer; codes are percent-encoded there. */
  readonly written: string;
}

/** JSON without the escapes that servers are free to write: `\/`, `&` for `&`. Quotes and backslashes stay. */
export const unescaped = (text: string): string =>
  text
    .replace(/\\u00([2-7][0-9a-f])/gi, (whole, hex: string) =>
      /22|5c/i.test(hex) ? whole : String.fromCharCode(parseInt(hex, 16)),
    )
    .replaceAll('\\/', '/');

/** What an answer tells: tokens by their names, a code in a redirect or in JSON about one. */
export function toldBy(answer: Pick<Answer, 'text' | 'headers'>): Told[] {
  const text = unescaped(answer.text);
  const found: Told[] = [];
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const value = new RegExp(`"${kind}"\\s*:\\s*"([^"\\\\]+)"`).exec(text)?.[1];
    if (value !== undefined) found.push({ kind, value, written: value });
  }
  const code = /[?&]code=([^&"#\s\\]+)/.exec(header(answer, 'location') ?? text)?.[1];
  if (code !== undefined) found.push({ kind: 'code', value: decoded(code), written: code });
  return found;
}

/** Every token and code that the server gave in a run. */
export class Issued {
  readonly #values = new Set<string>();

  see(answer: Answer): void {
    if (answer.asked.server === 'data') return;
    for (const { value } of toldBy(answer)) this.#values.add(value);
  }

  has(text: string): boolean {
    return this.#values.has(text);
  }

  /** The one that a text misses narrowly: their beginnings or ends are alike. */
  near(text: string): string | undefined {
    if (text.length < least) return undefined;
    const backwards = reverse(text);
    const alike = (value: string): boolean =>
      value.length >= least && (value.slice(0, 8) === text.slice(0, 8) || value.slice(-8) === text.slice(-8));
    return [...this.#values].find((value) => value === backwards || alike(value));
  }

  /** A text without any of them. */
  hide(text: string): string {
    let result = text;
    for (const value of this.#values) {
      if (value.length < least) continue;
      result = result.replaceAll(value, '(a token)');
      // A long one may be shown in part.
      const start = value.slice(0, longStart);
      for (let at = result.indexOf(start); value.length > longStart && at >= 0; at = result.indexOf(start)) {
        let end = at + longStart;
        while (end < result.length && result[end] === value[end - at]) end += 1;
        result = `${result.slice(0, at)}(a token)${result.slice(end)}`;
      }
    }
    return result;
  }
}

/** Shorter secrets are looked for as words only; there are such words by chance. */
const least = 12;
/** Shorter ones still only where a secret is to be expected. */
const leastWord = 5;
/** The beginning by which a token is known that is shown in part. */
const longStart = 40;
/** So many characters of a secret in a row are no chance. */
const run = 8;

/** The names under which forms, queries and JSON have secrets. */
const field = '(?:client_secret|code|token|access_token|refresh_token)';

/** A text in pieces: what may be shown, and what stands for a secret. */
export function pieces(text: string, secrets: readonly Secret[]): (string | Reference)[] {
  let parts: (string | Reference)[] = [text];
  const each = (change: (part: string) => (string | Reference)[]): void => {
    parts = parts.flatMap((part) => (typeof part === 'string' ? change(part) : [part]));
  };
  for (const secret of secrets) {
    each((part) =>
      split(part, shapeOf(secret.value), (found) => [
        { secret, ...(found !== secret.value && found.includes('%') && { percent: true }) },
      ]),
    );
  }
  const nearMisses = new RegExp(`(?<=(?:^|[?&])${field}=)[^&#]{4,}|(?<=Bearer ).{4,}`, 'g');
  each((part) => split(part, nearMisses, (value) => sliced(value, secrets)));
  return parts
    .reduce<(string | Reference)[]>(
      (merged, part) => {
        const before = merged.at(-1);
        if (typeof part !== 'string' || typeof before !== 'string') merged.push(part);
        else merged[merged.length - 1] = before + part;
        return merged;
      },
      [''],
    )
    .filter((part) => part !== '');
}

/** Text with the names of secrets for the secrets: `${CODE_1}`, `${CODE_1:0:12}`. */
export const hidden = (text: string, secrets: readonly Secret[]): string =>
  pieces(text, secrets)
    .map((piece) => (typeof piece === 'string' ? piece : mark(piece)))
    .join('');

function mark({ secret: { name }, part, reversed }: Reference): string {
  if (reversed) return `\${${name}:backwards}`;
  return part ? `\${${name}:${part[0]}:${part[1]}}` : `\${${name}}`;
}

function split(
  text: string,
  pattern: RegExp,
  change: (found: string) => readonly (string | Reference)[],
): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    parts.push(text.slice(end, index), ...change(found));
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}

const shapes = new Map<string, RegExp>();

/** A secret as it may stand in a text: plain, percent-encoded, escaped in JSON, by the character. */
function shapeOf(value: string): RegExp {
  const known = shapes.get(value);
  if (known) return known;
  const text = [...value].map(anyShape).join('');
  const placed = `(?<=(?:^|[?&])${field}=|"${field}" *: *"|Bearer )${text}(?![^&"#\\s])`;
  const word = `(?<![A-Za-z0-9_-])${text}(?![A-Za-z0-9_-])`;
  const shape = new RegExp(
    value.length >= least ? text : value.length >= leastWord ? `${word}|${placed}` : placed,
    'g',
  );
  shapes.set(value, shape);
  return shape;
}

function anyShape(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const anyCase = (hex: string): string =>
    hex.replace(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`);
  const units = character.split('').map((unit) => `\\\\u${anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const short = JSON.stringify(character).slice(1, -1);
  const plain = [character, short, `\\${character}`].map((one) => one.replace(/[^A-Za-z0-9\s]/g, String.raw`\$&`));
  return `(?:${[...new Set([...plain, bytes.join(''), units.join('')])].join('|')})`;
}

/** A value that has long parts of a secret, or is one backwards; `text` may be percent-encoded. */
function sliced(text: string, secrets: readonly Secret[]): (string | Reference)[] {
  const plain = text.includes('%') ? decoded(text) : text;
  const encodes = plain !== text;
  const long = secrets.filter(({ value, encoded }) => value.length >= least && !encoded);
  const percent = encodes && { percent: true as const };
  const whole = long.find(({ value }) => value === reverse(plain));
  if (whole) return [{ secret: whole, reversed: true, ...percent }];
  const parts: (string | Reference)[] = [];
  let shown = '';
  const flush = (): void => {
    parts.push(encodes ? encodeURIComponent(shown) : shown);
    shown = '';
  };
  for (let at = 0; at < plain.length;) {
    const best = long
      .map((secret) => ({ secret, part: commonAt(plain.slice(at), secret.value) }))
      .toSorted((a, b) => b.part[1] - a.part[1])[0];
    if (best && best.part[1] >= run) {
      flush();
      parts.push({ ...best, ...percent });
      at += best.part[1];
    } else {
      shown += plain[at];
      at += 1;
    }
  }
  flush();
  // Where there is nothing to hide, the text stays as it was written.
  return parts.length === 1 ? [text] : parts;
}

/** The longest beginning of a text that stands in another one, by place and length there. */
function commonAt(text: string, value: string): readonly [from: number, length: number] {
  const from = value.indexOf(text.slice(0, run));
  if (from === -1 || text.length < run) return [0, 0];
  let length = run;
  while (from + length < value.length && text[length] === value[from + length]) length += 1;
  return [from, length];
}

const reverse = (text: string): string => [...text].reverse().join('');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
