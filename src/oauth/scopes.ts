import type { Scope, Switches } from '../contract/index.js';
import type { Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { OAuthError, quote } from './errors.js';

/** `service:*` scopes need client_credentials (interface 5.7). */
const byCredentialsOnly = (scope: Scope): boolean => scope.startsWith('service:');

/** What a user may be asked for on behalf of a client. */
export function scopesByCode(client: Client, { scopes }: Authority): Scope[] {
  return client.scopes.filter((scope) => scopes.has(scope) && !byCredentialsOnly(scope));
}

/** What a client may have for itself; public clients nothing (interface 5.4). */
export function scopesByCredentials(client: Client, { scopes }: Authority): Scope[] {
  return client.type === 'public' ? [] : client.credentialScopes.filter((scope) => scopes.has(scope));
}

/**
 * Reads a list of scopes against what may be granted. A scope that may not is an error, or is left out, as the switch
 * scopes.unknown says (K-083); a list of which nothing is left is an error either way. Order as requested, each scope
 * once (K-084). `refusal` is what the error says before the scopes that may not be granted.
 */
export function grantScopes(list: string, allowed: readonly Scope[], switches: Switches, refusal: string): Scope[] {
  const mayHave = (word: string): word is Scope => allowed.some((scope) => scope === word);
  const requested = [...new Set(list.split(' ').filter((word) => word !== ''))];
  const refused = requested.filter((word) => !mayHave(word));
  if (refused.length > 0 && switches['scopes.unknown'] === 'error') {
    throw new OAuthError(
      'invalid_scope',
      `${refusal} ${quote(refused.join(' '))}; allowed: ${allowed.join(' ') || 'none'}`,
    );
  }
  const granted = requested.filter(mayHave);
  if (granted.length === 0) throw new OAuthError('invalid_scope', `nothing to grant in ${quote(list)}`);
  return granted;
}

/** Scopes as they stand in replies (switch scopes.order). */
export function writeScopes(scopes: readonly Scope[], switches: Switches): string {
  return (switches['scopes.order'] === 'sorted' ? scopes.toSorted() : scopes).join(' ');
}
