import type { LimitWindow } from '../../client/index.js';

/** How many buckets a period may have. */
export const mostBuckets = 1000;

/** What a meter has counted, as plain data. */
export interface MeterState {
  readonly counts: readonly number[];
  readonly last: number;
  readonly total: number;
  readonly until: number;
}

/**
 * Counts the hits of one subject in one window. A hit counts until the whole bucket that it fell into is out of the
 * period, so a client that paces to the exact edge of the period is over it now and then.
 */
export class Meter {
  readonly #bucket: number;
  readonly #period: number;
  readonly #counts: Uint32Array;
  /** The last bucket that was looked at. */
  #last = -1;
  #total = 0;
  /** Between these instants nothing goes out of the period and no new bucket begins, ms. */
  #from = 0;
  #to = 0;
  /** Restricted until then, ms; 0 for not. */
  until = 0;

  constructor({ period, bucket = 1 }: LimitWindow) {
    this.#bucket = bucket * 1000;
    this.#period = period * 1000;
    this.#counts = new Uint32Array(Math.ceil(period / bucket) + 1);
  }

  get state(): MeterState {
    return { counts: [...this.#counts], last: this.#last, total: this.#total, until: this.until };
  }

  set state({ counts, last, total, until }: MeterState) {
    this.#counts.set(counts);
    this.#last = last;
    this.#total = total;
    this.until = until;
    this.#to = 0;
  }

  /** Hits that count at `now`. */
  count(now: number): number {
    this.#turn(now);
    return this.#total;
  }

  /** Adds a hit, and returns how many count then. */
  add(now: number): number {
    this.#turn(now);
    const slot = this.#slot(this.#last);
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    return ++this.#total;
  }

  /** Seconds of restriction that are left, rounded up. */
  restricted(now: number): number {
    return this.until > now ? Math.ceil((this.until - now) / 1000) : 0;
  }

  /** Seconds until hits that count now cease to, rounded up: from the first on. */
  relief(now: number): number {
    this.#turn(now);
    const first = Math.floor((now - this.#period) / this.#bucket);
    for (let bucket = first; bucket <= this.#last; bucket++) {
      if ((this.#counts[this.#slot(bucket)] ?? 0) > 0)
        return Math.max(1, Math.ceil(((bucket + 1) * this.#bucket + this.#period - now) / 1000));
    }
    return 0;
  }

  /** Forgets the buckets that went out of the period since the last look. Their places are those of the new ones. */
  #turn(now: number): void {
    if (now >= this.#from && now < this.#to) return;
    const last = Math.floor(now / this.#bucket);
    const length = this.#counts.length;
    if (this.#last < 0 || last - this.#last >= length) {
      this.#counts.fill(0);
      this.#total = 0;
    } else {
      for (let bucket = this.#last + 1; bucket <= last; bucket++) {
        const slot = this.#slot(bucket);
        this.#total -= this.#counts[slot] ?? 0;
        this.#counts[slot] = 0;
      }
    }
    this.#last = last;
    this.#from = now;
    this.#to = (last + 1) * this.#bucket;
    this.#prune(now);
  }

  /** Of the oldest place: the bucket may leave the period though no new one has taken its place. */
  #prune(now: number): void {
    const oldest = this.#last - this.#counts.length + 1;
    const leaves = (oldest + 1) * this.#bucket + this.#period;
    if (now < leaves) {
      this.#to = Math.min(this.#to, leaves);
    } else {
      const slot = this.#slot(oldest);
      this.#total -= this.#counts[slot] ?? 0;
      this.#counts[slot] = 0;
    }
  }

  #slot(bucket: number): number {
    const length = this.#counts.length;
    return ((bucket % length) + length) % length;
  }
}
