import type { Answer } from './answers.js';
import { failed, succeeded } from './answers.js';
import type { Authority } from './authority.js';
import { authenticateClient, usesBasic } from './clients.js';
import { caught, OAuthError, quote } from './errors.js';
import { exchangeCode } from './grants/authorization-code.js';
import { grantCredentials } from './grants/client-credentials.js';
import type { GrantHandler } from './grants/grant.js';
import { tokenFields } from './grants/grant.js';
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
    const form = readForm(body, tokenFields);
    const client = authenticateClient(form, authorization, authority);
    const grant = chooseGrant(form.grant_type);
    return grant({ form, client, authority });
  });
  if (!(outcome instanceof OAuthError)) return { status: 200, ...succeeded(outcome) };
  return { status: statusOf(outcome, authorization, authority), ...failed(outcome) };
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

/** invalid_client is 400 or 401 as the switch says (K-080), but 401 where the header was used (RFC 6749 5.2). */
function statusOf(error: OAuthError, authorization: string | undefined, authority: Authority): 400 | 401 {
  if (error.code !== 'invalid_client') return 400;
  return usesBasic(authorization, authority) ? 401 : authority.switches['clientAuth.invalidClientStatus'];
}
