import type { JournalEntry } from '../../client/index.js';
import type { ExchangeRecord } from '../exchange-record.js';
import type { Filter } from './filter.js';
import { fits } from './filter.js';
import type { Law } from './problems.js';
import { problemsOf } from './problems.js';
import type { HeaderList } from './redact.js';
import { reduced, redacted, redactedText } from './redact.js';

/** A line as plain data: without secrets. */
export interface LineState {
  readonly record: ExchangeRecord;
  readonly problems: JournalEntry['problems'];
  readonly size: number;
}

/** What a line takes beside texts, roughly. */
const overhead = 1024;

/** An exchange as it was on the wire, and what it takes to show it. */
interface Raw {
  readonly record: ExchangeRecord;
  readonly headers: HeaderList;
  readonly law: Law;
}

/**
 * An exchange in the journal. Requests are many and readers few: secrets are marked, and the contract is asked, when
 * somebody looks. Nobody sees the record before, and no secret is forgotten until then (`settle` of the journal).
 */
export class Line {
  #held: Raw | LineState;
  readonly number: number;
  /** Characters and bytes that it holds. What it shares with others counts too. */
  readonly size: number;

  private constructor(held: Raw | LineState, size: number) {
    this.#held = held;
    this.number = held.record.number;
    this.size = size;
  }

  /** The line of an exchange as it was on the wire, with its headers. */
  static of(raw: ExchangeRecord, headers: HeaderList, law: Law): Line {
    const record = reduced(raw);
    const { requestBody, reply, target } = record;
    const texts = headers.size + target.length + requestBody.content.length + (reply?.body.content.length ?? 0);
    return new Line({ record, headers, law }, overhead + texts);
  }

  static from(state: LineState): Line {
    return new Line(state, state.size);
  }

  fits(filter: Filter): boolean {
    return fits(this.#held.record, filter);
  }

  /** The exchange, redacted. */
  get record(): ExchangeRecord {
    return this.state.record;
  }

  get problems(): JournalEntry['problems'] {
    return this.state.problems;
  }

  get state(): LineState {
    if ('problems' in this.#held) return this.#held;
    const { record, headers, law } = this.#held;
    const { request, reply } = problemsOf(record, law);
    const shown = (problems: readonly string[] | null): readonly string[] | null =>
      problems && problems.map((problem) => redactedText(problem, headers));
    return (this.#held = {
      record: redacted(record, headers),
      problems: { request: shown(request), reply: shown(reply) } as JournalEntry['problems'],
      size: this.size,
    });
  }
}
