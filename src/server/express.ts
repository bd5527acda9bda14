import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import type { Express, RequestHandler, Request as ExpressRequest, Response as ExpressResponse } from 'express';

import type { RecordedBody } from './exchange-record.js';
import type { Request, Response } from './http.js';
import { straighten } from './target.js';
import type { ReadFailure } from './turn.js';

interface Parsed {
  _addHeaderLines(rawHeaders: readonly string[], count: number): void;
}

/** Makes a request that nobody sent, and a response that goes nowhere. */
export type Unconnected = (of: {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly address: string;
}) => { req: Request; res: Response };

/** Parsers by the most bytes that they take. */
const parsers = new Map<number, RequestHandler>();

function parserOf(most: number): RequestHandler {
  const parser = parsers.get(most) ?? express.raw({ type: () => true, limit: most });
  parsers.set(most, parser);
  return parser;
}

/** What the mock asks of requests and responses (`http.ts`), of those of Node. */
class PlainRequest extends IncomingMessage {
  get address(): string {
    return this.socket.remoteAddress ?? '';
  }

  get hasBody(): boolean {
    return this.headers['transfer-encoding'] !== undefined || (this.headers['content-length'] ?? '0') !== '0';
  }

  readBody(most: number): Promise<ReadFailure | undefined> {
    const req = this as unknown as ExpressRequest;
    return new Promise((done) =>
      parserOf(most)(req, req.res as ExpressResponse, (error?: unknown) => done(error as ReadFailure | undefined)),
    );
  }

  recordBody(most: number): () => RecordedBody {
    const parts: Buffer[] = [];
    let kept = 0;
    let size = 0;
    const push = this.push.bind(this);
    this.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
      if (chunk !== null) {
        size += chunk.length;
        const part = chunk.subarray(0, most - kept);
        kept += part.length;
        if (part.length > 0) parts.push(part);
      }
      return push(chunk, encoding);
    };
    return () => ({ content: Buffer.concat(parts), size });
  }
}

class PlainResponse<T extends IncomingMessage = PlainRequest> extends ServerResponse<T> {
  reset(): void {
    this.req.socket.resetAndDestroy();
  }

  hangUp(): void {
    const { socket } = this.req;
    socket.end();
    socket.resume(); // what is unread when a connection closes turns its end into a reset
    setTimeout(() => socket.destroy(), 1000).unref();
  }
}

/**
 * An Express app and a server for it, at several times the usual speed.
 *
 * Express gives each request and response its own prototypes with two `Object.setPrototypeOf` calls, which is most of
 * the time that a small request takes. Here the objects are born with them: `http.createServer` builds subclasses that
 * carry Express's own properties, and the app is told that those are its prototypes, so that both calls find nothing
 * to change. Routers and middleware work as ever.
 */
export function createExpress(): {
  app: Express;
  /** Answers a request, whatever the form of its target. */
  handle: RequestListener;
  listen: (handle?: RequestListener) => Server;
  unconnected: Unconnected;
} {
  const app = express();
  class OwnRequest extends PlainRequest {}
  class OwnResponse<T extends IncomingMessage = OwnRequest> extends PlainResponse<T> {}
  Object.defineProperties(OwnRequest.prototype, Object.getOwnPropertyDescriptors(express.request));
  Object.defineProperties(OwnResponse.prototype, Object.getOwnPropertyDescriptors(express.response));
  // An app keeps per-app settings on objects that inherit from Express's; these take their place.
  for (const prototype of [OwnRequest.prototype, OwnResponse.prototype]) {
    Object.defineProperty(prototype, 'app', { configurable: true, enumerable: true, writable: true, value: app });
  }
  app.request = OwnRequest.prototype as unknown as typeof app.request;
  app.response = OwnResponse.prototype as unknown as typeof app.response;
  const unconnected: Unconnected = ({ method, url, rawHeaders, address }) => {
    const req = Object.assign(new OwnRequest({ remoteAddress: address } as Socket), { method, url });
    // oxlint-disable-next-line no-underscore-dangle -- what Node's own parser calls: only so are `headers` made from the raw ones as they were for the sender
    (req as unknown as Parsed)._addHeaderLines(rawHeaders, rawHeaders.length);
    straighten(req);
    const res = new OwnResponse(req);
    // What is said here has no listener: the replica that has the connection says it.
    res.writeHead = res.end = (): typeof res => res;
    return { req: req as unknown as Request, res };
  };
  // A target that is not in origin form would be read in Express's own way.
  const handle: RequestListener = (req, res) => {
    straighten(req as ExpressRequest);
    app(req as ExpressRequest, res as ExpressResponse);
  };
  // Without a Host Node answers nothing but a status; the app says why.
  const listen = (answer = handle): Server =>
    createServer({ IncomingMessage: OwnRequest, ServerResponse: OwnResponse, requireHostHeader: false }, answer);
  return { app, handle, listen, unconnected };
}
