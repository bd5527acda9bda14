import type { Request, Response } from 'express';

/** A reply ready for the wire. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const none = Buffer.alloc(0);

/** Sends a reply at once: the fewest calls into Express and Node that do it. HEAD gets the headers alone. */
export function send(req: Request, res: Response, { status, headers, bytes }: Wire): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { ...headers, 'content-length': bytes.length });
  res.end(req.method === 'HEAD' ? none : bytes);
}

/** Why a request was refused, as a header value: printable ASCII on one line. */
export const reasonHeader = (reason: string): string => reason.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 500);

export const jsonType = 'application/json; charset=utf-8';
