import type { Socket } from 'node:net';

import { Deviation } from '../verdict.js';
import type { Sent } from './answer.js';
import { bounds } from './bounds.js';
import { openSocket } from './connection.js';
import type { Connection } from './connection.js';
import { ownHeaders } from './identity.js';
import { headersOf, reason } from './received.js';
import { pathOf } from './trace.js';
import type { Received } from './received.js';

/** Bounds of a race, so that no server can hold the run; tests set lower ones. */
export interface RaceLimits {
  /** Milliseconds until a connection is open. */
  readonly open: number;
  /** Milliseconds that the server has to take in what was sent before the last bytes. */
  readonly settle: number;
  /** Milliseconds until an answer has ended. */
  readonly answer: number;
  /** Bytes of an answer. */
  readonly bytes: number;
}

const usual: RaceLimits = { open: 10_000, settle: 10, answer: 15_000, bytes: bounds.bytes };

/**
 * Sends requests so that the server has each of them whole at the same moment: every connection is opened, all but the
 * last byte of every request is written, then the last bytes go out together.
 *
 * @throws Deviation where one of them gets no connection or no whole answer
 */
export async function release(
  requests: readonly Sent[],
  limits: RaceLimits = usual,
  connection: Connection = {},
): Promise<Received[]> {
  const sockets: Socket[] = [];
  try {
    await all(requests.map(async ({ url }, index) => void (sockets[index] = await open(url, limits, connection))));
    const bytes = requests.map((request) => Buffer.from(textOf(request), 'utf8'));
    await Promise.all(sockets.map((socket, index) => written(socket, bytes[index]!.subarray(0, -1))));
    await new Promise((resolve) => setTimeout(resolve, limits.settle));
    const answers = sockets.map((socket) => read(socket, limits));
    for (const [index, socket] of sockets.entries()) socket.write(bytes[index]!.subarray(-1));
    return await all(answers);
  } finally {
    for (const socket of sockets) socket?.destroy();
  }
}

/** As Promise.all, but nothing is left under way. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Writes and waits until the bytes have left the process. */
const written = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(bytes, () => resolve()));

function textOf({ method, url, headers, body = '' }: Sent): string {
  const lines = {
    host: new URL(url).host,
    ...ownHeaders,
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  };
  return `${method} ${pathOf(url)} HTTP/1.1\r\n${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

function open(url: string, limits: RaceLimits, connection: Connection): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    let over = false;
    const fail = (why: string): void => {
      over = true;
      clearTimeout(late);
      socket?.destroy();
      reject(new Deviation('a connection for each request of a race', why));
    };
    const late = setTimeout(() => fail(`none within ${limits.open / 1000} seconds`), limits.open);
    const opened = (): void => {
      clearTimeout(late);
      resolve(socket!);
    };
    const take = async (): Promise<void> => {
      socket = (await openSocket(url, connection, opened)).setNoDelay(true);
      socket.on('error', (error) => fail(reason(error)));
      if (over) socket.destroy();
    };
    take().catch((error: Error) => fail(reason(error)));
  });
}

function read(socket: Socket, { answer, bytes: most }: RaceLimits): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let needed = 0;
    const finish = (received: Received | undefined, why: string): void => {
      clearTimeout(late);
      socket.destroy();
      if (received) resolve(received);
      else reject(new Deviation('a response to each request of a race', why));
    };
    const late = setTimeout(() => finish(undefined, `none that ended within ${answer / 1000} seconds`), answer);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > most) return finish(undefined, `more than ${most / 1024 / 1024} MB`);
      // A large body is not put together anew for each of its parts.
      if (bytes < needed || (needed === 0 && bytes > often && chunk.at(-1) !== 0x0a)) return;
      const all = Buffer.concat(chunks.splice(0));
      chunks.push(all);
      const received = parse(all, false);
      if (received) finish(received, '');
      else needed = lengthOf(all);
    });
    const closed = (): void =>
      finish(parse(Buffer.concat(chunks), true), 'a connection closed without a complete response');
    socket.on('end', closed);
    socket.on('close', closed);
  });
}

/** Bytes up to which every part may be the last. */
const often = 64 * 1024;

/** Bytes that an answer has in all, where it says so from the start; 0 where it does not. */
function lengthOf(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n');
  const [, length] = /^content-length: *(\d+) *\r?$/im.exec(bytes.toString('latin1', 0, Math.max(0, end))) ?? [];
  return length === undefined ? 0 : end + 4 + Number(length);
}

/** An answer, or undefined as long as it is not whole (RFC 9112 6.3); `closed` where nothing more comes. */
function parse(bytes: Buffer, closed: boolean): Received | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (!status) return undefined;
  // An interim answer goes before the one that counts (RFC 9110 15.2).
  if (status < 200) return parse(rest, closed);
  const headers = headersOf(
    lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = bodyOf(rest, status, headers, closed);
  return body && { status, headers, body };
}

function bodyOf(rest: Buffer, status: number, headers: Received['headers'], closed: boolean): Buffer | undefined {
  if (status === 204 || status === 304) return Buffer.alloc(0);
  if (/chunked/i.test(String(headers['transfer-encoding'] ?? ''))) return unchunked(rest);
  const length = Number(headers['content-length'] ?? NaN);
  if (Number.isNaN(length)) return closed ? rest : undefined;
  return rest.length >= length ? rest.subarray(0, length) : undefined;
}

/** The body behind `Transfer-Encoding: chunked` (RFC 9112 7.1), or undefined where its last chunk is still to come. */
function unchunked(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const size = parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (!(size >= 0)) return undefined;
    if (size === 0) return bytes.includes('\r\n\r\n', end) ? Buffer.concat(chunks) : undefined;
    if (bytes.length < end + 2 + size + 2) return undefined;
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
