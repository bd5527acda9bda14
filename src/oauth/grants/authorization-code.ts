import type { Scope } from '../../contract/index.js';
import type { Code } from '../../store/store.js';
import { caught, OAuthError, quote, shorten } from '../errors.js';
import { required } from '../parameters.js';
import { challengeOf, isLenientVerifier, isPkceText, sameText } from '../pkce.js';
import { grantScopes } from '../scopes.js';
import type { TokenResponse } from '../tokens.js';
import { chainEnd, issueTokens } from '../tokens.js';
import type { TokenRequest } from './grant.js';
import { accountOf } from './grant.js';

interface Exchange extends TokenRequest {
  readonly code: Code;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** What has to hold of a code before it is exchanged. All but the first belong to an attempt by the code's own client. */
const checks: readonly ((exchange: Exchange) => void)[] = [
  refuseOtherClient, //   RFC 6749 4.1.3
  refuseReplay, //        RFC 6749 4.1.2, 10.5
  refuseExpired, //       30 seconds from issue, whatever was tried since (interface 3)
  requireSameRedirect, // RFC 6749 4.1.3
  requireVerifier, //     RFC 7636 4.6
];

/** Exchanges a code for the tokens of the user who consented (interface 3, 4.1; RFC 6749 4.1.3). */
export function exchangeCode(request: TokenRequest): TokenResponse {
  const { client, authority } = request;
  const exchange = readExchange(request);
  const { code } = exchange;
  const scopes = caught(() => {
    for (const check of checks) check(exchange);
    return exchangedScopes(exchange);
  });
  if (scopes instanceof OAuthError) {
    if (authority.switches['code.burnOnFailure'] && code.grant.clientId === client.id)
      authority.store.useCode(code.text);
    throw scopes;
  }
  authority.store.useCode(code.text);
  const expiresAt = chainEnd(code.grant, client, authority.now());
  const account = accountOf(code.grant.account, authority);
  const refresh = expiresAt === null ? null : { scopes, expiresAt };
  return issueTokens({ grant: code.grant, scopes, refresh }, { client, account }, authority);
}

function readExchange(request: TokenRequest): Exchange {
  const { form, authority } = request;
  const text = required('code', form.code);
  const redirectUri = required('redirect_uri', form.redirect_uri);
  const verifier = required('code_verifier', form.code_verifier);
  const code = authority.store.findCode(text);
  if (!code) throw new OAuthError('invalid_grant', `the code ${shorten(text)} is unknown`);
  return { ...request, code, redirectUri, verifier };
}

function refuseOtherClient({ code, client }: Exchange): void {
  if (code.grant.clientId !== client.id) {
    throw new OAuthError(
      'invalid_grant',
      `the code ${shorten(code.text)} was issued to ${code.grant.clientId}, not to ${client.id}`,
    );
  }
}

/** A code that comes twice may have been stolen: the tokens that it gave are revoked (K-077, switch code.replayRevokes). */
function refuseReplay({ code, authority: { store, switches } }: Exchange): void {
  if (!code.used) return;
  if (switches['code.replayRevokes'])
    store.tokensOf(code.grant.id).forEach(({ text }) => store.endToken(text, 'revoked'));
  const effect = switches['code.replayRevokes'] ? '; the tokens of its grant are revoked' : '';
  throw new OAuthError('invalid_grant', `the code ${shorten(code.text)} was used before${effect}`);
}

function refuseExpired({ code, authority }: Exchange): void {
  const over = authority.now() - code.expiresAt;
  if (over >= 0)
    throw new OAuthError('invalid_grant', `the code ${shorten(code.text)} expired ${Math.round(over / 1000)} s ago`);
}

function requireSameRedirect({ code, redirectUri }: Exchange): void {
  if (redirectUri !== code.redirectUri) {
    throw new OAuthError(
      'invalid_grant',
      `redirect_uri is ${quote(redirectUri)}, the code went to ${quote(code.redirectUri)}`,
    );
  }
}

function requireVerifier({ code, verifier, authority: { switches } }: Exchange): void {
  const isVerifier = switches['pkce.verifier'] === 'lenient' ? isLenientVerifier : isPkceText;
  if (!isVerifier(verifier)) {
    throw new OAuthError(
      'invalid_grant',
      `code_verifier is not 43 to 128 unreserved characters (it has ${verifier.length}; switch pkce.verifier)`,
    );
  }
  const got = challengeOf(verifier);
  if (sameText(got, code.challenge)) return;
  const hint = verifier === code.challenge ? ', which is what the challenge itself hashes to: send the verifier' : '';
  throw new OAuthError(
    'invalid_grant',
    `code_verifier does not match: got the challenge ${shorten(got)}${hint}, expected ${shorten(code.challenge)}`,
  );
}

/**
 * The interface lists `scope` for the exchange, the RFC does not (K-011). By default it may ask for less than the consent,
 * and then the refresh token has less too: a token response never promises less than what follows from it.
 */
function exchangedScopes({ form, code, authority: { switches } }: Exchange): readonly Scope[] {
  const consented = code.grant.scopes;
  if (form.scope === undefined || switches['exchange.scope'] === 'ignore') return consented;
  if (switches['exchange.scope'] === 'reject') {
    throw new OAuthError('invalid_scope', 'scope is not a parameter of the code exchange (switch exchange.scope)');
  }
  return grantScopes(form.scope, consented, switches, 'the user did not grant');
}
