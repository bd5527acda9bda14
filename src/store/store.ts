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
  /** ms on the mock's clock. */
  readonly grantedAt: number;
}

export interface Code {
  readonly text: string;
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** True after the first successful exchange: a code is single use (RFC 6749 4.1.2). */
  readonly used: boolean;
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
  /** What ended the token before its time: rotation of a refresh token, or revocation. */
  readonly ended: 'used' | 'revoked' | null;
}

/** A client whose oldest tokens were dropped, though they were live, because it held more than a store keeps of one. */
export interface Dropped {
  readonly clientId: string;
  /** How many tokens the store keeps of a client. */
  readonly most: number;
}

/** A change of a public stash made through the control surface. */
export interface StashEvent {
  readonly at: number;
  readonly stash: string;
  readonly op: 'list' | 'update' | 'unlist';
  readonly revision: number;
}

export type StoredFilter = components['schemas']['ItemFilter'];

/** All that a store holds, as plain data: lists in the order in which things came. Holds secrets. */
export interface StoreContent {
  readonly codes: readonly Code[];
  readonly tokens: readonly Token[];
  readonly filters: readonly { readonly account: string; readonly filter: StoredFilter }[];
  readonly stashEvents: readonly (StashEvent & { readonly realm: Realm })[];
}

/** What a store held at one moment. It is not changed by what is done to the store, nor by being put back. */
export interface StoreImage {
  /** @returns everything as plain data, which may take a while */
  content(): StoreContent;
}

/**
 * The state that requests can change. Calls are synchronous: between a check and the write that follows it nothing
 * else can run, which is what makes single use and rotation hold under races. What is stored is never changed in place,
 * so a list taken from the store is a snapshot.
 */
export interface Store {
  addCode(code: Code): void;
  /** Finds used and expired codes too, as long as they are remembered. */
  findCode(text: string): Code | undefined;
  /** Marks a code as used. An unknown code is no error. */
  useCode(text: string): void;
  codes(): Iterable<Code>;
  addToken(token: Token): void;
  /** Finds expired and ended tokens too, as long as they are remembered: a refusal can then say what happened to them. */
  findToken(text: string): Token | undefined;
  /** Ends a token for good. An unknown token, or one that has ended already, is no error. */
  endToken(text: string, how: 'used' | 'revoked'): void;
  /** Every token that is remembered, ended ones included. */
  tokens(): Iterable<Token>;
  /** The tokens of a grant that have not ended. They may have expired. */
  tokensOf(grantId: string): readonly Token[];
  /** The clients that live tokens were dropped of: one note each, not one for each token. */
  dropped(): readonly Dropped[];
  /** The filters of an account in order of creation. */
  filters(account: string): readonly StoredFilter[];
  /** Adds a filter, or replaces the one with the same id. */
  putFilter(account: string, filter: StoredFilter): void;
  /** The changes of a realm so far, oldest first; the list grows as changes are added. */
  stashEvents(realm: Realm): readonly StashEvent[];
  addStashEvent(realm: Realm, event: StashEvent): void;
  /** Forgets codes and tokens that had expired by `now` (half-open, K-110), ended ones included. Cheap enough to call often. */
  prune(now: number): void;
  clear(): void;
  /** What the store holds now. */
  image(): StoreImage;
  /** Holds what it held then, whatever has been done since. Takes images of the same kind of store, and plain data. */
  restore(image: StoreImage | StoreContent): void;
}
