import { randomBytes } from 'node:crypto';

import { Refusal } from '../refusal.js';
import type { Appended, Engine, LogEntry, Place } from './engine.js';
import { mostEntries } from './engine.js';
import { StoreTrouble } from './trouble.js';

/** Something that waits to be appended, with its size in bytes as text. */
export interface Waiting<T> {
  readonly item: T;
  readonly bytes: number;
  /** Whether it gives room when it is carried out, so that even a full engine takes it. */
  readonly frees: boolean;
  /** Told that it was given up: what becomes of it then is for nobody to see. */
  readonly fail: (error: Refusal) => void;
  given: boolean;
  readonly since: number;
}

/** What one replica appends at a time. */
export interface Batch<T> {
  /** What the digits of its items follow from. */
  readonly seed: string;
  readonly items: readonly T[];
}

/** Who carries out the log. */
interface Executor<T> {
  /** `own` is what this replica appended, where it waits for it; those that were given up are marked. */
  carryOut(
    entry: LogEntry,
    own: { readonly seed: string; readonly waiting: readonly Waiting<T>[] } | undefined,
  ): Promise<void>;
  /** Begins again from what the engine has. Returns the place that it begins at. */
  rebuild(): Promise<Place>;
  /** Called where the engine is full. Resolves to whether there is room now that there was not. */
  makeRoom(place: Place): Promise<boolean>;
}

interface Reader {
  readonly since: number;
  readonly go: () => void;
  readonly fail: (error: Error) => void;
}

/** How long something waits for the engine, ms; how long the engine may owe an answer before it is connected to anew. */
const engineTimeout = 5000;
const stuck = 10_000;
/** How often a replica that nobody asks reads on, ms. */
const idle = 100;
const mostBatch = { items: 256, bytes: 1 << 20 };

/**
 * The order that all replicas share: what is appended, and the log as it is read on. What has come in one turn of the
 * event loop goes in one round trip, and while it is under way the next one gathers.
 */
export class Order<T> {
  readonly #id = randomBytes(8).toString('hex');
  #batches = 0;
  /** The last entry that was carried out; null before the start. */
  #place: Place | null = null;
  /** Those that wait for the next round trip, and for the one that is under way. */
  #readers: Reader[] = [];
  #reading: Reader[] = [];
  #writers: Waiting<T>[] = [];
  /** Those whose batch has not come back in the log. */
  readonly #unanswered = new Map<string, { readonly seed: string; readonly waiting: readonly Waiting<T>[] }>();
  /** Time that this process was awake, ms: what waits while it is paused has not waited for the engine. */
  #awake = idle;
  #running = false;
  /** When the engine was asked what it has not answered; 0 for nothing. */
  #asked = 0;
  #trouble: { readonly since: number; readonly reason: string; readonly isForeign: boolean } | null = null;
  /** Whether the engine has refused what was appended last. */
  #refuses = false;
  #latest = 0;
  #ahead = 0;
  readonly #timer = setInterval(() => this.#tick(), idle).unref();

  constructor(
    private readonly engine: Engine,
    private readonly executor: Executor<T>,
    private readonly log: (line: string) => void,
  ) {}

