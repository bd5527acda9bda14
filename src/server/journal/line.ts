import type { JournalEntry } from '../../client/index.js';
import type { ExchangeRecord } from '../exchanges.js';
import type { Filter } from './filter.js';
import { fits } from './filter.js';
import type { Law } from './problems.js';
import { problemsOf } from './problems.js';
import type { HeaderList } from './redact.js';
import { canWait, isAuthorization, reduced, redacted } from './redact.js';

/** A line as plain data: without secrets. */
export interface LineState {
  readonly record: ExchangeRecord;
  /** Undefined where it can be judged when somebody reads. */
  readonly problems: JournalEntry['problems'] | undefined;
  readonly size: number;
}

/** What a line takes beside texts, roughly. */
const overhead = 1024;

/**
 * An exchange in the journal. Requests are many and readers few: credentials are marked, and the contract is asked, when
 * somebody looks, unless the answer could be another one by then. Nobody sees the record before.
 */
export class Line {
  #record: ExchangeRecord;
  #problems: JournalEntry['problems'] | undefined;
  /** The headers of a record that is still to be redacted; undefined when it is. */
  #headers: HeaderList | undefined;
  /** Characters and bytes that it holds. What it shares with others counts too. */
  readonly size: number;

  private constructor({ record, problems, size }: LineState, headers?: HeaderList) {
    this.#record = record;
    this.#problems = problems;
    this.#headers = headers;
    this.size = size;
  }

  /** The line of an exchange as it was on the wire, with its headers. */
  static of(raw: ExchangeRecord, headers: HeaderList, law: Law): Line {
    const problems = isAuthorization(raw.logical) ? problemsOf(raw, law) : undefined;
    const waits = canWait(raw);
    const record = waits ? reduced(raw) : redacted(raw, headers);
    const { requestBody, reply, target } = record;
    const texts = headers.size + target.length + requestBody.content.length + (reply?.body.content.length ?? 0);
    return new Line({ record, problems, size: overhead + texts }, waits ? headers : undefined);
  }

  static from(state: LineState): Line {
    return new Line(state);
  }

  get number(): number {
    return this.#record.number;
  }

  fits(filter: Filter): boolean {
    return fits(this.#record, filter);
  }

  /** The exchange, redacted. */
  get record(): ExchangeRecord {
    if (this.#headers) {
      this.#record = redacted(this.#record, this.#headers);
      this.#headers = undefined;
    }
    return this.#record;
  }

  problems(law: Law): JournalEntry['problems'] {
    return (this.#problems ??= problemsOf(this.record, law));
  }

  get state(): LineState {
    return { record: this.record, problems: this.#problems, size: this.size };
  }
}
