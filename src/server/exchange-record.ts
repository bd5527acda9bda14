import { bytes } from '../bytes/index.js';
import type { LogicalOperation, OperationId } from '../contract/index.js';

/**
 * What became of a request: an operation or page `answered`, a rule `refused`, a rate limit (or the edge before it)
 * `limited`, a fault rule `faulted` the reply or the connection, the mock itself `failed`, or the client went away before
 * there was a reply (`abandoned`).
 */
export type Decision = 'answered' | 'refused' | 'limited' | 'faulted' | 'failed' | 'abandoned';

/** What reached the client: the whole reply, a part, nothing, or a reset of the connection. */
export type Delivery = 'sent' | 'cut' | 'lost' | 'reset';

/** The bytes of a body, or its text. `content` holds the first 4 MiB at most, `size` counts all of them. */
export interface RecordedBody {
  readonly content: string | Uint8Array;
  readonly size: number;
}

/** One exchange as it was on the wire, secrets included. It stays in this process. */
export interface ExchangeRecord {
  /** In order of arrival; records come in order of completion. */
  readonly number: number;
  /** Arrival on the mock's clock, ms. */
  readonly at: number;
  /** Arrival by the real clock, ms. */
  readonly realTime: number;
  /** From arrival to the end of the reply, real ms; of replicas, to the place in their order. */
  readonly elapsed: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The operation of the OpenAPI document, and of the interface; undefined for pages and unknown paths. */
  readonly operationId: OperationId | undefined;
  readonly logical: LogicalOperation | undefined;
  readonly address: string;
  /** Names and values in turn, as Node's `rawHeaders`; the same list as before where a request has the same. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: RecordedBody;
  readonly account: string | undefined;
  readonly clientId: string | undefined;
  /** Fingerprint of the access token, refresh token or code that was presented. */
  readonly credential: string | undefined;
  readonly decision: Decision;
  /** Why, in words; that of `X-Mock-Reason` where there is one. */
  readonly reason: string | undefined;
  /** Null where no reply was made. A reply that was made and lost is here all the same. */
  readonly reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: RecordedBody;
  } | null;
  readonly delivery: Delivery;
}

/** Where programs of this process read exchanges. */
export interface ExchangeFeed {
  /** Hands each exchange to `listener` once it is over, until the function that is returned is called. */
  subscribe(listener: (record: ExchangeRecord) => void): () => void;
}

/** The text of a body. */
export const textOf = ({ content }: Pick<RecordedBody, 'content'>): string =>
  typeof content === 'string' ? content : bytes.decode(content);

/** How many bytes a content takes. */
export const sizeOf = (content: RecordedBody['content']): number =>
  typeof content === 'string' ? bytes.size(content) : content.length;
