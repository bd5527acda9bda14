import type { controlCalls } from './control.js';

/** What became of a request. `limited` is said of rate limits and of the edge, `faulted` of a fault rule. */
export type JournalDecision = 'answered' | 'refused' | 'limited' | 'faulted' | 'failed' | 'abandoned';

export interface JournalBody {
  /** Up to 64 KiB; null where it is compressed, or a page. */
  readonly text: string | null;
  /** Bytes on the wire. */
  readonly size: number;
}

export interface JournalMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: JournalBody;
}

/** One exchange. Credentials stand in it as marks: `[redacted 3f9a1c2b44de]` is the same secret wherever it stands. */
export interface JournalEntry {
  readonly number: number;
  /** Arrival on the mock's clock. */
  readonly at: string;
  /** Arrival by the real clock. */
  readonly real_at: string;
  readonly elapsed_ms: number;
  readonly method: string;
  readonly target: string;
  /** Of the interface, whatever its realm form; null for pages and unknown paths. */
  readonly operation: string | null;
  /** Of the OpenAPI document. */
  readonly operation_id: string | null;
  readonly account: string | null;
  readonly client_id: string | null;
  /** The mark of the token or code that was presented. */
  readonly credential: string | null;
  readonly decision: JournalDecision;
  readonly reason: string | null;
  readonly delivery: 'sent' | 'cut' | 'lost' | 'reset';
  readonly request: JournalMessage;
  readonly reply: (JournalMessage & { readonly status: number }) | null;
  /** In what request and reply leave the contract; null where that cannot be said. */
  readonly problems: { readonly request: readonly string[] | null; readonly reply: readonly string[] | null };
}

/** Which entries are meant; parts that are left out do not matter. */
export interface JournalFilter {
  /** The operation of the interface, or its id in the OpenAPI document. */
  readonly operation?: string;
  readonly clientId?: string;
  readonly account?: string;
  /** A status, or a class like `4xx`. */
  readonly status?: number | string;
  readonly decision?: JournalDecision;
  /** Only entries with a greater number. */
  readonly after?: number;
}

export interface JournalSettings {
  /** How many entries are kept, 1000 unless told; the oldest go first. */
  readonly entries?: number;
  /** How many bytes are kept, 16 MiB unless told, 1 MiB in a namespace. */
  readonly bytes?: number;
}

/** What came to the mock, what was decided, and why. Off until it is started. */
export interface MockJournal {
  start(settings?: JournalSettings): Promise<void>;
  /** Stops recording; what is there stays readable. */
  stop(): Promise<void>;
  /** Rejects, as `count` and `har` do, where the journal was off: that nothing came is not known then. */
  list(filter?: JournalFilter): Promise<readonly JournalEntry[]>;
  count(filter?: JournalFilter): Promise<number>;
  /**
   * Waits until `count` entries (1 unless told) fit, those that are there already included. Rejects after `timeout` real
   * seconds (10 unless told), and says what came instead.
   */
  waitFor(
    filter: JournalFilter,
    options?: { readonly count?: number; readonly timeout?: number },
  ): Promise<readonly JournalEntry[]>;
  clear(): Promise<void>;
  /** Entries as they come, until the loop is left. */
  stream(filter?: JournalFilter): AsyncIterable<JournalEntry>;
  /** The entries as an HTTP archive (HAR 1.2). */
  har(filter?: JournalFilter): Promise<object>;
}

/** The journal of the mock that `calls` go to. */
export function journalOf({ get, post, open }: ReturnType<typeof controlCalls>): MockJournal {
  const entries = async (path: string): Promise<readonly JournalEntry[]> =>
    (await get<{ entries: JournalEntry[] }>(path)).entries;
  return {
    start: async (settings = {}) => {
      await post('/journal', { recording: true, ...settings });
    },
    stop: async () => {
      await post('/journal', { recording: false });
    },
    list: (filter) => entries(`/journal/entries${queryOf(filter)}`),
    count: async (filter) => (await get<{ count: number }>(`/journal/count${queryOf(filter)}`)).count,
    waitFor: (filter, options = {}) => entries(`/journal/wait${queryOf(filter, options)}`),
    clear: () => post<void>('/journal/clear'),
    stream: (filter) => events(() => open(`/journal/stream${queryOf(filter)}`)),
    har: (filter) => get<object>(`/journal/har${queryOf(filter)}`),
  };
}

function queryOf({ clientId, ...filter }: JournalFilter = {}, more: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, client_id: clientId, ...more }))
    if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** Reads the events of a stream (server-sent events); leaving the loop closes it. */
async function* events(open: () => Promise<ReadableStream<Uint8Array>>): AsyncGenerator<JournalEntry> {
  const reader = (await open()).getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '));
        if (data) yield JSON.parse(data.slice('data: '.length)) as JournalEntry;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
