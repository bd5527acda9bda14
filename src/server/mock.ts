/// <reference lib="esnext.disposable" preserve="true" />
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FaultRule, JournalSettings, LimitChoice, MockControl, SnapshotFile } from '../client/index.js';
import { connectMock } from '../client/index.js';
import { loadFixtures, unreadFixtures } from '../world/fixtures/folder.js';
import type { World } from '../world/world.js';
import { createApp } from './app.js';
import type { ExchangeFeed } from './exchange-record.js';
import { listen } from './listen.js';
import { profileOf } from './profile.js';
import type { Replica } from './replicas/replica.js';
import type { Shared } from './replicas/settings.js';
import { markOf, markOfFolder } from './replicas/settings.js';
import type { ServiceOptions } from './service.js';
import { Service } from './service.js';
import { SetupError } from '../input/setup-error.js';
import { watchFixtures } from './watch.js';

export interface MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Names and addresses that the mock answers to beside those of loopback and `host`, without port. */
  readonly allowHosts?: readonly string[];
  readonly seed?: number;
  /** The instant that the world is laid out around and the clock starts at; without it, now. */
  readonly epoch?: string | number | Date | null;
  /** `described` (default), or `observed`: edition, switches and limits as live services have them. */
  readonly profile?: string;
  /** `extended` (default) or `base`. */
  readonly edition?: string;
  /** Single edition flags over the edition's. */
  readonly flags?: Readonly<Record<string, boolean>>;
  /** Readings of what the interface leaves open, by name; `gamedata mock switches` lists them. */
  readonly switches?: Readonly<Record<string, unknown>>;
  /** A folder of fixtures laid over the built-in ones; changes in it are picked up while the mock runs. */
  readonly fixtures?: string | null;
  /** A snapshot to begin with. Seed, epoch, edition, flags and switches are its own. */
  readonly snapshot?: SnapshotFile;
  /** Approve authorization requests at once: as `alice`, or as the account named. */
  readonly autoApprove?: boolean | string;
  /** Let pages of other origins call the data API and the token endpoints. */
  readonly cors?: boolean;
  /** Opens the control surface to whoever shows it, from other machines too. */
  readonly controlToken?: string;
  readonly volume?: { readonly stashChanges?: number; readonly exchangeHours?: number };
  /** Faults from the first request on. */
  readonly faults?: readonly FaultRule[];
  /** Rate limits from the first request on: `observed` of a live service, `realistic` with the mock's own numbers, or your own. */
  readonly limits?: LimitChoice;
  /** Record what comes and what is decided, from the first request on; `true` for the usual bounds. */
  readonly journal?: boolean | JournalSettings;
  /**
   * Where replicas of this mock share what requests change: `redis://host:6379`, of Redis or Valkey; `?name=` keeps several
   * mocks on one engine apart. Without it, it is in the memory of this process.
   */
  readonly store?: string;
  /** The address that clients know it by, where that is not its own: of a balancer before replicas. */
  readonly publicUrl?: string;
  /** Told of reloaded fixtures, dropped tokens and internal errors, a line each. Silent by default. */
  readonly log?: (line: string) => void;
}

/** A running mock. Everything in `MockControl` works the same on one in another process: `connectMock(url)`. */
export interface Mock extends MockControl {
  readonly port: number;
  readonly world: World;
  /** Every request and reply as it was on the wire, for programs in this process. */
  readonly exchanges: ExchangeFeed;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const silent = (): void => {};

/**
 * Starts a mock in this process.
 * @throws SetupError, FixtureError: one line on what to mend, for a wrong option, switch or fixture, or a port in use.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  checkControlToken(options.controlToken);
  const { autoApprove = false, log = silent, fixtures = null } = options;
  const profile = profileOf(options.profile ?? 'described');
  const { snapshot } = options;
  const saved: Partial<SnapshotFile['settings']> = snapshot?.settings ?? {};
  const replica = options.store === undefined ? undefined : await replicaOf(options.store, log);
  const settings: ServiceOptions = {
    seed: options.seed ?? saved.seed ?? 1,
    epoch: readEpoch(options.epoch ?? saved.epoch ?? null),
    edition: options.edition ?? saved.edition ?? profile.edition,
    flags: { ...saved.flags, ...options.flags },
    switches: {
      ...profile.switches,
      ...saved.switches,
      ...options.switches,
      ...(autoApprove !== false && { 'consent.mode': 'auto' }),
    },
    fixtures: () => loadFixtures(fixtures),
    volume: { stashChanges: options.volume?.stashChanges ?? 600, exchangeHours: options.volume?.exchangeHours ?? 72 },
    autoApprove: typeof autoApprove === 'string' ? autoApprove : null,
    faults: options.faults ?? [],
    limits: options.limits ?? profile.limits,
    realTime: replica?.now ?? Date.now,
    log,
    ...(replica && { replicated: true, chance: replica.chance, key: replica.key }),
  };
  try {
    const service = new Service(settings);
    return await serve(service, options, replica);
  } catch (error) {
    replica?.close();
    throw error;
  }
}

async function serve(service: Service, options: MockOptions, replica: Replica | undefined): Promise<Mock> {
  const { host = '127.0.0.1', port = 0, log = silent, fixtures = null, snapshot } = options;
  const publicUrl = readPublicUrl(options.publicUrl);
  if (snapshot) service.snapshots.begin(snapshot);
  if (options.controlToken !== undefined) service.secrets.keep(options.controlToken);
  const { journal = false } = options;
  if (journal !== false) await service.journal.start(readBounds(journal === true ? {} : journal));
  const allowHosts = [host, ...(publicUrl === null ? [] : [publicUrl.hostname]), ...(options.allowHosts ?? [])];
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

/** A token that a header cannot carry would lock out everybody; an empty one might let everybody in. */
function checkControlToken(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]{1,512}$/.test(token)) return;
  const what =
    token === ''
      ? 'it is empty'
      : token.length > 512
        ? 'it has more than 512 characters'
        : 'it has characters that a header cannot carry';
  throw new SetupError(`control-token: ${what}; give printable ASCII without spaces, or leave the option out`);
}

/** @throws SetupError for bounds that are no whole numbers above 0 */
function readBounds(bounds: JournalSettings): JournalSettings {
  for (const [name, value] of Object.entries(bounds) as [string, unknown][]) {
    if (!Number.isSafeInteger(value) || Number(value) < 1)
      throw new SetupError(`journal: ${name} is ${String(value)}; give a whole number above 0`);
  }
  return bounds;
}

function readEpoch(epoch: string | number | Date | null): number | null {
  if (epoch === null) return null;
  const instant = new Date(epoch).getTime();
  if (Number.isNaN(instant))
    throw new SetupError(`epoch ${String(epoch)}: not a date-time; write it like 2026-01-01T00:00:00Z`);
  // The world has leagues years before and after it, and dates of four digits.
  if (instant < 0 || instant >= Date.UTC(9000, 0))
    throw new SetupError(`epoch ${String(epoch)}: is not between 1970 and 9000; write it like 2026-01-01T00:00:00Z`);
  return instant;
}
