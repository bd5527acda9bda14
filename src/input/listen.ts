import type { Server } from 'node:http';

import { SetupError } from './setup-error.js';

/** @throws SetupError that says why nothing can listen there, and what to change */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(explained(error, port, host)));
    server.listen(port, host, () => done());
  });
}

function explained({ code, message }: NodeJS.ErrnoException, port: number, host: string): Error {
  switch (code) {
    case 'EADDRINUSE':
      return new SetupError(
        `port ${port}: another program listens on ${host}:${port}; stop it, or choose another port (--port 0 takes any)`,
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
