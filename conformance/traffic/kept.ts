import { oauthParameters, parameterTable, scopes } from '../../src/contract/index.js';
import type { LogicalOperation, OAuthOperation } from '../../src/contract/index.js';
import type { Pseudonyms } from './pseudonyms.js';

/** Words that parameters and fields may have: the lists of the interface (4.1, 4.2) and of the OAuth RFCs. */
const words: Readonly<Record<string, string>> = {
  realm: 'pc xbox sony game2',
  type: 'main event season upcoming league',
  sort: 'xp depth depthsolo ancestor time score class',
  class: 'scion marauder ranger witch duelist templar shadow',
  validate: 'true false',
  response_type: 'code',
  code_challenge_method: 'S256 plain',
  grant_type: 'authorization_code client_credentials refresh_token',
  token_type_hint: 'access_token refresh_token',
  error:
    'invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type unsupported_response_type invalid_scope access_denied server_error temporarily_unavailable invalid_token insufficient_scope unsupported_token_type',
};
const listed: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(words).map(([name, list]) => [name, new Set(list.split(' '))]),
);
const knownScopes: ReadonlySet<string> = new Set(Object.keys(scopes));

/** Numbers of so many digits are counts and sizes; from 8 digits on there are credentials that are numbers. */
export const isCount = (text: string): boolean => /^-?[0-9]{1,7}$/.test(text);

/** Members of a redirect's query (RFC 6749 4.1.2; RFC 9207). */
const ofRedirects = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss', 'scope'];
/** Their names are asked for, though none of them may be there. */
const neverThere = ['access_token', 'refresh_token', 'id_token', 'token_type', 'expires_in'];

/** The value of a field or parameter that the contract has: words that it lists stay, and small numbers. */
function fieldValue(name: string, value: string, book: Pseudonyms): string {
  if (name === 'scope') return scopeOf(value, book);
  if (name === 'redirect_uri') return addressOf(value, book);
  if (name === 'limit' || name === 'offset') return isCount(value) ? value : book.of(value);
  return listed[name]?.has(value) ? value : book.of(value);
}

/** Words of the list that scopes are, one by one; spaces stay as they are. */
export const scopeOf = (value: string, book: Pseudonyms): string =>
  value.replace(/[^ ]+/g, (word) => (knownScopes.has(word) ? word : book.of(word)));

export const isRealm = (value: string): boolean => listed['realm']!.has(value);
export const isErrorCode = (value: string): boolean => listed['error']!.has(value);

/** The names of an operation's query; those of a form are the endpoint's. */
export const queryNames = (operation: LogicalOperation): readonly string[] => Object.keys(parameterTable[operation]);
export const formNames = (operation: LogicalOperation): readonly string[] =>
  Object.hasOwn(oauthParameters, operation) ? oauthParameters[operation as OAuthOperation] : [];

/**
 * `a=1&b=2` written anew: names that are not among the known ones get pseudonyms, and so do their values. `stays` knows
 * further values that stay.
 */
export function pairsOf(
  text: string,
  names: readonly string[],
  book: Pseudonyms,
  stays: (name: string, value: string) => boolean = () => false,
): string {
  return [...new URLSearchParams(text)]
    .map(([name, value]) => {
      if (value === '') return names.includes(name) ? `${name}=` : encodeURIComponent(book.of(name));
      const isKnown = names.includes(name);
      const shown = isKnown ? name : book.of(name);
      const kept = isKnown && stays(name, value) ? value : isKnown ? fieldValue(name, value, book) : book.of(value);
      return `${encodeURIComponent(shown)}=${encodeURIComponent(kept)}`;
    })
    .join('&');
}

