import type { Token } from '../../store/store.js';
import { OAuthError, shorten } from '../errors.js';
import { required } from '../parameters.js';
import { grantScopes } from '../scopes.js';
import type { TokenResponse } from '../tokens.js';
import { issueTokens, invalidReason, whyUnknown } from '../tokens.js';
import type { TokenRequest } from './grant.js';
import { accountOf } from './grant.js';

interface Rotation extends TokenRequest {
  readonly token: Token;
}

/** What has to hold of a refresh token before it is rotated. None of these uses the token up. */
const checks: readonly ((rotation: Rotation) => void)[] = [
  refuseOtherKind, //   an access token does not refresh
  refuseOtherClient, // RFC 6749 6, 10.4
  refuseReuse, //       expired immediately by the refresh that used it (interface 3)
  refuseDead, //        90 days or 7 days, or revoked
];

/**
 * Exchanges a refresh token (interface 3; RFC 6749 6). The used one is dead at once; the new one keeps its end and its
 * scopes, even where the new access token is asked to have fewer (K-012).
 */
export function rotateRefreshToken(request: TokenRequest): TokenResponse {
  const { form, client, authority } = request;
  const { store, switches } = authority;
  requireRefresh(request);
  const token = findToken(request);
  for (const check of checks) check({ ...request, token });

  const { grant, expiresAt } = token;
  const scopes =
    form.scope === undefined
      ? token.scopes
      : grantScopes(form.scope, token.scopes, switches, 'the refresh token does not have');
  const account = accountOf(grant.account, authority);
  if (expiresAt === null)
    throw new Error(`the refresh token ${shorten(token.text)} has no end, but refresh tokens always have one`);
  store.endToken(token.text, 'used');
  if (switches['refresh.revokeOldAccess']) endAll(grant.id, request, 'access');
  const notAfter = switches['refresh.capAccessToChain'] ? expiresAt : undefined;
  return issueTokens(
    { grant, scopes, refresh: { scopes: token.scopes, expiresAt }, notAfter },
    { client, account },
    authority,
  );
}

function requireRefresh({ client }: TokenRequest): void {
  if (!client.refresh)
    throw new OAuthError('unauthorized_client', `refresh tokens are not enabled for ${client.id} (interface 5.8)`);
}

function findToken({ form, authority }: TokenRequest): Token {
  const text = required('refresh_token', form.refresh_token);
  const token = authority.store.findToken(text);
  if (!token) throw new OAuthError('invalid_grant', `the refresh token ${shorten(text)} ${whyUnknown(authority)}`);
  return token;
}

function refuseOtherKind({ token }: Rotation): void {
  if (token.kind !== 'refresh')
    throw new OAuthError('invalid_grant', `${shorten(token.text)} is an access token, not a refresh token`);
}

function refuseOtherClient({ token, client }: Rotation): void {
  const holder = token.grant.clientId;
  if (holder !== client.id) {
    throw new OAuthError(
      'invalid_grant',
      `the refresh token ${shorten(token.text)} was issued to ${holder}, not to ${client.id}`,
    );
  }
}

/** Reuse may mean theft: with the switch refresh.reuseRevokesFamily it ends the whole grant (K-076, RFC 9700 4.14.2). */
function refuseReuse(rotation: Rotation): void {
  const { token, authority } = rotation;
  if (token.ended !== 'used') return;
  const revokes = authority.switches['refresh.reuseRevokesFamily'];
  if (revokes) endAll(token.grant.id, rotation);
  const effect = revokes ? '; the tokens of its grant are revoked' : '';
  throw new OAuthError('invalid_grant', `the refresh token ${shorten(token.text)} was used before${effect}`);
}

function refuseDead({ token, authority }: Rotation): void {
  const why = invalidReason(token, authority.now());
  if (why) throw new OAuthError('invalid_grant', `the refresh token ${shorten(token.text)} ${why}`);
}

function endAll(grantId: string, { authority: { store } }: TokenRequest, kind?: Token['kind']): void {
  for (const token of store.tokensOf(grantId)) {
    if (!kind || token.kind === kind) store.endToken(token.text, 'revoked');
  }
}
