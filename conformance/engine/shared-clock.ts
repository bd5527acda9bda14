import type { Hooks } from '../target/hooks.js';
import { trace } from '../wire/wire.js';

type Clock = NonNullable<Hooks['clock']>;

interface Member {
  /** Where it wants the clock to be at least and at most, in seconds that it was moved by; none while it does something. */
  until?: readonly [least: number, most: number];
  /** Tells it that the clock is there, or why it cannot be. */
  told?: (moved: Promise<Date>) => void;
}

/** What a member that wants an exact time lets pass beyond it, so that some can have theirs together: seconds, and a part. */
const slack = (seconds: number): number => Math.floor(Math.min(5, seconds / 100));

/**
 * One clock for several at once: it is moved when all of them wait for it, as far as none of them gets too much. So each
 * finds that the time has passed that it asked for, as if the others were not there.
 */
export class SharedClock {
  readonly #members = new Set<Member>();
  /** Seconds that it was moved by. */
  #passed = 0;
  #moving: Promise<unknown> | undefined;

  constructor(readonly clock: Clock) {}

  /** Runs what moves the clock. It waits for one move at a time. */
  async within<T>(action: (clock: Clock) => Promise<T>): Promise<T> {
    // Nothing begins while the time jumps.
    while (this.#moving) await this.#moving;
    const member: Member = {};
    this.#members.add(member);
    try {
      return await action({ now: () => this.clock.now(), advance: (...wanted) => this.#wait(member, ...wanted) });
    } finally {
      this.#members.delete(member);
      this.#move();
    }
  }

  async #wait(member: Member, seconds: number, most = seconds): Promise<Date> {
    if (member.told) throw new Error('the clock is being moved for this check already');
    const log = trace.getStore();
    const from = performance.now();
    try {
      return await new Promise<Date>((told) => {
        member.until = [this.#passed + seconds, this.#passed + Math.max(most, seconds + slack(seconds))];
        member.told = told;
        this.#move();
      });
    } finally {
      // The others take as long as they take.
      if (log) log.waited = (log.waited ?? 0) + performance.now() - from;
    }
  }

  /** Moves the clock, where nobody does anything but wait for it. */
  #move(): void {
    const members = [...this.#members];
    if (this.#moving || members.length === 0 || members.some(({ until }) => !until)) return;
    const last = Math.min(...members.map(({ until }) => until![1]));
    const due = members.filter(({ until }) => until![0] <= last);
    const seconds = Math.max(...due.map(({ until }) => until![0])) - this.#passed;
    const moved = this.clock.advance(seconds);
    this.#moving = moved
      .then(() => (this.#passed += seconds))
      .catch(() => {})
      .finally(() => {
        this.#moving = undefined;
        for (const member of due) {
          const { told } = member;
          delete member.until;
          delete member.told;
          told!(moved);
        }
      });
  }
}
