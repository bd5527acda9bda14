/** Where the clock ends: dates beyond the year 9999 are written in another form. */
const endOfTime = Date.parse('9999-12-31T23:59:59.999Z');

/** What `instantIn` asks for, in words. */
export const instantRule = 'the clock ends with the year 9999, and knows no leap seconds';

/** An instant that a clock can show, from a date-time, in ms since 1970; undefined where it is none. */
export function instantIn(text: string): number | undefined {
  const instant = Date.parse(text);
  return instant <= endOfTime ? instant : undefined;
}

/** What is added to real time, ms, and the instant at which it stands, if it does. */
export interface ClockState {
  readonly offset: number;
  readonly stopped: number | null;
}

/** The one clock of a mock: real time plus what was added, or standing still. Instants in ms since 1970. */
export class Clock {
  readonly #real: () => number;
  readonly #start: number;
  #offset: number;
  #stopped: number | null = null;

  /** `epoch` is the instant at which the clock starts; null starts it at the real time. */
  constructor(real: () => number, epoch: number | null) {
    this.#real = real;
    this.#start = epoch === null ? 0 : epoch - real();
    this.#offset = this.#start;
  }

  now(): number {
    return this.#stopped ?? this.#real() + this.#offset;
  }

  get frozen(): boolean {
    return this.#stopped !== null;
  }

  /** Moves forward by `ms`, frozen or not. */
  advance(ms: number): void {
    if (this.#stopped === null) this.#offset += ms;
    else this.#stopped += ms;
  }

  freeze(): void {
    this.#stopped ??= this.now();
  }

  /** Runs on from the instant at which it stands. */
  unfreeze(): void {
    if (this.#stopped === null) return;
    this.#offset = this.#stopped - this.#real();
    this.#stopped = null;
  }

  /** Stands or runs on from an instant, earlier or later. */
  restore({ now, frozen }: { readonly now: number; readonly frozen: boolean }): void {
    this.#offset = now - this.#real();
    this.#stopped = frozen ? now : null;
  }

  /** How it runs, against the real time. */
  get state(): ClockState {
    return { offset: this.#offset, stopped: this.#stopped };
  }

  set state({ offset, stopped }: ClockState) {
    this.#offset = offset;
    this.#stopped = stopped;
  }

  /** As at the start. An `epoch` clock starts again at its epoch. */
  reset(epoch: number | null): void {
    this.#stopped = null;
    this.#offset = epoch === null ? 0 : epoch - this.#real();
  }
}
