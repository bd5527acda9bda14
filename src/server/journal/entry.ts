import type { JournalBody, JournalEntry } from '../../client/index.js';
import { textOf } from '../exchange-record.js';
import type { RecordedBody } from '../exchange-record.js';
import type { Line } from './line.js';

/** A line of the journal as control calls show it. */
export function entryOf(line: Line): JournalEntry {
  const { record } = line;
  const { reply } = record;
  return {
    number: record.number,
    at: new Date(record.at).toISOString(),
    real_at: new Date(record.realTime).toISOString(),
    elapsed_ms: Math.round(record.elapsed * 100) / 100,
    method: record.method,
    target: record.target,
    operation: record.logical ?? null,
    operation_id: record.operationId ?? null,
    account: record.account ?? null,
    client_id: record.clientId ?? null,
    credential: record.credential ?? null,
    decision: record.decision,
    reason: record.reason ?? null,
    delivery: record.delivery,
    request: { headers: pairsOf(record.requestHeaders), body: bodyOf(record.requestBody) },
    reply: reply && { status: reply.status, headers: Object.entries(reply.headers), body: bodyOf(reply.body) },
    problems: line.problems,
  };
}

function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < headers.length; index += 2) pairs.push([headers[index] ?? '', headers[index + 1] ?? '']);
  return pairs;
}

function bodyOf(body: RecordedBody): JournalBody {
  const { content, size } = body;
  return { text: content.length === 0 && size > 0 ? null : textOf(body), size };
}
