import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ForeignRequest } from './run.js';

/** More of a body is not kept, bytes. */
const mostKept = 16_384;

/** Another origin, to which the service redirects: it notes what it gets, and has nothing. */
export interface Elsewhere {
  readonly origin: string;
  readonly requests: readonly ForeignRequest[];
  close(): void;
}

/**
 * Listens on another port of the loopback, by the name `localhost`: a host of its own for libraries that compare hosts
 * alone, whatever address they find for it.
 */
export async function listenElsewhere(): Promise<Elsewhere> {
  const requests: ForeignRequest[] = [];
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const { authorization, host = '' } = req.headers;
    const chunks: Buffer[] = [];
    let kept = 0;
    req.on('data', (chunk: Buffer) => {
      if (kept < mostKept) chunks.push(chunk);
      kept += chunk.length;
    });
    req.once('end', () => {
      const body = Buffer.concat(chunks).subarray(0, mostKept).toString();
      requests.push({ method: req.method ?? '', url: `http://${host}${req.url}`, authorization, body });
      res.writeHead(404, { 'content-type': 'text/plain', connection: 'close' }).end('There is nothing here.\n');
    });
  };
  const first = createServer(answer);
  await listening(first, 0, '127.0.0.1');
  const { port } = first.address() as AddressInfo;
  const second = createServer(answer);
  // A machine without IPv6 has no other address.
  await listening(second, port, '::1').catch(() => {});
  return {
    origin: `http://localhost:${port}`,
    requests,
    close: () => {
      for (const server of [first, second]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const listening = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((done, fail) => server.once('error', fail).listen(port, host, done));
