import type { components } from '../contract/index.js';
import type { Authority } from './authority.js';

/**
 * The metadata document of RFC 8414, at `/.well-known/oauth-authorization-server`: a convenience of the mock, so that
 * client libraries configure themselves. The interface has no such document.
 */
export function metadata({ issuer, scopes, switches }: Authority): components['schemas']['AuthorizationServerMetadata'] {
  const withSecret = ['client_secret_post', ...(switches['clientAuth.basic'] ? ['client_secret_basic'] : [])];
  const asClient = switches['revoke.auth'] === 'bearer' ? [] : withSecret;
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
    revocation_endpoint_auth_methods_supported: asClient,
    introspection_endpoint_auth_methods_supported: asClient,
    authorization_response_iss_parameter_supported: switches['authorize.iss'],
  };
}
