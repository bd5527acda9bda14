import { Agent, createServer, request as ask } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The accounts and clients that every server is set up with. */
export interface GatewayWorld {
  /** Name to UUID. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly clients: Readonly<Record<string, { readonly client_id: string; readonly client_secret?: string }>>;
}

type Path = '/oauth/authorize' | '/oauth/token' | '/oauth/token/revoke' | '/oauth/token/introspect';

export interface GatewaySettings {
  readonly world: GatewayWorld;
  /** Where the server has the paths of the interface, if elsewhere. */
  readonly paths?: Readonly<Partial<Record<Path, string>>>;
  /** The server lets its clock be moved: `GET /__clock?advance=<seconds>` answers its time. */
  readonly clock?: boolean;
  /** The server guards resources itself, as its introspection says too little; then bearer tokens pass as they came. */
  readonly guards?: boolean;
  /** At introspection and revocation the server takes client credentials as HTTP Basic only. */
  readonly basic?: boolean;
}

/** The resource of each path, with the scope that opens it, for the account with that name and id. */
const resources: Readonly<
  Record<string, { readonly scope: string; readonly body: (name: string, uuid: string) => unknown }>
> = {
  '/profile': { scope: 'account:profile', body: (name, uuid) => ({ uuid, name, locale: null }) },
  '/character': { scope: 'account:characters', body: () => ({ characters: [] }) },
  '/league': { scope: 'service:leagues', body: () => ({ leagues: [] }) },
};

const scopeAt: Readonly<Record<string, string>> = {
  '/oauth/token/revoke': 'oauth:revoke',
  '/oauth/token/introspect': 'oauth:introspect',
};

interface GatewayReply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** What introspection says of a token (RFC 7662 2.2). */
interface Meaning {
  readonly active?: unknown;
  readonly client_id?: unknown;
  readonly scope?: unknown;
  readonly sub?: unknown;
  readonly username?: unknown;
}

/**
 * The public address of a server that nobody here wrote. It maps paths, moves the clock, shows resources behind the
 * server's own introspection, and lets a bearer token with `oauth:revoke` or `oauth:introspect` stand for the client
 * that it was issued to, since such servers know clients only (K-009). Everything else passes as it came.
 */
export class Gateway {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(`the server behind the gateway gave no answer: ${error.message}\n`);
    });
  });

  constructor(
    private readonly inner: number,
    private readonly settings: GatewaySettings,
  ) {}

  /** Listens on a free port; returns its address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request);
    const { pathname, search } = new URL(request.url ?? '/', 'http://gateway');
    if (pathname.startsWith('/__control')) return this.#control(pathname, request, response, body);
    const resource = resources[pathname];
    if (resource && !this.settings.guards) return this.#resource(resource, request, response);
    const bearer = bearerOf(request);
    const scope = scopeAt[pathname];
    if (scope === undefined || bearer === undefined || request.method !== 'POST' || this.settings.guards)
      return passed(response, await this.#send(request, this.#inside(pathname) + search, body));
    const meaning = await this.#meaning(bearer);
    const refusal = refusalOf(meaning, scope);
    if (refusal) return refuse(response, refusal);
    const fields = new URLSearchParams(body.toString());
    const client = Object.values(this.settings.world.clients).find((one) => one.client_id === meaning.client_id);
    if (!fields.has('client_id') && client) {
      fields.set('client_id', client.client_id);
      if (client.client_secret !== undefined) fields.set('client_secret', client.client_secret);
    }
    const { authorization: _, ...headers } = request.headers;
    passed(response, await this.#asClient(this.#inside(pathname) + search, headers, fields));
  }

  /** A request to introspection or revocation with the credentials of a client, where the server takes them. */
  #asClient(path: string, headers: IncomingMessage['headers'], fields: URLSearchParams): Promise<GatewayReply> {
    const id = fields.get('client_id');
    const secret = fields.get('client_secret');
    if (!this.settings.basic || id === null || secret === null)
      return this.#send({ method: 'POST', headers }, path, Buffer.from(fields.toString()));
    fields.delete('client_id');
    fields.delete('client_secret');
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    return this.#send({ method: 'POST', headers: { ...headers, authorization } }, path, Buffer.from(fields.toString()));
  }

  #inside(path: string): string {
    return this.settings.paths?.[path as Path] ?? path;
  }

  async #resource(
    { scope, body }: (typeof resources)[string],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const bearer = bearerOf(request);
    const meaning = bearer === undefined ? {} : await this.#meaning(bearer);
    const refusal = refusalOf(meaning, scope);
    if (refusal) return refuse(response, refusal);
    // Some call the account by its name, some by its id.
    const [name, uuid] = Object.entries(this.settings.world.accounts).find((account) =>
      account.some((word) => word === meaning.sub || word === meaning.username),
    ) ?? [String(meaning.username), String(meaning.sub)];
    json(response, 200, body(name, uuid));
  }

  /** What the server's introspection says of a token, asked as the client of operations. */
  async #meaning(token: string): Promise<Meaning> {
    const { client_id, client_secret = '' } = this.settings.world.clients.operations!;
    const fields = new URLSearchParams({ token, client_id, client_secret });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const { status, body } = await this.#asClient(this.#inside('/oauth/token/introspect'), headers, fields);
    if (status !== 200) throw new Error(`introspection answered ${status}`);
    return JSON.parse(body.toString()) as Meaning;
  }

  async #control(path: string, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    if (path !== '/__control/clock')
      return json(response, 200, { protocol: 1, capabilities: this.settings.clock ? ['clock'] : [] });
    const { advance = 0 } = request.method === 'POST' ? (JSON.parse(body.toString()) as { advance?: number }) : {};
    const moved = await this.#send({ method: 'GET', headers: {} }, `/__clock?advance=${advance}`, Buffer.alloc(0));
    json(response, 200, { now: moved.body.toString().trim(), frozen: false });
  }

  #send(
    { method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
    path: string,
    body: Buffer,
  ): Promise<GatewayReply> {
    const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...own } = headers;
    const length = body.length > 0 || method === 'POST' ? { 'content-length': String(body.length) } : {};
    return new Promise((resolve, reject) => {
      const sent = ask(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.inner,
          method,
          path,
          headers: { ...own, ...length },
        },
        (answer) => {
          bytesOf(answer).then(
            (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answer.rawHeaders, body: bytes }),
            reject,
          );
        },
      );
      sent.on('error', reject).end(body);
    });
  }
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +([\w~+/.-]+=*) *$/i.exec(headers.authorization ?? '')?.[1];

/** RFC 6750 3.1. */
function refusalOf({ active, scope }: Meaning, wanted: string): readonly [number, string] | undefined {
  if (active !== true) return [401, 'invalid_token'];
  return String(scope).split(' ').includes(wanted) ? undefined : [403, 'insufficient_scope'];
}

function refuse(response: ServerResponse, [status, error]: readonly [number, string]): void {
  response.setHeader('www-authenticate', `Bearer error="${error}"`);
  json(response, status, { error });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function passed(response: ServerResponse, { status, headers, body }: GatewayReply): void {
  const own: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name))
      own.push(name, headers[index + 1] ?? '');
  }
  response.writeHead(status, [...own, 'content-length', String(body.length)]).end(body);
}
