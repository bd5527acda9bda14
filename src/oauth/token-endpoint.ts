import { oauthParameters } from '../contract/index.js';
import type { Answer } from './answers.js';
import { failed, succeeded } from './answers.js';
import type { Authority } from './authority.js';
import { authenticateClient, statusOf } from './clients.js';
import { caught, OAuthError, quote } from './errors.js';
import { exchangeCode } from './grants/authorization-code.js';
import { grantCredentials } from './grants/client-credentials.js';
import type { GrantHandler } from './grants/grant.js';
import { rotateRefreshToken } from './grants/refresh-token.js';
import { readForm, required } from './parameters.js';

const grants: ReadonlyMap<string, GrantHandler> = new Map([
  ['authorization_code', exchangeCode],
  ['client_credentials', grantCredentials],
  ['refresh_token', rotateRefreshToken],
]);

/**
 * `POST /oauth/token` (interface 4.1, RFC 6749 3.2). Who the client is comes first: a request that fails there changes
 * nothing. Every answer forbids caching (RFC 6749 5.1).
 */
export function issueToken(
  body: URLSearchParams,
  authorization: string | undefined,
  authority: Authority,
): Answer<'issueToken'> {
  const outcome = caught(() => {
    const form = readForm(body, oauthParameters.issueToken);
    const client = authenticateClient(form, authorization, authority);
    const grant = chooseGrant(form.grant_type);
    return grant({ form, client, authority });
  });
  if (!(outcome instanceof OAuthError)) return { status: 200, ...succeeded(outcome) };
  const status = statusOf(outcome, authorization, authority);
  // The errors of bearer tokens, which this endpoint does not take.
  if (status === 403) throw outcome;
  return { status, ...failed(outcome) };
}

function chooseGrant(type: string | undefined): GrantHandler {
  const grant = grants.get(required('grant_type', type));
  if (!grant)
    throw new OAuthError(
      'unsupported_grant_type',
      `grant_type is ${quote(type ?? '')}; known: ${[...grants.keys()].join(', ')}`,
    );
  return grant;
}
