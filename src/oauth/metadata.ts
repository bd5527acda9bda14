import type { Scope } from '../contract/index.js';
import type { Authority } from './authority.js';

/** The members of RFC 8414 2 that this server has. */
export interface Metadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
  readonly introspection_endpoint: string;
  readonly scopes_supported: readonly Scope[];
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly code_challenge_methods_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
  readonly introspection_endpoint_auth_methods_supported?: readonly string[];
  readonly authorization_response_iss_parameter_supported: boolean;
}

/**
 * The metadata document of RFC 8414, at `/.well-known/oauth-authorization-server`: a convenience of the mock, so that
 * client libraries configure themselves. The interface has no such document.
 */
export function metadata({ issuer, scopes, switches }: Authority): Metadata {
  const withSecret = ['client_secret_post', ...(switches['clientAuth.basic'] ? ['client_secret_basic'] : [])];
  const asClient = switches['revoke.auth'] !== 'bearer';
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/token/revoke`,
    introspection_endpoint: `${issuer}/oauth/token/introspect`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...withSecret, 'none'],
    // RFC 8414 3.2 has no empty lists, and no word for a bearer token.
    ...(asClient && {
      revocation_endpoint_auth_methods_supported: withSecret,
      introspection_endpoint_auth_methods_supported: withSecret,
    }),
    authorization_response_iss_parameter_supported: switches['authorize.iss'],
  };
}
