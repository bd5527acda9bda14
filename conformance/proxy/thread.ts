import { Worker } from 'node:worker_threads';

import { packageFile } from '../../src/input/package.js';
import { SetupError } from '../../src/input/setup-error.js';
import type { Passed } from './relay.js';
import type { Relays, RelaysOptions } from './relays.js';

/** What the thread is asked: to listen, to give back the memory of the oldest exchange, and to close. */
export type Order =
  | { readonly kind: 'listen'; readonly port: number; readonly host: string }
  | { readonly kind: 'judged' }
  | { readonly kind: 'close' };

/** What it tells. */
export type News =
  | { readonly kind: 'passed'; readonly exchange: Passed }
  | { readonly kind: 'listening'; readonly addresses: ReadonlyMap<string, string> }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'closed' };

/** Relays in a thread of their own: what passes does not wait for what judges it. */
export function startRelayThread(options: RelaysOptions, passed: (exchange: Passed) => void): Relays {
  return new RelayThread(workerFor(options), passed);
}

/** The thread runs the build, or the sources where this does: a worker needs to be told how they are read. */
const workerFor = (workerData: RelaysOptions): Worker =>
  import.meta.url.endsWith('.ts')
    ? new Worker(
        `import('tsx/esm/api').then(({ register }) => (register(), import('${new URL('relay-thread.ts', import.meta.url).href}')))`,
        { workerData, eval: true },
      )
    : new Worker(packageFile('dist', 'conformance', 'proxy', 'relay-thread.js'), { workerData });

class RelayThread implements Relays {
  addresses: ReadonlyMap<string, string> = new Map();
  /** Who waits for an answer to an order. */
  #answered: (news: News) => void = () => {};

  constructor(
    private readonly worker: Worker,
    passed: (exchange: Passed) => void,
  ) {
    worker.on('message', (news: News) => {
      if (news.kind !== 'passed') return this.#answered(news);
      passed(news.exchange);
      this.#order({ kind: 'judged' });
    });
    // A fault of ours, as one of this thread would be.
    worker.on('error', (error) => {
      throw error;
    });
  }

  async listen(port: number, host: string): Promise<void> {
    const news = await this.#ask({ kind: 'listen', port, host });
    if (news.kind === 'refused') throw new SetupError(news.why);
    if (news.kind === 'listening') this.addresses = news.addresses;
  }

  async close(): Promise<void> {
    if (this.worker.threadId === -1) return;
    await this.#ask({ kind: 'close' });
    await this.worker.terminate();
  }

  #ask(order: Order): Promise<News> {
    return new Promise((done) => {
      this.#answered = done;
      this.#order(order);
    });
  }

  #order(order: Order): void {
    this.worker.postMessage(order);
  }
}