  /** The engine's clock as far as it is known, ms: never before anything that was carried out. */
  now(): number {
    return Math.max(Date.now() + this.#ahead, this.#latest);
  }

  /** Begins to read. Resolves when all that is there has been carried out. */
  async start(): Promise<void> {
    this.#place = await this.executor.rebuild();
    await this.#read(Infinity);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#place = null;
  }

  /** Resolves when all that was appended before this call has been carried out. @throws Refusal 503 */
  read(): Promise<void> {
    return this.#read(this.#awake);
  }

  /** Whether the engine has refused what was appended last. */
  get refuses(): boolean {
    return this.#refuses;
  }

  /** Has an item carried out at its place. `fail` is told if that is not known in time. @throws Refusal 503 at once */
  append(item: T, { bytes, frees, fail }: Pick<Waiting<T>, 'bytes' | 'frees' | 'fail'>): void {
    this.check();
    this.#writers.push({ item, bytes, frees, fail, given: false, since: this.#awake });
    this.#wake();
  }

  /** @throws Refusal 503 while the engine cannot be used */
  check(): void {
    if (this.#trouble && (this.#trouble.isForeign || this.#awake - this.#trouble.since > engineTimeout))
      throw unavailable();
  }

  /** Asks the engine for something else, which counts as all does that it owes. */
  async asking<R>(question: Promise<R>): Promise<R> {
    this.#asked = this.#awake;
    try {
      return await question;
    } finally {
      this.#asked = 0;
    }
  }

  #read(since: number): Promise<void> {
    this.check();
    return new Promise((go, fail) => {
      this.#readers.push({ since, go, fail });
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#running || this.#place === null) return;
    this.#running = true;
    setImmediate(() => void this.#run());
  }

  #tick(): void {
    this.#awake += idle;
    const owed = this.#asked === 0 ? 0 : this.#awake - this.#asked;
    if (owed > engineTimeout) this.#troubled('it does not answer');
    if (owed > stuck) {
      this.#asked = this.#awake;
      this.engine.reconnect();
    }
    const late = ({ since }: { readonly since: number }): boolean => this.#awake - since > engineTimeout;
    for (const reader of [...this.#reading, ...this.#readers]) if (late(reader)) reader.fail(unavailable());
    this.#readers = this.#readers.filter((reader) => !late(reader));
    this.#writers = this.#writers.filter((one) => !late(one) || giveUp(one));
    for (const [from, { waiting }] of this.#unanswered) {
      if (!waiting.every(late)) continue;
      waiting.forEach(giveUp);
      this.#unanswered.delete(from);
    }
    this.#wake();
  }

  async #run(): Promise<void> {
    try {
      do await this.#step();
      while (this.#readers.length > 0 || this.#writers.length > 0);
    } catch (error) {
      if (this.#place) this.#failed(error as Error);
    } finally {
      this.#readers.unshift(...this.#reading.splice(0));
      this.#running = false;
    }
  }

  #failed(error: Error): void {
    if (error instanceof StoreTrouble && error.isForeign) {
      this.#troubled(error.reason, error);
      // Whoever waits has nothing to wait for; who starts is told why it cannot.
      for (const { since, fail } of [...this.#reading.splice(0), ...this.#readers.splice(0)])
        fail(since === Infinity ? error : unavailable());
      this.#writers = this.#writers.filter(giveUp);
      return;
    }
    const { reason, isOpen } = this.engine;
    const own = error instanceof StoreTrouble ? error.reason : error.message;
    // A connection that cannot be made anew has a reason of its own, which says more.
    this.#troubled(isOpen || reason === '' ? own : reason);
  }

  /** One round trip, and what follows from it. */
  async #step(): Promise<void> {
    const place = this.#place;
    if (!place) return;
    this.#reading = this.#readers.splice(0);
    const waiting = this.#nextBatch();
    const batch = waiting.length > 0 ? this.#batch(waiting) : null;
    const { refused, isMissing, entries, now } = await this.asking(this.engine.exchange(batch, place.id));
    this.#ahead = now - Date.now();
    if (batch && (refused || isMissing)) this.#unanswered.delete(batch.from);
    if (isMissing) this.#writers.unshift(...waiting);
    if (batch && !refused && !batch.frees) this.#accepted();
    const [anchor, ...next] = entries;
    const isWhole = anchor?.id === place.id && anchor.from === place.from;
    if (isWhole) await this.#carryOut(next);
    else this.#place = await this.executor.rebuild();
    this.#recovered();
    if (refused) await this.#refused(refused, waiting);
    if (!isWhole || next.length >= mostEntries) return void this.#readers.unshift(...this.#reading.splice(0));
    this.#latest = Math.max(this.#latest, now);
    for (const { go } of this.#reading.splice(0)) go();
  }

  async #carryOut(entries: readonly LogEntry[]): Promise<void> {
    for (const entry of entries) {
      this.engine.checkEntry(entry);
      const own = this.#unanswered.get(entry.from);
      this.#unanswered.delete(entry.from);
      this.#latest = Math.max(this.#latest, instantOf(entry));
      await this.executor.carryOut(entry, own);
      this.#place = { id: entry.id, from: entry.from };
    }
  }

  /** A batch as it is appended, which is awaited from here on. */
  #batch(waiting: readonly Waiting<T>[]): Appended {
    const from = `${this.#id} ${(this.#batches += 1)}`;
    const seed = randomBytes(16).toString('hex');
    this.#unanswered.set(from, { seed, waiting });
    const batch: Batch<T> = { seed, items: waiting.map(({ item }) => item) };
    return { from, text: JSON.stringify(batch), frees: waiting.every(({ frees }) => frees) };
  }

  #nextBatch(): Waiting<T>[] {
    // What a full engine takes must not wait behind, or go with, what it refuses.
    const freeing = this.#refuses ? this.#writers.find(({ frees }) => frees) : undefined;
    if (freeing) return this.#writers.splice(this.#writers.indexOf(freeing), 1);
    let bytes = 0;
    let count = 0;
    for (const one of this.#writers) {
      bytes += one.bytes;
      if (count > 0 && (bytes > mostBatch.bytes || count >= mostBatch.items)) break;
      count += 1;
    }
    return this.#writers.splice(0, count);
  }

  /** Tries what the engine refused again, if room could be made for it, or gives it up, but for what gives room itself. */
  async #refused({ message }: Error, waiting: readonly Waiting<T>[]): Promise<void> {
    const isFull = message.startsWith('OOM');
    if (isFull && this.#place && (await this.executor.makeRoom(this.#place)))
      return void this.#writers.unshift(...waiting);
    if (!this.#refuses)
      this.log(
        `store ${this.engine.address}: ${message}; changes are answered with 503 until it is over` +
          (isFull ? ', but for a reset and what else gives room' : ''),
      );
    this.#refuses = true;
    this.#writers.unshift(...waiting.filter((one) => (isFull && one.frees) || giveUp(one)));
  }

  #accepted(): void {
    if (this.#refuses) this.log(`store ${this.engine.address}: takes changes again`);
    this.#refuses = false;
  }

  #troubled(reason: string, foreign?: StoreTrouble): void {
    // What the engine itself says, as that the password is wrong, is worth another line; how it is not reached is not.
    if (
      this.#trouble &&
      (this.#trouble.reason === reason || !(foreign || /\b(?:NOAUTH|NOPERM|WRONGPASS)\b/.test(reason)))
    )
      return;
    this.#trouble = { since: this.#trouble?.since ?? this.#awake, reason, isForeign: foreign !== undefined };
    this.log(
      foreign
        ? `${foreign.message}; until then requests are answered with 503`
        : `store ${this.engine.address}: cannot be used (${reason}); requests are answered with 503 until it can`,
    );
  }

  #recovered(): void {
    if (!this.#trouble) return;
    const seconds = ((this.#awake - this.#trouble.since) / 1000).toFixed(1);
    this.#trouble = null;
    this.log(`store ${this.engine.address}: can be used again, after ${seconds} s`);
  }
}

/** The instant of an entry by the engine's clock, ms. */
export const instantOf = ({ id }: Pick<Place, 'id'>): number => Number(id.split('-', 1)[0]);

const unavailable = (): Refusal =>
  new Refusal(503, 'the store of this mock cannot be reached; try again', { 'retry-after': '1' });

/** Returns false, for what is given up waits no longer. */
function giveUp<T>(one: Waiting<T>): false {
  one.given = true;
  one.fail(unavailable());
  return false;
}
