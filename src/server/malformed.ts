import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer, Request, Response } from './http.js';
import { Refusal } from './refusal.js';
import { headersOf } from './send.js';
import type { HttpReply } from './send.js';
import { splitTarget, straighten } from './target.js';
import { withLocals } from './turn.js';

/** What Node's parser gives up for, by its code; anything else is a request that is not HTTP. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'target and headers are larger than 16 KiB together; send fewer or shorter ones'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of the chunks are larger than 16 KiB; send none'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not come to its end in time; send it as a whole'],
};

/** What HTTP's own machinery leaves behind of a request that it could not read. */
interface ParseError extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what never gets to the app, or that Node would refuse without a word: each refusal is as the app's own. */
export function answerMalformed(
  server: Server,
  app: Answer,
  replyOf: (refusal: Refusal, path: string) => HttpReply,
): Server {
  server.on('checkExpectation', (req: Request, res: Response) => {
    straighten(req);
    const refusal = new Refusal(
      417,
      'the only expectation that is met is 100-continue; send that, or no Expect header',
    );
    app(req, withLocals(res, { refusal }));
  });
  server.on('connect', (_req, socket: Socket) => {
    const message = 'CONNECT is not answered, for this is no proxy; send the request to this server itself';
    endWith(socket, replyOf(new Refusal(405, message, { allow: 'GET, HEAD, POST, OPTIONS' }), ''));
  });
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (!socket.writable || hasBegun(socket)) return void socket.destroy();
    const notHttp = `the request is not HTTP (${error.reason ?? error.message}); check its first line and headers`;
    const [status, message] = refusals[error.code ?? ''] ?? [400, notHttp];
    endWith(socket, replyOf(new Refusal(status, message), pathIn(error.rawPacket)));
  });
  return server;
}

/** Whether the head of a reply is on its way: a second one would be taken for its body. */
function hasBegun(socket: Socket): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- as Node's own answer looks at it
  const { _httpMessage: message } = socket as { readonly _httpMessage?: { readonly headersSent: boolean } };
  return message?.headersSent === true;
}

/** The path of what came last, where that begins with a request line; '' otherwise. */
function pathIn(packet: Buffer | undefined): string {
  const line = packet?.subarray(0, 2048).toString('latin1') ?? '';
  const [, target] = /^[A-Z]+ ([!-~]+) HTTP\//.exec(line) ?? [];
  if (target === undefined) return '';
  const req = { url: target, headers: {} };
  straighten(req);
  return splitTarget(req.url).path;
}

/** Writes a whole reply to a connection that has no request, and closes it. */
function endWith(socket: Socket, reply: HttpReply): void {
  const headers = headersOf({ address: socket.remoteAddress ?? '' }, reply);
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\nconnection: close\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), Buffer.from(reply.content)]));
}
