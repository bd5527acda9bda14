import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface FakeServer {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  close(): Promise<void>;
}

/** A server on a free port that answers as a function says. */
export async function fakeServer(answer: (request: FakeRequest) => FakeAnswer): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => (body += part));
    incoming.on('end', () => {
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://localhost');
      const request = { method: incoming.method ?? '', path, query, headers: incoming.headers, body };
      requests.push(request);
      const { status = 200, headers = {}, body: content = '' } = answer(request);
      const type = typeof content === 'string' ? 'text/html; charset=utf-8' : 'application/json';
      outgoing.writeHead(status, { 'content-type': type, ...headers });
      outgoing.end(typeof content === 'string' ? content : JSON.stringify(content));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
