import type { Scope } from '../contract/index.js';
import type { Grant, Token } from '../store/store.js';
import type { Client } from '../world/world.js';
import type { Authority } from './authority.js';
import { invalidReason } from './tokens.js';

/** A line of a user's applications page. */
export interface GrantedApplication {
  readonly client: Client;
  /** What its live tokens can do together. */
  readonly scopes: readonly Scope[];
  /** When the oldest grant that is still alive was made, ms. */
  readonly since: number;
  /** When its last token will have expired, ms; null = never. */
  readonly expires: number | null;
}

/** What an account has granted, or holds as owner of an application, by live tokens (interface 1). In order of grant. */
export function grantedApplications(account: string, authority: Authority): GrantedApplication[] {
  const byClient = new Map<Client, Token[]>();
  const now = authority.now();
  for (const token of authority.store.tokens()) {
    const client = authority.clients.get(token.grant.clientId);
    if (!client || token.grant.account !== account || invalidReason(token, now)) continue;
    const tokens = byClient.get(client);
    if (tokens) tokens.push(token);
    else byClient.set(client, [token]);
  }
  return [...byClient].map(summarise).toSorted((one, other) => one.since - other.since);
}

function summarise([client, tokens]: [Client, Token[]]): GrantedApplication {
  const ends = tokens.map(({ expiresAt }) => expiresAt);
  return {
    client,
    scopes: [...new Set(tokens.flatMap(({ scopes }) => scopes))],
    since: Math.min(...tokens.map(({ grant }) => grant.grantedAt)),
    expires: ends.some((end) => end === null) ? null : Math.max(...ends.map((end) => end ?? 0)),
  };
}

/**
 * The user's applications page (interface 1, 3): ends every token of the account for the client, and codes that are not
 * exchanged yet, for they would bring the access back. Returns how many tokens were ended.
 */
export function revokeByUser(account: string, clientId: string, authority: Authority): number {
  const theirs = (grant: Grant): boolean => grant.account === account && grant.clientId === clientId;
  for (const { text, grant } of authority.store.codes()) {
    if (theirs(grant)) authority.store.useCode(text);
  }
  return endTokens(theirs, authority);
}

/** The application's settings page (interface 3, 5.6): ends every client-credentials token of the client. */
export function revokeByApplication(clientId: string, authority: Authority): number {
  return endTokens((grant) => grant.clientId === clientId && grant.kind === 'client_credentials', authority);
}

function endTokens(which: (grant: Grant) => boolean, { store, now }: Authority): number {
  const live = [...store.tokens()].filter((token) => which(token.grant) && !invalidReason(token, now()));
  live.forEach(({ text }) => store.endToken(text, 'revoked'));
  return live.length;
}
