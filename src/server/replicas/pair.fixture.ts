import { randomUUID } from 'node:crypto';

import { connectMock } from '../../client/index.js';
import type { Mock, MockOptions } from '../mock.js';
import { startMock } from '../mock.js';
import { startBalancer } from './balancer.fixture.js';

/** Two replicas behind a balancer that hands each connection to the other one, as if they were one mock. */
export async function startPair(store: string, options: MockOptions): Promise<Mock> {
  const ports: number[] = [];
  const balancer = await startBalancer(() => ports);
  const shared = { ...options, store: `${store}?name=${randomUUID()}`, publicUrl: balancer.url };
  const replicas: Mock[] = [];
  const close = async (): Promise<void> => {
    await balancer.close();
    await Promise.all(replicas.map((replica) => replica.close()));
  };
  try {
    for (const port of [options.port ?? 0, 0]) replicas.push(await startMock({ ...shared, port }));
  } catch (error) {
    await close();
    throw error;
  }
  ports.push(...replicas.map(({ port }) => port));
  const [first] = replicas as [Mock];
  return {
    ...connectMock(balancer.url, { controlToken: options.controlToken }),
    port: balancer.port,
    exchanges: first.exchanges,
    get world() {
      return first.world;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
