import { oauthParameters } from '../contract/index.js';
import type { components } from '../contract/index.js';
import type { Answer } from './answers.js';
import { failed, succeeded } from './answers.js';
import type { Authority } from './authority.js';
import { admitCaller } from './caller.js';
import { statusOf } from './clients.js';
import { caught, OAuthError } from './errors.js';
import { readForm, required } from './parameters.js';
import { writeScopes } from './scopes.js';
import { invalidReason } from './tokens.js';

type Introspection = components['schemas']['IntrospectionResponse'];

/**
 * `POST /oauth/token/introspect` (interface 4.1, RFC 7662): about any token of the server, refresh tokens included
 * (K-090), whatever the hint says. Changes nothing. A token that is good for nothing is `active: false` and not a word more (RFC 7662 2.2).
 */
export function introspectToken(
  body: URLSearchParams,
  authorization: string | undefined,
  authority: Authority,
): Answer<'introspectToken'> {
  const outcome = caught(() => {
    const form = readForm(body, oauthParameters.introspectToken);
    admitCaller(form, authorization, 'oauth:introspect', authority);
    return describe(required('token', form.token), authority);
  });
  if (outcome instanceof OAuthError) {
    return { status: statusOf(outcome, authorization, authority), ...failed(outcome) };
  }
  return { status: 200, ...succeeded(outcome) };
}

function describe(text: string, { store, accounts, switches, now }: Authority): Introspection {
  const token = store.findToken(text);
  const account = token && accounts.get(token.grant.account);
  if (!token || !account || invalidReason(token, now())) return { active: false };
  if (switches['introspect.detail'] === 'active') return { active: true };
  return {
    active: true,
    scope: writeScopes(token.scopes, switches),
    client_id: token.grant.clientId,
    username: account.username,
    // RFC 7662 2.2: the type of RFC 6749 5.1, which is that of access tokens.
    ...(token.kind === 'access' && { token_type: 'bearer' }),
    // Rounded outwards, so that an active token is never shown as past its end.
    ...(token.expiresAt !== null && { exp: Math.ceil(token.expiresAt / 1000) }),
    iat: Math.floor(token.issuedAt / 1000),
    sub: account.uuid,
  };
}
