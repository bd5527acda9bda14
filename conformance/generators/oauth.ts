/** Values for requests to the authorization server. All are plain arbitraries; nothing here knows a server. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { scopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';

const printable = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
/** Characters and triples that get lost where a server forgets to encode, decodes twice or escapes for HTML. */
const delicate = [...`&=+%#?;"'<> \\/`, '%41', '%2B', '%26', '%20', '%', '%zz', '&amp;', '&#38;'];

/** A `state` of 1 to 256 visible characters and spaces (RFC 6749 A.5), rich in those that must be encoded (gState). */
export const gState: Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...printable), fc.constantFrom(...delicate)), { minLength: 1, maxLength: 85 })
  .chain((start) => fc.integer({ min: 1, max: 4 }).map((times) => start.join('').repeat(times).slice(0, 256)));

/**
 * States that between them have everything a server is known to spoil: separators, `+`, percent, case, outer spaces, and
 * what a language could take for nothing, a number or JSON.
 */
export const delicateStates: readonly string[] = [
  'a&b=c&code=d',
  'x+y z',
  '100%41%zz%2B',
  ' A.b Cd ',
  '#top?q=1;r',
  `"quoted" 'too' <b>\\</b>`,
  'https://app.example/?a=1#b',
  '%',
  '~!@$^*()_-{}[]|:,./`',
  `${'Aa0'.repeat(85)}Z`,
  'a%2Fb%2fc%C3%A9',
  ' ',
  '0',
  'null',
  'undefined',
  'false',
  '007',
  '1e3',
  '12345678901234567890',
  '{ "a": [1.0, "b"] }',
];

const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';

/** Any verifier of RFC 7636 4.1: 43 to 128 unreserved characters, the shortest and the longest often (gVerifier). */
export const gVerifier: Arbitrary<string> = fc
  .oneof(fc.constantFrom(43, 128), fc.integer({ min: 43, max: 128 }))
  .chain((length) => fc.string({ minLength: length, maxLength: length, unit: fc.constantFrom(...unreserved) }));

/** The verifiers at the edges: shortest, longest, and nothing but marks. */
export const edgeVerifiers: readonly string[] = [
  'a'.repeat(43),
  `${'Zz9-._~0'.repeat(16)}`,
  '~'.repeat(43),
  '-._~'.repeat(11),
  '.'.repeat(128),
];

/** A verifier or challenge as RFC 7636 4.1 and 4.2 write it. */
export const isPkceText = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text);

/** A way to miss a text narrowly, in the words of a report; `at` picks the place, and the character where one is put in. */
export interface Twist {
  readonly kind:
    | 'a changed character'
    | 'the case of a letter'
    | 'its first character'
    | 'its last character'
    | 'a character added'
    | 'its second half'
    | 'a word added'
    | 'the order of its characters';
  readonly at: number;
}

const kinds: readonly Twist['kind'][] = [
  'a changed character',
  'the case of a letter',
  'its first character',
  'its last character',
  'a character added',
  'its second half',
  'a word added',
  'the order of its characters',
];
/** Every kind of near miss once. */
export const everyTwist: readonly Twist[] = kinds.map((kind) => ({ kind, at: 5 }));

/** Ways to miss a text narrowly, to be applied with `twisted` to a text that is known only then. */
export const gTwist: Arbitrary<Twist> = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat({ max: 9999 }) });

/** A text with a space before or after it, and without those that it has: what a server may trim, and must not. */
export const spaced = (text: string): readonly string[] =>
  [...new Set([`${text} `, ` ${text}`, text.trim()])].filter((one) => one !== text && one !== '');

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * The text, missed narrowly: never the same, never empty, no new white space. `encoded` is for codes and tokens, which
 * may be an encoding of bytes: what a decoder may take for the same bytes is left alone (the last character, digits
 * that are hexadecimal in either case, the padding), so that only another value results.
 */
export function twisted(text: string, { kind, at }: Twist, { encoded = false } = {}): string {
  const end = encoded ? unpadded(text) : text.length;
  const miss = missed(text.slice(0, end), kind, at, encoded) + text.slice(end);
  return miss === text || miss === '' ? `${text}xY7z` : miss;
}

