import type { Scope } from '../contract/index.js';
import type { Token } from '../store/store.js';
import type { Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { bearer } from './bearer.js';
import type { ClientFields } from './clients.js';
import { authenticateClient, usesBasic } from './clients.js';
import { OAuthError } from './errors.js';
import { scopesByCode, scopesByCredentials } from './scopes.js';

/** Who calls the revocation or introspection endpoint. */
export interface Caller {
  /** The client that authenticated, or else the client of the bearer token. */
  readonly client: Client;
  /** The bearer token, unless the client authenticated. */
  readonly token: Token | null;
}

/**
 * Lets in who may call (K-009, switch revoke.auth): a bearer token with the scope, as the interface says, or a client with
 * a secret that is allowed the scope, as RFC 7009 2.1 and RFC 7662 2.1 say. Client credentials in the body beside a bearer
 * token have to be right, and then name the client that acts; a client_id alone proves nothing and is ignored.
 */
export function admitCaller(
  fields: ClientFields,
  authorization: string | undefined,
  scope: Scope,
  authority: Authority,
): Caller {
  const ways = authority.switches['revoke.auth'];
  const inBody = fields.client_secret !== undefined && (ways === 'client' || authorization === undefined);
  if (ways !== 'bearer' && (inBody || usesBasic(authorization, authority))) {
    return admitClient(authenticateClient(fields, authorization, authority), scope, authority);
  }
  if (ways === 'client') {
    throw new OAuthError(
      'invalid_client',
      'no client credentials, in the body or as HTTP Basic (switch revoke.auth is client)',
    );
  }
  return admitBearer(fields, authorization, scope, authority);
}

function admitClient(client: Client, scope: Scope, authority: Authority): Caller {
  if (client.secret === null) throw new OAuthError('invalid_client', `${client.id} has no secret to authenticate with`);
  const allowed = [...scopesByCode(client, authority), ...scopesByCredentials(client, authority)];
  if (!allowed.includes(scope)) throw new OAuthError('unauthorized_client', `${client.id} is not allowed ${scope}`);
  return { client, token: null };
}

function admitBearer(
  fields: ClientFields,
  authorization: string | undefined,
  scope: Scope,
  authority: Authority,
): Caller {
  const read = bearer(authorization, authority);
  // Who sends no credential is told no error of one in the challenge (RFC 6750 3.1); RFC 6749 5.2 wants one in the body.
  if (read.kind === 'none')
    throw new OAuthError(
      'invalid_client',
      'no bearer token, and no client credentials with a secret',
      'Bearer realm="oauth"',
    );
  if (read.kind === 'invalid') throw new OAuthError('invalid_token', read.reason);
  if (!read.token.scopes.includes(scope)) {
    throw new OAuthError('insufficient_scope', `the token has ${read.token.scopes.join(' ')}, not ${scope}`);
  }
  if (fields.client_secret === undefined) return { client: read.client, token: read.token };
  return { client: authenticateClient(fields, undefined, authority), token: null };
}
