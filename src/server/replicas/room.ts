import { Refusal } from '../refusal.js';
import type { Meaning } from './request-log.js';

/** Characters of state that replicas hold together at most: an engine has it twice while a snapshot is replaced. */
const most = 128 << 20;
/** What has to have changed before the state is measured again, or the log is trimmed early. */
const worth = { characters: most / 16, trimmed: 64 << 10, ms: 60_000 };

/** How much the replicas of a mock hold, by estimate: what was measured last, and what came since. */
export class Room {
  #measured = { size: 0, at: 0 };
  /** Bytes of the log in all, since the state was measured, and where the engine's log begins. */
  #log = 0;
  #grown = 0;
  #first = 0;
  #freed = false;

  /** @param measure the size of the state, which takes a while to tell */
  constructor(private readonly measure: () => number) {}

  /** After an entry: the bytes of the log up to there, and what was in it. */
  carriedOut(log: number, { copies, frees }: Pick<Meaning, 'copies' | 'frees'>): void {
    this.#grown += log - this.#log + (copies ? this.#measured.size : 0);
    this.#log = log;
    this.#freed ||= frees;
  }

  /** After a snapshot was kept, or read. `whole` where the log begins with it. */
  snapshot(size: number, log: number, whole: boolean): void {
    this.#took(size);
    this.#log = log;
    if (whole) this.#first = log;
  }

  /** Whether a snapshot, and the log trimmed up to it, would take clearly less than what the engine has. */
  get isToGain(): boolean {
    return this.#freed || this.#log - this.#first > Math.max(worth.trimmed, this.#measured.size / 8);
  }

  /** @throws Refusal 503 for a change after which replicas might hold too much */
  check(bytes: number, { copies, frees }: Pick<Meaning, 'copies' | 'frees'>): void {
    const fits = (): boolean => {
      const held = this.#measured.size + this.#grown;
      return frees || held + (copies ? held : bytes) <= most;
    };
    const isOld = this.#freed || this.#grown > worth.characters || performance.now() - this.#measured.at > worth.ms;
    if (!fits() && isOld) this.#took(this.measure());
    if (fits()) return;
    const remedy = 'reset it, or remove snapshots and namespaces';
    throw new Refusal(503, `replicas of a mock hold ${most >> 20} MiB together, and there would be more; ${remedy}`);
  }

  #took(size: number): void {
    this.#measured = { size, at: performance.now() };
    this.#grown = 0;
    this.#freed = false;
  }
}
