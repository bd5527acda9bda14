import type { Request, Response } from './http.js';
import { meant } from '../input/nearest.js';
import { readText } from './body.js';
import type { BodyKind } from './body.js';
import { Refusal } from './refusal.js';
import { complaintOf } from './setting.js';
import { decided, jsonType, send } from './send.js';
import type { HttpReply } from './send.js';

/** The JSON body of a call, held against the protocol. @throws Refusal 400 that names the field. */
export const read = async <T>(schema: string, req: Request, res: Response, kind?: BodyKind): Promise<T> =>
  checked(schema, await readJson(req, res, kind));

export async function readJson(req: Request, res: Response, kind: BodyKind = 'json'): Promise<unknown> {
  const text = await readText(kind, req, res);
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    throw new Refusal(400, 'the body is not JSON; send a JSON object');
  }
}

export function checked<T>(schema: string, body: unknown): T {
  const complaint = complaintOf(schema, body);
  if (complaint) throw new Refusal(400, `${complaint.pointer.join('/') || 'the body'} ${complaint.rule}`);
  return body as T;
}

export function unknown(field: string, value: string, known: Iterable<string>): string {
  const names = [...known];
  return `${field}: there is no ${JSON.stringify(value)}${meant(value, names)}; there are ${names.join(', ')}`;
}

/** What the rules refuse in words is a refused call. */
export function refusing<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof Error ? new Refusal(400, error.message) : error;
  }
}

export const answer = (req: Request, res: Response, status: number, body: object): void =>
  send(req, res, reply(status, body));

const reply = (status: number, body: object): HttpReply => ({
  status,
  headers: { 'content-type': jsonType, 'cache-control': 'no-store' },
  content: JSON.stringify(body),
});

/** A refused control call on the wire. */
export function refuseControl({ status, message, headers: { 'retry-after': seconds } }: Refusal): HttpReply {
  const refused = reply(status, { error: message });
  return seconds === undefined ? refused : { ...refused, headers: { ...refused.headers, 'retry-after': seconds } };
}

export function empty(res: Response): void {
  decided(res, null);
  res.writeHead(204);
  res.end();
}
