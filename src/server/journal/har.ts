import type { JournalEntry, JournalMessage } from '../../client/index.js';

/** Entries as an HTTP archive, HAR 1.2. What it has no place for stands in members that begin with `_`. */
export const harOf = (entries: readonly JournalEntry[], base: string, version: string): object => ({
  log: {
    version: '1.2',
    creator: { name: 'gamedata mock', version },
    entries: entries.map((entry) => ({
      startedDateTime: entry.real_at,
      time: entry.elapsed_ms,
      request: requestOf(entry, base),
      response: responseOf(entry),
      cache: {},
      timings: { send: 0, wait: entry.elapsed_ms, receive: 0 },
      ...(entry.reason !== null && { comment: entry.reason }),
      _number: entry.number,
      _mockTime: entry.at,
      _operation: entry.operation,
      _decision: entry.decision,
      _delivery: entry.delivery,
      _account: entry.account,
      _client: entry.client_id,
      _credential: entry.credential,
      _problems: entry.problems,
    })),
  },
});

function requestOf({ method, target, request }: JournalEntry, base: string): object {
  const url = target.startsWith('/') ? base + target : target;
  const query = new URLSearchParams(url.split('#', 1)[0]?.split('?').slice(1).join('?'));
  const { text, size } = request.body;
  return {
    method,
    url,
    ...common(request),
    queryString: [...query].map(named),
    ...(size > 0 && { postData: { mimeType: header(request, 'content-type'), params: [], text: text ?? '' } }),
  };
}

/** A reply that nobody got has the status 0, as browsers write it. */
function responseOf({ reply }: JournalEntry): object {
  if (!reply) {
    const empty = { headers: [], body: { text: '', size: 0 } };
    return { status: 0, statusText: '', ...common(empty), redirectURL: '', content: { size: 0, mimeType: '' } };
  }
  const { text, size } = reply.body;
  return {
    status: reply.status,
    statusText: '',
    ...common(reply),
    redirectURL: header(reply, 'location'),
    content: { size, mimeType: header(reply, 'content-type'), ...(text !== null && { text }) },
  };
}

const common = ({ headers, body }: JournalMessage): object => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: headers.map(named),
  headersSize: -1,
  bodySize: body.size,
});

const named = ([name, value]: readonly [string, string]): object => ({ name, value });

const header = ({ headers }: JournalMessage, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
