import { isSearched, least } from '../../src/redaction/known.js';
import { escapedLayersOf } from '../../src/redaction/layers.js';
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
export interface SecretReference {
  readonly secret: Secret;
  readonly part?: readonly [from: number, length: number];
  readonly reversed?: true;
  /** It is percent-encoded there. */
  readonly percent?: true;
}

export const shellName = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/** Secrets of the target file, by the environment variables that a script takes them from. */
export function settingsOf({ accounts, clients, tokens, control_token, proxy }: Target): Secret[] {
  const all: Secret[] = Object.entries(clients).map(([role, { client_secret = '' }]) => ({
    value: client_secret,
    name: `${shellName(role)}_SECRET`,
    from: `clients.${role}.client_secret of the target`,
  }));
  for (const [key, { password = '' }] of Object.entries(accounts))
    all.push({ value: password, name: `${shellName(key)}_PASSWORD`, from: `accounts.${key}.password of the target` });
  for (const [index, { token }] of tokens.entries())
    all.push({ value: token, name: `READY_TOKEN_${index + 1}`, from: `tokens[${index}].token of the target` });
  const password = proxy === undefined ? '' : decodeURIComponent(new URL(proxy).password);
  all.push({ value: password, name: 'PROXY_PASSWORD', from: 'proxy of the target' });
  if (control_token !== undefined)
    all.push({ value: control_token, name: 'CONTROL_TOKEN', from: 'control_token of the target' });
  return all.filter(({ value }, index) => value !== '' && all.findIndex((one) => one.value === value) === index);
}

/** A token or code that an answer gives; `token` is what a token response has beside them, whatever it is called. */
export interface IssuedSecret {
  readonly kind: 'access_token' | 'refresh_token' | 'code' | 'token';
  readonly value: string;
  /** As it stands in the answer, codes percent-encoded; undefined where the shell cannot cut it out of there. */
  readonly written: string | undefined;
}

/** JSON without the escapes that servers are free to write: `\/`, `&` for `&`. Quotes and backslashes stay. */
export const unescaped = (text: string): string =>
  text
    .replace(/\\u00([2-7][0-9a-f])/gi, (whole, hex: string) =>
      /22|5c/i.test(hex) ? whole : String.fromCharCode(parseInt(hex, 16)),
    )
    .replaceAll('\\/', '/');

const tokenKinds = ['access_token', 'refresh_token'] as const;

/** A member of this name in JSON whose value is a text, and the text as written. */
const jsonText = (name: string): RegExp => new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"`, 'g');

function textOf(written: string): string | undefined {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}

/** Members of a token response that are no secret (interface 4.1; RFC 6749 5.1, 5.2). Any other one may be. */
const openMembers = new Set([
  'token_type',
  'scope',
  'expires_in',
  'username',
  'sub',
  'error',
  'error_description',
  'error_uri',
]);

/** Whether an answer gives tokens: the token endpoint's success, or what looks like it. */
const givesTokens = ({ asked, status, text }: TokenSource): boolean =>
  (asked?.operation === 'issueToken' && status !== undefined && status >= 200 && status < 300) ||
  /"access_token"\s*:|(?:^|[?&#])access_token=/.test(text);

type TokenSource = Pick<Answer, 'text' | 'headers'> & Partial<Pick<Answer, 'asked' | 'status' | 'json'>>;

/**
 * The secrets in the JSON of an answer, of which the text may be cut short: of a token response every text but those
 * of the members that are known to be open, of other JSON the tokens by their names.
 */
export function tokensIn(answer: TokenSource): string[] {
  return givesTokens(answer) ? closedTexts(answer.json) : namedTokens(answer.json);
}

function namedTokens(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) =>
    typeof value !== 'string' ? namedTokens(value) : tokenKinds.some((kind) => kind === name) ? [value] : [],
  );
}

function closedTexts(json: unknown): string[] {
  const closed = textsIn(json, false).filter((value) => value !== '');
  // A word such as "Bearer" says nothing, under whatever name it comes.
  const open = new Set(textsIn(json, true).flatMap((text) => text.toLowerCase().split(/\s+/)));
  return [...new Set(closed)].filter((value) => !open.has(value.toLowerCase()));
}

