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
 * How long the store remembers codes and tokens after their end, ms. While it does, a refusal can say "expired" instead
 * of "unknown", and a used code is recognised when it comes again.
 */
const remembered = 30 * 24 * 3600 * 1000;

/** Called before something is added to the store, so that it stays small without a timer. */
export function pruneExpired({ store, now }: Authority): void {
  store.prune(now() - remembered);
}
