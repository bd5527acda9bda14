import { setMaxListeners } from 'node:events';

import { Deviation, MissingCapability, PrerequisiteFailed, Stopped } from '../verdict.js';
import { header, saysLater } from './answer.js';
import type { Answer, Asked, Sent } from './answer.js';
import { bodyOf, TooMuch } from './body.js';
import type { Body } from './body.js';
import { bounds } from './bounds.js';
import { uncoded } from './coding.js';
import type { Connection } from './connection.js';
import { Client, NoAnswer } from './exchange.js';
import type { ExchangeLimits } from './exchange.js';
import { Memory } from './memory.js';
import { Pace } from './pace.js';
import type { Received } from './received.js';
import { refusal } from './safe.js';
import { Slots } from './slots.js';
import { keep, placeOf, trace } from './trace.js';

/** Bounds of the requests of a run; tests set lower ones. */
export interface WireLimits extends ExchangeLimits {
  /** How often a request is sent that is answered 429. */
  readonly tries: number;
  /** The shortest and the longest wait for a 429, milliseconds. */
  readonly wait: readonly [least: number, most: number];
  /** Requests in a row without an answer, or with none but 429, after which the run ends. */
  readonly silence: number;
}

const usual: WireLimits = {
  answer: 10_000,
  whole: 30_000,
  bytes: bounds.bytes,
  tries: 12,
  wait: [50, 30_000],
  silence: 6,
};

export interface WireOptions {
  /** The most requests that may be sent. */
  readonly budget: number;
  /** 0 is no limit. */
  readonly perSecond: number;
  /** The most requests under way at once. A race has as many as it needs, and nothing else is under way then. */
  readonly concurrency: number;
  readonly connection?: Connection;
  /** Refuses what may change or burden somebody else's server. */
  readonly safe?: boolean;
  /** Ends the run: what is asked afterwards is refused with the signal's reason. */
  readonly signal: AbortSignal;
  /** Throws where a request would tell nothing. */
  readonly refuse?: (request: Sent) => void;
  /** Sees every answer. */
  readonly seen: (answer: Answer) => void;
  /** To be told of 5xx, or of no response, while other requests were under way. */
  readonly strained?: () => void;
}

/** All requests of a run go through here: they are counted, bounded, traced and shown to the monitors. */
export class Wire {
  #sent = 0;
  readonly #pace = new Pace();
  /** Nothing is sent before: a server that says later asks the client to wait, not the one request. */
  #gate = 0;
  /** Requests in a row that got no answer, or none but later, and what became of the first, after which a server may be dead, and of the last. */
  #silent = 0;
  #first = '';
  #last = '';
  readonly #memory = new Memory();
  #slots: Slots;
  #underWay = 0;
  readonly #client: Client;

  constructor(
    readonly options: WireOptions,
    readonly limits: WireLimits = usual,
  ) {
    // Every pause listens to it, and there are as many pauses as there are groups.
    setMaxListeners(0, options.signal);
    this.#slots = new Slots(options.concurrency);
    this.#client = new Client(this.connection, limits, options.signal);
  }

  get connection(): Connection {
    return this.options.connection ?? {};
  }

  /** The most requests that may be under way at once. */
  get concurrency(): number {
    return this.#slots.most;
  }

