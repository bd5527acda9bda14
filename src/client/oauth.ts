import createClient from 'openapi-fetch';

import type { components, paths } from '../contract/index.js';
import { OAuthFailure } from './failure.js';

type Schemas = components['schemas'];
export type TokenResponse = Schemas['TokenResponse'];
export type Introspection = Schemas['IntrospectionResponse'];

/** An application and the authorization server that it is registered with. */
export interface Application {
  readonly authUrl: string;
  readonly clientId: string;
  /** Only confidential clients have one. It is sent in the body (interface 4.1). */
  readonly clientSecret?: string;
  /** In place of the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface CodeExchange {
  readonly code: string;
  /** The one that the code was received with. */
  readonly redirectUri: string;
  /** The verifier whose challenge was sent. */
  readonly verifier: string;
  /** Fewer scopes than the user agreed to; left out by default (K-011). */
  readonly scopes?: readonly string[];
}

/** Turns an authorization code into tokens, within 30 seconds of the redirect (RFC 6749 4.1.3). @throws OAuthFailure */
export function exchangeCode(
  application: Application,
  { code, redirectUri, verifier, scopes }: CodeExchange,
): Promise<TokenResponse> {
  return askForTokens('exchange of the code', application, {
    ...credentials(application),
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(scopes && { scope: scopes.join(' ') }),
  });
}

/**
 * Turns a refresh token into new tokens (RFC 6749 6). The old refresh token is dead at once: store the new one before
 * anything else. `tokenSource` does that. @throws OAuthFailure
 */
export function refreshTokens(
  application: Application,
  refreshToken: string,
  scopes?: readonly string[],
): Promise<TokenResponse> {
  return askForTokens('refresh', application, {
    ...credentials(application),
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(scopes && { scope: scopes.join(' ') }),
  });
}

/**
 * A token of the application's owner, the only way to the `service:*` scopes (RFC 6749 4.4). It does not expire:
 * `expires_in` is null. @throws OAuthFailure
 */
export function clientCredentials(
  application: Application & { clientSecret: string },
  scopes: readonly string[],
): Promise<TokenResponse> {
  const { clientId, clientSecret } = application;
  return askForTokens('client credentials', application, {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: scopes.join(' '),
  });
}

/**
 * Who asks to revoke or introspect: a bearer token with the scope, as interface 4.1 has it, or the application itself,
 * as the RFCs have it (K-009). With `bearer` the application's credentials are not sent.
 */
export interface TokenCall {
  readonly token: string;
  readonly hint?: 'access_token' | 'refresh_token';
  /** An access token with `oauth:revoke` or `oauth:introspect`. */
  readonly bearer?: string;
}

/** Revokes a token (RFC 7009). A token that the server does not know is no error. @throws OAuthFailure */
export async function revokeToken(application: Application, { token, hint, bearer }: TokenCall): Promise<void> {
  const { response, error } = await endpoints(application)
    .POST('/oauth/token/revoke', {
      body: tokenForm(application, token, hint, bearer),
      ...form(bearer),
      parseAs: 'text', // RFC 7009 2.2: whatever the body holds means nothing
    })
    .catch(unreadable('revocation'));
  if (!response.ok) throw refusal('revocation', response, error);
}

/** Asks whether a token is good and whose it is (RFC 7662). A token that is not is `active: false`. @throws OAuthFailure */
export async function introspectToken(
  application: Application,
  { token, hint, bearer }: TokenCall,
): Promise<Introspection> {
  const { data, error, response } = await endpoints(application)
    .POST('/oauth/token/introspect', { body: tokenForm(application, token, hint, bearer), ...form(bearer) })
    .catch(unreadable('introspection'));
  if (!response.ok) throw refusal('introspection', response, error);
  if (typeof data?.active !== 'boolean') throw strange('introspection', response);
  return data;
}

async function askForTokens(
  call: string,
  application: Application,
  body: Schemas['TokenRequest'],
): Promise<TokenResponse> {
  const { data, error, response } = await endpoints(application)
    .POST('/oauth/token', { body, ...form() })
    .catch(unreadable(call));
  if (!response.ok) throw refusal(call, response, error);
  if (typeof data?.access_token !== 'string' || data.access_token === '') throw strange(call, response);
  return data;
}

/** A redirect is not followed: code, verifier and secret would go to whoever it names (RFC 6749 10.3, 10.5). */
const endpoints = ({ authUrl, fetch }: Application) =>
  createClient<paths>({ baseUrl: authUrl, redirect: 'manual', ...(fetch && { fetch }) });

const credentials = ({ clientId, clientSecret }: Application) => ({
  client_id: clientId,
  ...(clientSecret !== undefined && { client_secret: clientSecret }),
});

const tokenForm = (application: Application, token: string, hint?: string, bearer?: string) => ({
  token,
  ...(hint && { token_type_hint: hint }),
  ...(bearer === undefined && credentials(application)),
});

/** A form post needs both: without the header the body is labelled JSON, without the serializer it is JSON. */
const form = (bearer?: string) => ({
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  },
  bodySerializer: (body: object) => new URLSearchParams(body as Record<string, string>).toString(),
});

/** RFC 6749 5.2, from whatever was sent: a proxy's page is a failure too. */
function refusal(call: string, response: Response, body: unknown): OAuthFailure {
  const { error, error_description: description } = (typeof body === 'object' && body !== null ? body : {}) as Partial<
    Schemas['OAuthError']
  >;
  if (typeof error !== 'string') return strange(call, response);
  return new OAuthFailure(error, {
    call,
    description: typeof description === 'string' ? description : null,
    status: response.status,
  });
}

function strange(call: string, { status, url }: Response): OAuthFailure {
  const remedy =
    status === 429 || status >= 500
      ? `cannot answer now (HTTP ${status}); try again later`
      : 'does not answer as OAuth does; check authUrl';
  const description = `what answers ${url === '' ? 'there' : `at ${url}`} ${remedy}`;
  return new OAuthFailure('invalid_response', { call, description, status });
}

/** openapi-fetch throws a SyntaxError for a success that is not JSON; network errors pass as they are. */
function unreadable(call: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof SyntaxError)
      throw new OAuthFailure('invalid_response', { call, description: 'the answer is not JSON; check authUrl' });
    throw error;
  };
}
