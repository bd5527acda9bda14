import type { components, OAuthOperation, Reply } from '../contract/index.js';
import type { OAuthError } from './errors.js';

/** A reply of the authorization server, and what it does not tell. */
export type Answer<K extends OAuthOperation> = Reply<K> & {
  readonly headers: Readonly<Record<string, string>>;
  /** Why it is a refusal: for the log, and on loopback for `X-Mock-Reason`. */
  readonly error?: OAuthError;
  /** Sent as it is in place of the JSON body, with the content type of `headers` (switch revoke.body). */
  readonly text?: string;
};

/** RFC 6749 5.1 asks for both on every reply with tokens; errors and introspection have as little business in a cache. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

export const succeeded = <T>(body: T): { headers: Record<string, string>; body: T } => ({ headers: uncached, body });

/** The parts of a refusal: the body of RFC 6749 5.2, and the challenge that belongs to a 401 or 403. */
export function failed(error: OAuthError): {
  headers: Record<string, string>;
  body: components['schemas']['OAuthError'];
  error: OAuthError;
} {
  const headers = errorHeaders(error.code);
  return {
    headers: error.challenge ? { ...headers, 'www-authenticate': error.challenge } : headers,
    body: error.body,
    error,
  };
}

/** The headers of a reply with an error of that code, or with none. */
export function errorHeaders(code: string | undefined): Record<string, string> {
  const challenge = code !== undefined && Object.hasOwn(challenges, code) && challenges[code];
  return { ...uncached, ...(challenge && { 'www-authenticate': challenge }) };
}

/** RFC 6749 5.2 and RFC 6750 3. */
const challenges: Readonly<Record<string, string>> = {
  invalid_client: 'Basic realm="oauth", charset="UTF-8"',
  invalid_token: 'Bearer realm="oauth", error="invalid_token"',
  insufficient_scope: 'Bearer realm="oauth", error="insufficient_scope"',
} satisfies Partial<Record<OAuthError['code'], string>>;