/** Where the padding of base64 begins. */
function unpadded(text: string): number {
  let end = text.length;
  while (text[end - 1] === '=') end -= 1;
  return end;
}

function missed(text: string, kind: Twist['kind'], at: number, encoded: boolean): string {
  const replaced = (index: number, by: string): string => text.slice(0, index) + by + text.slice(index + 1);
  // The last character of base64 has bits that decoders drop.
  const places = [...[...text].keys()].slice(0, encoded && text.length > 1 ? -1 : undefined);
  switch (kind) {
    case 'a changed character': {
      const index = places[at % places.length];
      if (index === undefined) return text;
      const old = text[index]!;
      const others = [...letters].filter((letter) => letter.toLowerCase() !== old.toLowerCase());
      return replaced(index, others[at % others.length]!);
    }
    case 'the case of a letter': {
      if (encoded && /^[0-9a-f-]*$/i.test(text)) return text;
      const cased = places.filter((index) => /[a-z]/i.test(text[index]!));
      const index = cased[at % cased.length];
      if (index === undefined) return text;
      const old = text[index]!;
      return replaced(index, old === old.toLowerCase() ? old.toUpperCase() : old.toLowerCase());
    }
    case 'its first character':
      return text.slice(1);
    case 'its last character':
      return text.slice(0, -1);
    case 'a character added':
      // One character more than whole groups of base64 is dropped by some decoders.
      return text + letters[at % letters.length]! + (encoded ? 'Q' : '');
    case 'its second half':
      return text.slice(0, Math.ceil(text.length / 2));
    case 'a word added':
      return `${text}-copy`;
    case 'the order of its characters':
      return [...text].reverse().join('');
  }
}

/** A redirect URI that is not the registered one, and how it differs. */
export interface RedirectMiss {
  readonly what: string;
  readonly uri: string;
}

const isLoopback = (url: URL): boolean => /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname);

/**
 * Redirect URIs that miss one narrowly. None is among `registered`, and none is the same URI in
 * another spelling of scheme, host or empty path. `port: false` is for the authorization endpoint, where RFC 8252 7.3 lets
 * a server allow any port of a loopback address (K-081): another port is left out, and what is the same address once it
 * is parsed, as a server that looks past the port may do.
 */
export function redirectMisses(
  uri: string,
  { registered = [], port = true }: { readonly registered?: readonly string[]; readonly port?: boolean } = {},
): readonly RedirectMiss[] {
  const url = new URL(uri);
  const seen = new Set([uri, ...registered]);
  const isSame = (other: string): boolean => !port && isLoopback(url) && new URL(other).href === url.href;
  return [...pathMisses(url), ...otherMisses(uri, port)].filter((miss): miss is RedirectMiss => {
    if (miss === false || seen.has(miss.uri) || isSame(miss.uri)) return false;
    seen.add(miss.uri);
    return true;
  });
}

/** Misses in the path; false for what the address has no place for. */
function pathMisses({ protocol, host, pathname: path, search }: URL): readonly (RedirectMiss | false)[] {
  const withPath = (changed: string): string => `${protocol}//${host}${changed}${search}`;
  const deep = path !== '/';
  const flipped = path.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  // Strings are compared (RFC 6749 3.1.2.3, RFC 3986 6.2.1), so these are others.
  const last = path.lastIndexOf('/') + 1;
  const encodedLetter = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  const spelled = path.slice(0, last) + path.slice(last).replace(/[a-z]/i, encodedLetter);
  const decoded = path.replace(/%(?:[46][1-9a-f]|[57][0-9a])/i, (triple) => decodeURIComponent(triple));
  return [
    { what: 'a longer path', uri: withPath(`${path.replace(/\/$/, '')}/more`) },
    { what: 'characters after the path', uri: withPath(`${path}x`) },
    // Where a pattern ends at a line break, all that follows is let through.
    { what: 'a line break and more after it', uri: withPath(`${path}\nmore`) },
    deep && { what: 'a shorter path', uri: withPath(path.slice(0, -1)) },
    deep && { what: 'another path', uri: withPath('/') },
    { what: 'a path that climbs', uri: withPath(`${path.replace(/\/$/, '')}/../other`) },
    { what: 'a path that climbs back', uri: withPath(`/other/..${path}`) },
    { what: 'an encoded dot segment', uri: withPath(`/%2e${path}`) },
    deep && { what: 'a slash more or less', uri: withPath(path.endsWith('/') ? path.slice(0, -1) : `${path}/`) },
    { what: 'a double slash', uri: withPath(`/${path}`) },
    flipped !== path && { what: 'another case in the path', uri: withPath(flipped) },
    spelled !== path && { what: 'a letter of the path percent-encoded', uri: withPath(spelled) },
    decoded !== path && { what: 'a percent-encoded letter of the path decoded', uri: withPath(decoded) },
  ];
}

