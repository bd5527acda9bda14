import type { GameOperation, Params, Reply, RequestBody, Switches } from '../contract/index.js';
import type { Store } from '../store/store.js';
import type { Account, Client, World } from '../world/world.js';
import type { SwitchedReply } from './reply.js';

/** A data request after routing, authorization and validation: plain values, defaults filled in. */
export interface GameRequest<K extends GameOperation> {
  /** Path and query parameters in one record; a literal realm segment appears as `realm`. */
  readonly params: Params[K];
  readonly body: RequestBody<K>;
  /** The identity of the token. */
  readonly account: Account;
  readonly client: Client;
}

/** What an operation may look at. Time and chance come from here and nowhere else. */
export interface Game {
  readonly world: World;
  readonly store: Store;
  readonly switches: Switches;
  /** The edition flags that are on. */
  readonly flags: ReadonlySet<string>;
  /** The mock's clock, ms. */
  now(): number;
  /** A fresh identifier of `digits` hexadecimal digits. */
  newId(digits: number): string;
  /**
   * Keeps what `make` returns under `key`, within bounded memory: the body of a reply that cannot change for as long as
   * the world stands, so that it is made and written once.
   */
  reply<T extends object>(key: string, make: () => T): { readonly status: 200; readonly body: T };
}

/** An operation of the data API: it returns the reply and touches no socket. */
export type Handler<K extends GameOperation> = (request: GameRequest<K>, game: Game) => Reply<K> | SwitchedReply<K>;
