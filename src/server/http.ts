import type { RecordedBody } from './exchange-record.js';
import type { ReadFailure } from './turn.js';

/** Headers of a request by name, in lower case. */
export interface RequestHeaders {
  readonly authorization?: string | undefined;
  readonly 'content-type'?: string | undefined;
  readonly 'user-agent'?: string | undefined;
  readonly origin?: string | undefined;
  host?: string | undefined;
  readonly [name: string]: string | string[] | undefined;
}

/** What the mock reads of a request, wherever it comes from: Express's (`express.ts`) or one of the Fetch API (`src/handler`). */
export interface Request {
  readonly method: string;
  readonly httpVersion: string;
  /** The target in origin form; of a request to a namespace, what follows its name. */
  url: string;
  originalUrl: string;
  readonly headers: RequestHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Of the other end; '' where that is not known. */
  readonly address: string;
  readonly hasBody: boolean;
  /** The whole body as bytes, once it was read. */
  body?: unknown;
  /** Reads the body into `body`, once. Resolves to why it cannot be read, if it cannot: of more than `most` bytes, `entity.too.large`. */
  readBody(most: number): Promise<ReadFailure | undefined>;
  /** Keeps what arrives of the body, its first `most` bytes, without reading it in anybody's place. */
  recordBody(most: number): () => RecordedBody;
}

/** What the mock does to a response, wherever it goes. */
export interface Response {
  /** What is known of the request before the app gets it (`turn.ts`). */
  locals?: object;
  readonly headersSent: boolean;
  /** Whether nothing more reaches the client. */
  readonly destroyed: boolean;
  /** Whether all of it was handed over. */
  readonly writableFinished: boolean;
  /** Bytes that were written and not yet taken. */
  readonly writableLength: number;
  /** Headers as names and values in turn, or by name. */
  writeHead(status: number, headers?: string[] | Record<string, string>): unknown;
  flushHeaders(): void;
  /** `taken` is called once the bytes are on their way. */
  write(content: string | Uint8Array, taken?: () => void): unknown;
  end(content?: string | Uint8Array): unknown;
  destroy(error?: Error): unknown;
  /** Ends the connection with a reset, as a server that crashed. */
  reset(): void;
  /** Ends the connection in order, whatever was written so far. */
  hangUp(): void;
  /** `close` comes once, when nothing more is sent: all was, or the client is gone. */
  on(event: 'close', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Answers a request. What fails is answered too: it neither throws nor rejects. */
export type Answer = (req: Request, res: Response) => void;
