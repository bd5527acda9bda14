import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

import type { Handler } from './index.js';

async function answer(handler: Handler, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const left = new AbortController();
  res.on('close', () => left.abort());
  const { method = 'GET', headers } = req;
  const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(req) as unknown as RequestInit['body']);
  const init = {
    method,
    headers: headers as Record<string, string>,
    signal: left.signal,
    body,
    duplex: 'half',
  } as const;
  const response = await handler(new Request(`http://${headers.host}${req.url}`, init));
  if (response.type === 'error') return void res.destroy();
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), res);
  else res.end();
}

/** A handler on Node's own server. What the Fetch API cannot say, as the method TRACE, is 400. */
export const serve = (handler: Handler): Server =>
  createServer((req, res) => {
    answer(handler, req, res).catch(() => (res.headersSent ? res.destroy() : res.writeHead(400).end()));
  });
