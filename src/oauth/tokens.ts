import { bytes } from '../bytes/index.js';
import type { components, Scope } from '../contract/index.js';
import { lifetimes } from '../contract/index.js';
import type { Grant, Token } from '../store/store.js';
import type { Account, Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { pruneExpired } from './authority.js';
import { writeScopes } from './scopes.js';

export type TokenResponse = components['schemas']['TokenResponse'];

/** Who holds a grant. */
export interface Parties {
  readonly client: Client;
  readonly account: Account;
}

/** Why a token is no longer good, in words; undefined while it is. Ends are half-open (K-110). */
export function invalidReason({ ended, expiresAt }: Token, now: number): string | undefined {
  if (ended) return ended === 'used' ? 'was used before' : 'was revoked';
  if (expiresAt !== null && now >= expiresAt) return `expired ${Math.round((now - expiresAt) / 1000)} s ago`;
  return undefined;
}

/** Why nothing is known of a token, in words: the store may have dropped it, which it notes by client alone. */
export function whyUnknown({ store }: Pick<Authority, 'store'>): string {
  const dropped = store.dropped().map(({ clientId, most }) => `client ${clientId} holds more than ${most} tokens`);
  if (dropped.length === 0) return 'is unknown';
  return `is unknown, or was dropped: ${dropped.join(', ')}, and the oldest go`;
}

/** When a refresh chain that starts now will end, or null where the grant has no refresh tokens (interface 5.8). */
export function chainEnd(grant: Grant, client: Client, now: number): number | null {
  if (grant.kind === 'client_credentials' || !client.refresh) return null;
  return now + lifetimes.refresh_token[client.type] * 1000;
}

/** What a token response is to hold. */
export interface Issue {
  readonly grant: Grant;
  /** Scopes of the access token. */
  readonly scopes: readonly Scope[];
  /** The refresh token to issue beside it. */
  readonly refresh: { readonly scopes: readonly Scope[]; readonly expiresAt: number } | null;
  /** The access token ends here at the latest (K-088). */
  readonly notAfter?: number;
}

/** Makes the tokens, keeps them, and writes the response of interface 4.1. */
export function issueTokens(
  { grant, scopes, refresh, notAfter }: Issue,
  { client, account }: Parties,
  authority: Authority,
): TokenResponse {
  pruneExpired(authority);
  const issuedAt = authority.now();
  const expiresAt = accessEnd(grant, client, issuedAt, notAfter, authority);
  const access: Token = {
    text: accessText(authority),
    kind: 'access',
    grant,
    scopes,
    issuedAt,
    expiresAt,
    ended: null,
  };
  authority.store.addToken(access);
  const response = {
    access_token: access.text,
    expires_in: expiresIn(access, client, authority),
    token_type: 'bearer',
    scope: writeScopes(scopes, authority.switches),
    username: account.username,
    sub: account.uuid,
  } as const;
  if (response.expires_in === null && authority.switches['tokens.nullExpiresIn'] === 'omit') {
    // Two well-known client libraries refuse a null: the switch leaves the contract on purpose (K-087).
    delete (response as Partial<TokenResponse>).expires_in;
  }
  if (!refresh) return response;
  const text = inAlphabet(hexText(authority), 'other', authority);
  authority.store.addToken({ text, kind: 'refresh', grant, issuedAt, ended: null, ...refresh });
  return { ...response, refresh_token: text };
}

/** 28 days or 10 hours by the type of the client; none for client credentials (interface 5.4, 5.6). */
function accessEnd(
  grant: Grant,
  client: Client,
  now: number,
  notAfter: number | undefined,
  { switches }: Authority,
): number | null {
  if (grant.kind === 'client_credentials') return null;
  const seconds = client.type === 'public' ? lifetimes.access_token.public : switches['tokens.accessLife.confidential'];
  return Math.min(now + seconds * 1000, notAfter ?? Infinity);
}

/** The figure of interface 4.1, or the life that is enforced (K-001). */
function expiresIn({ issuedAt, expiresAt }: Token, client: Client, { switches }: Authority): number | null {
  if (expiresAt === null) return null;
  if (switches['tokens.expiresInMode'] === 'documented') return lifetimes.expires_in[client.type];
  return Math.floor((expiresAt - issuedAt) / 1000);
}

/** Opaque to clients whatever its form (K-087, switches tokens.form, tokens.length and tokens.alphabet). */
function accessText(authority: Authority): string {
  if (authority.switches['tokens.form'] === 'hex') return inAlphabet(hexText(authority), 'access', authority);
  const signature = bytes.base64url(bytes.fromHex(authority.newToken()));
  return `${jwtPart({ alg: 'HS256', typ: 'at+jwt' })}.${jwtPart({ jti: authority.newToken() })}.${signature}`;
}

const jwtPart = (content: object): string => bytes.base64url(bytes.encode(JSON.stringify(content)));

function hexText(authority: Authority): string {
  const length = authority.switches['tokens.length'];
  let text = authority.newToken();
  while (text.length < length) text += authority.newToken();
  return text.slice(0, length);
}

/**
 * A text of 20 or more hexadecimal digits in the alphabet of the switch tokens.alphabet (K-087), of the same length. `reserved`
 * has + and /, a letter in both cases, and = at the end. An access token is a b64token then (RFC 6750 2.1); a code and a
 * refresh token have what looks percent-encoded beside it (RFC 6749 A.11, A.17).
 */
export function inAlphabet(
  digits: string,
  kind: 'access' | 'other',
  { switches }: Pick<Authority, 'switches'>,
): string {
  if (switches['tokens.alphabet'] === 'hex') return digits;
  const reserved = kind === 'access' ? '+/-._~Aa' : '+/%2B~Aa';
  return `${digits.slice(0, 6)}${reserved}${digits.slice(14, -2)}==`;
}
