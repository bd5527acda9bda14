import type { Token } from '../store/store.js';
import type { Account, Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { shorten } from './errors.js';
import { invalidReason, whyUnknown } from './tokens.js';

/** What an `Authorization` header amounts to as a bearer credential. */
export type Bearer =
  /** There is no header, or one of another scheme: no credential of this kind (RFC 6750 3.1). */
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'token'; readonly token: Token; readonly client: Client; readonly account: Account };

/** Scheme in any case (RFC 9110 11.1), then one token in the syntax of RFC 6750 2.1. */
const credential = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The text of a bearer token, whether it is good or not; undefined where the header carries none. */
export const bearerText = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : credential.exec(header)?.[1];

/** Reads a bearer token (interface 5.2). Only access tokens count, up to the instant of their end or revocation. */
export function bearer(header: string | undefined, authority: Authority): Bearer {
  if (header === undefined || !/^bearer(?: |$)/i.test(header)) return { kind: 'none' };
  const text = bearerText(header);
  if (text === undefined)
    return { kind: 'invalid', reason: 'malformed Authorization header: not exactly one token after Bearer' };
  const token = authority.store.findToken(text);
  if (!token) return { kind: 'invalid', reason: `the token ${shorten(text)} ${whyUnknown(authority)}` };
  if (token.kind !== 'access')
    return { kind: 'invalid', reason: `${shorten(text)} is a refresh token, not an access token` };
  const why = invalidReason(token, authority.now());
  if (why) return { kind: 'invalid', reason: `the token ${shorten(text)} ${why}` };
  const client = authority.clients.get(token.grant.clientId);
  const account = authority.accounts.get(token.grant.account);
  if (!client || !account)
    return { kind: 'invalid', reason: `client or account of the token ${shorten(text)} exist no more` };
  return { kind: 'token', token, client, account };
}