/** The texts in JSON, at any depth: those of open members, or those of the others. */
function textsIn(json: unknown, open: boolean, isOpen = false): string[] {
  if (typeof json === 'string') return isOpen === open ? [json] : [];
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => textsIn(value, open, isOpen || openMembers.has(name)));
}

/** Text as JSON, or the pairs of texts that can be found in what is left of it, or a form. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^[^\s<>{}]+$/.test(text)) return Object.fromEntries(new URLSearchParams(text));
    return Array.from(text.matchAll(/"(\w{1,64})"\s?:\s?"([^"]{0,4096})"/g), ([, name = '', written = '']) => ({
      [name]: textOf(written) ?? written,
    }));
  }
}

/** What an answer tells: tokens by their names, a code in a redirect or in JSON about one, and whatever else is secret. */
export function toldBy(answer: TokenSource): IssuedSecret[] {
  const text = unescaped(answer.text);
  const found: IssuedSecret[] = [];
  for (const kind of tokenKinds) {
    for (const [index, [, written = '']] of [...text.matchAll(jsonText(kind))].entries()) {
      const value = textOf(written);
      if (value) found.push({ kind, value, written: index === 0 && value === written ? value : undefined });
    }
  }
  const location = header(answer, 'location');
  const code = /[?&#]code=([^&"#\s\\]+)/.exec(location ?? text)?.[1];
  if (code !== undefined) found.push({ kind: 'code', value: decoded(code), written: code });
  // A redirect that gives tokens gives them in its query or fragment.
  const others = [
    ...Array.from((location ?? text).matchAll(/[?&#](?:access|refresh|id)_token=([^&"#\s\\]+)/g), ([, value]) =>
      decoded(value!),
    ),
    ...(givesTokens(answer) ? closedTexts(readable(answer.text)) : []),
  ];
  for (const value of new Set(others))
    if (!found.some((one) => one.value === value)) found.push({ kind: 'token', value, written: undefined });
  return found;
}

/** So many characters of a secret in a row are no chance. */
const run = 8;

/** The names under which forms, queries and JSON have secrets. */
const field = '(?:client_secret|code|token|access_token|refresh_token|password|passwd)';
const placed = new RegExp(`(?:(?:^|[?&])${field}=|"${field}" *: *"|Bearer )$`);

/** Where a text has values that may miss a secret narrowly. */
const nearMisses = new RegExp(`(?<=(?:^|[?&])${field}=)[^&#]{4,}|(?<=Bearer )[^]{4,}`, 'g');
/** The same in the credentials of HTTP Basic, decoded. */
export const basicHalves = /[^:]{4,}/g;

/** A text in pieces: what may be shown, and what stands for a secret. Linear in the text, for each secret. */
export function pieces(
  text: string,
  secrets: readonly Secret[],
  near: RegExp = nearMisses,
): (string | SecretReference)[] {
  const parts: (string | SecretReference)[] = [];
  let end = 0;
  for (const { from, to, secret } of spansOf(text, secrets)) {
    const found = text.slice(from, to);
    parts.push(text.slice(end, from), {
      secret,
      ...(found !== secret.value && found.includes('%') && { percent: true }),
    });
    end = to;
  }
  parts.push(text.slice(end));
  return parts
    .flatMap((part) => (typeof part === 'string' ? split(part, near, (value) => sliced(value, secrets)) : [part]))
    .reduce<(string | SecretReference)[]>(
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

interface SecretSpan {
  readonly from: number;
  readonly to: number;
  readonly secret: Secret;
}

/** Where the secrets stand in a text, however they are encoded there; where two overlap, the first one of the list. */
function spansOf(text: string, secrets: readonly Secret[]): SecretSpan[] {
  const layers = escapedLayersOf(text).map((layer) => ({ ...layer, text: spaced(layer.text) }));
  const places: SecretSpan[] = [];
  const taken = new Uint8Array(text.length);
  for (const secret of secrets) {
    const value = spaced(secret.value);
    for (const layer of layers) {
      for (let at = layer.text.indexOf(value); at >= 0; at = layer.text.indexOf(value, at + value.length)) {
        const [from, to] = layer.span(at, at + value.length);
        if (!isSecret(text, from, to, secret.value) || taken.subarray(from, to).includes(1)) continue;
        places.push({ from, to, secret });
        taken.fill(1, from, to);
      }
    }
  }
  return places.toSorted((a, b) => a.from - b.from);
}

/** A plus may stand for a space, and nobody can tell whether it does. Keeps the length. */
const spaced = (text: string): string => text.replaceAll('+', ' ');

/** Whether what reads like a secret is one: short ones stand alone, or where a secret is to be expected. */
function isSecret(text: string, from: number, to: number, value: string): boolean {
  if (value.length >= least) return true;
  const [before, after] = [text.slice(Math.max(0, from - 40), from), text.slice(to, to + 1)];
  const isWord = !/[A-Za-z0-9_-]$/.test(before) && !/^[A-Za-z0-9_-]/.test(after);
  return (isSearched(value) && isWord) || (placed.test(before) && /^(?:[&"#\s]|$)/.test(after));
}

/** Text with the names of secrets for the secrets: `${CODE_1}`, `${CODE_1:0:12}`. */
export const hidden = (text: string, secrets: readonly Secret[], near?: RegExp): string =>
  pieces(text, secrets, near)
    .map((piece) => (typeof piece === 'string' ? piece : mark(piece)))
    .join('');

function mark({ secret: { name }, part, reversed }: SecretReference): string {
  if (reversed) return `\${${name}:backwards}`;
  return part ? `\${${name}:${part[0]}:${part[1]}}` : `\${${name}}`;
}

function split(
  text: string,
  pattern: RegExp,
  change: (found: string) => readonly (string | SecretReference)[],
): (string | SecretReference)[] {
  const parts: (string | SecretReference)[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    parts.push(text.slice(end, index), ...change(found));
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}

/** A value that has long parts of a secret, or is one backwards; `text` may be percent-encoded. */
function sliced(text: string, secrets: readonly Secret[]): (string | SecretReference)[] {
  const plain = text.includes('%') ? decoded(text) : text;
  const percent = plain !== text && { percent: true as const };
  const long = secrets.filter(({ value, encoded }) => isSearched(value) && !encoded);
  const backwards = reversed(plain);
  const whole = long.find(({ value }) => value === backwards);
  if (whole) return [{ secret: whole, reversed: true, ...percent }];
  const within = plain.length >= run ? long.find(({ value }) => value.includes(plain)) : undefined;
  if (within) return [{ secret: within, part: [within.value.indexOf(plain), plain.length], ...percent }];

  const [start, first] = longest(long, (value) => commonStart(plain, value));
  const [end, last] = longest(long, (value) => Math.min(commonEnd(plain, value), plain.length - start));
  // Where there is nothing to hide, the text stays as it was written.
  if (!first && !last) return [text];
  const middle = plain.slice(start, plain.length - end);
  return [
    ...(first ? [{ secret: first, part: [0, start] as const, ...percent }] : []),
    // Half of a character has no UTF-8: a reply may hold one, and a cut may leave one.
    percent ? encodeURIComponent(Buffer.from(middle).toString()) : middle,
    ...(last ? [{ secret: last, part: [last.value.length - end, end] as const, ...percent }] : []),
  ];
}

/** The secret that has most in common with a text, and how much: nothing where it is so little that it may be chance. */
function longest(
  secrets: readonly Secret[],
  common: (value: string) => number,
): readonly [length: number, secret?: Secret] {
  let best: readonly [number, Secret?] = [0];
  for (const secret of secrets) {
    const length = common(secret.value);
    if (length >= run && length > best[0]) best = [length, secret];
  }
  return best;
}

function commonStart(text: string, value: string): number {
  let length = 0;
  while (length < text.length && length < value.length && text[length] === value[length]) length += 1;
  return length;
}

function commonEnd(text: string, value: string): number {
  let length = 0;
  while (length < text.length && length < value.length && text.at(-1 - length) === value.at(-1 - length)) length += 1;
  return length;
}

export const reversed = (text: string): string => [...text].reverse().join('');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
