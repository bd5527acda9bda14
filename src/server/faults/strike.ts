import type { Request, Response } from '../http.js';
import { bytes } from '../../bytes/index.js';
import type { FaultRule } from '../../client/index.js';
import type { Operation } from '../../contract/index.js';
import { challengeTo } from '../access.js';
import type { Delivery } from '../exchange-record.js';
import { draftOf } from '../exchanges.js';
import { Refusal } from '../refusal.js';
import { refusalReply } from '../refusal-reply.js';
import { decided, headersOf, note, reasonHeader } from '../send.js';
import type { HttpReply } from '../send.js';
import type { Service } from '../service.js';
import { turnOf } from '../turn.js';
import type { Strike } from './faults.js';

/** How many portions a slow body comes in. */
const portions = 20;

/** What a request does without a fault, and what its reply counts for. */
export interface Next {
  readonly answer: () => Promise<HttpReply>;
  readonly settle: (wire: HttpReply) => HttpReply;
}

/** What reaches the client, where a kind decides it. */
const deliveries: Partial<Record<FaultRule['kind'], Delivery>> = {
  reset: 'reset',
  truncated: 'cut',
  incomplete: 'cut',
  empty: 'lost',
  'lost-reply': 'lost',
};

/**
 * Does to a request what befalls it: what it changes is changed at once, and a delay holds back the reply. Kinds that
 * `wireOf` answers by itself do not run the operation. Resolves to what is to be sent, or to null where nothing is, or all
 * is on its way.
 */
export async function applyFault(
  { delay, rule, reason }: Strike,
  operation: Operation,
  next: Next,
  { req, res, service }: { readonly req: Request; readonly res: Response; readonly service: Service },
): Promise<HttpReply | null> {
  const draft = draftOf(res);
  if (draft) Object.assign(draft, { decision: 'faulted', reason });
  const wire = await replyOf(rule, { operation, reason, target: req.originalUrl }, next, service);
  const delivery = rule && deliveries[rule.kind];
  if (draft && delivery && turnOf(res)) draft.delivery = delivery;
  decided(res, wire);
  if (turnOf(res)?.replayed) return null;
  if (delay > 0) await pause(delay, res);
  switch (rule?.kind) {
    case 'hang':
      return null;
    case 'reset':
      if (draft) draft.delivery = 'reset';
      res.reset();
      return null;
    case 'lost-reply':
    case 'empty':
      if (wire) note(res, wire);
      endWithout(res);
      return null;
    case 'truncated':
      if (draft) draft.delivery = 'cut';
      return wire;
    case 'incomplete':
      if (wire) sendHalf(wire, req, res);
      return null;
    case 'drip':
      if (wire) await drip(wire, rule.ms ?? 0, req, res);
      return null;
    default:
      return wire;
  }
}

/** The reply that there is by a rule, whether it gets to the client or not. */
async function replyOf(
  rule: FaultRule | undefined,
  { operation, reason, target }: { readonly operation: Operation; readonly reason: string; readonly target: string },
  { answer, settle }: Next,
  service: Service,
): Promise<HttpReply | null> {
  switch (rule?.kind) {
    case 'status':
      return settle(withStatus(rule, operation, reason, service));
    case 'page':
      return settle(pageOf(rule, reason));
    case 'redirect': {
      const headers = { location: `${rule.origin}${target}`, 'x-mock-reason': reasonHeader(reason) };
      return { status: rule.status ?? 307, headers, content: '' };
    }
    case 'hang':
    case 'reset':
    case 'empty':
      return null;
    case 'truncated':
      return truncated(await answer());
    default:
      return answer();
  }
}

/** Waits, or until the client is gone. */
function pause(ms: number, res: Response): Promise<void> {
  return new Promise((done) => {
    const over = (): void => {
      clearTimeout(timer);
      res.off('close', over);
      done();
    };
    const timer = setTimeout(over, ms);
    res.once('close', over);
  });
}

/** Ends the connection in order, without a byte of a reply. */
function endWithout(res: Response): void {
  const draft = draftOf(res);
  if (draft) draft.delivery = 'lost';
  draft?.finish();
  res.hangUp();
}

/** The error that the mock has for a status, with the headers that RFC 9110 wants beside it. */
function withStatus(rule: FaultRule, operation: Operation, reason: string, { switches }: Service): HttpReply {
  const { status = 500, error } = rule;
  const headers = {
    'x-mock-reason': reasonHeader(reason),
    ...retryAfter(rule),
    ...(operation.server === 'data' && challengeTo(status, operation)),
    // RFC 9110 10.2.1: what takes no method at all says so with an empty list.
    ...(status === 405 && { allow: '' }),
  };
  const wire = refusalReply(new Refusal(status, 'a fault of the mock', headers), operation, switches);
  if (operation.server === 'data' || error === undefined) return { ...wire, status };
  return { ...wire, status, content: JSON.stringify({ error, error_description: 'A fault of the mock.' }) };
}

/** The time to wait, in seconds or as a date (RFC 9110 10.2.3). A date has no fractions: it is not before the time. */
function retryAfter({ retry_after: seconds, retry_form: form }: FaultRule): Record<string, string> {
  if (seconds === undefined) return {};
  const due = (Math.ceil(Date.now() / 1000) + seconds) * 1000;
  return { 'retry-after': form === 'date' ? new Date(due).toUTCString() : String(seconds) };
}

/** What something in front of the service says, in a form that is not the interface's. */
function pageOf(rule: FaultRule, reason: string): HttpReply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'x-mock-reason': reasonHeader(reason),
    ...retryAfter(rule),
  };
  const content = '<!DOCTYPE html><html><head><title>One moment</title></head><body>Please wait.</body></html>';
  return { status: rule.status ?? 503, headers, content };
}

const bytesOf = ({ content }: HttpReply): Uint8Array => (typeof content === 'string' ? bytes.encode(content) : content);

/** The first half of a body, as if it were the whole. */
function truncated(wire: HttpReply): HttpReply {
  const whole = bytesOf(wire);
  return { ...wire, content: whole.subarray(0, Math.floor(whole.length / 2)) };
}

/** The first half of a body, of which the head promises the whole: no complete message (RFC 9112 8). */
function sendHalf(wire: HttpReply, req: Request, res: Response): void {
  note(res, wire);
  const draft = draftOf(res);
  if (draft) draft.delivery = 'cut';
  res.writeHead(wire.status, headersOf(req, wire));
  if (req.method === 'HEAD') return void res.end();
  draft?.finish();
  res.write(truncated(wire).content, () => res.hangUp());
}

/** Where a portion ends: within a character of several bytes (UTF-8), where it has one. */
function cutAt(bytes: Uint8Array, start: number, edge: number): number {
  for (let at = edge; at > start; at -= 1) if ((bytes[at]! & 0xc0) === 0x80) return at;
  return edge;
}

async function drip(wire: HttpReply, ms: number, req: Request, res: Response): Promise<void> {
  note(res, wire);
  res.writeHead(wire.status, headersOf(req, wire));
  if (req.method !== 'HEAD') {
    const whole = bytesOf(wire);
    const portion = Math.max(1, Math.ceil(whole.length / portions));
    for (let start = 0, edge = portion; start < whole.length && !res.destroyed; edge += portion) {
      const end = edge < whole.length ? cutAt(whole, start, edge) : whole.length;
      await pause(ms / portions, res);
      if (!res.destroyed) res.write(whole.subarray(start, end));
      start = end;
    }
  }
  if (!res.destroyed) res.end();
}
