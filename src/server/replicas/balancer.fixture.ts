import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Balancer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** Hands connections to ports in turn, byte for byte; a reset of the one side is a reset of the other. */
export async function startBalancer(ports: () => readonly number[], listenOn = 0): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const all = ports();
    const port = all[turn++ % all.length] ?? 0;
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => open.delete(one));
    }
  });
  server.listen(listenOn, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
