import { oauthParameters } from '../contract/index.js';
import type { Token } from '../store/store.js';
import type { Answer } from './answers.js';
import { failed, succeeded } from './answers.js';
import type { Authority } from './authority.js';
import type { Caller } from './caller.js';
import { admitCaller } from './caller.js';
import { statusOf } from './clients.js';
import { caught, OAuthError, shorten } from './errors.js';
import { readForm, required } from './parameters.js';
import { invalidReason } from './tokens.js';

/**
 * `POST /oauth/token/revoke` (interface 4.1, RFC 7009). 200 for a token that is revoked now, was dead already, or never
 * was: none of them is good for anything afterwards. The hint may be wrong or unknown: one search finds tokens of either
 * kind, so it is not even looked at.
 *
 * A token of another client is refused with invalid_grant, the code that RFC 6749 5.2 has for what "was issued to another
 * client": RFC 7009 2.1 has the request refused and the client informed, and a 200 would let it believe that a live token
 * is dead.
 */
export function revokeToken(
  body: URLSearchParams,
  authorization: string | undefined,
  authority: Authority,
): Answer<'revokeToken'> {
  const outcome = caught(() => {
    const form = readForm(body, oauthParameters.revokeToken);
    const caller = admitCaller(form, authorization, 'oauth:revoke', authority);
    const token = authority.store.findToken(required('token', form.token));
    if (!token) return;
    const isUsed = token.kind === 'refresh' && token.ended === 'used';
    const endsGrant = isUsed && authority.switches['revoke.usedRefresh'] === 'grant';
    if (invalidReason(token, authority.now()) && !endsGrant) return;
    refuseForeign(token, caller, authority);
    if (endsGrant) endGrant(token, authority);
    else revoke(token, authority);
  });
  if (outcome instanceof OAuthError) {
    return { status: statusOf(outcome, authorization, authority), ...failed(outcome) };
  }
  return { status: 200, ...acknowledgement(authority) };
}

/**
 * Whose tokens a caller may revoke. A client revokes its own (RFC 7009 2.1), however it was let in.
 *
 * One caller has none of its own worth revoking: a client that users cannot grant anything, which holds a
 * client-credentials token with oauth:revoke. That token speaks for the owner of the applications (interface 5.6), so it
 * revokes for every application of the same owner. RFC 7009 knows only authenticated clients and says nothing of such a
 * bearer; without this the scope would give such a client nothing (K-009, K-010). A client that authenticates with its
 * secret is held to the RFC to the letter.
 */
function refuseForeign(token: Token, { client, token: credential }: Caller, { clients }: Authority): void {
  const holder = token.grant.clientId;
  if (holder === client.id) return;
  const speaksForOwner = credential?.grant.kind === 'client_credentials' && client.scopes.length === 0;
  if (speaksForOwner && clients.get(holder)?.owner === client.owner) return;
  throw new OAuthError(
    'invalid_grant',
    `the token ${shorten(token.text)} was issued to ${holder}, not to ${client.id}`,
  );
}

/** Ends a token, and what the switches of K-089 say ends with it. */
function revoke({ text, kind, grant }: Token, { store, switches }: Authority): void {
  const other = kind === 'refresh' ? 'access' : 'refresh';
  const cascades = switches[kind === 'refresh' ? 'revoke.refreshRevokesAccess' : 'revoke.accessRevokesRefresh'];
  store.endToken(text, 'revoked');
  if (!cascades) return;
  for (const sibling of store.tokensOf(grant.id)) {
    if (sibling.kind === other) store.endToken(sibling.text, 'revoked');
  }
}

/**
 * Ends what a refresh with that token gave, and what came after. Of a revocation and a refresh that cross, either may be
 * first: had it been the revocation, the refresh would have failed. So a client that was answered 200 is rid of its access
 * both ways (RFC 7009 2.1), and whoever else holds a used token has shown that it leaked (RFC 9700 4.14.2).
 */
function endGrant({ grant }: Token, { store }: Authority): void {
  for (const { text } of store.tokensOf(grant.id)) store.endToken(text, 'revoked');
}

/** Clients ignore the body (RFC 7009 2.2), but libraries differ in which they can ignore: `{}` suits all that were tried. */
function acknowledgement({ switches }: Authority): {
  headers: Record<string, string>;
  body: Record<string, never>;
  text?: string;
} {
  const { headers, body } = succeeded({});
  switch (switches['revoke.body']) {
    case 'json':
      return { headers, body };
    case 'empty':
      return { headers, body, text: '' };
    case 'html':
      return {
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
        body,
        text: '<p>The token is revoked.</p>',
      };
  }
}