  /** Allows so many requests at once from now on. Where they are fewer, the server's silence so far does not count. */
  allow(concurrency: number): void {
    if (concurrency < this.#slots.most) this.#silent = 0;
    if (concurrency !== this.#slots.most) this.#slots = new Slots(concurrency);
  }

  get sent(): number {
    return this.#sent;
  }

  /** Milliseconds for which one still holds back whatever is to be sent. */
  get held(): number {
    return Math.max(0, this.#gate - performance.now());
  }

  /**
   * Sends a request as it is. A `429` is waited for and asked again (RFC 6585 4), and so is a `503` that says when to come
   * back (RFC 9110 15.6.4); no other answer is. One that never ends leaves the row undecided: the interface lets a server
   * limit rates, and shows no figures (K-093).
   */
  async send(request: Sent, asked: Asked): Promise<Answer> {
    const refused = this.options.safe ? refusal(request, asked) : undefined;
    if (refused !== undefined) throw new MissingCapability(refused);
    const { tries, wait } = this.limits;
    let isAsked = false;
    let status = 429;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const answer = await this.#slots.within(() => this.#once(request, asked));
      if (!saysLater(answer)) return answer;
      ({ status } = answer);
      isAsked ||= header(answer, 'retry-after') !== undefined;
      const [least, most] = wait;
      const ms = Math.max(this.options.safe ? retryAfter(answer) : Math.min(retryAfter(answer), most), least);
      this.#gate = Math.max(this.#gate, performance.now() + ms);
    }
    const obeyed = isAsked ? ' although Retry-After was obeyed' : ', with no Retry-After to obey';
    this.#unserved(`${placeOf(request)} returned ${status} ${tries} times${obeyed}`);
    throw new PrerequisiteFailed(`${this.#last}; lower budget.per_second in the target`);
  }

  /** Runs an action while nothing is under way but what it sends itself. */
  alone<T>(action: () => Promise<T>): Promise<T> {
    return this.#slots.alone(action);
  }

  /** @throws MissingCapability where nothing may be sent at the same time */
  mayRace(): void {
    if (this.options.safe) throw new MissingCapability('requests at the same time, which --safe does not send');
  }

  /** Counts the requests of a race; the caller sends them, and reports them with `record`. */
  async reserve(requests: readonly Sent[]): Promise<void> {
    this.mayRace();
    for (const request of requests) {
      this.options.refuse?.(request);
      await this.#ticket();
    }
  }

  /**
   * Makes an answer of what was received, and shows it to trace and monitors.
   *
   * @throws TooMuch where it has more in it than is read, or those that are held leave it no memory
   */
  record(
    request: Sent,
    asked: Asked,
    { status, headers, body }: Received,
    ms: number,
    { number = this.#sent, underWay = this.#underWay + 1 }: { number?: number; underWay?: number } = {},
  ): Answer {
    // One that says later is asked again, under whatever load.
    if (status >= 500 && !saysLater({ status, headers })) this.#strained(underWay);
    const answer = Object.defineProperties(
      { number, asked, request, status, headers, ms, underWay },
      Object.getOwnPropertyDescriptors(this.#read(request, asked, { headers, body })),
    ) as Answer;
    keep(answer);
    this.options.seen(answer);
    return answer;
  }

  /** Shows the trace, and nobody else, what was done beside the wire. */
  note(answer: Answer): void {
    keep({ ...answer, number: this.#sent });
  }

  #read(request: Sent, { server }: Asked, { headers, body }: Pick<Received, 'headers' | 'body'>): Body {
    const { bytes, problem } = uncoded(body, header({ headers }, 'content-encoding'), this.limits.bytes);
    if (!bytes) return { text: `(${problem})`, json: undefined, problem };
    try {
      // The control surface is read by its text.
      return bodyOf(bytes, { whole: server === 'control', takes: (bytes) => this.#memory.takes(bytes) });
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      throw new TooMuch(`${placeOf(request)} was answered with ${error.message}`);
    }
  }

  close(): void {
    this.#client.close();
  }

  async #once(request: Sent, asked: Asked): Promise<Answer> {
    this.options.refuse?.(request);
    const number = await this.#ticket();
    const started = performance.now();
    this.#underWay += 1;
    // Those that were there when it was sent may be gone when it is answered, and the other way round.
    let underWay = this.#underWay;
    try {
      const received = await this.#client.exchange(request).finally(() => {
        underWay = Math.max(underWay, this.#underWay);
        this.#underWay -= 1;
      });
      if (!saysLater(received)) this.#silent = 0;
      return this.record(request, asked, received, performance.now() - started, { number, underWay });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#unserved(`${placeOf(request)}: ${error.message}`);
      this.#strained(underWay);
      const nothing = { status: 0, headers: {}, text: `(${error.message})`, json: undefined };
      keep({ number, asked, request, ...nothing, ms: performance.now() - started });
      const deviation = new Deviation(`a response to ${placeOf(request)}`, error.message);
      throw Object.assign(deviation, { cause: error.cause });
    }
  }

  #unserved(what: string): void {
    if (this.#silent === 0) this.#first = what;
    this.#silent += 1;
    this.#last = what;
  }

  #strained(underWay: number): void {
    const log = trace.getStore();
    if (log) log.underLoad = Math.max(log.underLoad ?? 0, underWay);
    if (underWay > 1) this.options.strained?.();
  }

  async #ticket(): Promise<number> {
    const { budget, perSecond, signal } = this.options;
    while (this.held > 0) await this.#pause(Math.min(this.held, longest));
    const check = trace.getStore();
    if (check?.stopped !== undefined) throw new Stopped(check.stopped);
    if (signal.aborted) throw new Stopped(String(signal.reason));
    if (this.#silent >= this.limits.silence)
      throw new Stopped(
        `the server did not serve ${this.#silent} requests in a row; the first: ${this.#first}; the last: ${this.#last}`,
      );
    if (this.#sent >= budget) throw new Stopped(`the budget of ${budget} requests is spent; raise it with --budget`);
    if (check) check.sent = (check.sent ?? 0) + 1;
    this.#sent += 1;
    const number = this.#sent;
    if (perSecond > 0) await this.#pace.turn(perSecond, (ms) => this.#pause(ms));
    return number;
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.options;
    const check = trace.getStore();
    if (check) check.waited = (check.waited ?? 0) + ms;
    if (signal.aborted) return Promise.reject(new Stopped(String(signal.reason)));
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(new Stopped(String(signal.reason)));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Milliseconds that a timer of Node can wait; one that is told to wait longer ends at once. */
const longest = 2 ** 31 - 1;

/**
 * Milliseconds that such an answer asks for (RFC 9110 10.2.3): seconds, or a date by the clock of the server; a second where it
 * says neither.
 */
function retryAfter(answer: Answer): number {
  const text = header(answer, 'retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - Date.parse(header(answer, 'date') ?? '');
  return /[a-z]/i.test(text) && Number.isFinite(ms) ? ms : 1000;
}
