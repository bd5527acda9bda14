import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The header by which requests of a copy are known. The audit adds it; no client sends it. */
export const copyMark = 'x-audit-copy';

/** The header with the client's port of a connection, by which requests of one connection are known. The audit adds it. */
export const connectionMark = 'x-audit-connection';

/** The process behind a connection, and which copy of the client it belongs to, from 1. */
export interface Owner {
  readonly pid: number;
  readonly copy: number;
}

/**
 * Who holds the other end of a connection from this machine, by the tables of the Linux kernel; undefined elsewhere, and
 * for a process whose environment was cleaned. All copies have one address, since a store may be keyed by it.
 */
export function ownerOf({ remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>): Owner | undefined {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return undefined;
  const inode = inodeOf(remotePort, localPort);
  if (inode === undefined) return undefined;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const environment = read(`/proc/${pid}/environ`).split('\0');
    if (!environment.some((one) => /^GAMEDATA_(?:BASE|AUTH)_URL=/.test(one) && one.includes(`:${localPort}`))) continue;
    const copy = environment.find((one) => one.startsWith('GAMEDATA_COPY='))?.slice('GAMEDATA_COPY='.length);
    if (copy !== undefined && holds(pid, `socket:[${inode}]`)) return { pid: Number(pid), copy: Number(copy) };
  }
  return undefined;
}

/** The number of the socket that a connection has at the client. */
function inodeOf(from: number, to: number): string | undefined {
  const port = (address = ''): number => Number.parseInt(address.split(':').at(-1) ?? '', 16);
  const lines = ['tcp', 'tcp6'].flatMap((name) => read(`/proc/net/${name}`).split('\n'));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.find(([, local, remote]) => port(local) === from && port(remote) === to)?.[9];
}

function holds(pid: string, socket: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === socket);
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Empty where it is not ours to read, or gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
