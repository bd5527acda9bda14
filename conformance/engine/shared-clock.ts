import { AsyncLocalStorage } from 'node:async_hooks';

import type { Hooks } from '../target/hooks.js';
import { atOnce } from '../wire/slots.js';
import { trace } from '../wire/trace.js';

type Clock = NonNullable<Hooks['clock']>;

interface Member {
  /** Where it wants the clock to be at least and at most, in seconds that it was moved by; none while it does something. */
  until?: readonly [least: number, most: number];
  /** Tells it that the clock is there, or why it cannot be. */
  told?: (moved: Promise<Date>) => void;
  /** How many members it waits for, which do its work. */
  parts: number;
  /** The one whose work it does. */
  readonly whole?: Member;
}

/** What a member that wants an exact time lets pass beyond it, so that some can have theirs together: seconds, and a part. */
const slack = (seconds: number): number => Math.floor(Math.min(5, seconds / 100));

/** Whether it does something itself, instead of waiting for the clock or for its parts. */
const isBusy = ({ until, parts }: Member): boolean => !until && parts === 0;

/**
 * One clock for several at once: it is moved when all of them wait for it, as far as none of them gets too much. So each
 * finds that the time has passed that it asked for, as if the others were not there.
 */
export class SharedClock implements Clock {
  readonly #members = new Set<Member>();
  readonly #current = new AsyncLocalStorage<Member>();
  /** Seconds that it was moved by. */
  #passed = 0;
  #moving: Promise<unknown> | undefined;
  /** What the server said the time is, and when, by ours. */
  #told: { readonly time: Date; readonly at: number } | undefined;

  constructor(readonly clock: Clock) {}

  /** Runs what moves the clock. It waits for one move at a time. */
  async within<T>(action: () => Promise<T>): Promise<T> {
    // Nothing begins while the time jumps.
    while (this.#moving) await this.#moving;
    return this.#run(this.#join(), action);
  }

  /** Does something with every value at once, each on a time of its own. */
  async apart<T>(values: readonly T[], action: (value: T) => Promise<unknown>): Promise<void> {
    const whole = this.#member();
    // All are there before the first of them waits.
    const parts = values.map((value) => [this.#join(whole), value] as const);
    await atOnce(parts.length, parts, ([part, value]) => this.#run(part, () => action(value)));
  }

  #join(whole?: Member): Member {
    const member: Member = { parts: 0, ...(whole && { whole }) };
    this.#members.add(member);
    if (whole) whole.parts += 1;
    return member;
  }

  async #run<T>(member: Member, action: () => Promise<T>): Promise<T> {
    try {
      return await this.#current.run(member, action);
    } finally {
      this.#members.delete(member);
      if (member.whole) member.whole.parts -= 1;
      this.#move();
    }
  }

  /** The time, as it was told within the last second: nothing is judged to the second. */
  async now(): Promise<Date> {
    if (this.#told && performance.now() - this.#told.at < 1000) return this.#told.time;
    return this.#tell(await this.clock.now());
  }

  #tell(time: Date): Date {
    this.#told = { time, at: performance.now() };
    return time;
  }

  #member(): Member {
    const member = this.#current.getStore();
    if (!member) throw new Error('a shared clock is moved by those within it');
    return member;
  }

  async advance(seconds: number, most = seconds): Promise<Date> {
    const member = this.#member();
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
    if (this.#moving || members.length === 0 || members.some(isBusy)) return;
    const waiting = members.filter(({ parts }) => parts === 0);
    const last = Math.min(...waiting.map(({ until }) => until![1]));
    const due = waiting.filter(({ until }) => until![0] <= last);
    const seconds = Math.max(...due.map(({ until }) => until![0])) - this.#passed;
    const moved = this.clock.advance(seconds);
    this.#moving = moved
      .then((time) => (this.#tell(time), (this.#passed += seconds)))
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
