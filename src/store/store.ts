import type { components, Realm, Scope } from '../contract/index.js';

/** What a user allowed a client (or, for client credentials, what the client got for itself) at one moment. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  /** Account key of the identity. */
  readonly account: string;
  /** What was consented; a token may carry less, never more. */
  readonly scopes: readonly Scope[];
  readonly kind: 'authorization_code' | 'client_credentials';
}

export interface Code {
  readonly text: string;
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Set by the first successful exchange: a code is single use (RFC 6749 4.1.2). */
  used: boolean;
}

export interface Token {
  readonly text: string;
  readonly kind: 'access' | 'refresh';
  readonly grant: Grant;
  readonly scopes: readonly Scope[];
  /** ms on the mock's clock. */
  readonly issuedAt: number;
  /** ms on the mock's clock; null = never. */
  readonly expiresAt: number | null;
}

/** A change of a public stash made through the control surface. */
export interface StashEvent {
  readonly at: number;
  readonly stash: string;
  readonly op: 'list' | 'update' | 'unlist';
  readonly revision: number;
}

export type StoredFilter = components['schemas']['ItemFilter'];

/**
 * The state that requests can change. Calls are synchronous: between a check and the write that follows it nothing
 * else can run, which is what makes single use and rotation hold under races.
 */
export interface Store {
  addCode(code: Code): void;
  findCode(text: string): Code | undefined;
  addToken(token: Token): void;
  /** Finds live and expired tokens; a token that was dropped is not found. */
  findToken(text: string): Token | undefined;
  dropToken(text: string): void;
  tokens(): Iterable<Token>;
  /** The filters of an account in order of creation. */
  filters(account: string): readonly StoredFilter[];
  /** Adds a filter, or replaces the one with the same id. */
  putFilter(account: string, filter: StoredFilter): void;
  stashEvents(realm: Realm): readonly StashEvent[];
  addStashEvent(realm: Realm, event: StashEvent): void;
  /** Forgets what can no longer matter at `now` (expired codes and tokens), so that memory stays bounded. */
  prune(now: number): void;
  clear(): void;
}
