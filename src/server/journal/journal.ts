import type { JournalEntry } from '../../client/index.js';
import type { ExchangeRecord, Exchanges } from '../exchanges.js';
import { Refusal } from '../refusal.js';
import type { Filter } from './filter.js';
import { fits } from './filter.js';
import type { Judges, Law } from './problems.js';
import { problemsOf } from './problems.js';
import { Queue } from './queue.js';
import type { Secrets } from './redact.js';
import { isAuthorization, redacted, redactedHeaders } from './redact.js';

/** A redacted exchange, and what was said of it while the secrets were there. */
export interface Line {
  readonly record: ExchangeRecord;
  /** Undefined where it can be judged when somebody reads. */
  readonly problems: JournalEntry['problems'] | undefined;
  readonly size: number;
}

export interface Bounds {
  readonly entries: number;
  readonly bytes: number;
}

export interface JournalState {
  readonly recording: boolean;
  readonly bounds: Bounds;
  readonly lines: readonly Line[];
}

const standard: Bounds = { entries: 1000, bytes: 16 << 20 };

/** What a line takes beside texts, roughly. */
const overhead = 1024;

/** How many may wait or follow at a time. */
const mostListeners = 32;

/** Redacted exchanges, bounded in number and bytes: the oldest go first. Nothing is recorded until it is started. */
export class Journal {
  readonly #exchanges: Exchanges;
  readonly #law: Omit<Law, 'judges'>;
  readonly #secrets: Secrets;
  readonly #listeners = new Set<(line: Line) => void>();
  readonly #ends = new Set<() => void>();
  #judges: Judges = {};
  #leave: (() => void) | undefined;
  #bounds = standard;
  readonly #lines = new Queue<Line>();
  #bytes = 0;
  #headers: { raw: readonly string[]; marked: readonly string[] } = { raw: [], marked: [] };

  constructor(exchanges: Exchanges, law: Omit<Law, 'judges'>, secrets: Secrets) {
    this.#exchanges = exchanges;
    this.#law = law;
    this.#secrets = secrets;
  }

  get recording(): boolean {
    return this.#leave !== undefined;
  }

  get bounds(): Bounds {
    return this.#bounds;
  }

  get law(): Law {
    return { ...this.#law, judges: this.#judges };
  }

  get state(): JournalState {
    return { recording: this.recording, bounds: this.#bounds, lines: this.#lines.all() };
  }

  /** Has recorded what is given, and nothing else. Who follows the journal is told of what is new to it. */
  async restore({ recording, bounds, lines }: JournalState): Promise<void> {
    const last = this.#lines.all().at(-1)?.record.number ?? 0;
    await this.start(bounds);
    if (!recording) this.stop();
    this.clear();
    for (const line of lines) {
      this.#keep(line);
      if (line.record.number > last) for (const listener of this.#listeners) listener(line);
    }
  }

  /** Starts to record, or goes on with other bounds. Loads what replies are judged by, which takes a moment once. */
  async start(bounds: Partial<Bounds> = {}): Promise<void> {
    this.#judges = (await import('../../contract/judges.gen.js')) as unknown as Judges;
    this.#bounds = { ...standard, ...bounds };
    this.#leave ??= this.#exchanges.subscribe((record) => this.#add(record));
    this.#makeRoom();
  }

  stop(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  lines(filter: Filter = {}): readonly Line[] {
    return this.#lines.all().filter(({ record }) => fits(record, filter));
  }

  clear(): void {
    this.#lines.clear();
    this.#headers = { raw: [], marked: [] };
    this.#bytes = 0;
  }

  /** Ends every wait and stream. */
  close(): void {
    this.stop();
    for (const end of this.#ends) end();
  }

  /**
   * Hands each new line that fits to `listener`, until the function that is returned is called; `ended` is called where
   * the journal ends it. @throws Refusal 409 if too many follow already
   */
  follow(filter: Filter, listener: (line: Line) => void, ended: () => void): () => void {
    if (this.#listeners.size >= mostListeners)
      throw new Refusal(409, `${mostListeners} calls follow the journal already; end one of them`);
    const own = (line: Line): void => {
      if (fits(line.record, filter)) listener(line);
    };
    this.#listeners.add(own);
    this.#ends.add(ended);
    return () => {
      this.#listeners.delete(own);
      this.#ends.delete(ended);
    };
  }

  #add(raw: ExchangeRecord): void {
    const problems = isAuthorization(raw.logical) ? problemsOf(raw, this.law) : undefined;
    const record = redacted(raw, this.#headersOf(raw), this.#secrets);
    const { requestBody, reply, target } = record;
    const size = overhead + target.length + requestBody.content.length + (reply?.body.content.length ?? 0);
    const line = { record, problems, size };
    this.#keep(line);
    for (const listener of this.#listeners) listener(line);
  }

  #keep(line: Line): void {
    this.#lines.add(line);
    this.#bytes += line.size;
    this.#makeRoom();
  }

  /** A client sends the same headers over and over: those of its last request are redacted once, and kept once. */
  #headersOf({ requestHeaders: given }: ExchangeRecord): readonly string[] {
    const { raw, marked } = this.#headers;
    if (raw.length === given.length && raw.every((text, index) => text === given[index])) return marked;
    this.#headers = { raw: given, marked: redactedHeaders(given, this.#secrets) };
    return this.#headers.marked;
  }

  #makeRoom(): void {
    const { entries, bytes } = this.#bounds;
    while (this.#lines.size > entries || this.#bytes > bytes) this.#bytes -= this.#lines.take()?.size ?? this.#bytes;
  }
}
