import { OAuthError } from '../errors.js';
import { grantScopes, scopesByCredentials } from '../scopes.js';
import type { TokenResponse } from '../tokens.js';
import { issueTokens } from '../tokens.js';
import type { TokenRequest } from './grant.js';
import { accountOf } from './grant.js';

/**
 * Gives a confidential client a token for itself (interface 3, 5.6; RFC 6749 4.4): the identity is the owner of the
 * application, it never expires, and no refresh token comes with it.
 *
 * Without `scope` the token gets all that the client may have by this grant: RFC 6749 3.3 leaves a server the choice
 * between a default and a refusal, and the interface does not mark the field as required.
 */
export function grantCredentials({ form, client, authority }: TokenRequest): TokenResponse {
  const allowed = scopesByCredentials(client, authority);
  if (allowed.length === 0) {
    const why =
      client.type === 'public'
        ? 'is a public client; the grant is for confidential ones'
        : 'has no scopes for this grant';
    throw new OAuthError('unauthorized_client', `client_credentials: ${client.id} ${why}`);
  }
  const scopes =
    form.scope === undefined
      ? allowed
      : grantScopes(form.scope, allowed, authority.switches, `${client.id} may not request`);
  const account = accountOf(client.owner, authority);
  const grant = {
    id: authority.newId(16),
    clientId: client.id,
    account: account.key,
    scopes,
    kind: 'client_credentials',
    grantedAt: authority.now(),
  } as const;
  return issueTokens({ grant, scopes, refresh: null }, { client, account }, authority);
}
