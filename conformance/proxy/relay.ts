import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { unreachable } from '../target/unreachable.js';
import { agentFor, bare } from '../wire/connection.js';
import type { Connection } from '../wire/connection.js';
import { passedOn, pairsOf } from './headers.js';
import type { RawHeaders } from './headers.js';
import { pathOf, refusalOf } from './refusal.js';
import type { Guard, Refusal } from './refusal.js';
import type { Rewriter } from './rewrite.js';
import { Tap } from './tap.js';
import type { Budget } from './tap.js';

/** An exchange that is over, as it was on the side of the server. Secrets are in it: it stays in this process. */
export interface Passed {
  readonly method: string;
  readonly url: string;
  /** When it began, ms since 1970, and how long it took. */
  readonly at: number;
  readonly ms: number;
  readonly request: { readonly headers: RawHeaders; readonly body: Uint8Array<ArrayBuffer> };
  readonly response?: { readonly status: number; readonly headers: RawHeaders; readonly body: Uint8Array<ArrayBuffer> };
  /** Why the client did not get a whole response of the server. */
  readonly problem?: string;
}

export interface RelayOptions extends Guard {
  readonly connection: Connection;
  readonly budget: Budget;
  /** Changes the server's addresses in responses, where that is wanted. */
  readonly rewriter?: Rewriter;
  /** Milliseconds in which nothing comes from either side, after which an exchange is given up. */
  readonly idle?: number;
  /** Lets a request go on, at once or when those before it are judged. */
  readonly admit: (go: () => void) => void;
  /** @param judged to be called when the copies of the bodies are needed no more */
  readonly passed: (exchange: Passed, judged: () => void) => void;
}

/** Five minutes: a client has its own time limit, and a server that is slow is none of the proxy's business. */
const usualIdle = 300_000;

/** Bytes of headers: more than servers take, so that it is the server that refuses. */
const maxHeaderSize = 128 * 1024;

/** A server that passes everything on to the one of `origin`, as it comes, and hands out each exchange when it is over. */
export function createRelay(options: RelayOptions): http.Server {
  const { protocol } = new URL(options.origin);
  const agent = agentFor(protocol as 'http:' | 'https:', options.connection, true);
  // An upload of any size may take its time, and an idle connection is the server's to close.
  const server = http.createServer({ maxHeaderSize, requestTimeout: 0, keepAliveTimeout: 75_000 });
  const pass = (req: http.IncomingMessage, res: http.ServerResponse): void => {
    const refusal = refusalOf(req, options);
    if (refusal) return refuse(res, refusal, options.via);
    options.admit(() => res.destroyed || new Exchange(options, agent, req, res).send());
  };
  server
    .on('request', pass)
    .on('checkContinue', pass)
    .on('close', () => agent.destroy());
  server.on('connect', (_, socket) => end(socket, 501, 'CONNECT is not passed on: this proxy stands for one server'));
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400;
    // What has begun may be in the middle of a response.
    if ((socket as Socket).bytesWritten > 0) socket.destroy();
    else end(socket, status, `the request is not HTTP that can be passed on (${code})`);
  });
  return server;
}

const textOf = (why: string): string => `gamedata proxy: ${why}.\n`;

function refuse(res: http.ServerResponse, { status, error, why }: Refusal, via: string): void {
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'proxy-status': `${via}; error=${error}`,
    'cache-control': 'no-store',
    ...(status === 501 && { connection: 'close' }),
  });
  res.end(textOf(why));
}

