import type { JournalEntry, JournalMessage } from '../../../client/journal.js';
import { byId, make, time } from './elements.js';

/** How many requests the page shows. */
const most = 200;

/** The list of requests, the latest first. */
export class Requests {
  readonly #list = byId('entries');
  readonly #filter = byId<HTMLInputElement>('refusals');
  readonly #known = new Map<number, HTMLElement>();

  readonly #entries = new Map<number, JournalEntry>();

  constructor() {
    this.#filter.addEventListener('change', () => {
      for (const row of this.#known.values()) this.#show(row);
    });
  }

  /** Adds what is not there yet. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (this.#known.has(entry.number)) continue;
      const row = rowOf(entry);
      this.#known.set(entry.number, row);
      this.#entries.set(entry.number, entry);
      this.#show(row);
      this.#list.prepend(row);
    }
    for (const [number, row] of this.#known) {
      if (this.#known.size <= most) break;
      row.remove();
      this.#known.delete(number);
      this.#entries.delete(number);
    }
  }

  /** What came, the earliest first. */
  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  clear(): void {
    this.#entries.clear();
    this.#known.clear();
    this.#list.replaceChildren();
  }

  #show(row: HTMLElement): void {
    row.hidden = this.#filter.checked && row.dataset.decision === 'answered';
  }
}

function rowOf({
  at,
  method,
  target,
  account,
  client_id,
  decision,
  reason,
  request,
  reply,
  problems,
}: JournalEntry): HTMLElement {
  const answered = decision === 'answered';
  const row = make(
    'li',
    '',
    make(
      'div',
      'line',
      make('code', 'grow', `${method} ${target}`),
      make('span', answered ? 'badge' : 'badge not', `${reply?.status ?? 'no reply'} ${decision}`),
    ),
    make('p', '', time(at), ...[account, client_id].flatMap((name) => (name === null ? [] : [` · ${name}`]))),
  );
  row.dataset.decision = decision;
  if (reason !== null) row.append(make('p', '', make('strong', '', reason)));
  const found = Object.entries(problems).flatMap(([side, texts]) => (texts ?? []).map((text) => `${side}: ${text}`));
  if (found.length > 0) {
    const list = make('ul', '', ...found.map((text) => make('li', '', text)));
    row.append(
      make(
        'details',
        '',
        make('summary', '', found.length === 1 ? '1 contract violation' : `${found.length} contract violations`),
        list,
      ),
    );
  }
  row.append(
    make(
      'details',
      '',
      make('summary', '', 'Request and response'),
      messageOf(`${method} ${target}`, request),
      ...(reply ? [messageOf(`Status ${reply.status}`, reply)] : []),
    ),
  );
  return row;
}

/** A message as it was on the wire, credentials redacted. */
function messageOf(first: string, { headers, body }: JournalMessage): HTMLElement {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const shown = body.text ?? (body.size > 0 ? `(${body.size} bytes, not shown)` : '');
  return make('pre', '', shown === '' ? lines.join('\n') : [...lines, '', shown].join('\n'));
}
