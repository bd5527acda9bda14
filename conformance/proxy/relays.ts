import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { listen } from '../../src/input/listen.js';
import type { Connection } from '../wire/connection.js';
import { createRelay } from './relay.js';
import type { Passed, RelayOptions } from './relay.js';
import { Rewriter } from './rewrite.js';
import { Budget } from './tap.js';

/** What relays need to know: data alone, so that it can be told to another thread. */
export interface RelaysOptions extends Pick<RelayOptions, 'names' | 'idle'> {
  /** The origins that they stand for: first that of the data API. */
  readonly origins: readonly string[];
  readonly connection: Connection;
  /** Puts their own addresses in the place of the servers', in `Location` and in metadata. */
  readonly rewrite: boolean;
}

/** The servers of a proxy. */
export interface Relays {
  /** Their addresses by the origins that they stand for, once they listen. */
  readonly addresses: ReadonlyMap<string, string>;
  /**
   * Listens with the first server on the port, with each further one on the next; 0 takes any.
   *
   * @throws SetupError that says why nothing can listen there
   */
  listen(port: number, host: string): Promise<void>;
  /** Takes no more requests, and gives those under way a moment to end. All that passed is handed out then. */
  close(): Promise<void>;
}

/** Exchanges that may wait to be judged before further requests are held back. */
const mostWaiting = 256;

/** Milliseconds that exchanges under way have at the end. */
const grace = 3000;

/** Relays of this thread. */
export class OwnRelays implements Relays {
  readonly addresses = new Map<string, string>();
  readonly #servers: ReadonlyMap<string, Server>;
  readonly #held: (() => void)[] = [];
  #waiting = 0;
  #closed: Promise<unknown> | undefined;

  /** @param passed told of each exchange that is over; `judged` is called when its bytes are needed no more */
  constructor({ origins, rewrite, ...options }: RelaysOptions, passed: (exchange: Passed, judged: () => void) => void) {
    const shared = {
      ...options,
      via: `gamedata-proxy-${randomBytes(4).toString('hex')}`,
      budget: new Budget(),
      ...(rewrite && { rewriter: new Rewriter(() => this.addresses) }),
      admit: (go: () => void): void => void (this.#waiting < mostWaiting ? go() : this.#held.push(go)),
      passed: (exchange: Passed, judged: () => void): void => {
        this.#waiting += 1;
        passed(exchange, () => {
          judged();
          this.#waiting -= 1;
          while (this.#waiting < mostWaiting && this.#held.length > 0) this.#held.shift()!();
        });
      },
    };
    this.#servers = new Map(origins.map((origin) => [origin, createRelay({ ...shared, origin })]));
  }

  async listen(port: number, host: string): Promise<void> {
    for (const [index, [origin, server]] of [...this.#servers].entries()) {
      await listen(server, port === 0 ? 0 : port + index, host);
      this.addresses.set(origin, addressOf(server));
    }
  }

  async close(): Promise<void> {
    this.#closed ??= Promise.all([...this.#servers.values()].map(closed));
    await this.#closed;
  }
}

/** The address of a server as this machine reaches it. */
export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const end = once(server, 'close');
  server.close().closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), grace);
  await end;
  clearTimeout(late);
}
