import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { LogicalOperation } from '../../../src/contract/index.js';

/** What a route says of a request: its operation and the path parameters, decoded. */
export interface Route {
  readonly operation: LogicalOperation;
  readonly realm: string | undefined;
  readonly args: Readonly<Record<string, string>>;
}

/** A request on its way into the server, to be looked at and changed. */
export class Inbound {
  /** Where the path led as it came; undefined for paths that are no operation. */
  route: Route | undefined;

  constructor(
    public method: string,
    /** Path and query as written. */
    public url: string,
    /** Names in lower case; undefined removes one. */
    public headers: Record<string, string | undefined>,
    public body: string,
  ) {}

  get operation(): LogicalOperation | undefined {
    return this.route?.operation;
  }

  get path(): string {
    return this.url.split('?', 1)[0] ?? '';
  }

  set path(path: string) {
    const mark = this.url.indexOf('?');
    this.url = mark < 0 ? path : path + this.url.slice(mark);
  }

  get query(): URLSearchParams {
    const mark = this.url.indexOf('?');
    return new URLSearchParams(mark < 0 ? '' : this.url.slice(mark + 1));
  }

  set query(query: URLSearchParams) {
    const text = query.toString();
    this.url = text === '' ? this.path : `${this.path}?${text}`;
  }

  get form(): URLSearchParams {
    return new URLSearchParams(this.body);
  }

  set form(form: URLSearchParams) {
    this.body = form.toString();
  }

  /** The body as JSON; undefined where it is none. */
  get json(): unknown {
    return parsed(this.body);
  }

  set json(value: unknown) {
    this.body = JSON.stringify(value);
  }

  /** Everything that the server would see, to tell whether anything was changed. */
  get seen(): string {
    return JSON.stringify([this.method, this.url, this.headers, this.body]);
  }
}

/** A reply on its way out, to be looked at and changed. */
export class Outbound {
  /** Makes the bytes of the text, where it is not sent as UTF-8. */
  encode?: (text: string) => Buffer;
  #json: unknown;
  #read = false;

  constructor(
    public status: number,
    public headers: Record<string, string>,
    public content: string,
  ) {}

  /** The content as JSON, which may be changed in place; undefined where it is none. */
  get json(): unknown {
    if (!this.#read) this.#json = parsed(this.content);
    this.#read = true;
    return this.#json;
  }

  set json(value: unknown) {
    this.#read = true;
    this.#json = value;
    this.headers['content-type'] = 'application/json; charset=utf-8';
  }

  /** What goes out: the JSON as it is now, where it was looked at. */
  get text(): string {
    return this.#read && this.#json !== undefined ? JSON.stringify(this.#json) : this.content;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands between a server and its socket. */
export interface Traffic {
  readonly route: (method: string, path: string) => Route | undefined;
  /** May change the request, or answer in the server's place. */
  readonly inbound: (request: Inbound) => Promise<Outbound | undefined>;
  readonly outbound: (reply: Outbound, request: Inbound) => Promise<void>;
  /** Runs the server on the request. */
  readonly around: (request: Inbound, serve: () => void) => void;
}

/** Puts `traffic` between the socket of a server and the application that answers on it. */
export function intercept(server: Server, traffic: Traffic): void {
  const [app] = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  if (!app) throw new Error('the server has nobody to answer requests');
  server.removeAllListeners('request');
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    handle(req, res, app, traffic).catch((error: unknown) => res.destroy(error as Error));
  });
}

const nothing = Buffer.alloc(0);

/** The bytes of a request; of one that announces none, without waiting for them. */
function bodyOf(req: IncomingMessage): Promise<Buffer> | Buffer {
  const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
  if (length === undefined && coding === undefined) return nothing;
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => done(Buffer.concat(chunks)))
      .on('error', fail);
  });
}

async function handle(
  req: IncomingMessage,
  res: ServerResponse,
  app: (req: IncomingMessage, res: ServerResponse) => void,
  traffic: Traffic,
): Promise<void> {
  const bytes = await bodyOf(req);
  const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  const request = new Inbound(req.method ?? 'GET', req.url ?? '/', headers, bytes.toString('utf8'));
  request.route = traffic.route(request.method, request.path);
  const read = request.body;
  const answer = await traffic.inbound(request);
  if (answer) return finish(req, res, answer, request, traffic, true);

  req.method = request.method;
  req.url = request.url;
  req.headers = Object.fromEntries(Object.entries(request.headers).filter(([, value]) => value !== undefined));
  // A body that has been read is handed over as Express's parsers would leave it behind.
  Object.assign(req, { body: request.body === read ? bytes : Buffer.from(request.body) });
  capture(res, (reply) => finish(req, res, reply, request, traffic, false));
  traffic.around(request, () => app(req, res));
}

/** Holds back what the application writes, until `done` has looked at it. */
function capture(res: ServerResponse, done: (reply: Outbound) => Promise<void>): void {
  let status = 200;
  const headers: Record<string, string> = {};
  const { writeHead, end } = res;
  res.writeHead = ((code: number, given: readonly string[] | Record<string, string> = {}) => {
    status = code;
    const list = Array.isArray(given) ? (given as readonly string[]) : Object.entries(given).flat();
    for (let index = 0; index + 1 < list.length; index += 2) headers[list[index]!.toLowerCase()] = list[index + 1]!;
    return res;
  }) as typeof res.writeHead;
  res.end = ((content: string | Buffer = '') => {
    res.writeHead = writeHead;
    res.end = end;
    done(new Outbound(status, headers, content.toString())).catch((error: unknown) => res.destroy(error as Error));
    return res;
  }) as typeof res.end;
}

async function finish(
  req: IncomingMessage,
  res: ServerResponse,
  reply: Outbound,
  request: Inbound,
  traffic: Traffic,
  own: boolean,
): Promise<void> {
  const { content } = reply;
  await traffic.outbound(reply, request);
  const text = reply.text;
  const { 'content-length': given, ...headers } = reply.headers;
  const bytes = reply.encode?.(text) ?? Buffer.from(text);
  const kept = text === content && !own && !reply.encode;
  const length = kept && given !== undefined ? given : String(bytes.length);
  const bare = reply.status === 204 || headers['transfer-encoding'] !== undefined;
  res.writeHead(reply.status, bare ? headers : { ...headers, 'content-length': length });
  res.end(req.method === 'HEAD' || reply.status === 204 ? '' : bytes);
}
