/// <reference lib="esnext.disposable" preserve="true" />
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { MockControl } from '../client/index.js';
import { connectMock } from '../client/index.js';
import { loadFixtures, unreadFixtures } from '../world/fixtures/folder.js';
import type { World } from '../world/world.js';
import { hostName } from './hosts.js';
import { createApp } from './app.js';
import type { ExchangeFeed } from './exchange-record.js';
import { listen } from '../input/listen.js';
import type { CommonOptions } from './options.js';
import type { Replica } from './replicas/replica.js';
import type { Shared } from './replicas/settings.js';
import { markOf, markOfFolder } from './replicas/settings.js';
import type { ServiceOptions } from './service.js';
import { Service } from './service.js';
import { SetupError } from '../input/setup-error.js';
import { beginWith, settingsOf, silent } from './settings.js';
import { watchFixtures } from './watch.js';

export interface MockOptions extends CommonOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Names and addresses that the mock answers to beside those of loopback and `host`, without port. */
  readonly allowHosts?: readonly string[];
  /** A folder of fixtures laid over the built-in ones; changes in it are picked up while the mock runs. */
  readonly fixtures?: string | null;
  /**
   * Where replicas of this mock share what requests change: `redis://host:6379`, of Redis or Valkey; `?name=` keeps several
   * mocks on one engine apart. Without it, it is in the memory of this process.
   */
  readonly store?: string;
  /** The address that clients know it by, where that is not its own: of a balancer before replicas. */
  readonly publicUrl?: string;
}

const ownOptions = {
  port: true,
  host: true,
  allowHosts: true,
  fixtures: true,
  store: true,
  publicUrl: true,
} satisfies Record<Exclude<keyof MockOptions, keyof CommonOptions>, true>;

/** A running mock. Everything in `MockControl` works the same on one in another process: `connectMock(url)`. */
export interface Mock extends MockControl {
  readonly port: number;
  readonly world: World;
  /** Every request and reply as it was on the wire, for programs in this process. */
  readonly exchanges: ExchangeFeed;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a mock in this process.
 * @throws SetupError, FixtureError: one line on what to fix, for a wrong option, switch or fixture, or a port in use.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { log = silent, fixtures = null } = options;
  const own = { ...settingsOf(options, ownOptions), fixtures: () => loadFixtures(fixtures) };
  const replica = options.store === undefined ? undefined : await replicaOf(options.store, log);
  const settings: ServiceOptions = replica
    ? { ...own, replicated: true, realTime: replica.now, chance: replica.chance, key: replica.key }
    : own;
  try {
    const service = new Service(settings);
    return await serve(service, options, replica);
  } catch (error) {
    replica?.close();
    throw error;
  }
}

async function serve(service: Service, options: MockOptions, replica: Replica | undefined): Promise<Mock> {
  const { host = '127.0.0.1', port = 0, log = silent, fixtures = null } = options;
  const publicUrl = readPublicUrl(options.publicUrl);
  await beginWith(service, options);
  const allowHosts = [
    hostName(host, 'host'),
    ...(publicUrl === null ? [] : [publicUrl.hostname]),
    ...(options.allowHosts ?? []),
  ];
  const { cors = false, controlToken } = options;
  const app = createApp(service, { cors, controlToken, allowHosts, log });
  await replica?.join(service, app, sharedOf(service, options, replica));
  const server = app.listen(replica?.handle as RequestListener | undefined);
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const own = `http://${shownHost(host)}:${address.port}`;
  service.issuer = publicUrl === null ? own : publicUrl.origin;
  // A world that one replica lays out anew would be another one than that of the others.
  if (fixtures !== null) for (const unread of unreadFixtures(fixtures)) log(unread);
  const stopWatching = fixtures === null || replica ? silent : watchFixtures(fixtures, service, log);

  const close = async (): Promise<void> => {
    service.journal.close();
    stopWatching();
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1000).unref();
    await closed;
    replica?.close();
  };
  return {
    ...connectMock(own, { controlToken: options.controlToken }),
    port: address.port,
    exchanges: service.exchanges,
    get world() {
      return service.world;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The address that programs on this machine use: a wildcard address is no name to connect to. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The code for replicas is loaded where there are some. */
async function replicaOf(address: string, log: (line: string) => void): Promise<Replica> {
  const { Replica } = await import('./replicas/replica.js').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('@redis/client')) throw error;
    throw new SetupError('store: needs the package @redis/client, which is not installed; npm install @redis/client');
  });
  return Replica.connect(address, log);
}

/** What every replica has to be started with. Secrets and folders stand as marks. */
function sharedOf({ options, switches, journal }: Service, mock: MockOptions, { key }: Replica): Shared {
  const { seed, epoch, edition, flags, volume, autoApprove, faults, limits } = options;
  return {
    log: 1,
    seed,
    epoch: epoch === null ? null : new Date(epoch).toISOString(),
    edition,
    flags,
    switches,
    fixtures: markOfFolder(key, mock.fixtures ?? null),
    snapshot: markOf(key, mock.snapshot),
    volume,
    'auto-approve': autoApprove,
    faults,
    limits,
    journal: journal.recording && journal.bounds,
    cors: mock.cors ?? false,
    'control-token': markOf(key, mock.controlToken),
    'public-url': mock.publicUrl ?? null,
  };
}

/** @throws SetupError for what is no origin */
function readPublicUrl(given: string | undefined): URL | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(given)) return url;
  throw new SetupError(`public-url ${given}: not an origin; write it like https://mock.example, without a path`);
}
