import type { Scope } from '../contract/index.js';
import type { Grant } from '../store/store.js';
import type { Authority } from './authority.js';
import { scopesByCode, scopesByCredentials } from './scopes.js';
import type { TokenResponse } from './tokens.js';
import { chainEnd, issueTokens } from './tokens.js';

/** A token without ceremony. */
export interface MintOrder {
  /** Account key; left out for a token that the client has for itself, whose identity is the owner (interface 5.6). */
  readonly account?: string;
  /** Client id. */
  readonly client: string;
  /** Left out, all that the client may have by the grant. */
  readonly scopes?: readonly Scope[];
}

/**
 * Issues tokens as a consent, or a client_credentials request, would have: for the control surface and the first-run
 * screen. With an account and scopes that a user can grant it is a user's token; otherwise the client's own.
 * @throws Error where no request could ever have led to such a token
 */
export function mint({ account, client: id, scopes: wanted }: MintOrder, authority: Authority): TokenResponse {
  const client = authority.clients.get(id);
  if (!client)
    throw new Error(`mint: there is no client '${id}'; there are ${[...authority.clients.keys()].join(', ')}`);
  const holder = authority.accounts.get(account ?? client.owner);
  if (!holder)
    throw new Error(
      `mint: there is no account '${account ?? client.owner}'; there are ${[...authority.accounts.keys()].join(', ')}`,
    );
  const byCode = scopesByCode(client, authority);
  const byCredentials = scopesByCredentials(client, authority);
  const holdsAll = (allowed: readonly Scope[]): boolean =>
    wanted ? wanted.length > 0 && wanted.every((scope) => allowed.includes(scope)) : allowed.length > 0;

  const kind = account !== undefined && holdsAll(byCode) ? 'authorization_code' : 'client_credentials';
  const allowed = kind === 'authorization_code' ? byCode : byCredentials;
  if (!holdsAll(allowed)) {
    throw new Error(
      `mint: ${id} cannot have ${wanted?.join(' ') || 'a token without scopes'}; ` +
        `users can grant it ${byCode.join(' ') || 'nothing'}, for itself it has ${byCredentials.join(' ') || 'nothing'}`,
    );
  }
  if (kind === 'client_credentials' && account !== undefined && account !== client.owner) {
    throw new Error(
      `mint: these scopes need client_credentials, and such a token of ${id} is its owner's, '${client.owner}', not '${account}'`,
    );
  }

  const scopes = [...new Set(wanted ?? allowed)];
  const grant: Grant = {
    id: authority.newId(16),
    clientId: id,
    account: holder.key,
    scopes,
    kind,
    grantedAt: authority.now(),
  };
  const expiresAt = chainEnd(grant, client, authority.now());
  const refresh = expiresAt === null ? null : { scopes, expiresAt };
  return issueTokens({ grant, scopes, refresh }, { client, account: holder }, authority);
}
