import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { Deviation } from '../engine/verdict.js';
import type { Sent } from './answer.js';
import { headersOf, pathOf } from './wire.js';
import type { Received } from './wire.js';

const patience = 10_000;

/**
 * Sends requests so that the server has each of them whole at the same moment: every connection is opened, all but the
 * last byte of every request is written, then the last bytes go out together.
 */
export async function release(requests: readonly Sent[]): Promise<Received[]> {
  const runners = await Promise.all(
    requests.map(async (request) => {
      const bytes = Buffer.from(textOf(request), 'utf8');
      const socket = await open(request.url);
      socket.write(bytes.subarray(0, -1));
      return { socket, last: bytes.subarray(-1), answer: read(socket) };
    }),
  );
  // What was written so far has left the process before the last bytes follow.
  await new Promise((resolve) => setImmediate(resolve));
  for (const { socket, last } of runners) socket.write(last);
  return Promise.all(runners.map(({ answer }) => answer));
}

function textOf({ method, url, headers, body = '' }: Sent): string {
  const lines = {
    host: new URL(url).host,
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  };
  return `${method} ${pathOf(url)} HTTP/1.1\r\n${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

function open(url: string): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket =
      protocol === 'https:'
        ? connectTls({ host, port: Number(port || 443), servername: host }, () => resolve(socket))
        : connect({ host, port: Number(port || 80) }, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', (error) => reject(new Deviation('a connection', error.message)));
  });
}

function read(socket: Socket): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const give = (): void => {
      socket.destroy();
      const received = parse(Buffer.concat(chunks));
      if (received) resolve(received);
      else
        reject(
          new Deviation('an answer to one of the requests of a race', 'a connection closed without a whole answer'),
        );
    };
    socket.setTimeout(patience, give);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (complete(Buffer.concat(chunks))) give();
    });
    socket.on('end', give);
    socket.on('error', give);
  });
}

function split(bytes: Buffer): { readonly head: string; readonly rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  return end === -1 ? undefined : { head: bytes.subarray(0, end).toString('latin1'), rest: bytes.subarray(end + 4) };
}

function complete(bytes: Buffer): boolean {
  const parts = split(bytes);
  if (!parts) return false;
  const length = /^content-length: *(\d+)/im.exec(parts.head);
  if (length) return parts.rest.length >= Number(length[1]);
  return /^transfer-encoding:.*chunked/im.test(parts.head) && parts.rest.includes('0\r\n\r\n');
}

function parse(bytes: Buffer): Received | undefined {
  const parts = split(bytes);
  const [start = '', ...lines] = parts?.head.split('\r\n') ?? [];
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1]);
  if (!parts || !status) return undefined;
  const headers = headersOf(
    lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return {
    status,
    headers,
    text: (headers['transfer-encoding'] ? unchunked(parts.rest) : parts.rest).toString('utf8'),
  };
}

/** The body behind `Transfer-Encoding: chunked` (RFC 9112 7.1). */
function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (end === -1 || !(size > 0)) break;
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
