import { betweenMarks, withoutMarks } from './marks.js';
import type { Mark } from './marks.js';

/** Part of a name that says credential, in whatever case and with whatever between the words. */
const telling =
  /token|secret|passw|pwd|assertion|credential|apikey|privatekey|verifier|authorization|cookie|session|jwt|bearer|signature/;
const whole = /^(?:code|key|sig|sid|pin|otp|ticket|auth)$/;
/** Names of the protocols that only look like that. */
const harmless = new Set(['tokentype', 'tokentypehint', 'tokenendpoint', 'tokenendpointauthmethod']);

/** Whether what has this name, a field, a parameter, a member or a header, is a credential wherever it stands. */
export function isCredentialName(name: string): boolean {
  const plain = decoded(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return !harmless.has(plain) && (telling.test(plain) || whole.test(plain));
}

const openHeaders = new Set(['www-authenticate', 'sec-websocket-key']);
const schemes = /^(?:basic|bearer|digest|dpop) +/i;

/** A header's value: of one that carries a credential the scheme is left, of others what `scrubbed` leaves. */
export function redactedHeader(name: string, value: string, mark: Mark): string {
  const key = name.toLowerCase();
  const isCredential = /auth|cookie|key/.test(key) || isCredentialName(name);
  if (!isCredential || openHeaders.has(key)) return scrubbed(value, mark);
  const [scheme = ''] = schemes.exec(value) ?? [];
  return `${scheme}${mark(value.slice(scheme.length))}`;
}

const userinfo = /(\/\/)([^\s/?#"<>]+)@/g;
const pair = /(?<![\w%.-])([\w%.-]{1,64})(=)((?:[^&#;,\s"'<>()?]|\?(?![\w%.-]{1,64}=))+)/g;
const member = /"([^"\\]{1,64})"(\s{0,4}:\s{0,4}")((?:[^"\\]|\\[^])*)/g;
const element = /<([\w:.-]{1,64})(>)([^<]+)/g;
/** Where no element ends: `Bearer <token>` with nothing close behind it is a placeholder in a sentence. */
const cutElement = /(?:(?<![\w=:] ?)<|<(?=[\w:.-]{1,64}>[^\s.,;:)\]"'`]))([\w:.-]{1,64})(>)([^<]+)/g;
const credentials = /\b((?:basic|bearer) +)([A-Za-z0-9+/=._~-]{8,})/gi;

/**
 * A text of any kind without what stands in the place of a credential: behind a name that says so in a query, in JSON or
 * in XML, behind the name of a scheme, and before the host of an address.
 */
export const scrubbed = (text: string, mark: Mark): string => betweenMarks(text, (piece) => scrubbedPiece(piece, mark));

function scrubbedPiece(text: string, mark: Mark): string {
  // A code of three digits is an HTTP status, as in Prefer: code=404.
  const isOpen = (name: string, value: string): boolean => value === '' || (name === 'code' && /^\d{3}$/.test(value));
  const marked = (given: string, form: RegExp): string =>
    given.replace(form, (found, name: string, _between: string, value: string) =>
      isCredentialName(name) && !isOpen(name, value) ? found.slice(0, -value.length) + mark(decoded(value)) : found,
    );
  let result = text;
  if (text.includes('//'))
    result = result.replace(userinfo, (_, start: string, user: string) => `${start}${mark(user)}@`);
  if (text.includes('=')) result = marked(result, pair);
  if (text.includes('"')) result = marked(result, member);
  if (text.includes('<')) result = marked(result, text.includes('</') ? element : cutElement);
  return result.replace(credentials, (found, scheme: string, value: string) =>
    /[0-9]/.test(value) || value.length >= 24 ? scheme + mark(value) : found,
  );
}

/** A form or a query, `a=1&b=2`: fields that `isOpen` knows are scrubbed, all others are marked, names that are none too. */
export function redactedPairs(text: string, isOpen: (name: string) => boolean, mark: Mark): string {
  return text
    .split('&')
    .map((field) => {
      if (field === '') return field;
      const equals = field.indexOf('=');
      const name = equals < 0 ? '' : field.slice(0, equals);
      if (name === '' || !/^[\w%.[\]-]{0,64}$/.test(withoutMarks(name))) return mark(decoded(field));
      const value = decoded(field.slice(equals + 1));
      if (value === '') return field;
      if (!isOpen(decoded(name)) || isCredentialName(name)) return `${name}=${mark(value)}`;
      const shown = scrubbed(value, mark);
      return shown === value ? field : `${name}=${encodeURIComponent(shown)}`;
    })
    .join('&');
}

/** Decoded as forms do it, or as it is where that cannot be done. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
