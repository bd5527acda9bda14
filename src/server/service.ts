import type { FaultRule, LimitChoice } from '../client/index.js';
import type { Edition, Operation, Scope, Switches } from '../contract/index.js';
import { editions, flags as flagTable, operationList, scopes } from '../contract/index.js';
import type { Game } from '../game/game.js';
import type { Authority } from '../oauth/index.js';
import { createMemoryStore } from '../store/memory.js';
import type { Dropped, Store } from '../store/store.js';
import type { Fixtures } from '../world/fixtures/index.js';
import { createWorld } from '../world/index.js';
import type { World, WorldOptions } from '../world/world.js';
import { Chance } from './chance.js';
import { Clock } from './clock.js';
import { Exchanges } from './exchanges.js';
import { Faults } from './faults/faults.js';
import { fingerprints } from './fingerprint.js';
import { identify } from './identity.js';
import { Limits } from './limits/limits.js';
import { Journal, usualBounds } from './journal/journal.js';
import { MockSecrets } from './journal/secrets.js';
import type { Presenter } from './present.js';
import { createPresenter } from './present.js';
import { ReplyCache } from './reply-cache.js';
import { Routes } from './routes.js';
import { meant } from '../input/nearest.js';
import { SetupError } from '../input/setup-error.js';
import { Snapshots } from './snapshots/snapshots.js';
import { defaultSwitches, readSwitches } from './switches.js';

export interface ServiceOptions {
  readonly seed: number;
  /** ms, or null for a world laid out around the present. */
  readonly epoch: number | null;
  readonly edition: string;
  /** Single flags over the edition's. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly switches: Readonly<Record<string, unknown>>;
  /** Reads the fixtures, each time that the world is laid out. @throws FixtureError */
  readonly fixtures: () => Fixtures;
  readonly volume: WorldOptions['volume'];
  /** Members of the world that are others, each time that it is laid out: clients, names, values. */
  readonly adaptWorld?: (world: World) => Partial<World>;
  /** Account that approves at once where `consent.mode` is auto, or null for the first one. */
  readonly autoApprove: string | null;
  /** Fault rules that are there from the start. */
  readonly faults?: readonly FaultRule[];
  /** Limits that hold from the start. */
  readonly limits?: LimitChoice;
  /** The mock that this one is a namespace of: the world and what follows from switches are its own. */
  readonly parent?: Service;
  /** Makes the store; one of the usual capacity without it. */
  readonly store?: (onDropped: (dropped: Dropped) => void) => Store;
  /** One of several that hold the same: `realTime`, `chance` and `key` are theirs together. */
  readonly replicated?: boolean;
  readonly chance?: Chance;
  /** What fingerprints are made with; one of its own without it. */
  readonly key?: Uint8Array;
  readonly realTime: () => number;
  /** Told, a line each, of what a developer would otherwise look for in vain. */
  readonly log: (line: string) => void;
}

/**
 * One mock: its world, its state, its clock. Nothing of it is shared between two mocks in one process, but that a
 * namespace has the world of its parent, which nothing changes.
 */
export class Service {
  readonly options: ServiceOptions;
  readonly switches: Switches;
  readonly flags: ReadonlySet<string>;
  readonly clock: Clock;
  readonly store: Store;
  readonly replies: ReplyCache;
  readonly #chance: Chance;
  readonly routes: Routes;
  readonly presenter: Presenter | null;
  readonly fingerprint: (secret: string) => string;
  /** What no page and no journal shows; that of the parent where there is one. */
  readonly secrets: MockSecrets;
  readonly exchanges: Exchanges;
  readonly journal: Journal;
  readonly faults = new Faults();
  readonly limits = new Limits();
  readonly snapshots = new Snapshots(this);
  #issuer = '';
  /** The path that the address ends with: `/ns/<name>` of a namespace, '' of most others. */
  base = '';
  readonly parent: Service | undefined;
  /** Its namespaces. */
  readonly children = new Set<Service>();
  world!: World;
  /** The real time at which the world was laid out, ms. */
  laidOutAt = 0;
  authority!: Authority;
  game!: Game;

  constructor(options: ServiceOptions) {
    this.options = options;
    this.switches = readSwitches(options.switches);
    this.flags = readFlags(options.edition, options.flags);
    const { parent } = options;
    this.parent = parent;
    this.#chance = options.chance ?? new Chance();
    this.fingerprint = fingerprints(options.key);
    this.replies = parent?.replies ?? new ReplyCache();
    const onDropped = ({ clientId, most }: Dropped): void =>
      options.log(`client ${clientId} holds more than ${most} tokens: its oldest are dropped, and answered with 401`);
    this.secrets = parent?.secrets ?? new MockSecrets(() => [this, ...this.children]);
    this.store = this.secrets.watch(options.store?.(onDropped) ?? createMemoryStore({ onDropped }));
    this.clock = new Clock(options.realTime, options.epoch);
    this.exchanges = new Exchanges({
      now: () => this.clock.now(),
      realTime: options.realTime,
      replicated: options.replicated ?? false,
      identify: ({ operation, query }, req) => identify(operation, query, req, this.authority),
      fingerprint: this.fingerprint,
      log: options.log,
    });
    this.routes = parent?.routes ?? new Routes(this.operations().map((operation) => spelled(operation, this.switches)));
    this.journal = new Journal(this.exchanges, this, usualBounds[parent ? 'namespace' : 'mock']);
    this.presenter = parent
      ? parent.presenter
      : createPresenter(this.switches, defaultSwitches, this.flags, Math.random);
    this.loadWorld();
    this.resetFaultsAndLimits();
    const { autoApprove } = options;
    if (autoApprove !== null && !this.authority.accounts.has(autoApprove)) {
      const known = [...this.authority.accounts.keys()].join(', ');
      throw new SetupError(`auto-approve: there is no account ${autoApprove}; there are ${known}`);
    }
  }

