import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

import type { App } from '../app.js';
import { readBody } from '../body.js';
import { Chance } from '../chance.js';
import { hinders } from '../hindered.js';
import { Refusal } from '../refusal.js';
import { splitTarget } from '../request.js';
import type { Service } from '../service.js';
import type { ReadFailure } from '../turn.js';
import { withLocals } from '../turn.js';
import type { Entry, Place } from './engine.js';
import { Engine, mostEntries } from './engine.js';
import type { Shared } from './settings.js';
import { checkShared } from './settings.js';
import type { State } from './state.js';
import { putState, stateOf } from './state.js';

/** A request as it stands in the log. It holds secrets: headers and body are as they came. */
interface Logged {
  readonly method: string;
  readonly url: string;
  readonly headers: string[];
  readonly address: string;
  /** Base64. */
  readonly body?: string;
  readonly unread?: ReadFailure;
  readonly elapsed: number;
}

/** What one replica appends at a time. */
interface Batch {
  /** What the digits of its requests follow from. */
  readonly seed: string;
  readonly requests: readonly Logged[];
}

interface Waiting {
  readonly since: number;
  readonly fail: (error: Refusal) => void;
}
interface Reader extends Waiting {
  readonly go: () => void;
}
interface Writer extends Waiting {
  readonly logged: Logged;
  readonly body: Buffer | undefined;
  readonly bytes: number;
  /** Null from when the request was answered with 503: what becomes of it then is for nobody to see. */
  live: { readonly req: Request; readonly res: Response } | null;
}

/** How long a request waits for the engine, ms; how long the engine may owe an answer before it is asked anew. */
const patience = 2000;
const stuck = 5000;
/** How often a replica that nobody asks reads on, ms. */
const idle = 100;
/** A batch is no longer than this, and a snapshot is kept after so many requests or bytes of the log. */
const mostBatch = { requests: 256, bytes: 1 << 20 };
const between = { requests: 20_000, bytes: 32 << 20 };

/**
 * One of several mocks that hold the same. A request that may change anything is appended to a log that the engine keeps
 * in order, and every replica carries out the log: at the instant and with the chance of the entry, so that all come to
 * the same. The one that has the connection answers. A request that only reads waits until everything that was appended
 * before it came has been carried out.
 */
