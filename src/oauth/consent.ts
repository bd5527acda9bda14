import type { Scope } from '../contract/index.js';
import { lifetimes } from '../contract/index.js';
import type { Authority } from './authority.js';
import { pruneExpired } from './authority.js';
import type { AuthorizationRequest } from './authorize.js';
import { errorLocation, issuerOf } from './authorize.js';
import { OAuthError } from './errors.js';
import { withParameters } from './redirects.js';
import { inAlphabet } from './tokens.js';

/** What the user decided. */
export interface Decision {
  readonly approve: boolean;
  /** Key of the account that decides. */
  readonly account: string;
  /** The part of the requested scopes that is granted; left out, all of them. None is a denial. */
  readonly scopes?: readonly Scope[];
}

/**
 * Turns the user's decision into the redirect back to the client: `code` and `state`, or `access_denied` (interface 4.1).
 * The code lives for 30 seconds from now.
 * @throws Error for an account or a scope that the caller made up
 */
export function consent(request: AuthorizationRequest, decision: Decision, authority: Authority): string {
  const scopes = grantedPart(request, decision);
  if (!decision.approve || scopes.length === 0) {
    const why = decision.approve ? 'the user granted none of the scopes' : 'the user denied the request';
    return errorLocation(new OAuthError('access_denied', why), request.redirectUri, request.state, authority);
  }
  const account = authority.accounts.get(decision.account);
  if (!account) {
    throw new Error(
      `consent: there is no account '${decision.account}'; there are ${[...authority.accounts.keys()].join(', ')}`,
    );
  }
  pruneExpired(authority);
  const now = authority.now();
  const text = inAlphabet(authority.newToken(), 'other', authority);
  authority.store.addCode({
    text,
    grant: {
      id: authority.newId(16),
      clientId: request.client.id,
      account: account.key,
      scopes,
      kind: 'authorization_code',
      grantedAt: now,
    },
    redirectUri: request.redirectUri,
    challenge: request.challenge,
    issuedAt: now,
    expiresAt: now + lifetimes.authorization_code * 1000,
    used: false,
  });
  const parameters = { code: text, state: request.state, ...issuerOf(authority) };
  return withParameters(request.redirectUri, parameters, authority.switches);
}

/** In the order of the request. */
function grantedPart(request: AuthorizationRequest, { scopes }: Decision): readonly Scope[] {
  if (!scopes) return request.scopes;
  const stray = scopes.find((scope) => !request.scopes.includes(scope));
  if (stray) throw new Error(`consent: ${stray} cannot be granted; the request asks for ${request.scopes.join(' ')}`);
  return request.scopes.filter((scope) => scopes.includes(scope));
}
