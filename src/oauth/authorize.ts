import { oauthParameters } from '../contract/index.js';
import type { OAuthParameter, Scope } from '../contract/index.js';
import type { Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { caught, OAuthError, quote } from './errors.js';
import type { Parameters } from './parameters.js';
import { readParameters, refuseRepeated, required } from './parameters.js';
import { isPkceText } from './pkce.js';
import { allowsAnyPort, isRegistered, withParameters } from './redirects.js';
import { grantScopes, scopesByCode } from './scopes.js';

/** A request that the user can be asked about. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string;
  readonly scopes: readonly Scope[];
  /** The S256 challenge of PKCE. */
  readonly challenge: string;
}

export type Authorization =
  | { readonly kind: 'consent'; readonly request: AuthorizationRequest }
  /** A redirect that tells the client of a failure. */
  | { readonly kind: 'redirect'; readonly location: string; readonly error: OAuthError }
  /** A page with the status of the switch authorize.badClientStatus, and never a redirect (K-006). */
  | { readonly kind: 'refused'; readonly error: OAuthError };

type Asked = Parameters<OAuthParameter<'authorize'>>;

/** Where the answer goes: known before anything else is looked at. */
interface Addressee {
  readonly client: Client;
  readonly redirectUri: string;
}

interface Question extends Addressee {
  readonly asked: Asked;
  readonly authority: Authority;
}

/** What has to hold before the user is asked. The first that does not is told to the client by redirect (RFC 6749 4.1.2.1). */
const checks: readonly ((question: Question) => void)[] = [
  refuseRepetition, //       RFC 6749 3.1
  requireState, //           interface 4.1; a recommendation in RFC 6749
  requireResponseType, //    always code
  requireCodeGrant, //       a client that acts for itself only has nobody to ask
  requireChallengeMethod, // S256, never plain by default
  requireChallenge, //       RFC 7636 4.2; what is left is the scope, of which formRequest makes the grant
];

/**
 * `GET /oauth/authorize` up to the question (interface 4.1). All seven parameters are required, an empty one counts as
 * missing, unknown ones are ignored. A bad client_id or redirect_uri is refused on a page, because a redirect would send
 * the user to an address that nobody vouches for (RFC 6749 4.1.2.1, K-006).
 */
export function authorize(query: URLSearchParams, authority: Authority): Authorization {
  const asked = readParameters(query, oauthParameters.authorize);
  const addressee = caught(() => findAddressee(asked, authority));
  if (addressee instanceof OAuthError) return { kind: 'refused', error: addressee };

  const question: Question = { ...addressee, asked, authority };
  const request = caught(() => {
    for (const check of checks) check(question);
    return formRequest(question);
  });
  if (!(request instanceof OAuthError)) return { kind: 'consent', request };
  const location = errorLocation(request, addressee.redirectUri, asked.values.state, authority);
  return { kind: 'redirect', location, error: request };
}

/** The redirect that tells the client of a failure. `state` goes back as it came, if it came exactly once. */
export function errorLocation(
  error: OAuthError,
  redirectUri: string,
  state: string | undefined,
  authority: Authority,
): string {
  const parameters = {
    error: error.code,
    error_description: error.description,
    ...(state !== undefined && { state }),
    ...issuerOf(authority),
  };
  return withParameters(redirectUri, parameters, authority.switches);
}

/** The parameter `iss` of RFC 9207, where the switch authorize.iss is on. */
export function issuerOf({ switches, issuer }: Authority): Record<string, string> {
  return switches['authorize.iss'] ? { iss: issuer } : {};
}

function findAddressee({ values, repeated }: Asked, authority: Authority): Addressee {
  // Which redirect URIs are right depends on the client.
  refuseRepeated(repeated.filter((name) => name === 'client_id'));
  const id = required('client_id', values.client_id);
  const client = authority.clients.get(id);
  if (!client) throw new OAuthError('invalid_request', `no client has the id ${quote(id)}`);
  refuseRepeated(repeated.filter((name) => name === 'redirect_uri'));
  const redirectUri = required('redirect_uri', values.redirect_uri);
  if (!isRegistered(redirectUri, client, authority.switches)) {
    const registered = client.redirectUris.join(', ') || 'none';
    const anyPort = allowsAnyPort(client, authority.switches);
    throw new OAuthError(
      'invalid_request',
      `redirect_uri ${quote(redirectUri)} is not registered for ${id}; registered: ${registered}${anyPort ? ' (any port of a loopback address)' : ''}`,
    );
  }
  return { client, redirectUri };
}

function refuseRepetition({ asked }: Question): void {
  refuseRepeated(asked.repeated);
}

function requireState({ asked }: Question): void {
  required('state', asked.values.state);
}

function requireResponseType({ asked }: Question): void {
  const type = required('response_type', asked.values.response_type);
  if (type !== 'code') throw new OAuthError('unsupported_response_type', `response_type is ${quote(type)}, not 'code'`);
}

function requireCodeGrant({ client, authority }: Question): void {
  if (scopesByCode(client, authority).length === 0) {
    throw new OAuthError('unauthorized_client', `${client.id} has no scopes that a user could grant`);
  }
}

function requireChallengeMethod({ asked }: Question): void {
  // Who sends neither has to learn of PKCE, and not of its method.
  required('code_challenge', asked.values.code_challenge);
  const method = required('code_challenge_method', asked.values.code_challenge_method);
  if (method !== 'S256')
    throw new OAuthError('invalid_request', `code_challenge_method is ${quote(method)}, not 'S256'`);
}

function requireChallenge({ asked }: Question): void {
  const challenge = required('code_challenge', asked.values.code_challenge);
  if (!isPkceText(challenge)) {
    throw new OAuthError(
      'invalid_request',
      `code_challenge is not 43 to 128 unreserved characters (it has ${challenge.length})`,
    );
  }
}

/** `scope` is required (interface 4.1), though optional in RFC 6749. */
function formRequest({ asked: { values }, client, redirectUri, authority }: Question): AuthorizationRequest {
  return {
    client,
    redirectUri,
    state: required('state', values.state),
    scopes: grantScopes(
      required('scope', values.scope),
      scopesByCode(client, authority),
      authority.switches,
      `${client.id} may not request`,
    ),
    challenge: required('code_challenge', values.code_challenge),
  };
}
