import { AsyncLocalStorage } from 'node:async_hooks';
import * as http from 'node:http';
import * as https from 'node:https';

import { Deviation, Stopped } from '../engine/verdict.js';
import type { Answer, Asked, Sent } from './answer.js';

/** Bounds of every exchange, so that no server can hold the run. */
const patience = { answer: 10_000, whole: 30_000, bytes: 32 * 1024 * 1024, tries: 8, longestWait: 30_000, silence: 6 };

export interface WireOptions {
  /** The most requests that may be sent. */
  readonly budget: number;
  /** 0 is no limit. */
  readonly perSecond: number;
  /** Ends the run: what is asked afterwards is refused with the signal's reason. */
  readonly signal: AbortSignal;
  /** Sees every answer. */
  readonly seen: (answer: Answer) => void;
}

/** The exchanges of a check, bodies shortened; `stopped` refuses it further ones. */
export interface Trace {
  readonly answers: Answer[];
  stopped?: string;
}

/** The trace of whatever runs now. */
export const trace = new AsyncLocalStorage<Trace>();

const kept = { answers: 120, characters: 4000 };

/** What came back before anybody read it. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** Why no answer came, in words. */
class NoAnswer extends Error {}

/** All requests of a run go through here: they are counted, bounded, traced and shown to the monitors. */
export class Wire {
  #sent = 0;
  #slot = 0;
  /** Requests in a row that got no answer. */
  #silent = 0;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: 32 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: 32 }),
  };

  constructor(readonly options: WireOptions) {}

  get sent(): number {
    return this.#sent;
  }

  /** Sends a request as it is. A `429` is waited for and asked again (RFC 6585 4); no other answer is. */
  async send(request: Sent, asked: Asked): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#once(request, asked);
      if (answer.status !== 429 || attempt === patience.tries) return answer;
      await this.#pause(retryAfter(answer));
    }
  }

  /** Counts the requests of a race; the caller sends them, and reports them with `record`. */
  async reserve(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.#ticket();
  }

  /** Makes an answer of what was received, and shows it to trace and monitors. */
  record(request: Sent, asked: Asked, received: Received, ms: number, number = this.#sent): Answer {
    const answer: Answer = { number, asked, request, ...received, json: parsed(received.text), ms };
    const log = trace.getStore();
    if (log) {
      log.answers.push({ ...answer, text: answer.text.slice(0, kept.characters), json: undefined });
      if (log.answers.length > kept.answers) log.answers.shift();
    }
    this.options.seen(answer);
    return answer;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #once(request: Sent, asked: Asked): Promise<Answer> {
    const number = await this.#ticket();
    const started = performance.now();
    try {
      const received = await this.#exchange(request);
      this.#silent = 0;
      return this.record(request, asked, received, performance.now() - started, number);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#silent += 1;
      throw new Deviation(`an answer to ${request.method} ${pathOf(request.url)}`, error.message);
    }
  }

  async #ticket(): Promise<number> {
    const { budget, perSecond, signal } = this.options;
    const stopped = trace.getStore()?.stopped;
    if (stopped !== undefined) throw new Stopped(stopped);
    if (signal.aborted) throw new Stopped(String(signal.reason));
    if (this.#silent >= patience.silence)
      throw new Stopped(`the server left ${this.#silent} requests in a row unanswered`);
    if (this.#sent >= budget) throw new Stopped(`the budget of ${budget} requests is spent; --budget raises it`);
    this.#sent += 1;
    const number = this.#sent;
    if (perSecond > 0) {
      const now = performance.now();
      this.#slot = Math.max(now, this.#slot + 1000 / perSecond);
      if (this.#slot > now) await this.#pause(this.#slot - now);
    }
    return number;
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.options;
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
    return new Promise((resolve, reject) => {
      const { protocol, hostname, port } = new URL(request.url);
      const path = pathOf(request.url);
      const secure = protocol === 'https:';
      const outgoing = (secure ? https : http).request({
        agent: this.#agents[secure ? 'https:' : 'http:'],
        // An IPv6 address is bracketed in a URL and nowhere else.
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (secure ? 443 : 80),
        method: request.method,
        path,
        headers: {
          ...request.headers,
          ...(request.body !== undefined && { 'content-length': String(Buffer.byteLength(request.body)) }),
        },
      });
      const fail = (why: string): void => {
        clearTimeout(whole);
        clearTimeout(first);
        outgoing.destroy();
        reject(new NoAnswer(why));
      };
      const first = setTimeout(() => fail(`no answer within ${patience.answer / 1000} seconds`), patience.answer);
      const whole = setTimeout(
        () => fail(`an answer that did not end within ${patience.whole / 1000} seconds`),
        patience.whole,
      );
      outgoing.on('response', (incoming) => {
        clearTimeout(first);
        const chunks: Buffer[] = [];
        let bytes = 0;
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > patience.bytes) fail(`a body of more than ${patience.bytes / 1024 / 1024} MB`);
          else chunks.push(chunk);
        });
        incoming.on('end', () => {
          clearTimeout(whole);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: headersOf(incoming.rawHeaders),
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
        incoming.on('error', (error) => fail(`a body that broke off (${error.message})`));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection may be closed by the server just as it is used again; nothing was read of the request.
        if (again && outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) {
          clearTimeout(whole);
          clearTimeout(first);
          this.#exchange(request, false).then(resolve, reject);
        } else fail(reason(error));
      });
      outgoing.end(request.body);
    });
  }
}

function reason(error: NodeJS.ErrnoException): string {
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'a refused connection',
    ECONNRESET: 'a closed connection',
    ENOTFOUND: 'a host name that does not resolve',
    EPIPE: 'a closed connection',
  };
  return words[error.code ?? ''] ?? `a broken connection (${error.message})`;
}

/** Path and query exactly as written: URL would tidy up what a check wrote on purpose. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start === -1 ? '/' : url.slice(start).replace(/#.*$/s, '');
}

/** Milliseconds that a 429 asks for (RFC 9110 10.2.3): seconds or a date; a second where it says nothing. */
function retryAfter(answer: Answer): number {
  const value = answer.headers['retry-after'];
  const text = typeof value === 'string' ? value : '1';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.min(Math.max(Number.isFinite(ms) ? ms : 1000, 50), patience.longestWait);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
