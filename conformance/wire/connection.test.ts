import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { plainTransport } from '../target/plain-transport.js';
import { unreachable } from '../target/unreachable.js';
import {
  ca,
  clientCertificate,
  expiredCertificate,
  key,
  otherCertificate,
  serverCertificate,
} from './certificates.fixture.js';
import type { Connection } from './connection.js';
import { release } from './race.js';
import { Wire } from './wire.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const secure = async (cert: string, options: ServerOptions = {}): Promise<string> => {
  const server = createTlsServer({ cert, key, ...options }, (_, reply) => void reply.end('{}'));
  return `https://127.0.0.1:${await listening(server)}`;
};

/** A proxy that only opens connections, and what it was asked for. */
async function proxied(authorization?: string): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((_, reply) => void reply.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push(url);
    if (headers['proxy-authorization'] !== authorization)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [host, port] = url.split(':');
    const inner = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const socket of [client, inner]) sockets.push(socket.on('error', () => {}));
    client.pipe(inner).pipe(client);
  });
  const port = await listening(server);
  closers.push(() => sockets.forEach((socket) => socket.destroy()));
  return { url: `http://127.0.0.1:${port}`, asked };
}

/** The status that a URL answers with, in each of the three ways that the suite has to send a request. */
async function statuses(url: string, connection: Connection): Promise<readonly number[]> {
  const request = { method: 'POST', url: `${url}/`, headers: {}, body: 'a=b' };
  const { signal } = new AbortController();
  const wire = new Wire({ budget: 9, perSecond: 0, concurrency: 2, signal, seen: () => {}, connection });
  closers.push(() => wire.close());
  const [raced] = await release([request], undefined, connection);
  const sent = await wire.send(request, { server: 'data', args: {} });
  const again = await wire.send(request, { server: 'data', args: {} });
  return [raced!.status, sent.status, again.status, (await plainTransport(connection)(request)).status];
}

const all = [200, 200, 200, 200];

describe('a connection', () => {
  it('trusts the authority of the target', async () => {
    const url = await secure(serverCertificate);
    expect(await statuses(url, { ca })).toEqual(all);
    await expect(statuses(url, {})).rejects.toMatchObject({ name: 'Deviation' });
  });

  it('shows the certificate of the target', async () => {
    const url = await secure(serverCertificate, { ca, requestCert: true, rejectUnauthorized: true });
    expect(await statuses(url, { ca, cert: clientCertificate, key })).toEqual(all);
    await expect(plainTransport({ ca })({ method: 'GET', url })).rejects.toMatchObject({
      code: expect.stringMatching(/ALERT|ECONNRESET/) as string,
    });
  });

  it('goes through the proxy of the target, with TLS and without', async () => {
    const { url: proxy, asked } = await proxied();
    const tls = await secure(serverCertificate);
    expect(await statuses(tls, { ca, proxy })).toEqual(all);
    const plain = await listening(createServer((_, reply) => void reply.end('{}')));
    expect(await statuses(`http://127.0.0.1:${plain}`, { proxy })).toEqual(all);
    expect(new Set(asked)).toEqual(new Set([new URL(tls).host, `127.0.0.1:${plain}`]));
  });

  it('has the credentials of the proxy, and names a proxy that refuses', async () => {
    const { url } = await proxied(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    const tls = await secure(serverCertificate);
    expect(await statuses(tls, { ca, proxy: url.replace('http://', 'http://me:p%40ss@') })).toEqual(all);
    const met = `the proxy ${new URL(url).host} answered 407 to CONNECT ${new URL(tls).host}`;
    await expect(statuses(tls, { ca, proxy: url })).rejects.toMatchObject({ got: met });
    const error: unknown = await plainTransport({ proxy: url })({ method: 'GET', url: tls }).catch(
      (one: unknown) => one,
    );
    expect(unreachable(error, tls)).toEqual({ met, remedy: 'correct proxy, or remove it' });
  });

  it.each([
    ['not trusted', serverCertificate, {}, /not trusted .*: set ca to the file/],
    ['expired', expiredCertificate, { ca }, /has expired \(CERT_HAS_EXPIRED\): replace/],
    ['of another host', otherCertificate, { ca }, /for another host \(ERR_TLS_CERT_ALTNAME_INVALID\): use the name/],
  ] as const)('is refused with a remedy: %s', async (_, certificate, connection, words) => {
    const url = await secure(certificate);
    const error: unknown = await plainTransport(connection)({ method: 'GET', url }).catch((one: unknown) => one);
    const { met, remedy } = unreachable(error, url);
    expect(`${met}: ${remedy}`).toMatch(words);
  });
});
