import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';

import { swap } from './client-mutant.js';
import type { ClientEntry } from './client-mutant.js';
import type { Got, Reference, Sent } from './reference.js';

/** Another query of the authorization request. */
export const authorizationQuery = (change: (query: URLSearchParams, verifier: string) => void): ClientEntry =>
  swap((_, { authorizationUrl }) => ({
    authorizationUrl: (state, challenge, verifier) => {
      const url = new URL(authorizationUrl(state, challenge, verifier));
      change(url.searchParams, verifier);
      return url.href;
    },
  }));

/** Other forms of the token requests of a grant. */
export const tokenForm = (
  grant: string,
  change: (form: Record<string, string>, client: Reference) => void,
): ClientEntry =>
  swap((client, { sendForm }) => ({
    sendForm: (form, headers) => {
      const changed = { ...form };
      if (form.grant_type === grant) change(changed, client);
      return sendForm(changed, headers);
    },
  }));

/** Other data requests. */
export const dataRequest = (change: (request: Sent, token: string, client: Reference) => Sent): ClientEntry =>
  swap((client) => ({ dressed: (request, token) => change(request, token, client) }));

/** Other headers of data requests; one that is empty is left out. */
export const dataHeaders = (headers: (token: string, client: Reference) => Record<string, string>): ClientEntry =>
  dataRequest((request, ...given) => ({ ...request, headers: { ...request.headers, ...headers(...given) } }));

/** Looks at each reply of the data API. */
export const onReply = (check: (reply: unknown, text: string) => void): ClientEntry =>
  swap((_, { read }) => ({
    read: (got) => {
      const reply = read(got);
      check(reply, got.text);
      return reply;
    },
  }));

/** Looks at each object in the replies of the data API. */
export const onObject = (check: (object: Record<string, unknown>) => void): ClientEntry =>
  onReply((reply) => {
    for (const one of objects(reply)) check(one);
  });

/** Does something else before a step, and does not mind how that ends. */
export const first = (
  step: 'account' | 'filters' | 'service',
  does: (client: Reference) => Promise<unknown>,
): ClientEntry =>
  swap((client, original) => {
    const both = async (): Promise<void> => {
      await does(client).catch(() => {});
      await original[step]();
    };
    return { [step]: both } as Pick<Reference, typeof step>;
  });

export const fail = (message: string): never => {
  throw new Error(message);
};

/** Every object within a value. */
function* objects(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objects(inner);
}

/** The request as it is, on a socket, for what no library would send. A header that is empty is left out. */
export async function raw({ method, url, headers, body = '' }: Sent, version = '1.1'): Promise<Got> {
  const { hostname, port, origin } = new URL(url);
  const target = url.slice(origin.length);
  const head = Object.entries({
    host: `${hostname}:${port}`,
    connection: 'close',
    ...headers,
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  }).filter(([, value]) => value !== '');
  const socket = connect(Number(port), hostname);
  // Half-closed, it would get no more than what has been sent by then.
  socket.write(
    `${method} ${target} HTTP/${version}\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk as string;
  text = text.replace(/^HTTP\/1.1 100 [^\r]*\r\n\r\n/, '');
  const [top = ''] = text.split('\r\n\r\n', 1);
  const lines = top.split('\r\n').slice(1);
  return {
    status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0),
    headers: new Headers(
      lines.map((one): [string, string] => [one.split(':', 1)[0]!, one.slice(one.indexOf(':') + 1).trim()]),
    ),
    text: text.slice(top.length + 4),
  };
}

/** A web client with a secret, at the redirect URI that it was given. */
export const confidential = swap((client, original) => ({
  env: (name) => original.env(name === 'PUBLIC_CLIENT_ID' ? 'CLIENT_ID' : name),
  exchangeForm: (...given) => ({ ...original.exchangeForm(...given), client_secret: client.env('CLIENT_SECRET') }),
  refreshForm: (token) => ({ ...original.refreshForm(token), client_secret: client.env('CLIENT_SECRET') }),
  port: () => Number(new URL(client.env('REDIRECT_URI')).port),
  redirectUri: () => client.env('REDIRECT_URI'),
}));

/** Opens a login page of its own, which leads on to the service. */
export const behindLoginPage = swap((_, { authorizationUrl, run }) => {
  let login = '';
  let target = '';
  return {
    authorizationUrl: (...given) => {
      target = authorizationUrl(...given);
      return login;
    },
    run: async () => {
      const page = createServer((_, res) => void res.writeHead(302, { location: target }).end());
      await new Promise<void>((done) => void page.listen(0, '127.0.0.1', done));
      login = `http://127.0.0.1:${(page.address() as AddressInfo).port}/login`;
      await run().finally(() => void page.close());
    },
  };
});
