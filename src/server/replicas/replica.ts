import { randomBytes } from 'node:crypto';
import type { App } from '../app.js';
import { readBody } from '../body.js';
import { Chance } from '../chance.js';
import type { Request, Response } from '../http.js';
import { Refusal } from '../refusal.js';
import type { Service } from '../service.js';
import { straighten } from '../target.js';
import type { ReadFailure } from '../turn.js';
import { withLocals } from '../turn.js';
import type { LogEntry, Place } from './engine.js';
import { Engine } from './engine.js';
import type { Batch, Waiting } from './order.js';
import { instantOf, Order } from './order.js';
import { Room } from './room.js';
import type { Logged, Meaning } from './request-log.js';
import { meaningOf } from './request-log.js';
import type { Shared } from './settings.js';
import { checkShared } from './settings.js';
import type { State } from './state.js';
import { putState, stateOf } from './state.js';

/** A request and its connection, which is this replica's. */
interface Live {
  readonly req: Request;
  readonly res: Response;
}

/** A snapshot of the state is kept after so many requests or bytes of the log. */
const between = { requests: 20_000, bytes: 32 << 20 };

/**
 * How long one request may hold the order, s. What a request changes it changes at once, so one that is not done by then
 * never will be, in no replica.
 */
const longestTurn = 10;

