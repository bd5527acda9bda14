import { sizeOf } from './exchange-record.js';
import { draftOf } from './exchanges.js';
import type { Request, Response } from './http.js';
import { turnOf } from './turn.js';

/** A reply ready for the wire. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Small replies are text: Node writes it together with the headers, in one system call instead of a gathered one. */
  readonly content: string | Uint8Array;
  /** Why it is a refusal, where no header says so: for whoever records the exchange. */
  readonly reason?: string;
}

/** A response whose reply goes elsewhere first. */
interface Taken {
  take?: ((wire: HttpReply) => void) | undefined;
}

/** From now on `take` gets what would be sent; undefined ends that. */
export const takeReply = (res: Response, take: Taken['take']): void => void ((res as Taken).take = take);

/** Sends a reply at once: the fewest calls into Express and Node that do it. HEAD gets the headers alone. */
export function send(req: Request, res: Response, wire: HttpReply): void {
  const { take } = res as Taken;
  if (take) return take(wire);
  decided(res, wire);
  if (res.headersSent || res.destroyed) return;
  note(res, wire);
  res.writeHead(wire.status, headersOf(req, wire));
  res.end(req.method === 'HEAD' ? '' : wire.content);
}

/** Names and values in turn, as Node takes them fastest. */
export function headersOf(
  { address }: Pick<Request, 'address'>,
  { status, headers, content, reason }: HttpReply,
): string[] {
  // Neither a 204 nor a message with Transfer-Encoding has a Content-Length (RFC 9110 8.6).
  const bare = status === 204 || headers['transfer-encoding'] !== undefined;
  const sent = bare ? [] : ['content-length', String(sizeOf(content))];
  for (const name in headers) if (name !== reasonName) sent.push(name, headers[name] ?? '');
  const why = headers[reasonName] ?? (reason === undefined ? undefined : reasonHeader(reason));
  // For the developer at this machine, and for nobody who reaches it from elsewhere.
  if (why !== undefined && isLoopback(address)) sent.push(reasonName, why);
  return sent;
}

const reasonName = 'x-mock-reason';

/** In a turn: ends its record and gives the turn on. What a request changes has been changed by then. */
export function decided(res: Response, wire: HttpReply | null): void {
  const turn = turnOf(res);
  if (!turn) return;
  const draft = draftOf(res);
  if (draft && !draft.over) {
    if (wire) note(res, wire);
    draft.finish();
  }
  turn.done();
}

/** Notes a reply for whoever records the exchange. */
export function note(res: Response, { status, headers, content, reason }: HttpReply): void {
  const draft = draftOf(res);
  if (!draft) return;
  draft.reply = { status, headers, content };
  draft.reason ??= headers['x-mock-reason'] ?? reason;
}

/** Whether the other end of a connection is this machine. */
export const isLoopback = (address = ''): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** Why a request was refused, as a header value: printable ASCII on one line. */
export const reasonHeader = (reason: string): string => reason.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 500);

export const jsonType = 'application/json; charset=utf-8';
