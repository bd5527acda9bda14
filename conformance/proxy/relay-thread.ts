/** What runs in the thread of the relays: it obeys orders, and tells what passed. */
import { parentPort, workerData } from 'node:worker_threads';

import { SetupError } from '../../src/input/setup-error.js';
import { OwnRelays } from './relays.js';
import type { RelaysOptions } from './relays.js';
import type { News, Order } from './thread.js';

const tell = (news: News, memory: ArrayBuffer[] = []): void => parentPort!.postMessage(news, memory);

/** Exchanges that are judged elsewhere, in their order. */
const waiting: (() => void)[] = [];

const relays = new OwnRelays(workerData as RelaysOptions, (exchange, judged) => {
  waiting.push(judged);
  const { request, response } = exchange;
  // The memory goes along: nothing is copied again.
  tell(
    { kind: 'passed', exchange },
    [request, response].flatMap((message) => (message ? [message.body.buffer] : [])),
  );
});

async function listen(port: number, host: string): Promise<News> {
  try {
    await relays.listen(port, host);
    return { kind: 'listening', addresses: relays.addresses };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { kind: 'refused', why: error.message };
  }
}

parentPort!.on('message', (order: Order) => {
  if (order.kind === 'judged') waiting.shift()?.();
  else if (order.kind === 'listen') void listen(order.port, order.host).then(tell);
  else void relays.close().then(() => tell({ kind: 'closed' }));
});
