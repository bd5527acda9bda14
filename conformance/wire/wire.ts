import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';

import { Deviation, MissingCapability, PrerequisiteFailed, Stopped } from '../verdict.js';
import { evident, header, sizeOf } from './answer.js';
import type { Answer, Asked, Sent } from './answer.js';
import { bodyOf, TooMuch } from './body.js';
import { uncoded } from './coding.js';
import { bounds } from './bounds.js';
import type { Body } from './body.js';
import { agentFor, bare } from './connection.js';
import type { Connection } from './connection.js';
import { ownHeaders } from './identity.js';
import { Memory } from './memory.js';
import { Pace } from './pace.js';
import { refusal } from './safe.js';
import { Slots } from './slots.js';
import { Turns } from './turns.js';

/** Bounds of every exchange, so that no server can hold the run; tests set lower ones. */
export interface WireLimits {
  /** Milliseconds until an answer begins. */
  readonly answer: number;
  /** Milliseconds until it has ended. */
  readonly whole: number;
  /** Bytes of a body. */
  readonly bytes: number;
  /** How often a request is sent that is answered 429. */
  readonly tries: number;
  /** The shortest and the longest wait for a 429, milliseconds. */
  readonly wait: readonly [least: number, most: number];
  /** Requests in a row without an answer after which the run ends. */
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

/** Bytes beyond which bodies are read one at a time. */
const large = 1024 * 1024;

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

/** The exchanges of a check, bodies shortened, status 0 where no answer came; `stopped` refuses it further ones. */
export interface Trace {
  readonly answers: Answer[];
  /** Characters of these and their requests. */
  size?: number;
  /** Requests, with those whose exchanges are not kept. */
  sent?: number;
  stopped?: string;
  /** The most requests that were under way when one of its own was answered 5xx, or not at all. */
  underLoad?: number;
  /** The exchange that took longest. */
  slowest?: { readonly place: string; readonly ms: number };
  /** Milliseconds for which its requests were held back: a 429, the target's budget a second, other large answers. */
  waited?: number;
}

/** The trace of whatever runs now. */
export const trace = new AsyncLocalStorage<Trace>();

/** What a trace keeps: so many answers, and so many characters of them and their requests in all. */
const kept = { answers: 120, size: 1_000_000 };

function keep(answer: Answer): void {
  const log = trace.getStore();
  if (!log) return;
  const { answers } = log;
  if (answer.ms > (log.slowest?.ms ?? 0)) log.slowest = { place: placeOf(answer.request), ms: answer.ms };
  const short = evident(answer);
  answers.push(short);
  log.size = (log.size ?? 0) + sizeOf(short);
  while (answers.length > kept.answers || (log.size > kept.size && answers.length > 1))
    log.size -= sizeOf(answers.shift()!);
}

/** What came back before anybody read it. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** Why no answer came, in words. */
class NoAnswer extends Error {}

/** All requests of a run go through here: they are counted, bounded, traced and shown to the monitors. */
export class Wire {
  #sent = 0;
  readonly #pace = new Pace();
  /** Nothing is sent before: a 429 asks the client to wait, not the one request. */
  #gate = 0;
  /** Requests in a row that got no answer. */
  #silent = 0;
  readonly #memory = new Memory();
  /** Who reads on where a body is large. */
  readonly #turns = new Turns();
  #slots: Slots;
  #underWay = 0;
  readonly #agents: Readonly<Record<'http:' | 'https:', http.Agent>>;

  constructor(
    readonly options: WireOptions,
    readonly limits: WireLimits = usual,
  ) {
    // Every pause listens to it, and there are as many pauses as there are groups.
    setMaxListeners(0, options.signal);
    this.#slots = new Slots(options.concurrency);
    this.#agents = {
      'http:': agentFor('http:', this.connection, true),
      'https:': agentFor('https:', this.connection, true),
    };
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

  /** Milliseconds for which a 429 still holds back whatever is to be sent. */
  get held(): number {
    return Math.max(0, this.#gate - performance.now());
  }

  /**
   * Sends a request as it is. A `429` is waited for and asked again (RFC 6585 4); no other answer is. One that never
   * ends leaves the row undecided: the interface lets a server limit rates, and shows no figures (K-093).
   */
  async send(request: Sent, asked: Asked): Promise<Answer> {
    const refused = this.options.safe ? refusal(request, asked) : undefined;
    if (refused !== undefined) throw new MissingCapability(refused);
    const { tries, wait } = this.limits;
    let isAsked = false;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const answer = await this.#slots.within(() => this.#once(request, asked));
      if (answer.status !== 429) return answer;
      isAsked ||= header(answer, 'retry-after') !== undefined;
      const [least, most] = wait;
      const ms = Math.max(this.options.safe ? retryAfter(answer) : Math.min(retryAfter(answer), most), least);
      this.#gate = Math.max(this.#gate, performance.now() + ms);
    }
    this.#silent += 1;
    throw new PrerequisiteFailed(
      `${placeOf(request)} returned 429 ${tries} times${isAsked ? ' although Retry-After was obeyed' : ', with no Retry-After to obey'}; lower budget.per_second in the target`,
    );
  }

  /** Runs an action while nothing is under way but what it sends itself. */
  alone<T>(action: () => Promise<T>): Promise<T> {
    return this.#slots.alone(action);
  }

