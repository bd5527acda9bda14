import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

import { loadTarget } from '../target/load.js';
import { createProxy } from './proxy.js';
import type { Proxy, ProxyOptions } from './proxy.js';
import { OwnRelays } from './relays.js';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A proxy that listens, for as long as it is used. */
export interface Running extends AsyncDisposable {
  readonly proxy: Proxy;
  readonly url: string;
}

/** Passes on and judges in one thread. */
const inThisThread: ProxyOptions['start'] = (options, passed) =>
  new OwnRelays(options, (exchange, judged) => {
    passed(exchange);
    judged();
  });

/** A proxy for the server at that address. */
export async function proxyFor(
  baseUrl: string,
  options: Partial<ProxyOptions> = {},
  overrides: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const target = await loadTarget({ env: {}, overrides: { 'base-url': baseUrl, ...overrides } });
  const proxy = createProxy({
    target,
    only: [],
    waivers: [],
    today: '2026-01-01',
    version: '0.0.0',
    command: 'gamedata proxy',
    replay: 'gamedata proxy --only {row}',
    start: inThisThread,
    ...options,
  });
  await proxy.relays.listen(0, '127.0.0.1');
  return {
    proxy,
    url: proxy.relays.addresses.get(new URL(baseUrl).origin)!,
    [Symbol.asyncDispose]: () => proxy.relays.close(),
  };
}

/** A server that says what it is told to, byte by byte. */
export interface Upstream extends AsyncDisposable {
  readonly url: string;
  /** What came on each connection. */
  readonly heard: string[];
  readonly sockets: Set<Socket>;
}

/** @param answer told of each chunk, with all that came on the connection so far */
export async function upstream(answer: (socket: Socket, heard: string) => void): Promise<Upstream> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = heard.push('') - 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (chunk) => {
      heard[index] += chunk.toString('latin1');
      answer(socket, heard[index]!);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    heard,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One that gives the same reply to each request without a body. */
export const saying = (reply: string | Buffer): Promise<Upstream> =>
  upstream((socket, heard) => {
    if (heard.endsWith('\r\n\r\n')) socket.write(reply);
  });

/** Sends bytes, and resolves to all that comes back until the connection ends, or `until` is in it. */
export async function raw(url: string, text: string, until?: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  let got = '';
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1');
    if (until !== undefined && got.includes(until)) socket.destroy();
  });
  await once(socket, 'close');
  return got;
}

/** Resolves when so many exchanges are judged or counted. */
export async function taken(proxy: Proxy, exchanges: number): Promise<void> {
  while (proxy.count() < exchanges) await new Promise((done) => setImmediate(done));
}