/** Misses in host, port, scheme, query and fragment. */
function otherMisses(uri: string, port: boolean): readonly (RedirectMiss | false)[] {
  const url = new URL(uri);
  const { protocol, host, hostname } = url;
  const rest = url.pathname + url.search;
  const at = (place: string): string => `${protocol}//${place}${rest}`;
  const named = /[a-z]/i.test(hostname) && !hostname.includes(':');
  return [
    named && { what: 'a subdomain', uri: at(`sub.${host}`) },
    named && { what: 'a domain that ends alike', uri: at(`not${host}`) },
    named && { what: 'a domain that starts alike', uri: at(`${hostname}.attacker.example`) },
    { what: 'the whole of it in the query of another host', uri: `https://attacker.example/?${uri}` },
    { what: 'the whole of it in the path of another host', uri: `https://attacker.example/${uri}` },
    { what: 'user information before another host', uri: at(`${hostname}@attacker.example`) },
    // As short as a port.
    { what: 'user information in the place of a port', uri: at(`${hostname}:@x.zz`) },
    { what: 'user information', uri: at(`someone@${host}`) },
    (port || !isLoopback(url)) && { what: 'another port', uri: at(`${hostname}:${url.port === '8443' ? 9443 : 8443}`) },
    { what: 'another scheme', uri: `${protocol === 'https:' ? 'http:' : 'https:'}//${host}${rest}` },
    { what: 'a scheme of its own', uri: `cxapp://${host}${rest}` },
    { what: 'a query more', uri: `${protocol}//${host}${rest}${url.search === '' ? '?' : '&'}cx=1` },
    { what: 'a fragment', uri: `${protocol}//${host}${rest}#cx` },
    { what: 'another host', uri: at('attacker.example') },
    // Two addresses, as a name may be resolved to any (RFC 8252 8.3).
    isLoopback(url) && {
      what: 'another loopback host',
      uri: at(host.replace(hostname, hostname === 'localhost' ? '127.0.0.1' : 'localhost')),
    },
  ];
}

/** Some of these scopes, at least one, in any order (gScopeSubset). */
export const gScopeSubset = (of: readonly Scope[], { min = 1 } = {}): Arbitrary<readonly Scope[]> =>
  fc.shuffledSubarray([...of], { minLength: Math.min(min, of.length) });

/** Names close to scopes of interface 5.7 that are none of them. */
export const nearScopes: readonly string[] = [
  'account',
  'account:',
  'account:*',
  '*',
  'account:profiles',
  'account:profile:write',
  'account:guild',
  'service',
  'service:*',
  'service:league',
  'oauth:admin',
];

/** A scope that is none, and like none. */
export const noScope = 'cx:no-such-scope';

/** A scope-token (RFC 6749 3.3) that is no scope of interface 5.7, in whatever case (gUnknownScope). */
export const gUnknownScope: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...nearScopes),
  fc
    .tuple(
      fc.constantFrom('account:', 'service:', 'oauth:', 'cx_'),
      fc.string({ minLength: 3, maxLength: 12, unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_.:') }),
    )
    .map((parts) => parts.join(''))
    .filter((name) => !Object.keys(scopes).includes(name)),
);

/** A word for `response_type` or `code_challenge_method` that is none of these. */
export const gOtherWord = (known: readonly string[]): Arbitrary<string> =>
  fc
    .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzCDEOS0123456789_-') })
    .filter((word) => !known.includes(word));
