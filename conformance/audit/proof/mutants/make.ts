import { connect } from 'node:net';

import { Reference } from '../reference.js';
import type { Got, Sent } from '../reference.js';

/** A wrong client: what it does otherwise, and the row that must say so. */
export interface ClientMutant {
  readonly id: string;
  /** What it does. */
  readonly does: string;
  readonly row: string;
  /** The worlds that it takes, beside the calm one. */
  readonly worlds: readonly string[];
  readonly make: typeof Reference;
}

export type Made = typeof Reference;

/** Gathers mutants in a list. */
export const gather =
  (mutants: ClientMutant[]) =>
  (id: string, does: string, row: string, worlds: readonly string[], make: Made): void =>
    void mutants.push({ id, does, row, worlds, make });

/** Changes the query of the authorization request. */
export const asks = (change: (query: URLSearchParams, verifier: string) => void): Made =>
  class extends Reference {
    override authorizationUrl(state: string, challenge: string, verifier: string): string {
      const url = new URL(super.authorizationUrl(state, challenge, verifier));
      change(url.searchParams, verifier);
      return url.href;
    }
  };

/** Changes the form of every token request, or those of one grant. */
export const forms = (
  grant: string | undefined,
  change: (form: Record<string, string>, client: Reference) => void,
): Made =>
  class extends Reference {
    override sendForm(form: Record<string, string>, headers: Record<string, string>): Promise<Got> {
      const changed = { ...form };
      if (grant === undefined || form.grant_type === grant) change(changed, this);
      return super.sendForm(changed, headers);
    }
  };

export const dressed = (change: (request: Sent, token: string, client: Reference) => Sent): Made =>
  class extends Reference {
    override dressed(request: Sent, token: string): Sent {
      return change(request, token, this);
    }
  };

export const encodes = (encode: (name: string) => string): Made =>
  class extends Reference {
    override encode(name: string): string {
      return encode(name);
    }
  };

export const reads = (check: (reply: unknown, text: string) => void): Made =>
  class extends Reference {
    override read(got: Got): unknown {
      const reply = super.read(got);
      check(reply, got.text);
      return reply;
    }
  };

export const fail = (message: string): never => {
  throw new Error(message);
};

/** Every object within a value. */
export function* objects(value: unknown): Generator<Record<string, unknown>> {
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
  socket.end(
    `${method} ${target} HTTP/${version}\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk as string;
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
