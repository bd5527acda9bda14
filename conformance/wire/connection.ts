import * as http from 'node:http';
import * as https from 'node:https';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, rootCertificates } from 'node:tls';

import { ownHeaders } from './identity.js';

/** How connections are made, beside what URLs say. */
export interface Connection {
  /** PEM of certificate authorities that are trusted beside the usual ones. */
  readonly ca?: string;
  /** PEM of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** URL of a proxy that opens connections by CONNECT (RFC 9110 9.3.6). */
  readonly proxy?: string;
}

/** An IPv6 address is bracketed in a URL and nowhere else. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

interface Place {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

const placeOf = (url: string): Place => {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:';
  return { host: bare(hostname), port: Number(port || (secure ? 443 : 80)), secure };
};

/** Options of TLS. The roots that Node has are named, as a `ca` of our own takes their place. */
const tlsOf = ({ ca, cert, key }: Connection) => ({
  ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  ...(cert !== undefined && { cert }),
  ...(key !== undefined && { key }),
});

/** A connection that the proxy refused or did not open. */
class ProxyProblem extends Error {
  readonly code = 'EPROXY';
}

/** A connection through a proxy, before TLS. */
function tunnel(proxy: string, { host, port }: Place): Promise<Socket> {
  const { protocol, hostname, port: own, username, password, host: shown } = new URL(proxy);
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new Promise((resolve, reject) => {
    const asked = (protocol === 'https:' ? https : http).request({
      host: bare(hostname),
      port: own || (protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: {
        host: authority,
        'user-agent': ownHeaders['user-agent'],
        ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
    });
    const refuse = (status: number | undefined): void =>
      reject(new ProxyProblem(`the proxy ${shown} answered ${status} to CONNECT ${authority}`));
    asked.on('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode !== undefined && statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      refuse(statusCode);
    });
    asked.on('response', (answer) => {
      answer.destroy();
      refuse(answer.statusCode);
    });
    asked.on('error', ({ message }) => reject(new ProxyProblem(`the proxy ${shown} did not answer (${message})`)));
    asked.end();
  });
}

/** A socket to the server of a URL, TLS included; `opened` is called when it can be written to. */
export async function openSocket(url: string, connection: Connection, opened: () => void): Promise<Socket> {
  const place = placeOf(url);
  const { host, port, secure } = place;
  const raw = connection.proxy === undefined ? undefined : await tunnel(connection.proxy, place);
  if (secure)
    return connectTls(
      {
        ...(raw ? { socket: raw } : { host, port }),
        ...tlsOf(connection),
        ...(!isIP(host) && { servername: host }),
        host,
      },
      opened,
    );
  if (!raw) return connect({ host, port }, opened);
  // The caller has the socket first, as with the others.
  setImmediate(opened);
  return raw;
}

type Opened = (error: Error | null, socket?: Socket) => void;

/** The agent for URLs of a protocol. */
export function agentFor(protocol: 'http:' | 'https:', connection: Connection, keepAlive: boolean): http.Agent {
  const secure = protocol === 'https:';
  const agent = secure ? new https.Agent({ keepAlive, ...tlsOf(connection) }) : new http.Agent({ keepAlive });
  if (connection.proxy === undefined) return agent;
  const through = (
    options: { readonly host?: string | null; readonly port?: string | number | null },
    opened: Opened,
  ) => {
    const host = options.host ?? '';
    const url = `${protocol}//${host.includes(':') ? `[${host}]` : host}:${options.port ?? ''}`;
    void openSocket(url, connection, () => {})
      .then(
        (socket) => ({ socket, error: null }),
        (error: Error) => ({ socket: undefined, error }),
      )
      .then(({ socket, error }) => opened(error, socket));
  };
  return Object.assign(agent, { createConnection: through });
}