/** A request that has the turn. */
interface Holder {
  readonly name: string;
  readonly live: Live | undefined;
  readonly release: () => void;
  seconds: number;
}

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
  readonly #room = new Room(() => this.#text().length);
  #holder: Holder | null = null;
  readonly #watch = setInterval(() => this.#release(), 1000).unref();
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
      {
        carryOut: (entry, own) => this.#carryOut(entry, own),
        rebuild: () => this.#rebuild(),
        makeRoom: (place) => this.#makeRoom(place),
      },
      log,
    );
  }

  /** @throws SetupError where there is no engine */
  static async connect(address: string, log: (line: string) => void): Promise<Replica> {
    const engine = await Engine.connect(address);
    try {
      for (const risk of await engine.risks()) log(`store ${engine.address}: the engine ${risk}`);
      const secret = await engine.secret(randomBytes(32).toString('hex'));
      return new Replica(engine, Buffer.from(secret, 'hex'), log);
    } catch (error) {
      engine.close();
      throw error;
    }
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
    this.#admit(req, res).catch((error: Error) => this.#refuse({ req, res }, error));
  };

  close(): void {
    clearInterval(this.#watch);
    this.#order.close();
    this.engine.close();
  }

  /** Lets a request that reads go on when it may, and has one that changes wait for its turn. @throws Refusal 403, 503 */
  async #admit(req: Request, res: Response): Promise<void> {
    const arrived = performance.now();
    const { url } = req;
    straighten(req);
    // Names of hosts are each replica's own, so a request under a foreign one is refused before it gets a turn.
    this.#app.guard(req);
    if (!this.#meaning(req).changes) {
      await this.#order.read();
      // Limits and the journal may be new to this replica.
      if (!this.#meaning(req).changes) return this.#app.app(req, res);
    }
    this.#order.check();
    const meaning = this.#meaning(req);
    const unread = await readBody(meaning.imports && this.#app.controls(req) ? 'snapshot' : 'json', req);
    if (unread?.type === 'request.aborted') return void res.destroy();
    const { method, rawHeaders } = req;
    const body: unknown = req.body;
    const logged: Logged = {
      method,
      url,
      rawHeaders,
      address: req.address,
      ...(body instanceof Buffer && { body: body.toString('base64') }),
      ...(unread && { unread: { status: unread.status, type: unread.type } as ReadFailure }),
      elapsed: Math.round((performance.now() - arrived) * 100) / 100,
    };
    const live = { req, res };
    const bytes = rawHeaders.reduce(
      (sum, each) => sum + each.length + 3,
      200 + url.length + (logged.body?.length ?? 0),
    );
    this.#room.check(bytes, meaning);
    this.#live.set(logged, live);
    // What frees is small, or it would take room itself.
    const frees = meaning.frees && bytes < 64 << 10;
    this.#order.append(logged, { bytes, frees, fail: (error) => this.#refuse(live, error) });
  }

  #refuse({ req, res }: Live, refusal: Error): void {
    this.#app.app(req, withLocals(res, { refusal }));
  }

  #meaning(req: Pick<Request, 'method' | 'url'>): Meaning {
    return meaningOf(req, { service: this.#service, namespaces: this.#app.namespaces, now: this.now() });
  }

  async #carryOut(
    entry: LogEntry,
    own: { readonly seed: string; readonly waiting: readonly Waiting<Logged>[] } | undefined,
  ): Promise<void> {
    const { seed, items } = own
      ? { seed: own.seed, items: own.waiting.map(({ item }) => item) }
      : (JSON.parse(entry.batch) as Batch<Logged>);
    let [copies, frees] = [false, false];
    for (const [index, logged] of items.entries()) {
      this.#turn = instantOf(entry);
      this.chance.seed(`${seed} ${index}`);
      const live = own?.waiting[index]?.given === false ? this.#live.get(logged) : undefined;
      const meaning = await this.#take(logged, live, `request ${index + 1} of the entry ${entry.id}`);
      copies ||= meaning.copies;
      frees ||= meaning.frees;
    }
    this.#turn = null;
    this.chance.seed(null);
    const before = { requests: this.#requests, bytes: this.#bytes };
    this.#requests += items.length;
    this.#bytes += entry.batch.length;
    this.#room.carriedOut(this.#bytes, { copies, frees });
    if (!own) return;
    // Who appended the entry that is due keeps the snapshot: if it is gone by then, another one is due soon enough.
    const isDue =
      crosses(before.requests, this.#requests, between.requests) || crosses(before.bytes, this.#bytes, between.bytes);
    const isUrgent = frees && this.#order.refuses;
    if (isDue || isUrgent) await this.#keep(entry, isUrgent);
  }

  /** Carries out one request: that of this replica's own connection, or one that nobody here sent. */
  async #take(logged: Logged, live: Live | undefined, name: string): Promise<Meaning> {
    const { unread, elapsed } = logged;
    const { req, res } = live ?? this.#app.unconnected(logged);
    const body =
      logged.body === undefined ? undefined : live ? (req.body as Buffer) : Buffer.from(logged.body, 'base64');
    if (body) req.body = body;
    const meaning = this.#meaning(req);
    await new Promise<void>((done) => {
      this.#holder = { name: `${name} (${logged.method})`, live, release: done, seconds: 0 };
      // What ends a reply and says nothing of turns, as Express does with OPTIONS, ends its turn too.
      const end = res.end.bind(res) as (...given: unknown[]) => Response;
      res.end = (...given: unknown[]) => (done(), end(...given));
      withLocals(res, { turn: { body, unread, elapsed, replayed: !live, done } });
      this.#app.app(req, res);
    });
    this.#holder = null;
    return meaning;
  }

  /** Ends a turn that does not end by itself: without it this replica, and whichever is started, would wait for good. */
  #release(): void {
    const holder = this.#holder;
    if (!holder || ++holder.seconds <= longestTurn) return;
    this.log(
      `store ${this.engine.address}: the ${holder.name} is not carried out within ${longestTurn} s; it is refused and passed over`,
    );
    if (holder.live?.res.headersSent) holder.live.res.destroy();
    else if (holder.live)
      this.#refuse(holder.live, new Refusal(503, 'the mock could not carry out the request in time'));
    holder.release();
  }

  #text(): string {
    return JSON.stringify(stateOf(this.#service, this.#app.namespaces));
  }

  /** `whole` trims the log up to here, which gives room; otherwise replicas that are a little behind can read on. */
  async #keep({ id, from }: Place, whole: boolean): Promise<void> {
    const kept = { id, from, requests: this.#requests, bytes: this.#bytes, state: this.#text() };
    try {
      await this.#order.asking(this.engine.keep(kept, whole));
      this.#room.snapshot(kept.state.length, this.#bytes, whole);
    } catch (error) {
      this.log(`a snapshot is not kept (${(error as Error).message})`);
    }
  }

  async #makeRoom(place: Place): Promise<boolean> {
    if (!this.#room.isToGain) return false;
    await this.#keep(place, true);
    return !this.#room.isToGain;
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
    this.#room.snapshot(kept?.state.length ?? 0, this.#bytes, false);
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