/** An address of an application: of it the scheme stays, a host that is this machine, and what the protocol adds. */
function addressOf(text: string, book: Pseudonyms): string {
  const [, scheme, authority, path = '', query, fragment] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  const pairs = (given: string): string => pairsOf(given, [...ofRedirects, ...neverThere], book);
  return [
    scheme === undefined ? '' : `${/^https?$/i.test(scheme) ? scheme : book.of(scheme)}:`,
    authority === undefined ? '' : `//${hostOf(authority, book)}`,
    path.replace(/[^/]+/g, (segment) => encodeURIComponent(book.of(segment))),
    query === undefined ? '' : `?${pairs(query)}`,
    fragment === undefined ? '' : `#${pairs(fragment)}`,
  ].join('');
}

const hostOf = (authority: string, book: Pseudonyms): string => {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i.test(host) ? host : `${book.of(host)}.example`;
};

const directives = new Set(
  `no-store no-cache private public must-revalidate proxy-revalidate no-transform immutable max-age s-maxage
  get head post options put delete patch gzip deflate br identity chunked keep-alive close
  accept accept-encoding authorization content-type origin prefer vary *`.split(/\s+/),
);
const date = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
const mediaTypes =
  /^(?:\*\/\*|application\/(?:\*|json|problem\+json|x-www-form-urlencoded|octet-stream|xml)|text\/(?:\*|html|plain|xml)|multipart\/form-data)$/;

const directivesOf = (value: string, book: Pseudonyms): string =>
  value.replace(/[^\s,;=]+/g, (word) => (directives.has(word.toLowerCase()) || isCount(word) ? word : book.of(word)));

const mediaTypeOf = (value: string, book: Pseudonyms): string =>
  value.replace(/[^\s,;]+/g, (word) => {
    const plain = word.toLowerCase();
    if (mediaTypes.test(plain) || /^(?:charset=(?:"?utf-8"?|us-ascii|iso-8859-1)|q=[01](?:\.[0-9]{1,3})?)$/.test(plain))
      return word;
    return /[/+]json$/.test(plain) ? 'application/x-redacted+json' : book.of(word);
  });

const dateOf = (value: string, book: Pseudonyms): string =>
  date.test(value) || isCount(value) ? value : book.of(value);

/** A challenge (RFC 6750 3): the scheme stays, and of its parameters errors and scopes that are known. */
const challengeOf = (value: string, book: Pseudonyms): string => {
  const [, scheme = '', rest = ''] = /^((?:bearer|basic|digest)\b)?(.*)$/is.exec(value.trim()) ?? [];
  const shown = rest.replace(
    /([^\s,="]+)(?:(\s*=\s*)(?:"([^"]*)"|([^\s,"]+)))?/g,
    (_, name: string, equals = '', text = '', bare = '') => {
      if (equals === '') return book.of(name);
      const given = `${text}${bare}`;
      const kept =
        name === 'scope' ? scopeOf(given, book) : name === 'error' && isErrorCode(given) ? given : book.of(given);
      return `${/^(?:realm|error|error_description|error_uri|scope|charset)$/.test(name) ? name : book.of(name)}="${kept.replaceAll('"', '')}"`;
    },
  );
  return `${scheme}${shown}`;
};

/** The headers that stay, each as far as its value is of the form that it has; every other one is left out. */
const headers: Readonly<Record<string, (value: string, book: Pseudonyms) => string>> = {
  accept: mediaTypeOf,
  'content-type': mediaTypeOf,
  'accept-encoding': directivesOf,
  'content-encoding': directivesOf,
  'cache-control': directivesOf,
  pragma: directivesOf,
  vary: directivesOf,
  allow: directivesOf,
  'transfer-encoding': directivesOf,
  connection: directivesOf,
  age: dateOf,
  'content-length': dateOf,
  date: dateOf,
  expires: dateOf,
  'last-modified': dateOf,
  'retry-after': dateOf,
  'www-authenticate': challengeOf,
  location: addressOf,
};

/** A header fit to be shown; undefined for one that is left out. */
export const headerValue = (name: string, value: string, book: Pseudonyms): string | undefined =>
  Object.hasOwn(headers, name) ? headers[name]!(value, book) : undefined;
