import type { Request, Response } from 'express';

/** A reply ready for the wire. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Small replies are text: Node writes it together with the headers, in one system call instead of a gathered one. */
  readonly content: string | Buffer;
}

/** Sends a reply at once: the fewest calls into Express and Node that do it. HEAD gets the headers alone. */
export function send(req: Request, res: Response, { status, headers, content }: Wire): void {
  if (res.headersSent || res.destroyed) return;
  const sent = ['content-length', String(Buffer.byteLength(content))];
  for (const name in headers) {
    // Why a request was refused is for the developer at this machine, and for nobody who reaches it from elsewhere.
    if (name === 'x-mock-reason' && !isLoopback(req.socket.remoteAddress)) continue;
    sent.push(name, headers[name] ?? '');
  }
  res.writeHead(status, sent);
  res.end(req.method === 'HEAD' ? '' : content);
}

/** Whether the other end of a connection is this machine. */
export const isLoopback = (address = ''): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** Why a request was refused, as a header value: printable ASCII on one line. */
export const reasonHeader = (reason: string): string => reason.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 500);

export const jsonType = 'application/json; charset=utf-8';
