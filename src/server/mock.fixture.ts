import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

import type { Scope } from '../contract/index.js';
import type { Mock, MockOptions } from './mock.js';
import { startMock } from './mock.js';

/** The instant that the mocks of the tests start at. */
export const epoch = '2026-01-01T00:00:00Z';

/** A mock whose world and clock start the same in every run. */
export const startTestMock = (options: MockOptions = {}): Promise<Mock> => starting({ epoch, ...options });

let starting: typeof startMock = startMock;

/** Processes that a mock of the tests is of: some bounds are of each. */
export let processes = 1;

/** Has the tests of this file start their mocks in another way. */
export function startTestMocksWith(start: typeof startMock, count: number): void {
  starting = start;
  processes = count;
}

export interface RawRequest {
  readonly method?: string;
  /** The request target as it goes over the wire: nothing is normalised or encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Without one each request has a connection of its own: a kept one may be closed by the other side as it is used. */
  readonly agent?: Agent | false;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body as JSON. @throws where it is none */
  json<T = unknown>(): T;
}

/** Sends a request as it is written: fetch would rewrite paths and refuse bodies of GET. */
export function send(url: string, { method = 'GET', path, headers = {}, body, agent }: RawRequest): Promise<Got> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    const sized =
      body === undefined || 'transfer-encoding' in headers
        ? headers
        : { 'content-length': String(Buffer.byteLength(body)), ...headers };
    const out = request(
      {
        hostname,
        port,
        method,
        path,
        headers: sized as Record<string, string | string[]>,
        agent: agent ?? false,
      },
      (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('error', fail);
        res.on('end', () => {
          const bytes = Buffer.concat(parts);
          const text = bytes.toString();
          done({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            bytes,
            json: <T>() => JSON.parse(text) as T,
          });
        });
      },
    );
    out.on('error', fail);
    out.end(body);
  });
}

/** Writes `bytes` to a connection of its own and reads until the other side ends it. */
export function exchangeRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('error', fail);
    socket.on('close', () => done(Buffer.concat(parts).toString()));
  });
}

/** The `Authorization` header of a token that the mock makes for a scope: of alice, unless it is a service's. */
export async function bearerFor(mock: Mock, scope: Scope, account = 'alice'): Promise<string> {
  const ofAccount = scope.startsWith('account:');
  const { access_token: token } = await mock.issueToken({ scopes: [scope], ...(ofAccount && { account }) });
  return `Bearer ${token}`;
}

/** Headers that carry such a token. */
export const withToken = async (mock: Mock, scope: Scope, account?: string): Promise<{ authorization: string }> => ({
  authorization: await bearerFor(mock, scope, account),
});