export class Replica {
  readonly chance = new Chance();
  readonly #engine: Engine;
  readonly #log: (line: string) => void;
  readonly #id = randomBytes(8).toString('hex');
  #app!: App;
  #service!: Service;
  #settings = '';
  /** As it was before any request. */
  #start!: State;
  #place: Place = { id: '', from: '' };
  #requests = 0;
  #bytes = 0;
  #batches = 0;
  #joined = false;
  /** Those that wait for the next round trip, and for the one that is under way. */
  #readers: Reader[] = [];
  #reading: Reader[] = [];
  #writers: Writer[] = [];
  /** Those whose batch has not come back in the log. */
  readonly #unanswered = new Map<string, { readonly seed: string; readonly writers: readonly Writer[] }>();
  /** Time that this process was awake, ms: what waits while it is paused has not waited for the engine. */
  #awake = idle;
  #pumping = false;
  #asked = 0;
  #trouble: { readonly since: number; reason: string } | null = null;
  #full = false;
  /** The instant at which this replica was made: until it joins it stays there, so that it can be moved to the log's start. */
  readonly #made = Date.now();
  /** The instant of the turn that is under way, ms. */
  #turn: number | null = this.#made;
  #latest = 0;
  #ahead = 0;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    engine: Engine,
    /** The secret of all replicas. */
    readonly key: Buffer,
    log: (line: string) => void,
  ) {
    this.#engine = engine;
    this.#log = log;
    this.#timer = setInterval(() => this.#tick(), idle).unref();
  }

  /** @throws SetupError where there is no engine */
  static async connect(address: string, log: (line: string) => void): Promise<Replica> {
    const engine = await Engine.connect(address);
    for (const risk of await engine.risks()) log(`store ${engine.address}: the engine ${risk}`);
    const secret = await engine.secret(randomBytes(32).toString('hex'));
    return new Replica(engine, Buffer.from(secret, 'hex'), log);
  }

  /** The engine's clock as far as it is known, ms: never before anything that was carried out. */
  readonly now = (): number => this.#turn ?? Math.max(Date.now() + this.#ahead, this.#latest);

  /** Takes part: from here on the mock is what the log says. @throws SetupError where it was started differently */
  async join(service: Service, app: App, shared: Shared): Promise<void> {
    this.#service = service;
    this.#app = app;
    this.#settings = JSON.stringify(shared);
    this.#start = stateOf(service, app.namespaces);
    const { settings } = await this.#engine.begin(this.#settings);
    checkShared(JSON.parse(this.#settings) as Shared, JSON.parse(settings) as Shared, this.#engine.address);
    this.#turn = null;
    await this.#rebuild();
    this.#joined = true;
    await this.#caughtUp(Infinity);
  }

  /** Stands before the app. */
  readonly handle = (req: Request, res: Response): void => {
    this.#admitted(req, res).then(
      (ready) => ready && this.#app.app(req, res),
      (error: unknown) => this.#app.app(req, withLocals(res, { refusal: error as Error })),
    );
  };

  close(): void {
    clearInterval(this.#timer);
    this.#engine.close();
  }

  /** Resolves to true for a request that reads, when it may, and to false for one that gets its turn. */
  async #admitted(req: Request, res: Response): Promise<boolean> {
    const arrived = performance.now();
    if (!this.#isAllowed(req)) return true;
    if (!this.#changes(req)) {
      await this.#caughtUp();
      // Limits and the journal may be new to this replica.
      if (!this.#changes(req)) return true;
    }
    this.#checkTrouble();
    const unread = await readBody(req, res);
    if (unread?.type === 'request.aborted') {
      res.destroy();
      return false;
    }
    const body: unknown = req.body;
    await this.#append(req, res, {
      body: body instanceof Buffer ? body : undefined,
      unread,
      elapsed: Math.round((performance.now() - arrived) * 100) / 100,
    });
    return false;
  }

  /** Names of hosts are each replica's own, so a request under a foreign one is refused before it gets a turn. */
  #isAllowed(req: Request): boolean {
    try {
      this.#app.guard(req);
      return true;
    } catch {
      return false;
    }
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

  #checkTrouble(): void {
    if (this.#trouble && this.#awake - this.#trouble.since > patience) throw unavailable();
  }

  #caughtUp(since = this.#awake): Promise<void> {
    this.#checkTrouble();
    return new Promise((go, fail) => {
      this.#readers.push({ since, go, fail });
      this.#wake();
    });
  }

  #append(
    req: Request,
    res: Response,
    { body, unread, elapsed }: { body: Buffer | undefined; unread: ReadFailure | undefined; elapsed: number },
  ): Promise<void> {
    const logged: Logged = {
      method: req.method,
      url: req.url,
      headers: req.rawHeaders,
      address: req.socket.remoteAddress ?? '',
      ...(body && { body: body.toString('base64') }),
      ...(unread && { unread: { status: unread.status, type: unread.type } as ReadFailure }),
      elapsed,
    };
    return new Promise((done, fail) => {
      const since = this.#awake;
      const bytes = 300 + req.url.length + (logged.body?.length ?? 0);
      res.once('close', done);
      this.#writers.push({ since, fail, logged, body, bytes, live: { req, res } });
      this.#wake();
    });
  }

  /** What has come in one go of the event loop goes in one round trip. */
  #wake(): void {
    if (this.#pumping || !this.#joined) return;
    this.#pumping = true;
    setImmediate(() => void this.#pump());
  }

  #tick(): void {
    this.#awake += idle;
    const now = this.#awake;
    if (this.#pumping && this.#asked > 0) {
      if (now - this.#asked > patience) this.#troubled('it does not answer');
      if (now - this.#asked > stuck) {
        this.#asked = now;
        this.#engine.reconnect();
      }
    }
    const late = ({ since }: Waiting): boolean => now - since > patience;
    for (const reader of [...this.#reading, ...this.#readers]) if (late(reader)) reader.fail(unavailable());
    this.#readers = this.#readers.filter((reader) => !late(reader));
    const owed = [...this.#unanswered.values()].flatMap(({ writers }) => writers);
    for (const writer of [...owed, ...this.#writers]) if (late(writer)) giveUp(writer);
    this.#writers = this.#writers.filter(({ live }) => live !== null);
    this.#wake();
  }

  async #pump(): Promise<void> {
    try {
      do await this.#step();
      while (this.#readers.length > 0 || this.#writers.length > 0);
    } catch (error) {
      const { reason } = this.#engine;
      const { message } = error as Error;
      // A connection that cannot be made anew has a reason of its own, which says more.
      this.#troubled(this.#engine.isOpen || reason === '' ? message : reason);
    } finally {
      this.#readers.unshift(...this.#reading.splice(0));
      this.#asked = 0;
      this.#pumping = false;
    }
  }

  /** One round trip, and what follows from it. */
  async #step(): Promise<void> {
    this.#reading = this.#readers.splice(0);
    const writers = this.#nextBatch();
    const from = `${this.#id} ${(this.#batches += 1)}`;
    const seed = randomBytes(16).toString('hex');
    const batch: Batch = { seed, requests: writers.map(({ logged }) => logged) };
    if (writers.length > 0) this.#unanswered.set(from, { seed, writers });
    this.#asked = this.#awake;
    const { refused, isMissing, entries, now } = await this.#engine.exchange(
      writers.length === 0 ? null : { from, text: JSON.stringify(batch) },
      this.#place.id,
    );
    this.#asked = 0;
    this.#recovered();
    this.#ahead = now - Date.now();
    if (refused) {
      this.#unanswered.delete(from);
      this.#refused(refused, writers);
    } else if (isMissing) {
      this.#unanswered.delete(from);
      this.#writers.unshift(...writers);
    } else if (writers.length > 0) this.#full = false;
    const [anchor, ...next] = entries;
    if (anchor?.id !== this.#place.id || anchor.from !== this.#place.from) {
      this.#readers.unshift(...this.#reading.splice(0));
      return this.#rebuild();
    }
    for (const entry of next) await this.#carryOut(entry);
    if (next.length >= mostEntries) return void this.#readers.unshift(...this.#reading.splice(0));
    this.#latest = Math.max(this.#latest, now);
    for (const { go } of this.#reading.splice(0)) go();
  }

  #nextBatch(): Writer[] {
    let bytes = 0;
    let count = 0;
    for (const writer of this.#writers) {
      bytes += writer.bytes;
      if (count > 0 && (bytes > mostBatch.bytes || count >= mostBatch.requests)) break;
      count += 1;
    }
    return this.#writers.splice(0, count);
  }

  async #carryOut({ id, from, batch }: Entry): Promise<void> {
    const own = this.#unanswered.get(from);
    this.#unanswered.delete(from);
    const { seed, requests } = own
      ? { seed: own.seed, requests: own.writers.map(({ logged }) => logged) }
      : (JSON.parse(batch) as Batch);
    const instant = Number(id.split('-', 1)[0]);
    this.#latest = Math.max(this.#latest, instant);
    for (const [index, logged] of requests.entries()) {
      this.#turn = this.#latest;
      this.chance.seed(`${seed} ${index}`);
      await this.#take(logged, own?.writers[index]);
    }
    this.#turn = null;
    this.chance.seed(null);
    this.#place = { id, from };
    const before = { requests: this.#requests, bytes: this.#bytes };
    this.#requests += requests.length;
    this.#bytes += batch.length;
    // Who appended the entry that is due keeps the snapshot: if it is gone by then, another one is due soon enough.
    const isDue =
      crosses(before.requests, this.#requests, between.requests) || crosses(before.bytes, this.#bytes, between.bytes);
    if (isDue && own) await this.#keep();
  }

  /** Carries out one request: that of this replica's own connection, or one that nobody here sent. */
  #take(logged: Logged, writer: Writer | undefined): Promise<void> {
    const live = writer?.live ?? null;
    const { method, url, headers: rawHeaders, address, unread, elapsed } = logged;
    const body = writer ? writer.body : logged.body === undefined ? undefined : Buffer.from(logged.body, 'base64');
    const { req, res } = live ?? this.#app.unconnected({ method, url, rawHeaders, address });
    return new Promise((done) => {
      if (live) res.once('close', done);
      else res.writeHead = res.end = (): Response => (done(), res);
      if (body) req.body = body;
      withLocals(res, { turn: { body, unread, elapsed, replayed: !live, done } });
      this.#app.app(req, res);
    });
  }

  async #keep(): Promise<void> {
    const state = JSON.stringify(stateOf(this.#service, this.#app.namespaces));
    const kept = { ...this.#place, requests: this.#requests, bytes: this.#bytes, state };
    this.#asked = this.#awake;
    await this.#engine.keep(kept).catch((error: unknown) => {
      this.#log(`store ${this.#engine.address}: a snapshot is not kept (${(error as Error).message})`);
    });
    this.#asked = 0;
  }

  /** Begins again from what the engine has: what this replica knows beyond it never was, or has been passed by. */
  async #rebuild(): Promise<void> {
    this.#asked = this.#awake;
    const { id, isNew } = await this.#engine.begin(this.#settings);
    const kept = await this.#engine.kept();
    this.#asked = 0;
    if (isNew && this.#place.id !== '')
      this.#log(`store ${this.#engine.address}: the engine has lost its data; the mock is as at its start`);
    const begun = Number(id.split('-', 1)[0]);
    this.#latest = begun;
    const state = kept ? (JSON.parse(kept.state) as State) : startedAt(begun, this.#made, this.#start);
    await putState(state, this.#service, this.#app.namespaces);
    this.#place = kept ? { id: kept.id, from: kept.from } : { id, from: 'begin' };
    this.#requests = kept?.requests ?? 0;
    this.#bytes = kept?.bytes ?? 0;
  }

  #refused(error: Error, writers: readonly Writer[]): void {
    if (!this.#full)
      this.#log(`store ${this.#engine.address}: ${error.message}; what would change is answered with 503`);
    this.#full = true;
    for (const writer of writers) giveUp(writer);
  }

  #troubled(reason: string): void {
    // What the engine itself says, as that the password is wrong, is worth another line; how it is not reached is not.
    if (this.#trouble && (this.#trouble.reason === reason || !/^(?:NOAUTH|NOPERM|WRONGPASS)\b/.test(reason))) return;
    this.#trouble = { since: this.#trouble?.since ?? this.#awake, reason };
    this.#log(`store ${this.#engine.address}: cannot be used (${reason}); requests are answered with 503 until it can`);
  }

  #recovered(): void {
    if (!this.#trouble) return;
    const seconds = ((this.#awake - this.#trouble.since) / 1000).toFixed(1);
    this.#trouble = null;
    this.#log(`store ${this.#engine.address}: can be used again, after ${seconds} s`);
  }
}

const crosses = (from: number, to: number, step: number): boolean => Math.floor(from / step) < Math.floor(to / step);

/** The state of a mock that was started at one instant, as if it had been at another. */
function startedAt(instant: number, made: number, start: State): State {
  const { offset, stopped } = start.clock;
  // Without an epoch or a snapshot the clock shows the real time, whenever it was started.
  const moved = offset === 0 ? 0 : offset + made - instant;
  return { ...start, laidOutAt: instant, clock: { offset: moved, stopped } };
}

const unavailable = (): Refusal =>
  new Refusal(503, 'the store of this mock cannot be reached; try again', { 'retry-after': '1' });

function giveUp(writer: Writer): void {
  if (!writer.live) return;
  writer.live = null;
  writer.fail(unavailable());
}
