import type { Mock } from '../../src/server/mock.js';
import { UsageError } from '../usage-error.js';

/** What the tools of one connection started: a mock at most, and audits that run. */
export class Session {
  #mock: Mock | undefined;
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** The mock of this session, if one runs. */
  get running(): Mock | undefined {
    return this.#mock;
  }

  /** @throws UsageError where none runs. */
  get mock(): Mock {
    if (!this.#mock) throw new UsageError('no mock runs in this session; call start_mock first');
    return this.#mock;
  }

  /** Puts a mock in the place of the one that runs, which is stopped first: it may hold the port. */
  async replace(start: () => Promise<Mock>): Promise<Mock> {
    await this.#mock?.close();
    this.#mock = undefined;
    const mock = await start();
    if (this.#ended.signal.aborted) await mock.close();
    return (this.#mock = mock);
  }

  /** Runs work that is aborted when the caller cancels it or the session ends; `close` waits for it. */
  async run<T>(cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = work(AbortSignal.any([cancelled, this.#ended.signal]));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends everything that was started. */
  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled(this.#running);
    await this.#mock?.close();
  }
}
