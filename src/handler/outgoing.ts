import { bytes } from '../bytes/index.js';
import type { Response as MockResponse } from '../server/http.js';

type Part = Uint8Array<ArrayBuffer>;

/** Responses of these statuses have no body, not even an empty one (Fetch, "null body status"). */
const bodiless = new Set([101, 103, 204, 205, 304]);

/**
 * A response that becomes one of the Fetch API. What ends a connection early is a network error: `Response.error()` before
 * the head, an error of the body behind it.
 */
export class Outgoing implements MockResponse {
  locals = {};
  headersSent = false;
  destroyed = false;
  writableFinished = false;
  writableLength = 0;
  /** Settles with the head of the response, or once there will be none. */
  readonly response: Promise<Response>;
  readonly #method: string;
  #settle!: (response: Response) => void;
  #head: ResponseInit = {};
  #listeners: (() => void)[] = [];
  /** Parts that nobody has taken yet, and what comes behind them. */
  readonly #parts: (Part | 'end' | 'break')[] = [];
  #streams = false;
  #wake: () => void = () => {};

  constructor({ method, signal }: { readonly method: string; readonly signal?: AbortSignal }) {
    this.#method = method;
    this.response = new Promise((settle) => (this.#settle = settle));
    signal?.addEventListener('abort', () => this.destroy(), { once: true });
  }

  writeHead(status: number, headers: string[] | Record<string, string> = {}): void {
    this.headersSent = true;
    this.#head = { status, headers: Array.isArray(headers) ? pairs(headers) : headers };
  }

  flushHeaders(): void {
    if (this.#streams || this.destroyed) return;
    this.#streams = true;
    const body = new ReadableStream<Part>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#close() },
      { highWaterMark: 0 },
    );
    this.#settle(new Response(body, this.#head));
  }

  write(content: string | Uint8Array, taken: () => void = () => {}): void {
    this.flushHeaders();
    const part = partOf(content);
    if (part.length > 0) this.#push(part);
    queueMicrotask(taken);
  }

  end(content: string | Uint8Array = ''): void {
    if (this.destroyed || this.writableFinished) return;
    if (this.#streams) {
      if (content.length > 0) this.write(content);
      this.#push('end');
    } else {
      const none = this.#method === 'HEAD' || bodiless.has(this.#head.status ?? 200);
      this.#settle(new Response(none ? null : partOf(content), this.#head));
    }
    this.writableFinished = true;
    this.#tell();
  }

  /** Nothing more is sent, and what was written is lost where nobody took it. */
  destroy(): void {
    this.#parts.length = 0;
    this.hangUp();
  }

  reset(): void {
    this.destroy();
  }

  hangUp(): void {
    this.#settle(Response.error());
    this.#push('break');
    this.#close();
  }

  on(_event: 'close', listener: () => void): void {
    this.#listeners.push(listener);
  }

  once(event: 'close', listener: () => void): void {
    this.on(event, listener);
  }

  off(_event: 'close', listener: () => void): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }

  #push(part: Part | 'end' | 'break'): void {
    this.#parts.push(part);
    if (typeof part !== 'string') this.writableLength += part.length;
    this.#wake();
  }

  async #pull(controller: ReadableStreamDefaultController<Part>): Promise<void> {
    while (this.#parts.length === 0) await new Promise<void>((wake) => (this.#wake = wake));
    const part = this.#parts.shift()!;
    if (part === 'end') return controller.close();
    if (part === 'break') return controller.error(new TypeError('the connection ended before the body did'));
    this.writableLength -= part.length;
    controller.enqueue(part);
  }

  #close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#tell();
  }

  /** `close` comes once. */
  #tell(): void {
    // `this` is the response, as with Node's events.
    for (const listener of this.#listeners.splice(0)) listener.call(this);
  }
}

const partOf = (content: string | Uint8Array): Part =>
  typeof content === 'string' ? bytes.encode(content) : (content as Part);

const pairs = (list: readonly string[]): [string, string][] =>
  Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index] ?? '', list[2 * index + 1] ?? '']);
