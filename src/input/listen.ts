import { randomInt } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:net';

import { SetupError } from './setup-error.js';

/** @throws SetupError that says why nothing can listen there, and what to change */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(explained(error, port, host)));
    server.listen(port, host, () => done());
  });
}

/**
 * A port of the loopback that is free now, for who has to name one before somebody listens on it. It lies below those
 * that systems hand out by themselves (from 32768 on): there the next connection of any program could take it.
 * @throws Error of the system where nothing can listen on the loopback
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    const isFree = await new Promise<boolean>((done, fail) => {
      server.once('error', (error: NodeJS.ErrnoException) => (isTaken(error) ? done(false) : fail(error)));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}

const isTaken = ({ code }: NodeJS.ErrnoException): boolean => code === 'EADDRINUSE' || code === 'EACCES';

function explained({ code, message }: NodeJS.ErrnoException, port: number, host: string): Error {
  switch (code) {
    case 'EADDRINUSE':
      return new SetupError(
        `port ${port}: another program listens on ${host}:${port}; stop it, or choose another port (port 0 takes any)`,
      );
    case 'EACCES':
      return new SetupError(`port ${port}: this user may not listen on it; choose one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SetupError(
        `host ${host}: this machine does not have that address; use 127.0.0.1, or 0.0.0.0 for all that it has`,
      );
    default:
      return new SetupError(`port ${port}: ${message}`);
  }
}
