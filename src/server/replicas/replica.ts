import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

import type { App } from '../app.js';
import { readBody } from '../body.js';
import { Chance } from '../chance.js';
import { hinders } from '../hindered.js';
import { splitTarget } from '../request.js';
import type { Service } from '../service.js';
import type { ReadFailure } from '../turn.js';
import { withLocals } from '../turn.js';
import type { LogEntry, Place } from './engine.js';
import { Engine } from './engine.js';
import type { Batch, Waiting } from './order.js';
import { instantOf, Order } from './order.js';
import type { Shared } from './settings.js';
import { checkShared } from './settings.js';
import type { State } from './state.js';
import { putState, stateOf } from './state.js';

/** A request as it stands in the log. It holds secrets: headers and body are as they came. */
interface Logged {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: string[];
  readonly address: string;
  /** Base64. */
  readonly body?: string;
  readonly unread?: ReadFailure;
  /** Real ms from its arrival until it was appended. */
  readonly elapsed: number;
}

/** A request and its connection, which is this replica's. */
interface Live {
  readonly req: Request;
  readonly res: Response;
}

/** A snapshot of the state is kept after so many requests or bytes of the log. */
const between = { requests: 20_000, bytes: 32 << 20 };

/**
 * One of several mocks that hold the same. A request that may change anything is appended to a log that the engine keeps
 * in order, and every replica carries out the log: at the instant and with the chance of the entry, so that all come to
 * the same. The one that has the connection answers. A request that only reads waits until everything that was appended
 * before it came has been carried out.
 */
export class Replica {
  readonly chance = new Chance();
  readonly #order: Order<Logged>;
  readonly #live = new WeakMap<Logged, Live>();
  #app!: App;
  #service!: Service;
  #settings = '';
  /** As it was before any request. */
  #start!: State;
  /** How much of the log was carried out. */
  #requests = 0;
  #bytes = 0;
  /** The instant at which this replica was made: until it joins it stays there, so that it can be moved to the log's start. */
  readonly #made = Date.now();
  /** The instant of the turn that is under way, ms. */
  #turn: number | null = this.#made;

  private constructor(
    private readonly engine: Engine,
    /** The secret of all replicas. */
    readonly key: Buffer,
    private readonly log: (line: string) => void,
  ) {
    this.#order = new Order<Logged>(
      engine,
      { carryOut: (entry, own) => this.#carryOut(entry, own), rebuild: () => this.#rebuild() },
      log,
    );
  }

  /** @throws SetupError where there is no engine */
  static async connect(address: string, log: (line: string) => void): Promise<Replica> {
    const engine = await Engine.connect(address);
    for (const risk of await engine.risks()) log(`store ${engine.address}: the engine ${risk}`);
    const secret = await engine.secret(randomBytes(32).toString('hex'));
    return new Replica(engine, Buffer.from(secret, 'hex'), log);
  }

  /** The clock of all replicas, ms. */
  readonly now = (): number => this.#turn ?? this.#order.now();

