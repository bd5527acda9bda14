import { lifetimes } from '../contract/index.js';
import type { Scope, Switches } from '../contract/index.js';
import type { Store } from '../store/store.js';
import type { Account, Client } from '../world/world.js';

/** What the authorization server's rules may look at. Time and chance come from here and nowhere else. */
export interface Authority {
  /** The server's own address, without a slash at the end: `iss` (RFC 9207) and the base of the metadata's endpoints. */
  readonly issuer: string;
  /** By client id. */
  readonly clients: ReadonlyMap<string, Client>;
  /** By account key. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly store: Store;
  readonly switches: Switches;
  /** The scopes of the edition served. */
  readonly scopes: ReadonlySet<Scope>;
  /** The mock's clock, ms. */
  now(): number;
  /** Forty fresh hexadecimal characters. */
  newToken(): string;
  /** A fresh identifier of `digits` hexadecimal digits. */
  newId(digits: number): string;
}

/**
 * How long the store remembers codes and tokens after their end, ms: as long as a refresh chain and the last access token
 * of it can live, so that a used code is recognised for as long as its tokens work. While it is remembered, a refusal says
 * "expired" instead of "unknown".
 */
const remembered = 1000 * (lifetimes.refresh_token.confidential + lifetimes.access_token.confidential);

/** Called before something is added to the store, so that it stays small without a timer. */
export function pruneExpired({ store, now }: Authority): void {
  store.prune(now() - remembered);
}