/** The same where there is no response to write to. */
function end(socket: Duplex, status: number, why: string): void {
  const text = textOf(why);
  if (!socket.writable) return void socket.destroy();
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

/** One request and its response, on their way. */
class Exchange {
  readonly #at = Date.now();
  readonly #began = performance.now();
  readonly #sent: Tap;
  readonly #path: string;
  #outgoing: http.ClientRequest | undefined;
  #response: { readonly status: number; readonly headers: RawHeaders; readonly body: Tap } | undefined;
  #problem: string | undefined = 'the client went away before the response ended';
  #isWhole = false;

  constructor(
    private readonly options: RelayOptions,
    private readonly agent: http.Agent,
    private readonly req: http.IncomingMessage,
    private readonly res: http.ServerResponse,
  ) {
    this.#sent = new Tap(options.budget, 'the body of the request');
    this.#path = pathOf(req.url ?? '/');
  }

  /** Sends the request; `again` where a kept connection was closed just as it was used for the first time. */
  send(again = false): void {
    const { req, res } = this;
    if (!again) res.on('close', () => this.#over());
    let outgoing: http.ClientRequest;
    try {
      outgoing = this.#open();
    } catch (error) {
      this.#problem = `the request cannot be passed on: ${(error as Error).message}`;
      return refuse(res, { status: 400, error: 'http_request_error', why: this.#problem }, this.options.via);
    }
    this.#outgoing = outgoing;
    outgoing.on('continue', () => res.writeContinue());
    outgoing.on('response', (answer) => this.#receive(answer));
    outgoing.on('error', (error) => this.#failed(error, outgoing, again));
    outgoing.setTimeout(this.options.idle ?? usualIdle, () => this.#tooLong(outgoing));
    if (again) return void outgoing.end();
    req.on('error', () => outgoing.destroy());
    req.on('data', (chunk: Buffer) => this.#sent.add(chunk));
    req.on('end', () => outgoing.addTrailers([...pairsOf(req.rawTrailers)]));
    if (req.headers.expect !== undefined) outgoing.flushHeaders();
    req.pipe(outgoing);
  }

  #open(): http.ClientRequest {
    const { options, agent, req } = this;
    const { protocol, hostname, port, host } = new URL(options.origin);
    const secure = protocol === 'https:';
    const outgoing = (secure ? https : http).request({
      agent,
      hostname: bare(hostname),
      port: port || (secure ? 443 : 80),
      method: req.method,
      path: this.#path,
      setHost: false,
      maxHeaderSize,
    });
    // A request that has neither length nor coding has no body (RFC 9112 6.3), and gets none here.
    outgoing.useChunkedEncodingByDefault = false;
    outgoing.appendHeader('Host', host);
    const isChunked = 'transfer-encoding' in req.headers;
    const headers = passedOn(req.rawHeaders, (name, value) => {
      const isRead = name === 'accept-encoding' && options.rewriter?.readsBody(this.#path);
      return name === 'host' || isRead || (name === 'trailer' && !isChunked) ? undefined : value;
    });
    for (const [name, value] of pairsOf(headers)) outgoing.appendHeader(name, value);
    outgoing.appendHeader('Via', `${req.httpVersion} ${options.via}`);
    return outgoing;
  }

  #receive(answer: http.IncomingMessage): void {
    const { options, res } = this;
    const { statusCode: status = 0, statusMessage = '', rawHeaders } = answer;
    const body = new Tap(options.budget, 'the body of the response');
    this.#response = { status, headers: rawHeaders, body };
    const change = options.rewriter?.change(this.#path, answer);
    // HTTP/1.0 has neither chunks nor trailers, and without chunks there is no place for trailers.
    const hasChunks = 'transfer-encoding' in answer.headers && this.req.httpVersion !== '1.0';
    const passed = passedOn(rawHeaders, (name, value) => {
      if ((name === 'transfer-encoding' || name === 'trailer') && !hasChunks) return undefined;
      return change ? change.header(name, value) : value;
    });
    const headers = [...passed, 'Via', `${answer.httpVersion} ${options.via}`];
    // What the server did not say of the date is not the proxy's to say.
    res.sendDate = false;
    try {
      res.writeHead(status, statusMessage, headers);
    } catch (error) {
      return this.#broken(`the response cannot be passed on: ${(error as Error).message}`);
    }
    answer.on('data', (chunk: Buffer) => body.add(chunk));
    answer.on('end', () => {
      this.#isWhole = answer.complete;
      if (answer.rawTrailers.length > 0) res.addTrailers([...pairsOf(answer.rawTrailers)]);
    });
    // It ends for the client as it does here: a body that is cut off is not made whole.
    answer.on('error', () => this.#broken('the response ended before its end'));
    answer.on('close', () => this.#isWhole || this.#broken('the response ended before its end'));
    if (change?.body) answer.pipe(change.body).pipe(res);
    else answer.pipe(res);
    setImmediate(() => res.writableEnded || res.flushHeaders());
  }

  #failed(error: NodeJS.ErrnoException, outgoing: http.ClientRequest, again: boolean): void {
    const { req, res, options } = this;
    if (this.#response || res.headersSent || res.destroyed) return;
    const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    const hasBody = 'content-length' in req.headers || 'transfer-encoding' in req.headers;
    // Sent again only what a client would send again by itself (RFC 9110 9.2.2).
    if (isStale && !again && !hasBody && ['GET', 'HEAD', 'OPTIONS'].includes(req.method ?? '')) return this.send(true);
    const { met, remedy } = unreachable(error, options.origin);
    this.#refuse(
      502,
      errorTypes[error.code ?? ''] ?? 'connection_terminated',
      met,
      remedy.replaceAll('{key}', 'the target'),
    );
  }

  #tooLong(outgoing: http.ClientRequest): void {
    // A client that does not read holds the server back, and may.
    if (this.res.writableNeedDrain) return;
    const why = `nothing came for ${(this.options.idle ?? usualIdle) / 1000} seconds`;
    if (this.#response) this.#broken(why);
    else if (!this.res.headersSent) this.#refuse(504, 'http_response_timeout', why, 'check whether the server hangs');
    outgoing.destroy();
  }

  #refuse(status: number, error: string, met: string, remedy: string): void {
    this.#problem = `the server gave no response: ${met}`;
    const { origin, via } = this.options;
    refuse(this.res, { status, error, why: `${origin} gave no response: ${met}; ${remedy}` }, via);
    this.req.unpipe().resume();
  }

  #broken(problem: string): void {
    if (this.res.destroyed || this.res.writableFinished) return;
    this.#problem = problem;
    this.res.destroy();
  }

  /** The client has the response, or is gone. */
  #over(): void {
    const { req, options } = this;
    const [sent, response] = [this.#sent, this.#response];
    if (!this.#isWhole) this.#outgoing?.destroy();
    const own = this.#isWhole ? (response?.body.problem ?? sent.problem) : this.#problem;
    options.passed(
      {
        method: req.method ?? '',
        url: options.origin + this.#path,
        at: this.#at,
        ms: performance.now() - this.#began,
        request: { headers: req.rawHeaders, body: sent.bytes() },
        ...(response && { response: { ...response, body: response.body.bytes() } }),
        ...(own !== undefined && { problem: own }),
      },
      () => {
        sent.release();
        response?.body.release();
      },
    );
  }
}

/** Error types of RFC 9209 2.3. */
const errorTypes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  ETIMEDOUT: 'connection_timeout',
  CERT_HAS_EXPIRED: 'tls_certificate_error',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_certificate_error',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_certificate_error',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_certificate_error',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_certificate_error',
  EPROTO: 'tls_protocol_error',
};
