import type { RecordedBody } from '../server/exchange-record.js';
import type { Request as MockRequest, RequestHeaders } from '../server/http.js';
import type { ReadFailure } from '../server/turn.js';

type Part = Uint8Array<ArrayBuffer>;

/** Encodings of a body that a runtime of the web decodes, by what a header calls them (RFC 9110 8.4.1). */
const decoders: Readonly<Record<string, 'gzip' | 'deflate'>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' };

/** A request of the Fetch API, as the mock reads it. Its body is read when an operation asks for it, and as far as it may be. */
export class Incoming implements MockRequest {
  readonly httpVersion = '1.1';
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: RequestHeaders;
  readonly rawHeaders: readonly string[];
  readonly hasBody: boolean;
  body?: Uint8Array;
  readonly #request: Request;
  #most = 0;
  readonly #recorded: Part[] = [];
  #kept = 0;
  #arrived = 0;

  /** @param url the target in origin form */
  constructor(
    request: Request,
    public url: string,
    readonly address: string,
  ) {
    this.#request = request;
    this.method = request.method;
    this.originalUrl = url;
    // Who sends a request of the Fetch API names the host in its URL.
    const headers = { host: new URL(request.url).host, ...Object.fromEntries(request.headers) };
    this.headers = headers;
    this.rawHeaders = Object.entries(headers).flat();
    // Where bodies are no streams there is one whenever a method may have one.
    this.hasBody = request.body === undefined ? !['GET', 'HEAD'].includes(request.method) : request.body !== null;
  }

  async readBody(most: number): Promise<ReadFailure | undefined> {
    const announced = Number(this.headers['content-length'] ?? Number.NaN);
    const encoding = String(this.headers['content-encoding'] ?? 'identity').toLowerCase();
    if (encoding !== 'identity' && !Object.hasOwn(decoders, encoding))
      return { status: 415, type: 'encoding.unsupported' };
    if (announced > most) return { status: 413, type: 'entity.too.large' };
    try {
      const parts: Part[] = [];
      let size = 0;
      for await (const part of this.#parts(encoding)) {
        size += part.length;
        if (size > most) return { status: 413, type: 'entity.too.large' };
        parts.push(part);
      }
      if (announced >= 0 && this.#arrived !== announced) return { status: 400, type: 'request.size.invalid' };
      this.body = joined(parts, size);
      return undefined;
    } catch {
      return { status: 400, type: this.#request.signal?.aborted ? 'request.aborted' : 'request.unreadable' };
    }
  }

  recordBody(most: number): () => RecordedBody {
    this.#most = most;
    return () => ({ content: joined(this.#recorded, this.#kept), size: this.#arrived });
  }

  /** The body as it arrives, decoded. Who stops to read leaves the rest to the runtime: to cancel it could end the connection. */
  async *#parts(encoding: string): AsyncGenerator<Part> {
    const { body } = this.#request;
    if (!body) return yield* await this.#whole();
    const format = decoders[encoding];
    const arriving = format ? body.pipeThrough(this.#noting()).pipeThrough(new DecompressionStream(format)) : body;
    const reader = (arriving as ReadableStream<Part>).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (!format) this.#note(value);
        yield value;
      }
    } finally {
      reader.releaseLock();
    }
  }

  /** The body of a runtime whose bodies are no streams. */
  async #whole(): Promise<Part[]> {
    if (!this.hasBody) return [];
    const whole = new Uint8Array(await this.#request.arrayBuffer());
    this.#note(whole);
    return [whole];
  }

  #noting(): TransformStream<Part, Part> {
    return new TransformStream({
      transform: (part, controller) => {
        this.#note(part);
        controller.enqueue(part);
      },
    });
  }

  #note(part: Part): void {
    this.#arrived += part.length;
    const kept = part.subarray(0, Math.max(0, this.#most - this.#kept));
    this.#kept += kept.length;
    if (kept.length > 0) this.#recorded.push(kept);
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
