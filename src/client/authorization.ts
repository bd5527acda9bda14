import { OAuthFailure } from './failure.js';

export interface AuthorizationParameters {
  /** Address of the authorization server. */
  readonly authUrl: string;
  readonly clientId: string;
  /** One of the registered URIs, exactly. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** From `newState()`; keep it until the redirect comes. */
  readonly state: string;
  /** From `challengeOf(verifier)`; keep the verifier until the code is exchanged. */
  readonly challenge: string;
}

/** The address to send the user's browser to (interface 4.1). */
export function authorizationUrl(parameters: AuthorizationParameters): string {
  const { authUrl, clientId, redirectUri, scopes, state, challenge } = parameters;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: scopes.join(' '),
    state,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${authUrl.replace(/(?<!\/)\/+$/, '')}/oauth/authorize?${query.toString()}`;
}

/**
 * The authorization code in a redirect. `url` may be absolute, or a path with a query as a server's request has it. The
 * code is good for 30 seconds and one exchange.
 * @throws OAuthFailure `state_mismatch` if this is not the answer to the request that `state` was made for; then whatever
 * the user refused or the server found wrong; `invalid_redirect` if there is neither a code nor an error.
 */
export function readRedirect(url: string | URL, state: string): string {
  const query = new URL(url, 'http://localhost').searchParams;
  const call = 'authorization';
  if (state === '' || !sameText(one(query, 'state') ?? '', state)) {
    const description = 'the redirect does not carry the state that was sent; do not trust it, and start again';
    throw new OAuthFailure('state_mismatch', { call, description });
  }
  const error = one(query, 'error');
  if (error !== null) throw new OAuthFailure(error, { call, description: one(query, 'error_description') });
  const code = one(query, 'code');
  if (code === null || code === '') {
    throw new OAuthFailure('invalid_redirect', {
      call,
      description: 'the redirect carries neither a code nor an error',
    });
  }
  return code;
}

/** A parameter that may occur once (RFC 6749 3.1). */
function one(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  if (more.length === 0) return value;
  throw new OAuthFailure('invalid_redirect', {
    call: 'authorization',
    description: `the redirect carries ${name} more than once`,
  });
}

/** Takes the same time wherever the texts differ, so that no part of the state can be found out by trying. */
function sameText(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let at = 0; at < wanted.length; at += 1) difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at);
  return difference === 0;
}
