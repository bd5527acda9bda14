import type { ExchangeRecord } from '../exchange-record.js';
import type { Exchanges } from '../exchanges.js';
import { isOwnPage } from '../pages/own.js';
import { Refusal } from '../refusal.js';
import type { Filter } from './filter.js';
import type { LineState } from './line.js';
import { Line } from './line.js';
import type { Judges, Law } from './problems.js';
import { Queue } from './queue.js';
import type { Secrets } from './redact.js';
import { HeaderList } from './redact.js';
import type { MockSecrets } from './secrets.js';

export interface Bounds {
  readonly entries: number;
  readonly bytes: number;
}

export interface JournalState {
  readonly recording: boolean;
  readonly recorded: boolean;
  readonly bounds: Bounds;
  readonly lines: readonly LineState[];
}

/** The usual bounds: of a mock, and of a namespace, of which there are many. */
export const usualBounds = {
  mock: { entries: 1000, bytes: 16 << 20 },
  namespace: { entries: 1000, bytes: 1 << 20 },
} as const satisfies Record<string, Bounds>;

const isMark = /^\[redacted [0-9a-f]{12}\]$/;

interface Subject extends Omit<Law, 'judges'> {
  readonly secrets: MockSecrets;
  readonly fingerprint: (secret: string) => string;
}

/** What a journal is told by that is off, and what to do about it. */
export const silent =
  'the journal does not record; start it before the requests: await mock.journal.start(), or gamedata mock --journal';

/** How many may wait or follow at a time. */
const mostListeners = 32;

/** Exchanges, shown redacted, bounded in number and bytes: the oldest go first. Nothing is recorded until it is started. */
export class Journal {
  readonly #exchanges: Exchanges;
  #law: Law;
  readonly #secrets: Secrets;
  readonly #listeners = new Set<(line: Line) => void>();
  readonly #ends = new Set<() => void>();
  #leave: (() => void) | undefined;
  readonly #usual: Bounds;
  #bounds: Bounds;
  readonly #lines = new Queue<Line>();
  #bytes = 0;
  /** Whether it has recorded since it was last cleared: only then does an empty list say that nothing came. */
  #recorded = false;
  #headers: HeaderList | undefined;

  readonly #known: MockSecrets;

  /** @param service whose exchanges are recorded: what they are judged by, and the secrets that may be in them */
  constructor(exchanges: Exchanges, { routes, switches, secrets, fingerprint }: Subject, usual: Bounds) {
    this.#exchanges = exchanges;
    this.#law = { routes, switches, judges: {} };
    this.#known = secrets;
    const mark = (secret: string): string => (isMark.test(secret) ? secret : `[redacted ${fingerprint(secret)}]`);
    this.#secrets = { mark, hide: (text) => secrets.hide(text, mark) };
    this.#usual = this.#bounds = usual;
  }

  get recording(): boolean {
    return this.#leave !== undefined;
  }

  get bounds(): Bounds {
    return this.#bounds;
  }

  get state(): JournalState {
    const lines = this.#lines.all().map(({ state }) => state);
    return { recording: this.recording, recorded: this.#recorded, bounds: this.#bounds, lines };
  }

  /** Has recorded what is given, and nothing else. Who follows the journal is told of what is new to it. */
  async restore({ recording, recorded, bounds, lines }: JournalState): Promise<void> {
    const last = this.#lines.all().at(-1)?.number ?? 0;
    // One that does not record knows no secrets, and costs nothing.
    if (recording) await this.start(bounds);
    else this.stop();
    this.#bounds = bounds;
    this.clear();
    this.#recorded = recorded;
    for (const state of lines) {
      const line = Line.from(state);
      this.#keep(line);
      if (line.number > last) for (const listener of this.#listeners) listener(line);
    }
  }

  /** Starts to record, or goes on with other bounds. Loads what replies are judged by, which takes a moment once. */
  async start(bounds: Partial<Bounds> = {}): Promise<void> {
    this.#known.start();
    const judges = (await import('../../contract/judges.gen.js')) as unknown as Judges;
    this.#law = { ...this.#law, judges };
    this.#bounds = { ...this.#usual, ...bounds };
    this.#recorded = true;
    this.#leave ??= this.#exchanges.subscribe((record) => this.#add(record));
    this.#makeRoom();
  }

  stop(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** @throws Refusal 409 where nothing was recorded that could be read */
  read(filter: Filter): readonly Line[] {
    if (!this.#recorded) throw new Refusal(409, silent);
    return this.lines(filter);
  }

  lines(filter: Filter = {}): readonly Line[] {
    return this.#lines.all().filter((line) => line.fits(filter));
  }

  /** Redacts every line that nobody has looked at yet. */
  settle(): void {
    for (const line of this.#lines.all()) void line.state;
  }

  clear(): void {
    this.#lines.clear();
    this.#recorded = this.recording;
    this.#headers = undefined;
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
      if (line.fits(filter)) listener(line);
    };
    this.#listeners.add(own);
    this.#ends.add(ended);
    return () => {
      this.#listeners.delete(own);
      this.#ends.delete(ended);
    };
  }

  #add(record: ExchangeRecord): void {
    if (isOwnPage(record)) return;
    const line = Line.of(record, this.#headersOf(record), this.#law);
    this.#keep(line);
    for (const listener of this.#listeners) listener(line);
  }

  #keep(line: Line): void {
    this.#lines.add(line);
    this.#bytes += line.size;
    this.#makeRoom();
  }

  /** Exchanges with the same headers have the same list. */
  #headersOf({ requestHeaders: raw }: ExchangeRecord): HeaderList {
    if (this.#headers?.raw !== raw) this.#headers = new HeaderList(raw, this.#secrets);
    return this.#headers;
  }

  #makeRoom(): void {
    const { entries, bytes } = this.#bounds;
    while (this.#lines.size > entries || this.#bytes > bytes) this.#bytes -= this.#lines.take()?.size ?? this.#bytes;
  }
}
