import type { LogicalOperation } from '../../../src/contract/index.js';
import { textOf } from '../../../src/server/exchange-record.js';
import type { Hook } from '../../../src/server/hook.js';
import type { HttpReply } from '../../../src/server/send.js';

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

  /** Everything that the client would see, to tell whether anything was changed. */
  get seen(): string {
    return JSON.stringify([this.status, this.headers, this.text]);
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
  /** Has the server answer the request. */
  readonly around: <T>(request: Inbound, serve: () => T) => T;
}

/** Puts `traffic` before an app and behind it. */
export const hookOf =
  (traffic: Traffic): Hook =>
  async (req, serve) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
    const request = new Inbound(req.method ?? 'GET', req.url ?? '/', headers, bytes.toString('utf8'));
    request.route = traffic.route(request.method, request.path);
    const read = request.body;
    const answer = await traffic.inbound(request);
    if (answer) return finish(answer, request, traffic);

    req.method = request.method;
    req.url = request.url;
    req.headers = Object.fromEntries(Object.entries(request.headers).filter(([, value]) => value !== undefined));
    const body = request.body === read ? bytes : Buffer.from(request.body);
    const wire = await traffic.around(request, () => serve(body));
    const text = req.method === 'HEAD' ? '' : textOf(wire);
    return finish(new Outbound(wire.status, { ...wire.headers }, text), request, traffic, wire);
  };

/** The reply as it goes out: the bytes of `wire` where nothing changed them. */
async function finish(reply: Outbound, request: Inbound, traffic: Traffic, wire?: HttpReply): Promise<HttpReply> {
  const { content } = reply;
  await traffic.outbound(reply, request);
  const { text, status, headers } = reply;
  const sent = wire && text === content ? wire.content : text;
  return { ...wire, status, headers, content: reply.encode?.(text) ?? sent };
}