  /** Counts the requests of a race; the caller sends them, and reports them with `record`. */
  async reserve(requests: readonly Sent[]): Promise<void> {
    if (this.options.safe)
      throw new MissingCapability('leave to send requests at the same time, which --safe does not give');
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
    if (status >= 500) this.#strained(underWay);
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
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #once(request: Sent, asked: Asked): Promise<Answer> {
    this.options.refuse?.(request);
    const number = await this.#ticket();
    const started = performance.now();
    this.#underWay += 1;
    // Those that were there when it was sent may be gone when it is answered, and the other way round.
    let underWay = this.#underWay;
    try {
      const received = await this.#exchange(request).finally(() => {
        underWay = Math.max(underWay, this.#underWay);
        this.#underWay -= 1;
      });
      if (received.status !== 429) this.#silent = 0;
      return this.record(request, asked, received, performance.now() - started, { number, underWay });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#silent += 1;
      this.#strained(underWay);
      const nothing = { status: 0, headers: {}, text: `(${error.message})`, json: undefined };
      keep({ number, asked, request, ...nothing, ms: performance.now() - started });
      const deviation = new Deviation(`a response to ${placeOf(request)}`, error.message);
      throw Object.assign(deviation, { cause: error.cause });
    }
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
      throw new Stopped(`the server did not respond to ${this.#silent} requests in a row`);
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

  #exchange(request: Sent, again = true): Promise<Received> {
    const { signal } = this.options;
    const { answer, whole, bytes: most } = this.limits;
    const check = trace.getStore();
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request, again);
      let over = false;
      const ended = (): boolean => {
        if (over) return false;
        over = true;
        clearTimeout(first);
        clearTimeout(last);
        letGo?.();
        signal.removeEventListener('abort', stop);
        return true;
      };
      const fail = (error: Error): void => {
        if (!ended()) return;
        outgoing.destroy();
        reject(error);
      };
      const silent = (why: string, cause?: Error): void => fail(new NoAnswer(why, { cause }));
      const stop = (): void => fail(new Stopped(String(signal.reason)));
      const first = setTimeout(() => silent(`no response within ${answer / 1000} seconds`), answer);
      const tooLong = (): void => silent(`a response that did not end within ${whole / 1000} seconds`);
      let last = setTimeout(tooLong, whole);
      let letGo: (() => void) | undefined;
      signal.addEventListener('abort', stop, { once: true });
      outgoing.on('response', (incoming) => {
        clearTimeout(first);
        const chunks: Buffer[] = [];
        let bytes = 0;
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > most) return silent(`a body of more than ${most / 1024 / 1024} MB`);
          chunks.push(chunk);
          if (bytes <= large || letGo || over) return;
          // The server does not take longer for it that others are read first.
          incoming.pause();
          clearTimeout(last);
          const since = performance.now();
          letGo = this.#turns.take(() => {
            if (check) check.waited = (check.waited ?? 0) + performance.now() - since;
            last = setTimeout(tooLong, whole);
            incoming.resume();
          });
        });
        incoming.on('end', () => {
          if (!ended()) return;
          const { statusCode: status = 0, rawHeaders } = incoming;
          resolve({ status, headers: headersOf(rawHeaders), body: Buffer.concat(chunks) });
        });
        incoming.on('error', (error) => silent(`a body that broke off (${error.message})`));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection may be closed by the server just as it is used again; nothing was read of the request.
        const stale = again && outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (!stale) silent(reason(error), error);
        else if (ended()) resolve(this.#exchange(request, false));
      });
      outgoing.end(request.body);
    });
  }

  /** @throws PrerequisiteFailed where HTTP has no way to say it, such as a token with a line break in it */
  #open({ method, url, headers, body }: Sent, kept: boolean): http.ClientRequest {
    try {
      const { protocol, hostname, port } = new URL(url);
      const secure = protocol === 'https:';
      return (secure ? https : http).request({
        // Where one kept connection is stale, the others may be as well.
        agent: kept
          ? this.#agents[protocol as 'http:' | 'https:']
          : agentFor(protocol as 'http:' | 'https:', this.connection, false),
        hostname: bare(hostname),
        port: port || (secure ? 443 : 80),
        method,
        path: pathOf(url),
        headers: {
          ...ownHeaders,
          ...headers,
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
      });
    } catch (error) {
      throw new PrerequisiteFailed(`a request cannot be sent: ${(error as Error).message}`);
    }
  }
}

/** Why a connection failed, in words. */
export function reason(error: NodeJS.ErrnoException): string {
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'a refused connection',
    ECONNRESET: 'a closed connection',
    ENOTFOUND: 'a host name that does not resolve',
    EPIPE: 'a closed connection',
    EPROXY: error.message,
  };
  return words[error.code ?? ''] ?? `a broken connection (${error.message})`;
}

/** `GET /profile`: a query may hold a secret. */
const placeOf = ({ method, url }: Sent): string => `${method} ${pathOf(url).replace(/\?.*$/s, '')}`;

/** Path and query exactly as written: URL would tidy up what a check wrote on purpose. */
export function pathOf(url: string): string {
  const [, written = ''] = /^[^:]+:\/\/[^/?#]*([^#]*)/s.exec(url) ?? [];
  return written.startsWith('/') ? written : `/${written}`;
}

/** Milliseconds that a timer of Node can wait; one that is told to wait longer ends at once. */
const longest = 2 ** 31 - 1;

/**
 * Milliseconds that a 429 asks for (RFC 9110 10.2.3): seconds, or a date by the clock of the server; a second where it
 * says neither.
 */
function retryAfter(answer: Answer): number {
  const text = header(answer, 'retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - Date.parse(header(answer, 'date') ?? '');
  return /[a-z]/i.test(text) && Number.isFinite(ms) ? ms : 1000;
}

export function headersOf(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    const value = raw[index + 1]!;
    const before = headers[name];
    headers[name] = before === undefined ? value : typeof before === 'string' ? [before, value] : [...before, value];
  }
  return headers;
}