  /** Takes part: from here on the mock is what the log says. @throws SetupError where it was started differently */
  async join(service: Service, app: App, shared: Shared): Promise<void> {
    this.#service = service;
    this.#app = app;
    this.#settings = JSON.stringify(shared);
    this.#start = stateOf(service, app.namespaces);
    const { settings } = await this.engine.begin(this.#settings);
    checkShared(JSON.parse(this.#settings) as Shared, JSON.parse(settings) as Shared, this.engine.address);
    this.#turn = null;
    await this.#order.start();
  }

  /** Stands before the app. */
  readonly handle = (req: Request, res: Response): void => {
    this.#admit(req, res).catch((error: Error) => this.#app.app(req, withLocals(res, { refusal: error })));
  };

  close(): void {
    this.#order.close();
    this.engine.close();
  }

  /** Lets a request that reads go on when it may, and has one that changes wait for its turn. @throws Refusal 403, 503 */
  async #admit(req: Request, res: Response): Promise<void> {
    const arrived = performance.now();
    // Names of hosts are each replica's own, so a request under a foreign one is refused before it gets a turn.
    this.#app.guard(req);
    if (!this.#changes(req)) {
      await this.#order.read();
      // Limits and the journal may be new to this replica.
      if (!this.#changes(req)) return this.#app.app(req, res);
    }
    this.#order.check();
    const unread = await readBody(req, res);
    if (unread?.type === 'request.aborted') return void res.destroy();
    const { method, url, rawHeaders } = req;
    const body: unknown = req.body;
    const logged: Logged = {
      method,
      url,
      rawHeaders,
      address: req.socket.remoteAddress ?? '',
      ...(body instanceof Buffer && { body: body.toString('base64') }),
      ...(unread && { unread: { status: unread.status, type: unread.type } as ReadFailure }),
      elapsed: Math.round((performance.now() - arrived) * 100) / 100,
    };
    this.#live.set(logged, { req, res });
    const bytes = rawHeaders.reduce(
      (sum, each) => sum + each.length + 3,
      200 + url.length + (logged.body?.length ?? 0),
    );
    this.#order.append(logged, bytes, (error) => this.#app.app(req, withLocals(res, { refusal: error })));
  }

  /** Whether a request may change anything: of those that only read, where limits, faults or the journal look at them. */
  #changes({ method = '', url }: Request): boolean {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
    const { path } = splitTarget(url);
    if (/^(?:\/ns\/[^/]+)?\/__control(?:\/|$)/.test(path)) return false;
    if (path.endsWith('/oauth/authorize')) return true;
    const namespace = this.#app.namespaces?.find(url);
    const service = namespace?.service ?? this.#service;
    if (hinders(service) || service.exchanges.recording) return true;
    // That a namespace is used is noted now and then: it ends when it has been idle.
    return namespace !== undefined && this.now() - namespace.used > 60_000;
  }

  async #carryOut(
    entry: LogEntry,
    own: { readonly seed: string; readonly waiting: readonly Waiting<Logged>[] } | undefined,
  ): Promise<void> {
    const { seed, items } = own
      ? { seed: own.seed, items: own.waiting.map(({ item }) => item) }
      : (JSON.parse(entry.batch) as Batch<Logged>);
    for (const [index, logged] of items.entries()) {
      this.#turn = instantOf(entry);
      this.chance.seed(`${seed} ${index}`);
      await this.#take(logged, own?.waiting[index]?.given === false ? this.#live.get(logged) : undefined);
    }
    this.#turn = null;
    this.chance.seed(null);
    const before = { requests: this.#requests, bytes: this.#bytes };
    this.#requests += items.length;
    this.#bytes += entry.batch.length;
    // Who appended the entry that is due keeps the snapshot: if it is gone by then, another one is due soon enough.
    const isDue =
      crosses(before.requests, this.#requests, between.requests) || crosses(before.bytes, this.#bytes, between.bytes);
    if (isDue && own) await this.#keep(entry);
  }

  /** Carries out one request: that of this replica's own connection, or one that nobody here sent. */
  #take(logged: Logged, live: Live | undefined): Promise<void> {
    const { unread, elapsed } = logged;
    const { req, res } = live ?? this.#app.unconnected(logged);
    const body =
      logged.body === undefined ? undefined : live ? (req.body as Buffer) : Buffer.from(logged.body, 'base64');
    if (body) req.body = body;
    return new Promise((done) => {
      // What ends a reply and says nothing of turns, as Express does with OPTIONS, ends its turn too.
      const end = res.end.bind(res) as (...given: unknown[]) => Response;
      res.end = (...given: unknown[]) => (done(), end(...given));
      withLocals(res, { turn: { body, unread, elapsed, replayed: !live, done } });
      this.#app.app(req, res);
    });
  }

  async #keep({ id, from }: Place): Promise<void> {
    const state = JSON.stringify(stateOf(this.#service, this.#app.namespaces));
    const kept = { id, from, requests: this.#requests, bytes: this.#bytes, state };
    await this.#order.asking(this.engine.keep(kept)).catch((error: Error) => {
      this.log(`store ${this.engine.address}: a snapshot is not kept (${error.message})`);
    });
  }

  /** Begins again from what the engine has: what this replica knows beyond it never was, or has been passed by. */
  async #rebuild(): Promise<Place> {
    const { id, isNew } = await this.#order.asking(this.engine.begin(this.#settings));
    const kept = await this.#order.asking(this.engine.kept());
    if (isNew) {
      await this.#order.asking(this.engine.secret(this.key.toString('hex')));
      if (this.#bytes > 0)
        this.log(`store ${this.engine.address}: the engine has lost its data; the mock is as at its start`);
    }
    const state = kept ? (JSON.parse(kept.state) as State) : startedAt(instantOf({ id }), this.#made, this.#start);
    await putState(state, this.#service, this.#app.namespaces);
    this.#requests = kept?.requests ?? 0;
    this.#bytes = kept?.bytes ?? 0;
    return kept ?? { id, from: 'begin' };
  }
}

/** The state of a mock that was started at one instant, as if it had been at another. */
function startedAt(instant: number, made: number, start: State): State {
  const { offset, stopped } = start.clock;
  // Without an epoch or a snapshot the clock shows the real time, whenever it was started.
  const moved = offset === 0 ? 0 : offset + made - instant;
  return { ...start, laidOutAt: instant, clock: { offset: moved, stopped } };
}

const crosses = (from: number, to: number, step: number): boolean => Math.floor(from / step) < Math.floor(to / step);