  /** The address that clients know it by, once it listens, without a slash at the end. */
  get issuer(): string {
    return this.parent ? this.parent.issuer + this.base.slice(this.parent.base.length) : this.#issuer;
  }

  set issuer(address: string) {
    this.#issuer = address;
  }

  /** Key of the account that sits at the browser unless a form says otherwise. */
  get user(): string {
    const { accounts } = this.authority;
    return this.options.autoApprove ?? (accounts.has('alice') ? 'alice' : ([...accounts.keys()][0] ?? ''));
  }

  /** The operations of the edition, with `pc` as a path realm too where the switch asks for it (K-021). */
  operations(): Operation[] {
    const served = operationList.filter(({ flag }) => flag === undefined || this.flags.has(flag));
    if (!this.switches['paths.acceptPc']) return served;
    const xbox = served.filter(({ realm }) => realm === 'xbox');
    return [
      ...served,
      ...xbox.map((operation) => ({
        ...operation,
        realm: 'pc' as const,
        path: operation.path.replace('/xbox', '/pc'),
      })),
    ];
  }

  /** Scopes that exist in the edition. */
  get scopes(): ReadonlySet<Scope> {
    const missing = operationList
      .filter(({ flag }) => flag !== undefined && !this.flags.has(flag))
      .map(({ scope }) => scope);
    return new Set((Object.keys(scopes) as Scope[]).filter((scope) => !missing.includes(scope)));
  }

  /** Reads the fixtures and lays out the world; tokens and filters that exist already survive. */
  loadWorld(at = this.options.realTime()): void {
    const world = this.parent?.world ?? this.#newWorld(at);
    this.world = world;
    this.secrets.addClients(world);
    for (const { key } of world.accounts) {
      const known = new Set(this.store.filters(key).map(({ id }) => id));
      for (const filter of world.itemFilters(key)) if (!known.has(filter.id)) this.store.putFilter(key, filter);
    }
    const now = (): number => this.clock.now();
    const newId = (digits: number): string => this.#chance.hex(digits);
    const issuer = (): string => this.issuer;
    this.authority = {
      get issuer() {
        return issuer();
      },
      clients: new Map(world.clients.map((client) => [client.id, client])),
      accounts: new Map(world.accounts.map((account) => [account.key, account])),
      store: this.store,
      switches: this.switches,
      scopes: this.scopes,
      now,
      newToken: () => newId(40),
      newId,
    };
    this.game = {
      world,
      store: this.store,
      switches: this.switches,
      flags: this.flags,
      now,
      newId,
      reply: (key, make) => this.replies.reply(key, make),
    };
    for (const child of this.children) child.loadWorld();
  }

  /** Lays out the world as it was laid out at another real time, where that makes a difference. */
  rebuildWorld(at: number): void {
    const other = !this.parent && this.options.epoch === null && dayOf(at) !== dayOf(this.laidOutAt);
    if (other) this.loadWorld(at);
    this.laidOutAt = at;
  }

  #newWorld(at: number): World {
    const { seed, epoch, fixtures, volume, adaptWorld } = this.options;
    const flags = Object.fromEntries([...this.flags].map((flag) => [flag, true]));
    this.laidOutAt = at;
    const world = createWorld({ seed, epoch: epoch ?? dayOf(this.laidOutAt), flags, fixtures: fixtures(), volume });
    this.replies.clear();
    return adaptWorld ? Object.assign(Object.create(world) as World, adaptWorld(world)) : world;
  }

  /** Faults and limits as at the start. @throws SettingProblem */
  private resetFaultsAndLimits(): void {
    this.faults.clear();
    this.faults.add(this.options.faults ?? [], this.authority);
    this.limits.set(this.options.limits ?? 'off');
    this.limits.forget();
  }

  /** World, tokens and clock as at the start; the journal is empty. */
  reset(): void {
    this.store.clear();
    this.clock.reset(this.options.epoch);
    this.journal.clear();
    this.resetFaultsAndLimits();
    this.loadWorld();
    this.snapshots.restart();
  }
}

const day = 86_400_000;

/** A world without an epoch is laid out around the current day, so that it stays the same until midnight UTC. */
const dayOf = (now: number): number => now - (now % day);

/** The flags that are on. @throws SetupError naming an unknown edition or flag. */
function readFlags(edition: string, overrides: Readonly<Record<string, boolean>>): ReadonlySet<string> {
  if (!Object.hasOwn(editions, edition)) {
    throw new SetupError(
      `edition ${edition}: no such edition${meant(edition, Object.keys(editions))}; the editions are ${Object.keys(editions).join(', ')}`,
    );
  }
  const flagNames = flagTable.map((row) => row.flag);
  const on = new Set<string>(editions[edition as Edition]);
  for (const [flag, state] of Object.entries(overrides)) {
    if (!flagTable.some((row) => row.flag === flag)) {
      throw new SetupError(
        `edition flag ${flag}: no such flag${meant(flag, flagNames)}; the flags are ${flagNames.join(', ')}`,
      );
    }
    if (state) on.add(flag);
    else on.delete(flag);
  }
  return on;
}

/** The path with the second-game realm spelled as this server spells it (K-041). */
function spelled(operation: Operation, switches: Switches): Operation {
  if (operation.realm !== 'game2') return operation;
  return { ...operation, path: operation.path.replace('/game2', `/${switches['names.game2']}`) };
}
