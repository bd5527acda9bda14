import { bytes } from '../bytes/index.js';
import type { Operation } from '../contract/index.js';
import type { Decision, Delivery, ExchangeFeed, ExchangeRecord, RecordedBody } from './exchange-record.js';
import { sizeOf, textOf } from './exchange-record.js';
import type { Request, Response } from './http.js';
import type { Identity } from './identity.js';
import { isControl } from './target.js';
import type { Turn } from './turn.js';
import { turnOf } from './turn.js';

/** What the steps of a request note about it while somebody listens. */
class Draft {
  operation: Operation | undefined = undefined;
  query = '';
  identity: Identity | undefined = undefined;
  decision: Decision | undefined = undefined;
  reason: string | undefined = undefined;
  reply: { status: number; headers: Readonly<Record<string, string>>; content: string | Uint8Array } | undefined =
    undefined;
  delivery: Delivery | undefined = undefined;
  /** Whether the record is complete. */
  over = false;
  readonly begin = performance.now();
  /** Read now: a connection that is closed does not know it any more. */
  readonly address: string;

  /** @param end completes the record: one function for all drafts of a mock, for there is a draft for each request */
  constructor(
    readonly number: number,
    readonly at: number,
    readonly realTime: number,
    readonly req: Request,
    readonly res: Response,
    readonly turn: Turn | undefined,
    /** What arrived of the body; undefined where there is none. */
    readonly body: (() => RecordedBody) | undefined,
    private readonly end: (draft: Draft) => void,
  ) {
    this.address = req.address;
  }

  /** Completes the record, perhaps before the connection is closed; once. */
  finish(): void {
    if (this.over) return;
    this.over = true;
    this.end(this);
  }
}

/** What `Exchanges` depends on. */
interface Dependencies {
  readonly now: () => number;
  readonly realTime: () => number;
  /** Only turns are recorded, so that every replica records the same. */
  readonly replicated: boolean;
  readonly identify: (draft: Draft, req: Request) => Identity;
  readonly fingerprint: (secret: string) => string;
  readonly log: (line: string) => void;
}

const mostBytes = 4 << 20;
const nothing: RecordedBody = { content: '', size: 0 };

/** The draft of a request that is being recorded. */
export const draftOf = (res: Response): Draft | undefined => (res as { draft?: Draft }).draft;

function closed(this: Response): void {
  draftOf(this)?.finish();
}

/**
 * The one place through which every request and reply of the mock passes, control calls apart. Without a subscriber
 * nothing is recorded and nothing costs.
 */
export class Exchanges implements ExchangeFeed {
  readonly #listeners = new Set<(record: ExchangeRecord) => void>();
  readonly #dependencies: Dependencies;
  #count = 0;
  #headers: readonly string[] = [];

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  subscribe(listener: (record: ExchangeRecord) => void): () => void {
    const own = (record: ExchangeRecord): void => listener(record);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  get recording(): boolean {
    return this.#listeners.size > 0;
  }

  /** How many requests were counted. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }

  /** Begins the record of a request, if somebody listens. */
  open(req: Request, res: Response): void {
    const turn = this.#dependencies.replicated ? turnOf(res) : undefined;
    if (turn ? isControl(req.url) : !this.recording || this.#dependencies.replicated || isControl(req.url)) return;
    const number = ++this.#count;
    if (!this.recording) return;
    const { now, realTime } = this.#dependencies;
    const body = turn ? () => bodyRead(turn.body) : req.hasBody ? bodyOf(req) : undefined;
    const draft = new Draft(number, now(), realTime(), req, res, turn, body, this.#end);
    (res as { draft?: Draft }).draft = draft;
    if (!turn) res.on('close', closed);
  }

  readonly #end = (draft: Draft): void => {
    const { operation, reply, req, res, turn, begin } = draft;
    const { identify, fingerprint } = this.#dependencies;
    const { account, clientId, credential } = draft.identity ?? identify(draft, req);
    const decision = draft.decision ?? decisionOf(draft);
    this.#tell({
      number: draft.number,
      at: draft.at,
      realTime: draft.realTime,
      elapsed: turn ? turn.elapsed : performance.now() - begin,
      method: req.method,
      target: req.originalUrl,
      operationId: operation?.id,
      logical: operation?.logical,
      address: draft.address,
      requestHeaders: this.#headersOf(req),
      requestBody: draft.body?.() ?? nothing,
      // A client that could not authenticate speaks for nobody.
      account: decision === 'refused' && isClientRefusal(draft) ? undefined : account,
      clientId,
      credential: credential === undefined ? undefined : fingerprint(credential),
      decision,
      reason: draft.reason,
      reply: reply ? { status: reply.status, headers: reply.headers, body: bounded(reply.content) } : null,
      delivery: draft.delivery ?? (turn && reply ? 'sent' : deliveryOf(draft, res)),
    });
  };

  /** A client sends the same headers over and over: they are one list, which listeners keep once. */
  #headersOf({ rawHeaders }: Request): readonly string[] {
    const known = this.#headers;
    if (known.length === rawHeaders.length && known.every((text, index) => text === rawHeaders[index])) return known;
    return (this.#headers = rawHeaders);
  }

  #tell(record: ExchangeRecord): void {
    for (const listener of this.#listeners) {
      try {
        listener(record);
      } catch (error) {
        this.#dependencies.log(
          `a listener of exchanges failed: ${error instanceof Error ? error.stack : String(error)}`,
        );
      }
    }
  }
}

/** Whether the authorization server could not tell who the client is (RFC 6749 5.2). */
const isClientRefusal = ({ operation, reply }: Draft): boolean =>
  operation?.server === 'authorization' && reply !== undefined && /"error"\s*:\s*"invalid_client"/.test(textOf(reply));

function decisionOf({ reply, reason }: Draft): Decision {
  if (!reply) return 'abandoned';
  return reply.status >= 400 || reason !== undefined ? 'refused' : 'answered';
}

function deliveryOf({ reply }: Draft, res: Response): Delivery {
  if (!reply) return 'lost';
  return res.writableFinished ? 'sent' : 'cut';
}

const bodyRead = (body: Uint8Array | undefined): RecordedBody =>
  body ? { content: body.subarray(0, mostBytes), size: body.length } : nothing;

/** What there is of a body: read by a hook, or about to arrive. */
function bodyOf(req: Request): () => RecordedBody {
  const { body } = req;
  return body instanceof Uint8Array ? () => bodyRead(body) : req.recordBody(mostBytes);
}

function bounded(content: string | Uint8Array): RecordedBody {
  const size = sizeOf(content);
  if (size <= mostBytes) return { content, size };
  return { content: (typeof content === 'string' ? bytes.encode(content) : content).subarray(0, mostBytes), size };
}
