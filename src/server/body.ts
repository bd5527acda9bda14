import { limits } from '../contract/index.js';
import type { Request, Response } from './http.js';
import { Refusal } from './refusal.js';
import type { ReadFailure, Turn } from './turn.js';
import { turnOf } from './turn.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes of a body by what it is: what the contract allows, and a snapshot that a developer gives back. */
const most = { json: limits.request_body, form: limits.form_body, snapshot: 64 << 20 };
export type BodyKind = keyof typeof most;

/**
 * The whole body as text. Nothing is handed on before the last byte is there, so that a body that is cut off leaves no
 * trace.
 * @throws Refusal 413 over the limit, 415 for an unknown content encoding, 400 for one that is cut off or not UTF-8.
 */
export async function readText(kind: BodyKind, req: Request, res: Response): Promise<string> {
  const turn = turnOf(res);
  const failure = turn ? failureOf(turn, kind) : await readBody(kind, req);
  if (failure) throw refusalOf(failure, kind);
  const { body } = req;
  if (!(body instanceof Uint8Array)) return '';
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal(400, 'the body is not UTF-8; encode it as UTF-8');
  }
}

/** Reads a body before its turn, into `req.body`. Resolves to why it cannot be read. */
export const readBody = (kind: BodyKind, req: Request): Promise<ReadFailure | undefined> => req.readBody(most[kind]);

const failureOf = ({ body, unread }: Turn, kind: BodyKind): ReadFailure | undefined =>
  body && body.length > most[kind] ? { type: 'entity.too.large' } : unread;

function refusalOf({ status, type }: ReadFailure, kind: BodyKind): Refusal {
  if (type === 'entity.too.large') {
    return new Refusal(413, `the body is larger than ${most[kind]} bytes; send a smaller one`);
  }
  if (type === 'encoding.unsupported')
    return new Refusal(415, 'this content-encoding is not read; send the body as it is, gzip or deflate');
  return new Refusal(
    status === 415 ? 415 : 400,
    'the body could not be read to its end; send as many bytes as content-length says',
  );
}

/** The media type of a content-type header, lower-cased, without parameters; '' where there is none. */
export const mediaType = (header: string | undefined): string => header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
