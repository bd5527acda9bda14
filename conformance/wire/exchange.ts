import * as http from 'node:http';
import * as https from 'node:https';

import { PrerequisiteFailed, Stopped } from '../verdict.js';
import type { Sent } from './answer.js';
import { agentFor, bare } from './connection.js';
import type { Connection } from './connection.js';
import { ownHeaders } from './identity.js';
import { headersOf, reason } from './received.js';
import type { Received } from './received.js';
import { pathOf, trace } from './trace.js';
import { Turns } from './turns.js';

/** Bounds of every exchange, so that no server can hold the run. */
export interface ExchangeLimits {
  /** Milliseconds until an answer begins. */
  readonly answer: number;
  /** Milliseconds until it has ended. */
  readonly whole: number;
  /** Bytes of a body. */
  readonly bytes: number;
}

/** Why no answer came, in words; `cause` is the error of the connection, where there is one. */
export class NoAnswer extends Error {}

/** Bytes beyond which bodies are read one at a time. */
const large = 1024 * 1024;

type Protocol = 'http:' | 'https:';

/** Sends requests over connections that it keeps. */
export class Client {
  readonly #kept: Readonly<Record<Protocol, http.Agent>>;
  /** Who reads on where a body is large. */
  readonly turns = new Turns();

  constructor(
    readonly connection: Connection,
    readonly limits: ExchangeLimits,
    readonly signal: AbortSignal,
  ) {
    this.#kept = { 'http:': agentFor('http:', connection, true), 'https:': agentFor('https:', connection, true) };
  }

  /**
   * @throws NoAnswer where no whole answer came within the limits
   * @throws Stopped where the signal ends it
   * @throws PrerequisiteFailed where HTTP has no way to say the request, such as a token with a line break in it
   */
  async exchange(request: Sent): Promise<Received> {
    const received = await new Exchange(this, request, this.#open(request, true)).received(true);
    // Where one kept connection is stale, the others may be as well.
    if (received === 'stale') return new Exchange(this, request, this.#open(request, false)).received(false);
    return received;
  }

  close(): void {
    for (const agent of Object.values(this.#kept)) agent.destroy();
  }

  #open({ method, url, headers, body }: Sent, kept: boolean): http.ClientRequest {
    try {
      const { protocol, hostname, port } = new URL(url);
      const secure = protocol === 'https:';
      return (secure ? https : http).request({
        agent: kept ? this.#kept[protocol as Protocol] : agentFor(protocol as Protocol, this.connection, false),
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

/** One request and its answer. */
class Exchange {
  readonly #trace = trace.getStore();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  #first: NodeJS.Timeout | undefined;
  #last: NodeJS.Timeout | undefined;
  #leaveTurn: (() => void) | undefined;
  #resolve: (received: Received | 'stale') => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(
    readonly client: Client,
    readonly request: Sent,
    readonly outgoing: http.ClientRequest,
  ) {}

  /** Sends it; `stale` where a kept connection was closed just as it was used again: nothing was read of the request. */
  received(again: true): Promise<Received | 'stale'>;
  received(again: false): Promise<Received>;
  received(again: boolean): Promise<Received | 'stale'> {
    const { outgoing, request, client } = this;
    const { answer, whole } = client.limits;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#first = setTimeout(() => this.#silent(`no response within ${answer / 1000} seconds`), answer);
      this.#last = setTimeout(this.#tooLong, whole);
      client.signal.addEventListener('abort', this.#stop, { once: true });
      outgoing.on('response', (incoming) => this.#read(incoming));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const stale = again && outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (!stale) this.#silent(reason(error), error);
        else if (this.#end()) resolve('stale');
      });
      outgoing.end(request.body);
    });
  }

  #read(incoming: http.IncomingMessage): void {
    const most = this.client.limits.bytes;
    clearTimeout(this.#first);
    incoming.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > most) return this.#silent(`a body of more than ${most / 1024 / 1024} MB`);
      this.#chunks.push(chunk);
      if (this.#bytes > large && !this.#leaveTurn && !this.#isOver) this.#takeTurn(incoming);
    });
    incoming.on('end', () => {
      if (!this.#end()) return;
      const { statusCode: status = 0, rawHeaders } = incoming;
      this.#resolve({ status, headers: headersOf(rawHeaders), body: Buffer.concat(this.#chunks) });
    });
    incoming.on('error', (error) => this.#silent(`a body that broke off (${error.message})`));
  }

  /** Reads on when it is its turn. The server does not take longer for it that others are read first. */
  #takeTurn(incoming: http.IncomingMessage): void {
    incoming.pause();
    clearTimeout(this.#last);
    const since = performance.now();
    this.#leaveTurn = this.client.turns.take(() => {
      if (this.#trace) this.#trace.waited = (this.#trace.waited ?? 0) + performance.now() - since;
      this.#last = setTimeout(this.#tooLong, this.client.limits.whole);
      incoming.resume();
    });
  }

  readonly #tooLong = (): void =>
    this.#silent(`a response that did not end within ${this.client.limits.whole / 1000} seconds`);

  readonly #stop = (): void => this.#fail(new Stopped(String(this.client.signal.reason)));

  #silent(why: string, cause?: Error): void {
    this.#fail(new NoAnswer(why, { cause }));
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    this.outgoing.destroy();
    this.#reject(error);
  }

  /** Whether it was not over yet; now it is. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#first);
    clearTimeout(this.#last);
    this.#leaveTurn?.();
    this.client.signal.removeEventListener('abort', this.#stop);
    return true;
  }
}
